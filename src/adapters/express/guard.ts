import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { problem } from '../../checks/problem';
import type { MockEngine } from '../../mock/engine';
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
  engine: MockEngine,
  order: ConnectionOrder,
  setCorsHeaders: SetCorsHeaders | undefined,
  onAnswered: OnAnswered | undefined,
): void {
  const original = app as unknown as { handle: Handle };
  const route = original.handle.bind(app);
  const judge: Handle = (request, response, next) => {
    const refusal = engine.refuseMessage(headOf(request));
    if (refusal === undefined) {
      route(request, response, next ?? refuseUnrouted(engine, response));
      return;
    }
    setCorsHeaders?.(request, response);
    if (announcesBody(request)) abandonBody(request, response);
    onAnswered?.(headOf(request), refusal, process.hrtime.bigint());
    writeResponse(response, refusal);
  };
  original.handle = (request, response, next) => {
    const { socket } = request;
    order.run(socket, () => {
      judge(request, response, next);
      if (!response.shouldKeepAlive) order.close(socket);
    });
  };
}

function refuseUnrouted(engine: MockEngine, response: ServerResponse): Next {
  return () => {
    writeResponse(response, engine.refuse(problem('bad_request', 'The request cannot be routed')));
  };
}

/** Answers preflights, and sets the CORS headers of everything else. */
export function corsMiddleware(setCorsHeaders: SetCorsHeaders): Handle {
  return (request, response, next) => {
    setCorsHeaders(request, response);
    if (isPreflight(request)) writeResponse(response, { status: 204, headers: [], body: undefined });
    else next?.();
  };
}
