import type { ServerResponse } from 'node:http';
import type { Delivery, HttpResponse, RawHeaders } from '../core/http/message';
import { isHeaderName, toHeaderText } from '../core/http/headers';
import type { Socket } from 'node:net';
import { MAX_DELAY_MS } from '../mock/faults/fault';

/** Calls back after some milliseconds, and returns a function that cancels the call. */
export type StartTimer = (ms: number, act: () => void) => () => void;

// Kept as they are now: a test may fake the timers later, and the responses must come all the same.
const [startTimeout, cancelTimeout] = [setTimeout, clearTimeout];

export const startRealTimer: StartTimer = (ms, act) => {
  const timer = startTimeout(act, ms);
  // An open connection keeps the process alive by itself, and without one there is nothing to wait for.
  timer.unref();
  return () => {
    cancelTimeout(timer);
  };
};

/** Writes the head alone. @returns the headers of it */
function writeHeadOf(target: ServerResponse, { status, headers, body }: HttpResponse): RawHeaders {
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
    // Looking first would cost every response what hardly one of them needs.
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
export function withLength(status: number, headers: RawHeaders, body: HttpResponse['body']): RawHeaders {
  if (headers.includes('Content-Length')) return headers;
  if (body !== undefined) {
    return [...headers, 'Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length)];
  }
  return status === 204 || status === 304 ? headers : [...headers, 'Content-Length', '0'];
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

/** Writes a response. What is written was checked before: this only translates. */
export function writeResponse(target: ServerResponse, response: HttpResponse): void {
  if (target.headersSent || target.destroyed) return;
  const { body } = response;
  const headers = writeHeadOf(target, response);
  if (typeof body === 'string') endWith(target, body, encodingOf(body, headers));
  else target.end(body);
}

/** Goes on after a while, unless the connection is gone by then. */
function wait(target: ServerResponse, ms: number, startTimer: StartTimer, next: () => void): void {
  if (ms <= 0) {
    next();
    return;
  }
  const cancel = startTimer(ms, () => {
    target.off('close', cancel);
    // A response that waits for those before it on its connection is not told when that is closed.
    if (!target.destroyed && !target.req.socket.destroyed) next();
  });
  target.once('close', cancel);
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

function bytesOf({ body = '' }: HttpResponse): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
// Kept as it is now: a test may fake the timers later, and the responses must come all the same.
const afterThisTurn = setImmediate;
/** However slowly, it ends: what is left after the longest time that a response may take comes in one piece. */
function drip(
  target: ServerResponse,
  response: HttpResponse,
  { bytes: size, everyMs }: NonNullable<Delivery['dribble']>,
  startTimer: StartTimer,
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
    wait(target, everyMs, startTimer, () => {
      drop(index + 1);
    });
  };
  drop(0);
}

/**
 * Sends a response in the way that a fault asks for: late, in small pieces, cut off, or not at all. It is given up when
 * the client goes away or the server closes the connection.
 */
export function deliverResponse(target: ServerResponse, response: HttpResponse, startTimer: StartTimer): void {
  const { delayMs = 0, dribble, end }: Delivery = response.delivery ?? {};
  // What comes behind it on this connection would never be answered.
  if (end !== undefined) target.shouldKeepAlive = false;
  wait(target, delayMs, startTimer, () => {
    if (end === 'reset') onSocket(target, reset);
    else if (end === 'truncate') truncate(target, response);
    else if (dribble !== undefined) drip(target, response, dribble, startTimer);
    else writeResponse(target, response);
  });
}

/**
 * Writes all responses of one turn of the event loop together, at its end.
 *
 * Each write wakes the reader at the other end when it sleeps, and waking costs more than writing. Written one after
 * the other, only the first does: half as many requests again are answered when many are in flight, and a single one
 * waits no longer than the turn lasts. The order on each connection is Node's to keep (RFC 9112 §9.3.2).
 */
export class ResponseQueue {
  private responses: ServerResponse[] = [];
  private answers: HttpResponse[] = [];

  add(response: ServerResponse, answer: HttpResponse): void {
    if (this.responses.push(response) === 1) afterThisTurn(this.flush);
    this.answers.push(answer);
  }

  private readonly flush = (): void => {
    const { responses, answers } = this;
    this.responses = [];
    this.answers = [];
    for (let index = 0; index < responses.length; index++) {
      const response = responses[index];
      const answer = answers[index];
      if (response !== undefined && answer !== undefined) writeResponse(response, answer);
    }
  };
}
