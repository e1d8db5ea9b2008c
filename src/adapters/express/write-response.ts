import type { ServerResponse } from 'node:http';
import { isHeaderName } from '../../formats/header-name';
import { toHeaderText } from '../../http/header-text';
import type { HttpResponse, RawHeaders } from '../../http/message';

/** Writes a response. What is written was judged before: this only translates. */
export function writeResponse(target: ServerResponse, response: HttpResponse): void {
  if (target.headersSent || target.destroyed) return;
  const { body } = response;
  const headers = writeHeadOf(target, response);
  if (typeof body === 'string') endWith(target, body, encodingOf(body, headers));
  else target.end(body);
}

/**
 * Ends with a text, written at once. `end` alone adds an empty second piece to it, which makes Node gather two pieces and
 * costs a short answer a tenth more.
 */
function endWith(target: ServerResponse, body: string, encoding: 'latin1' | 'utf8'): void {
  const { socket } = target;
  if (socket === null) {
    target.end(body, encoding);
    return;
  }
  // Corked, so that `write` does not wait for the end of the turn.
  socket.cork();
  target.write(body, encoding);
  socket.uncork();
  target.end();
}

/** Writes the head alone. @returns the headers of it */
export function writeHeadOf(target: ServerResponse, { status, headers, body }: HttpResponse): RawHeaders {
  const all = withLength(status, headers, body);
  // What middleware set before, such as CORS headers, has to stay: writeHead with a flat list would drop it.
  if (target.getHeaderNames().length > 0) {
    const fields = sendable(all);
    for (let index = 0; index < fields.length; index += 2)
      target.appendHeader(fields[index] ?? '', fields[index + 1] ?? '');
    target.writeHead(status);
    return all;
  }
  try {
    target.writeHead(status, all as never);
  } catch {
    // Looking first would cost every answer what hardly one of them needs.
    target.writeHead(status, sendable(all) as never);
  }
  return all;
}

/** Without names that are no token, and with values of visible ASCII: a description may hold any text (RFC 9110 §5.1, §5.5). */
function sendable(headers: RawHeaders): string[] {
  const fields: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    if (isHeaderName(name)) fields.push(name, toHeaderText(value));
  }
  return fields;
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
