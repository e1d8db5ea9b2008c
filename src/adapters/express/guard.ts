import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { problem } from '../../checks/problem';
import type { HttpResponse } from '../../http/message';
import { parseTarget } from '../../http/request-target';
import type { AnsweringEngine } from '../../mock/engine';
import { ADMIN_PATH } from './admin-index';
import type { ConnectionOrder } from './connection-order';
import { isPreflight, type SetCorsHeaders } from './cross-origin';
import { headOf, type OnAnswered } from './engine-handler';
import { abandonBody, announcesBody } from './read-body';
import { writeResponse } from './write-response';

type Next = (error?: unknown) => void;
type Handle = (request: IncomingMessage, response: ServerResponse, next?: Next) => void;

/**
 * Judges each message before Express sees it. Express answers what it cannot parse with a page of HTML, and hands a
 * request with two Host lines to every route; no answer of the mock may have another shape than the API's.
 */
export function guard(
  app: Express,
  engine: AnsweringEngine,
  order: ConnectionOrder,
  setCorsHeaders: SetCorsHeaders | undefined,
  onAnswered: OnAnswered | undefined,
): void {
  const original = app as unknown as { handle: Handle };
  const route = original.handle.bind(app);
  const judge: Handle = (request, response, next) => {
    const refusal = engine.refuseMessage(headOf(request));
    if (refusal === undefined) route(request, response, next ?? refuseUnrouted(engine, response));
    else refuse(refusal, request, response);
    if (!response.shouldKeepAlive) order.close(request.socket);
  };
  const refuse = (refusal: HttpResponse, request: IncomingMessage, response: ServerResponse): void => {
    setCorsHeaders?.(request, response);
    if (announcesBody(request)) abandonBody(request, response);
    onAnswered?.(headOf(request), refusal, process.hrtime.bigint());
    writeResponse(response, refusal);
  };
  original.handle = (request, response, next) => {
    const { socket } = request;
    if (order.isHeld(socket)) {
      order.hold(socket, () => {
        judge(request, response, next);
      });
    } else judge(request, response, next);
  };
}

function refuseUnrouted(engine: AnsweringEngine, response: ServerResponse): Next {
  return () => {
    writeResponse(response, engine.refuse(problem('bad_request', 'The request cannot be routed')));
  };
}

const PREFLIGHT_ANSWER: HttpResponse = { status: 204, headers: [], body: undefined };

/**
 * Everything but the admin routes: preflights are answered here, the rest by the engine, with its CORS headers.
 *
 * @param lead - an answer to a browser that somebody opens the bare address in; `undefined` for every other request
 */
export function apiMiddleware(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  setCorsHeaders: SetCorsHeaders | undefined,
  onAnswered: OnAnswered | undefined,
  lead: (request: IncomingMessage) => HttpResponse | undefined,
): Handle {
  return (request, response, next) => {
    if (isAdmin(request.url ?? '')) {
      next?.();
      return;
    }
    const led = request.url === '/' ? lead(request) : undefined;
    if (led !== undefined) {
      onAnswered?.(headOf(request), led, process.hrtime.bigint());
      writeResponse(response, led);
      return;
    }
    setCorsHeaders?.(request, response);
    if (setCorsHeaders !== undefined && isPreflight(request)) {
      onAnswered?.(headOf(request), PREFLIGHT_ANSWER, process.hrtime.bigint());
      writeResponse(response, PREFLIGHT_ANSWER);
    } else handle(request, response);
  };
}

/** As Express matches a mount path: the path itself, or one below it, of an absolute-form target as well. */
function isAdmin(url: string): boolean {
  const path = url.startsWith('/') ? url : (parseTarget(url)?.path ?? '');
  return path.startsWith(ADMIN_PATH) && /^(?:$|[/?#])/.test(path.slice(ADMIN_PATH.length));
}
