import type { ServerResponse } from 'node:http';
import type { HttpResponse, RawHeaders } from '../../http/message';

/** Writes a response. What is written was judged before: this only translates. */
export function writeResponse(target: ServerResponse, response: HttpResponse): void {
  if (target.headersSent || target.destroyed) return;
  const { body } = response;
  const headers = writeHeadOf(target, response);
  if (typeof body === 'string') target.end(body, encodingOf(body, headers));
  else target.end(body);
}

/** Writes the head alone. @returns the headers of it */
export function writeHeadOf(target: ServerResponse, { status, headers, body }: HttpResponse): RawHeaders {
  const all = withLength(status, headers, body);
  // What middleware set before, such as CORS headers, has to stay: writeHead with a flat list would drop it.
  if (target.getHeaderNames().length === 0) target.writeHead(status, all as never);
  else {
    for (let index = 0; index < all.length; index += 2) target.appendHeader(all[index] ?? '', all[index + 1] ?? '');
    target.writeHead(status);
  }
  return all;
}

/** A text of as many bytes as characters is ASCII, the same in UTF-8 as in Latin-1, which is quicker to write. */
function encodingOf(body: string, headers: RawHeaders): 'latin1' | 'utf8' {
  return headers[headers.indexOf('Content-Length') + 1] === String(body.length) ? 'latin1' : 'utf8';
}

/** Adds Content-Length where it is missing; 204 and 304 have none (RFC 9110 §8.6). */
function withLength(status: number, headers: RawHeaders, body: HttpResponse['body']): RawHeaders {
  if (headers.includes('Content-Length')) return headers;
  if (body !== undefined) {
    return [...headers, 'Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length)];
  }
  return status === 204 || status === 304 ? headers : [...headers, 'Content-Length', '0'];
}
