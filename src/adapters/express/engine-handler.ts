import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { HttpResponse, RequestHead } from '../../http/message';
import type { MockEngine } from '../../mock/engine';
import { ConnectionOrder } from './connection-order';
import { abandonBody, announcesBody, EMPTY_BODY, inviteBody, readBody, type BodyRead } from './read-body';
import { writeResponse } from './write-response';

/** Called when an answer is about to be sent. */
export type OnAnswered = (head: RequestHead, response: HttpResponse, startedAt: bigint) => void;

/** Puts the engine behind Express. The raw body is handed over, so that broken JSON is the engine's to judge. */
export function toHandler(engine: MockEngine, onAnswered: OnAnswered | undefined): RequestHandler {
  const order = new ConnectionOrder();
  return (request, response) => {
    order.run(request, (done) => {
      handle(engine, request, response, onAnswered, done);
    });
  };
}

/** The head of a request as the engine wants it. */
export function headOf(request: IncomingMessage): RequestHead {
  // Where the app is mounted in another one, Express takes the mount path off `url`.
  const { method = 'GET', url: target = '', headers, rawHeaders } = request;
  return { method, target, headers, rawHeaders, mountPath: (request as { baseUrl?: string }).baseUrl };
}

function handle(
  engine: MockEngine,
  request: IncomingMessage,
  response: ServerResponse,
  onAnswered: OnAnswered | undefined,
  done: () => void,
): void {
  const startedAt = onAnswered === undefined ? 0n : process.hrtime.bigint();
  const head = headOf(request);
  const send = (answer: HttpResponse): void => {
    onAnswered?.(head, answer, startedAt);
    writeResponse(response, answer);
    done();
  };

  const opening = engine.open(head, { isMessageChecked: true });
  if (opening.kind === 'answered') {
    if (announcesBody(request)) abandonBody(request, response);
    send(opening.response);
    return;
  }
  const finish = (read: BodyRead): void => {
    if (read.kind === 'aborted') {
      // The client is gone: nobody would get the answer, so that nothing may change.
      done();
    } else if (read.kind === 'too-large') {
      abandonBody(request, response);
      send(opening.tooLarge());
    } else {
      const answer = opening.finish(read.body);
      if ('then' in answer) void answer.then(send);
      else send(answer);
    }
  };
  if (!announcesBody(request)) {
    finish(EMPTY_BODY);
    return;
  }
  inviteBody(request, response);
  readBody(request, opening.maxBytes, finish);
}
