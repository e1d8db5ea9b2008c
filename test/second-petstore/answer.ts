import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from './failure';
import { writeJson, type Row } from './json-text';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Row | readonly Row[];
}

const OPEN_TO_ALL = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Location, X-Total-Count, X-Request-Id',
};

/** Changes exactly when the row does: it is made of nothing else. */
export const entityTag = (row: Row): string =>
  `"${createHash('sha1').update(writeJson(row, false)).digest('base64url').slice(0, 20)}"`;

export function failureAnswer(failure: unknown): Answer {
  const { status, code, message, headers } =
    failure instanceof Failure ? failure : new Failure(500, 'internal_error', 'Something broke here.');
  return { status, headers, body: { status, code, message } };
}

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer, pretty: boolean): void {
  const text = answer.body === undefined ? undefined : Buffer.from(writeJson(answer.body, pretty));
  response.writeHead(answer.status, {
    Server: 'menagerie/2.4',
    'X-Request-Id': randomBytes(9).toString('base64url'),
    'Cache-Control': 'no-cache, private',
    ...OPEN_TO_ALL,
    ...(text ? { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(text.length) } : {}),
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
  // What is left of a refused body is read and thrown away, so that the connection can go on.
  request.resume();
}

export function optionsAnswer(request: IncomingMessage, allow: string): Answer {
  const preflight = request.headers['access-control-request-method'] !== undefined;
  return {
    status: 204,
    headers: {
      Allow: allow,
      ...(preflight
        ? {
            'Access-Control-Allow-Methods': allow,
            'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? '*, Authorization',
            'Access-Control-Max-Age': '300',
          }
        : {}),
    },
  };
}

/** What the parser of node:http refuses never becomes a request; the answer is written by hand. */
export function parserFailure(error: NodeJS.ErrnoException): string {
  const [status, reason, code] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'headers_too_large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'request_timeout']
        : [400, 'Bad Request', 'bad_request'];
  const body = writeJson({ status, code, message: 'This is not HTTP as we know it.' }, false);
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
