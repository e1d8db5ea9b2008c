import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest, HttpResponse, RequestHead } from '../../http/message';
import { problem } from '../../checks/problem';
import type { OpenOptions } from '../../mock/admit';
import type { AnsweringEngine, Opening } from '../../mock/engine';
import type { ConnectionOrder } from './connection-order';
import { deliverResponse } from './deliver-response';
import { withOwnImages } from './placeholder-image';
import { abandonBody, announcesBody, inviteBody, NO_BODY, readBody, type BodyRead } from './read-body';
import { ResponseQueue } from './response-queue';

/** Called when an answer is about to be sent. */
export type OnAnswered = (head: RequestHead, response: HttpResponse, startedAt: bigint) => void;

const BODY_TAKEN = problem(
  'internal_error',
  'Another middleware read the body before the mock could; mount the mock before body parsers such as express.json()',
);

/** The guard judges every message before it comes here, and here are connections. */
const CHECKED: OpenOptions = { isMessageChecked: true, canDeliver: true };

/** Puts the engine behind Express. The raw body is handed over, so that broken JSON is the engine's to judge. */
export function toHandler(
  engine: AnsweringEngine,
  order: ConnectionOrder,
  onAnswered: OnAnswered | undefined,
): (request: IncomingMessage, response: ServerResponse) => void {
  const queue = new ResponseQueue();
  return (request, response) => {
    const startedAt = onAnswered === undefined ? 0n : process.hrtime.bigint();
    const head = headOf(request);
    const send = (made: HttpResponse): void => {
      const answer = withOwnImages(made, request);
      onAnswered?.(head, answer, startedAt);
      if (answer.delivery === undefined) queue.add(response, answer);
      else {
        deliverResponse(response, answer);
        if (answer.delivery.end !== undefined) order.close(request.socket);
      }
    };
    if (!announcesBody(request)) {
      sendNowOrLater(engine.handle(withoutBody(head), CHECKED), request.socket, order, send);
      return;
    }
    if (request.readableDidRead) {
      send(engine.refuse(BODY_TAKEN));
      return;
    }
    const opening = engine.open(head, CHECKED);
    if (opening.kind === 'answered') {
      abandonBody(request, response);
      send(opening.response);
    } else {
      order.begin(request.socket);
      inviteBody(request, response);
      readBody(request, opening.maxBytes, (read) => {
        answerRead(opening, read, request, response, send, () => {
          if (!response.shouldKeepAlive) order.close(request.socket);
          order.end(request.socket);
        });
      });
    }
  };
}

function withoutBody({ method, target, headers, rawHeaders, mountPath, usualHost }: RequestHead): HttpRequest {
  return { method, target, headers, rawHeaders, mountPath, usualHost, body: NO_BODY };
}

/** The head of a request as the engine wants it. */
export function headOf(request: IncomingMessage): RequestHead {
  // Where the app is mounted in another one, Express takes the mount path off `url`.
  const { method = 'GET', url: target = '', headers, rawHeaders } = request;
  const { baseUrl: mountPath } = request as { baseUrl?: string };
  return { method, target, headers, rawHeaders, mountPath, usualHost: usualHostOf(request) };
}

/** What a client that names no host can only have meant. */
function usualHostOf({ httpVersionMajor, httpVersionMinor, socket }: IncomingMessage): string | undefined {
  if (httpVersionMajor > 1 || httpVersionMinor > 0) return undefined;
  const { localAddress = '', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

type WantsBody = Extract<Opening, { kind: 'wants-body' }>;

function answerRead(
  opening: WantsBody,
  read: BodyRead,
  request: IncomingMessage,
  response: ServerResponse,
  send: (answer: HttpResponse) => void,
  done: () => void,
): void {
  if (read.kind === 'too-large') abandonBody(request, response);
  const answer = read.kind === 'too-large' ? opening.tooLarge() : opening.finish(read.body);
  if ('then' in answer) void answer.then(send).finally(done);
  else {
    send(answer);
    done();
  }
}

function sendNowOrLater(
  answer: HttpResponse | Promise<HttpResponse>,
  socket: Socket,
  order: ConnectionOrder,
  send: (answer: HttpResponse) => void,
): void {
  if (!('then' in answer)) {
    send(answer);
    return;
  }
  order.begin(socket);
  void answer.then(send).finally(() => {
    order.end(socket);
  });
}
