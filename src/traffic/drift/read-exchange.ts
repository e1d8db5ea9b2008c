import type { HttpRequest, HttpResponse } from '../../core/http/message';
import { joinedHeaders } from '../../core/http/headers';
import type { CleanExchange, RecordedBody, RecordedResponse } from '../exchange/recorded-exchange';
import { hasMark } from './unmarked-schemas';

/** An exchange that can be judged. */
export type AnsweredExchange = CleanExchange & { readonly response: RecordedResponse };

/** The parts of an exchange as values that checks take. */
export interface ReadExchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

const NOTHING = new Uint8Array(0);

export function readExchange({ request, response }: AnsweredExchange): ReadExchange {
  const { method, target, headers } = request;
  return {
    request: { method, target, rawHeaders: headers, headers: joinedHeaders(headers), body: bytesOf(request.body) },
    response: { status: response.status, headers: response.headers, body: contentOf(response.body) },
  };
}

function bytesOf(body: RecordedBody | undefined): Uint8Array {
  const content = contentOf(body);
  return typeof content === 'string' ? Buffer.from(content) : (content ?? NOTHING);
}

function contentOf(body: RecordedBody | undefined): string | Uint8Array | undefined {
  switch (body?.kind) {
    case 'text':
      return body.text;
    case 'bytes':
      return Buffer.from(body.base64, 'base64');
    default:
      return undefined;
  }
}

/** Is there a mark in it? Only then other schemas are needed. */
export function isMarked({ request, response }: AnsweredExchange): boolean {
  const isIn = (body: RecordedBody | undefined): boolean => body?.kind === 'text' && hasMark(body.text);
  return (
    hasMark(request.target) ||
    isIn(request.body) ||
    isIn(response.body) ||
    request.headers.some(hasMark) ||
    response.headers.some(hasMark)
  );
}
