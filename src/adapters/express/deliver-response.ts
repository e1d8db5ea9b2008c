import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Delivery, HttpResponse } from '../../http/message';
import { MAX_DELAY_MS } from '../../mock/faults/fault';
import { writeHeadOf, writeResponse } from './write-response';

// Kept as they are now: a test may fake the timers later, and the answers must come all the same.
const after = setTimeout;
const cancel = clearTimeout;

/**
 * Sends a response in the way that a fault asks for: late, in small pieces, cut off, or not at all. It is given up when
 * the client goes away or the server closes the connection.
 */
export function deliverResponse(target: ServerResponse, response: HttpResponse): void {
  const { delayMs = 0, dribble, end }: Delivery = response.delivery ?? {};
  // What comes behind it on this connection would never be answered.
  if (end !== undefined) target.shouldKeepAlive = false;
  wait(target, delayMs, () => {
    if (end === 'reset') onSocket(target, reset);
    else if (end === 'truncate') truncate(target, response);
    else if (dribble !== undefined) drip(target, response, dribble);
    else writeResponse(target, response);
  });
}

/** Goes on after a while, unless the connection is gone by then. */
function wait(target: ServerResponse, ms: number, next: () => void): void {
  if (ms <= 0) {
    next();
    return;
  }
  const stop = (): void => {
    cancel(timer);
  };
  const timer = after(() => {
    target.off('close', stop);
    // A response that waits for those before it on its connection is not told when that is closed.
    if (!target.destroyed && !target.req.socket.destroyed) next();
  }, ms);
  // An open connection keeps the process alive by itself, and without one there is nothing to wait for.
  timer.unref();
  target.once('close', stop);
}

/** A response gets the connection when those before it are done (RFC 9112 §9.3.2). */
function onSocket(target: ServerResponse, act: (socket: Socket) => void): void {
  if (target.socket !== null) act(target.socket);
  else target.once('socket', act);
}

/** A TCP reset, where the connection knows how. */
function reset(socket: Socket & { resetAndDestroy?: () => void }): void {
  if (typeof socket.resetAndDestroy === 'function') socket.resetAndDestroy();
  else socket.destroy();
}

/** The length of the whole, and half of the bytes: of a single one none. */
function truncate(target: ServerResponse, response: HttpResponse): void {
  const bytes = bytesOf(response);
  writeHeadOf(target, response);
  target.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    onSocket(target, (socket) => socket.destroy());
  });
}

/** However slowly, it ends: what is left after the longest time that an answer may take comes in one piece. */
function drip(
  target: ServerResponse,
  response: HttpResponse,
  { bytes: size, everyMs }: NonNullable<Delivery['dribble']>,
): void {
  const bytes = bytesOf(response);
  const lastDrop = Math.floor(MAX_DELAY_MS / everyMs);
  writeHeadOf(target, response);
  const drop = (index: number): void => {
    const from = index * size;
    if (index >= lastDrop || from + size >= bytes.length) {
      target.end(bytes.subarray(from));
      return;
    }
    target.write(bytes.subarray(from, from + size));
    wait(target, everyMs, () => {
      drop(index + 1);
    });
  };
  drop(0);
}

function bytesOf({ body = '' }: HttpResponse): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
