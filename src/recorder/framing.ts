import type { IncomingMessage } from 'node:http';
import { headerValue } from '../core/http/headers';
import type { RawHeaders } from '../core/http/message';

/** Does the head announce a body (RFC 9112 §6.3)? */
export function hasBody({ rawHeaders }: IncomingMessage): boolean {
  const length = headerValue(rawHeaders, 'content-length');
  return headerValue(rawHeaders, 'transfer-encoding') !== undefined || (length !== undefined && length !== '0');
}

/** How many bytes the body of a response has; `undefined` where only its end tells (RFC 9112 §6.3). */
export function bodyLength(
  { method }: IncomingMessage,
  { statusCode = 0, rawHeaders }: IncomingMessage,
): number | undefined {
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return 0;
  const length = headerValue(rawHeaders, 'content-length');
  if (length === undefined || headerValue(rawHeaders, 'transfer-encoding') !== undefined) return undefined;
  return Number(length);
}

/** Header lines as Node takes trailers. */
export function pairsOf(headers: RawHeaders): [string, string][] {
  return headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  );
}
