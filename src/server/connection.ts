import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait; or that the current one is not done yet, or that nothing more is to be done. */
type State = (() => void)[] | 'busy' | 'closed' | undefined;

const STATE = Symbol('the order of work on a connection');

/**
 * Keeps the requests of each connection in order (RFC 9112 §9.3.2). Node hands over a second request while the body of
 * the first is still coming, and a read must not overtake the write before it; nor may anything be done for a request
 * behind a response that closes the connection (RFC 9112 §9.6).
 *
 * Only work that waits for something says so; work that is done at once costs one look. The state stands on the socket:
 * a map of sockets would cost more than all the rest.
 */
export class ConnectionOrder {
  /** Must the next request of the connection wait, or be dropped? */
  mustWait(socket: Socket): boolean {
    return stateOf(socket) !== undefined;
  }

  /** Runs work when the requests before it are done, or never. */
  defer(socket: Socket, work: () => void): void {
    const state = stateOf(socket);
    if (state === undefined) work();
    else if (state === 'busy') setState(socket, [work]);
    else if (state !== 'closed') state.push(work);
  }

  /** The work of the current request goes on later: the next one has to wait. */
  begin(socket: Socket): void {
    setState(socket, 'busy');
  }

  end(socket: Socket): void {
    const queue = stateOf(socket);
    if (queue === 'closed') return;
    setState(socket, undefined);
    if (queue === undefined || queue === 'busy') return;
    // A loop, because a client may have sent thousands behind the one that waited.
    for (let index = 0; index < queue.length; index++) {
      queue[index]?.();
      const state = stateOf(socket);
      if (state === 'closed') return;
      if (state === undefined) continue;
      setState(socket, queue.slice(index + 1));
      return;
    }
  }

  /** The response to the current request closes the connection. */
  close(socket: Socket): void {
    setState(socket, 'closed');
  }
}

function stateOf(socket: Socket): State {
  return (socket as Socket & { [STATE]?: State })[STATE];
}

function setState(socket: Socket, state: State): void {
  (socket as Socket & { [STATE]?: State })[STATE] = state;
}

export type BodyRead = { readonly kind: 'read'; readonly body: Uint8Array } | { readonly kind: 'too-large' };

const DRAIN_MS = 2000;

export const NO_BODY = new Uint8Array(0);

/** Does the head announce a body (RFC 9112 §6.3)? */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body whole, counting as it comes: a chunked one does not say how long it will be.
 *
 * @param done - never called when the client goes away before the end: nobody would get the response, so that nothing
 *   may change
 * @param gone - called in its place then
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (read: BodyRead) => void,
  gone?: () => void,
): void {
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
  if (gone === undefined) return;
  request.on('close', () => {
    if (!request.complete && length <= maxBytes) gone();
  });
}

/** A client that waits for leave to send its body gets it, now that the head was found good (RFC 9110 §10.1.1). */
export function sendContinue({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
}

/** The rest of a body is read and dropped for a while, so that the client can read the response before the end. */
export function discardBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  request.resume();
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  timer.unref();
  request.on('close', () => {
    clearTimeout(timer);
  });
}
