import type { IncomingMessage, ServerResponse } from 'node:http';

/** How reading a body ended. */
export type BodyRead = { readonly kind: 'read'; readonly body: Uint8Array } | { readonly kind: 'too-large' };

const DRAIN_MS = 2000;

/** What a request without a body has. */
export const NO_BODY = new Uint8Array(0);

/** Does the head announce a body (RFC 9112 §6.3)? */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body whole, counting as it comes: a chunked one does not say how long it will be.
 *
 * @param done - never called when the client goes away before the end: nobody would get the answer, so that nothing
 *   may change
 */
export function readBody(request: IncomingMessage, maxBytes: number, done: (read: BodyRead) => void): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    const isOver = length > maxBytes;
    length += chunk.length;
    if (isOver) return;
    if (length > maxBytes) done({ kind: 'too-large' });
    else if (first === undefined) first = chunk;
    else (more ??= []).push(chunk);
  });
  request.on('end', () => {
    if (length > maxBytes) return;
    const body = first === undefined ? NO_BODY : more === undefined ? first : Buffer.concat([first, ...more], length);
    done({ kind: 'read', body });
  });
}

/** A client that waits for leave to send its body gets it, now that the head was found good (RFC 9110 §10.1.1). */
export function inviteBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
}

/** The rest of a body is read and dropped for a while, so that the client can read the answer before the end. */
export function abandonBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  request.resume();
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  timer.unref();
  request.on('close', () => {
    clearTimeout(timer);
  });
}
