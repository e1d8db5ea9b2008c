import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response, type Router } from 'express';
import { problem, type Problem } from '../core/http/problem';
import { isJsonMediaType } from '../core/http/media-type';
import { parseQuery, parseTarget } from '../core/http/request-target';
import { decodeUtf8, parseJson } from '../core/json/parse-json';
import type { JsonValue } from '../core/json/json-value';
import { readWindowFile } from '../files/file-access';
import { acceptsHtml, checkAdminAccess, checkPageAccess, rejectForeignPage } from './access';
import { type Action, type ActionResult, ADMIN_PATH, type Rejection } from './actions/action';
import { decodeInput } from './actions/decode';
import { ADMIN_ACTIONS } from './actions/registry';
import { type AtOnce, fileResponse, sendEvents, sendResult } from './admin-response';
import { type AdminServer, performAction } from './perform-action';
import { type ConnectionOrder, hasBody, NO_BODY, readBody, sendContinue } from './connection';
import { addressOf, IMAGE_PATH, placeholderImage } from './images';
import { writeResponse } from './response-delivery';

/** Answers requests of agents. */
export type AgentEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Below the admin path; the protocol of agents has its own messages, which the table of actions knows nothing of. */
const AGENTS_PATH = '/mcp';

/** Routes to look into a mock and to steer it: JSON only, no CORS, for this machine alone unless a token is set. */
export function adminRoutes(
  target: AdminServer,
  order: ConnectionOrder,
  token: string | undefined,
  agents: AgentEndpoint | undefined,
): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(IMAGE_PATH, (request, response) => {
    const image = placeholderImage(request.path);
    if ('code' in image) sendResult(response, image);
    else writeResponse(response, image);
  });
  router.use((request, response) => {
    const file = windowFileFor(request);
    const rejection = isOpen(request) ? rejectForeignPage(request) : rejectionFor(file, request, token);
    if (rejection !== undefined) sendResult(response, rejection);
    else if (file !== undefined) sendWindowFile(response, file);
    else if (request.path === AGENTS_PATH && agents !== undefined) answerAgents(target, agents, request, response);
    else dispatch(target, order, request, response);
  });
  return router;
}

function answerAgents(target: AdminServer, agents: AgentEndpoint, request: Request, response: Response): void {
  agents(request, response).catch((error: unknown) => {
    target.reportDefect(error);
    if (response.headersSent) response.destroy();
    else sendResult(response, problem('internal_error', 'The endpoint of agents met a defect'));
  });
}

/** What a probe asks tells nothing of the mock but whether it serves. */
function isOpen({ path }: Request): boolean {
  return ADMIN_ACTIONS.some((each) => each.isOpen === true && each.path === path);
}

function rejectionFor(file: string | undefined, request: Request, token: string | undefined): Problem | undefined {
  return file === undefined ? checkAdminAccess(request, token) : checkPageAccess(request, token);
}

/**
 * The file of the window that a request is for: what a person sees who opens the address of all routes, where a program
 * gets their list.
 */
function windowFileFor(request: Request): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const [, name] = /^\/window\/([^/]*)$/.exec(request.path) ?? [];
  if (name !== undefined) return name;
  const isPage =
    request.path === '/' && acceptsHtml(request) && request.originalUrl.split('?')[0]?.endsWith('/') === true;
  return isPage ? 'index.html' : undefined;
}

function sendWindowFile(response: Response, name: string): void {
  const body = readWindowFile(name);
  if (body === undefined)
    sendResult(response, problem('route_not_found', `The window has no file ${name.slice(0, 80)}`));
  else writeResponse(response, fileResponse(name, body));
}

function dispatch(target: AdminServer, order: ConnectionOrder, request: Request, response: Response): void {
  const send = (result: AtOnce): void => {
    sendResult(response, result);
  };
  const { path } = request;
  if (lacksSlash(request)) {
    // Links of the page go on from there.
    const [visited = ''] = request.originalUrl.split('?');
    writeResponse(response, { status: 302, headers: ['Location', `${visited}/`], body: undefined });
    return;
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const actions = ADMIN_ACTIONS.filter((each) => each.path === path);
  const action = actions.find((each) => each.method === method);
  if (action === undefined) {
    send(unknownRoute(request, actions));
    return;
  }
  // A form or an image of a page cannot ask for JSON, so that asking for it keeps pages out once more. Nor can it send a
  // DELETE, so that one without a body needs none.
  const isTyped = isJsonMediaType(request.headers['content-type'] ?? '');
  const isHarmless = action.method === 'GET' || action.method === 'DELETE';
  if (!isTyped && (hasBody(request) || !isHarmless)) {
    send(contentTypeRequired());
    return;
  }
  order.begin(request.socket);
  const attempt = (body: Uint8Array): void => {
    void carryOut(action, target, request, body)
      .then((result) => {
        if ('stream' in result) return sendEvents(response, result.stream);
        send(result);
        return undefined;
      })
      .finally(() => {
        order.end(request.socket);
      });
  };
  if (!hasBody(request)) {
    attempt(NO_BODY);
    return;
  }
  sendContinue(request, response);
  const maxBytes = target.maxBytes();
  readBody(request, maxBytes, (read) => {
    if (read.kind === 'read') attempt(read.body);
    else {
      const message = `The body has more than ${maxBytes} bytes; --max-body raises the limit of the mock`;
      send(problem('body_too_large', message));
      order.end(request.socket);
    }
  });
}

/** Never rejects: what goes wrong is a rejection to be sent. */
function carryOut(action: Action, target: AdminServer, request: Request, body: Uint8Array): Promise<ActionResult> {
  const facts = { address: addressOf(request), lastEventId: request.get('Last-Event-ID') };
  return performAction(action, target, facts, () => {
    const query = parseQuery(parseTarget(request.originalUrl)?.query ?? '');
    return decodeInput(action, query, bodyValue(body));
  });
}

/** Does a person ask for the address of all routes without the slash at its end? */
function lacksSlash(request: Request): boolean {
  return request.path === '/' && acceptsHtml(request) && request.originalUrl.split('?')[0]?.endsWith('/') === false;
}

function unknownRoute({ path, method }: Request, actions: readonly Action[]): Rejection {
  if (actions.length > 0) {
    const allow = actions.map((each) => each.method.replace('GET', 'GET, HEAD')).join(', ');
    return problem('method_not_allowed', `${path} does not take ${method}; it takes ${allow}`, {
      headers: ['Allow', allow],
    });
  }
  const [, ...paths] = new Set(ADMIN_ACTIONS.map((each) => each.path));
  return problem(
    'route_not_found',
    `There is no admin route ${path}; there are ${paths.join(', ')}, and ${ADMIN_PATH}/ lists what they do`,
  );
}

function bodyValue(body: Uint8Array): JsonValue | undefined {
  return body.length === 0 ? undefined : parseJson(decodeUtf8(body), { maxDepth: 100 });
}

function contentTypeRequired(): Problem {
  return problem('missing_content_type', 'The admin routes take JSON only; send "Content-Type: application/json"');
}
