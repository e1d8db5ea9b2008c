import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { HttpResponse, RequestHead } from '../../http/message';
import type { MockEngine } from '../../mock/engine';
import { announcesBody, EMPTY_BODY, readBody, type BodyRead } from './read-body';
import { writeResponse } from './write-response';

/** Called when an answer is about to be sent. */
export type OnAnswered = (head: RequestHead, response: HttpResponse, startedAt: bigint) => void;

/** Puts the engine behind Express. The raw body is handed over, so that broken JSON is the engine's to judge. */
export function toHandler(engine: MockEngine, onAnswered: OnAnswered | undefined): RequestHandler {
  return (request, response) => {
    handle(engine, request, response, onAnswered);
  };
}

/** The same for a bare request, used where Express has no part: `Expect: 100-continue`. */
export function handle(
  engine: MockEngine,
  request: IncomingMessage,
  response: ServerResponse,
  onAnswered: OnAnswered | undefined,
): void {
  const startedAt = onAnswered === undefined ? 0n : process.hrtime.bigint();
  // Where the app is mounted in another one, Express takes the mount path off `url`.
  const { method = 'GET', url: target = '', headers, rawHeaders } = request;
  const head: RequestHead = {
    method,
    target,
    headers,
    rawHeaders,
    mountPath: (request as { baseUrl?: string }).baseUrl,
  };
  const send = (answer: HttpResponse): void => {
    onAnswered?.(head, answer, startedAt);
    writeResponse(response, answer);
  };

  const opening = engine.open(head);
  if (opening.kind === 'answered') {
    if (announcesBody(request)) abandonBody(request, response);
    send(opening.response);
    return;
  }
  const finish = (read: BodyRead): void => {
    // The client is gone: nobody would get the answer, so that nothing may change.
    if (read.kind === 'aborted') return;
    if (read.kind === 'too-large') {
      abandonBody(request, response);
      send(opening.tooLarge());
      return;
    }
    const answer = opening.finish(read.body);
    if (answer instanceof Promise) void answer.then(send);
    else send(answer);
  };
  if (!announcesBody(request)) {
    finish(EMPTY_BODY);
    return;
  }
  // A client that waits for leave to send its body gets it here, when the head was found good (RFC 9110 §10.1.1).
  if (headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  readBody(request, opening.maxBytes, finish);
}

/** The rest of the body is read and dropped for a while, so that the client can read the answer before the end. */
function abandonBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  request.resume();
  const timer = setTimeout(() => request.destroy(), 2000);
  timer.unref();
  request.on('close', () => {
    clearTimeout(timer);
  });
}
