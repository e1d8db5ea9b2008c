import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../../http/message';

/** Writes a response. What is written was judged before: this only translates. */
export function writeResponse(target: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (target.headersSent || target.destroyed) return;
  const all = [...headers];
  if (body !== undefined && !hasLength(headers)) {
    all.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  } else if (body === undefined && mayHaveBody(status) && !hasLength(headers)) all.push('Content-Length', '0');
  // What middleware set before, such as CORS headers, is joined by Node: a flat list would replace it.
  if (target.getHeaderNames().length === 0) target.writeHead(status, all as never);
  else {
    for (let index = 0; index < all.length; index += 2) target.appendHeader(all[index] ?? '', all[index + 1] ?? '');
    target.writeHead(status);
  }
  target.end(body);
}

/** 204 and 304 have none (RFC 9110 §8.6). */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 304;
}

function hasLength(headers: readonly string[]): boolean {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === 'Content-Length') return true;
  return false;
}
