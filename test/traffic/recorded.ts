import type { HttpRequest, HttpResponse } from '../../src/core/http/message';
import { type CleanExchange, type RecordedBody, secretMark } from '../../src/traffic/exchange/recorded-exchange';

/** An exchange as a test says it in short; header names and values by name. */
export interface Said {
  readonly method?: string;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is JSON; a text is sent as it is, with the type that the headers say. */
  readonly sent?: unknown;
  readonly status?: number;
  readonly answered?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly resourceType?: string;
  /** No response came. */
  readonly isLost?: boolean;
  readonly at?: number;
}

let count = 0;

/** @param line - `GET /things?a=1` */
export function exchange(line: string, said: Said = {}): CleanExchange {
  const [method = 'GET', target = '/'] = line.split(' ');
  const { headers = {}, sent, status = 200, answered, responseHeaders = {}, resourceType, isLost, at } = said;
  return {
    secrets: 'replaced',
    source: `test:${(count += 1)}`,
    startedAt: at,
    endedAt: at,
    origin: said.origin ?? 'https://api.example',
    request: { method, target, headers: lines(headers, sent), body: bodyOf(sent) },
    response:
      isLost === true ? undefined : { status, headers: lines(responseHeaders, answered), body: bodyOf(answered) },
    notes: [],
    resourceType,
  };
}

function lines(headers: Readonly<Record<string, string>>, body: unknown): string[] {
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = body === undefined || isTyped || typeof body === 'string' ? [] : ['Content-Type', 'application/json'];
  return [...Object.entries(headers).flat(), ...type];
}

function bodyOf(value: unknown): RecordedBody | undefined {
  if (value === undefined) return undefined;
  return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** What a transport sent and got, as a recorder would have kept it, with the key of the tests as a secret. */
export function recorded(request: HttpRequest, response: HttpResponse, origin: string): CleanExchange {
  const clean = (values: readonly string[]): string[] =>
    values.map((value) =>
      value.replaceAll('test-key', secretMark('key')).replace(/^Basic .*/, `Basic ${secretMark('basic')}`),
    );
  return {
    secrets: 'replaced',
    source: 'test',
    startedAt: undefined,
    endedAt: undefined,
    origin,
    request: {
      method: request.method,
      target: request.target.replaceAll('test-key', secretMark('key')),
      headers: clean(request.rawHeaders),
      body: textBody(request.body),
    },
    response: { status: response.status, headers: clean(response.headers), body: textBody(response.body) },
    notes: [],
  };
}

function textBody(body: string | Uint8Array | undefined): RecordedBody | undefined {
  if (body === undefined || body.length === 0) return undefined;
  return { kind: 'text', text: typeof body === 'string' ? body : Buffer.from(body).toString('utf8') };
}
