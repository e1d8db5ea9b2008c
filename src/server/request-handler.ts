import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { HttpRequest, HttpResponse, RequestHead } from '../core/http/message';
import { problem } from '../core/http/problem';
import { parseTarget } from '../core/http/request-target';
import type { AnsweringEngine, Opening, OpenOptions } from '../mock/pipeline/mock-engine';
import { ADMIN_PATH } from './actions/action';
import type { ExchangeTap, TappedExchange } from './exchange-tap';
import { withImageAddresses } from './images';
import { isPreflight, type SetCorsHeaders } from './cors';
import {
  type BodyRead,
  type ConnectionOrder,
  discardBody,
  hasBody,
  NO_BODY,
  readBody,
  sendContinue,
} from './connection';
import { deliverResponse, ResponseQueue, type StartTimer, writeResponse } from './response-delivery';

/** Called when a response is about to be sent. */
export type OnResponse = (head: RequestHead, response: HttpResponse, startedAt: bigint) => void;

/** Who looks on as requests are answered. */
export interface Watchers {
  readonly onAnswered: OnResponse | undefined;
  /** Of requests of the API alone. */
  readonly tap: ExchangeTap | undefined;
}

const BODY_ALREADY_READ = problem(
  'internal_error',
  'Another middleware read the body before the mock could; mount the mock before body parsers such as express.json()',
);

/** The guard has checked every message before it comes here, and here are connections. */
const CHECKED: OpenOptions = { isMessageChecked: true, canDeliver: true };

/**
 * Puts the engine behind Express. The raw body is handed over, so that broken JSON is the engine's to check.
 *
 * @param startTimer - waits for the delays of faults
 */
export function toHandler(
  engine: AnsweringEngine,
  order: ConnectionOrder,
  { onAnswered, tap }: Watchers,
  startTimer: StartTimer,
): (request: IncomingMessage, response: ServerResponse) => void {
  const queue = new ResponseQueue();
  return (request, response) => {
    const startedAt = onAnswered === undefined ? 0n : process.hrtime.bigint();
    const head = headRead(request);
    const exchange = tap?.begin(head, request, response);
    const send = (made: HttpResponse): void => {
      const answer = withImageAddresses(made, request);
      onAnswered?.(head, answer, startedAt);
      exchange?.answered(answer);
      if (answer.delivery === undefined) queue.add(response, answer);
      else {
        deliverResponse(response, answer, startTimer);
        if (answer.delivery.end !== undefined) order.close(request.socket);
      }
    };
    if (!hasBody(request)) {
      sendWhenReady(engine.handle(head, CHECKED), request.socket, order, send);
      return;
    }
    if (request.readableDidRead) {
      exchange?.lost();
      send(engine.refuse(BODY_ALREADY_READ));
      return;
    }
    const opening = engine.open(head, CHECKED);
    if (opening.kind === 'answered') {
      exchange?.follow();
      discardBody(request, response);
      send(opening.response);
    } else {
      order.begin(request.socket);
      sendContinue(request, response);
      const done = (): void => {
        if (!response.shouldKeepAlive) order.close(request.socket);
        order.end(request.socket);
      };
      const answer = (read: BodyRead): void => {
        exchange?.received(read);
        respondToBody(opening, read, request, response, send, done);
      };
      readBody(request, opening.maxBytes, answer, () => {
        opening.abandon();
        exchange?.gone();
      });
    }
  };
}

const HEAD = Symbol('head of a request, read by the guard');
type GuardedMessage = IncomingMessage & { [HEAD]?: HttpRequest };

function headRead(request: GuardedMessage): HttpRequest {
  return request[HEAD] ?? readHead(request);
}

/** The head of a request as the engine takes it, its body aside. */
function readHead(request: GuardedMessage): HttpRequest {
  // Where the app is mounted in another one, Express takes the mount path off `url`.
  const { method = 'GET', url: target = '', headers, rawHeaders } = request;
  const { baseUrl: mountPath } = request as { baseUrl?: string };
  const parsedTarget = parseTarget(withoutBase(target, headers.host));
  const defaultHost = defaultHostOf(request);
  const head = { method, target, parsedTarget, headers, rawHeaders, mountPath, defaultHost, body: NO_BODY };
  request[HEAD] = head;
  return head;
}

/** The path of a link of this mock before which a client put its base URL, although the link has one: `/http://host/things?page=2`. */
function withoutBase(target: string, host: string | undefined): string {
  const [, named, path = ''] = /^\/https?:\/\/([^/?]+)(\/.*)$/i.exec(target) ?? [];
  return named === undefined || named !== host ? target : path;
}

/** What a client that names no host can only have meant. */
function defaultHostOf({ httpVersionMajor, httpVersionMinor, socket }: IncomingMessage): string | undefined {
  if (httpVersionMajor > 1 || httpVersionMinor > 0) return undefined;
  const { localAddress = '', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

type WantsBody = Extract<Opening, { kind: 'wants-body' }>;

function respondToBody(
  opening: WantsBody,
  read: BodyRead,
  request: IncomingMessage,
  response: ServerResponse,
  send: (response: HttpResponse) => void,
  done: () => void,
): void {
  if (read.kind === 'too-large') discardBody(request, response);
  const answer = read.kind === 'too-large' ? opening.tooLarge() : opening.finish(read.body);
  if ('then' in answer) void answer.then(send).finally(done);
  else {
    send(answer);
    done();
  }
}

function sendWhenReady(
  response: HttpResponse | Promise<HttpResponse>,
  socket: Socket,
  order: ConnectionOrder,
  send: (answer: HttpResponse) => void,
): void {
  if (!('then' in response)) {
    send(response);
    return;
  }
  order.begin(socket);
  void response.then(send).finally(() => {
    order.end(socket);
  });
}

type Next = (error?: unknown) => void;
type Handle = (request: IncomingMessage, response: ServerResponse, next?: Next) => void;

/**
 * Checks each message before Express sees it. Express answers what it cannot parse with a page of HTML, and hands a
 * request with two Host lines to every route; no response of the mock may have another shape than the API's.
 */
export function guardMessages(
  app: Express,
  engine: AnsweringEngine,
  order: ConnectionOrder,
  setCorsHeaders: SetCorsHeaders | undefined,
  watchers: Watchers,
): void {
  const original = app as unknown as { handle: Handle };
  const route = original.handle.bind(app);
  const validate: Handle = (request, response, next) => {
    const rejection = engine.refuseMessage(readHead(request));
    if (rejection === undefined) route(request, response, next ?? rejectUnrouted(engine, response));
    else reject(rejection, request, response);
    if (!response.shouldKeepAlive) order.close(request.socket);
  };
  const reject = (rejection: HttpResponse, request: IncomingMessage, response: ServerResponse): void => {
    setCorsHeaders?.(request, response);
    const exchange = answeredAtOnce(watchers, request, response, rejection);
    exchange?.follow();
    if (hasBody(request)) discardBody(request, response);
    writeResponse(response, rejection);
  };
  original.handle = (request, response, next) => {
    const { socket } = request;
    if (order.mustWait(socket)) {
      order.defer(socket, () => {
        validate(request, response, next);
      });
    } else validate(request, response, next);
  };
}

/** @returns what is known of the exchange, where somebody looks on */
function answeredAtOnce(
  { onAnswered, tap }: Watchers,
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
): TappedExchange | undefined {
  const head = headRead(request);
  onAnswered?.(head, answer, process.hrtime.bigint());
  const exchange = isAdmin(request.url ?? '') ? undefined : tap?.begin(head, request, response);
  exchange?.answered(answer);
  return exchange;
}

function rejectUnrouted(engine: AnsweringEngine, response: ServerResponse): Next {
  return () => {
    writeResponse(response, engine.refuse(problem('bad_request', 'The request cannot be routed')));
  };
}

const PREFLIGHT_RESPONSE: HttpResponse = { status: 204, headers: [], body: undefined };

/**
 * Everything but the admin routes: preflights are answered here, the rest by the engine, with its CORS headers.
 *
 * @param lead - a response to a browser that somebody opens the bare address in; `undefined` for every other request
 */
export function apiMiddleware(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  setCorsHeaders: SetCorsHeaders | undefined,
  watchers: Watchers,
  lead: (request: IncomingMessage) => HttpResponse | undefined,
): Handle {
  return (request, response, next) => {
    if (isAdmin(request.url ?? '')) {
      next?.();
      return;
    }
    const led = request.url === '/' ? lead(request) : undefined;
    if (led !== undefined) {
      watchers.onAnswered?.(headRead(request), led, process.hrtime.bigint());
      writeResponse(response, led);
      return;
    }
    setCorsHeaders?.(request, response);
    if (setCorsHeaders !== undefined && isPreflight(request)) {
      answeredAtOnce(watchers, request, response, PREFLIGHT_RESPONSE);
      writeResponse(response, PREFLIGHT_RESPONSE);
    } else handle(request, response);
  };
}

/** As Express matches a mount path: the path itself, or one below it, of an absolute-form target as well. */
function isAdmin(url: string): boolean {
  const path = url.startsWith('/') ? url : (parseTarget(url)?.path ?? '');
  return path.startsWith(ADMIN_PATH) && /^(?:$|[/?#])/.test(path.slice(ADMIN_PATH.length));
}
