import express, { type Request, type Response, type Router } from 'express';
import { problem, type Problem } from '../core/http/problem';
import { StandinError } from '../core/errors/standin-error';
import type { HttpResponse } from '../core/http/message';
import { isJsonMediaType } from '../core/http/media-type';
import { parseQuery, parseTarget } from '../core/http/request-target';
import { decodeUtf8, parseJson } from '../core/json/parse-json';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import { isJsonObject, type JsonObject } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import { ADMIN_ACTIONS } from './admin-actions';
import { acceptsHtml, ADMIN_PATH, checkAdminAccess, IMAGE_PATH, placeholderImage } from './admin-pages';
import { type ConnectionOrder, hasBody, readBody, sendContinue } from './connection';
import { type AdminAction, type AdminResponse, type AdminTarget, COMMON_QUERY } from './admin-request';
import { writeResponse } from './response-delivery';

/** What the routes need to answer, beside what they do. */
export interface AdminServer extends AdminTarget {
  reportDefect(error: unknown): void;
  toErrorResponse(fault: Problem): HttpResponse;
  /** What a body may have: a whole state, and no less than one of the API. */
  maxBytes(): number;
}

const PAGE_HEADERS = [
  'Cache-Control',
  'no-store',
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'",
];

/** Routes to look into a mock and to steer it: JSON only, no CORS, for this machine alone unless a token is set. */
export function adminRoutes(target: AdminServer, order: ConnectionOrder, token: string | undefined): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(IMAGE_PATH, (request, response) => {
    const image = placeholderImage(request.path);
    if ('code' in image) sendAdminResponse(target, response, image);
    else writeResponse(response, image);
  });
  router.use((request, response) => {
    const rejection = checkAdminAccess(request, token);
    if (rejection !== undefined) {
      sendAdminResponse(target, response, rejection);
      return;
    }
    dispatch(target, order, request, response);
  });
  return router;
}

function dispatch(target: AdminServer, order: ConnectionOrder, request: Request, response: Response): void {
  const send = (answer: AdminResponse): void => {
    sendAdminResponse(target, response, answer);
  };
  const path = pathFor(request);
  if (path === undefined) {
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
  if (!hasBody(request)) {
    // A form or an image of a page cannot ask for JSON, so that asking for it keeps pages out once more.
    const needsType = action.method !== 'GET' && !isJsonMediaType(request.headers['content-type'] ?? '');
    send(needsType ? contentTypeRequired() : attempt(target, () => act(action, target, request, {})));
    return;
  }
  if (!isJsonMediaType(request.headers['content-type'] ?? '')) {
    send(contentTypeRequired());
    return;
  }
  order.begin(request.socket);
  sendContinue(request, response);
  const maxBytes = target.maxBytes();
  readBody(request, maxBytes, (read) => {
    if (read.kind === 'too-large')
      send(
        problem('body_too_large', `The body has more than ${maxBytes} bytes; --max-body raises the limit of the mock`),
      );
    else send(attempt(target, () => act(action, target, request, bodyObject(read.body))));
    order.end(request.socket);
  });
}

/**
 * The route that a request is for. A person who opens the address of all of them is shown the page, and a program the list.
 *
 * @returns `undefined` where the address of the page lacks its slash
 */
function pathFor(request: Request): string | undefined {
  if (request.path !== '/' || !acceptsHtml(request)) return request.path;
  return request.originalUrl.split('?')[0]?.endsWith('/') === true ? '/docs' : undefined;
}

function unknownRoute({ path, method }: Request, actions: readonly AdminAction[]): Problem {
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

const FLAGS: ReadonlySet<string> = new Set(['secrets', 'all']);

function act(action: AdminAction, target: AdminServer, request: Request, body: JsonObject): AdminResponse {
  const query = readQuery(request, [...COMMON_QUERY, ...(action.query ?? [])]);
  if ('code' in query) return query;
  const [sandbox, snapshot] = COMMON_QUERY.map((name) => query.get(name));
  // One that had to go can still be created anew.
  const mayBeGone = action.method === 'DELETE' || action.path === '/reset';
  const controls = target.controlsOf(sandbox, mayBeGone);
  return 'code' in controls ? controls : action.run({ target, controls, sandbox, snapshot, body, query });
}

function readQuery(request: Request, names: readonly string[]): Map<string, string> | Problem {
  const query = new Map<string, string>();
  for (const { name = '', value = '' } of parseQuery(parseTarget(request.originalUrl)?.query ?? '')) {
    if (!names.includes(name) || query.has(name))
      return problem(
        'invalid_parameter',
        `The query may have ${names.join(' and ')} once each, got "${name.slice(0, 80)}"`,
      );
    if (FLAGS.has(name) && !/^(?:true|false)$/.test(value))
      return problem('invalid_parameter', `The query may have ${name}=true or ${name}=false`);
    query.set(name, value);
  }
  return query;
}

const ERROR_RESPONSES = new WeakMap<Response, HttpResponse>();

/** The rejection that an admin request got, for the log. */
export function errorResponseOf(response: Response): HttpResponse | undefined {
  return ERROR_RESPONSES.get(response);
}

function sendAdminResponse(target: AdminServer, response: Response, answer: AdminResponse): void {
  const written = toResponse(target, answer);
  if ('code' in answer) ERROR_RESPONSES.set(response, written);
  writeResponse(response, written);
}

function toResponse(target: AdminServer, response: AdminResponse): HttpResponse {
  if ('code' in response) return target.toErrorResponse(response);
  const { status, value, page } = response;
  if (page !== undefined) return { status, headers: PAGE_HEADERS, body: page };
  const type = value === undefined ? [] : ['Content-Type', 'application/json'];
  const headers = ['Cache-Control', 'no-store', ...type];
  return { status, headers, body: value === undefined ? undefined : stringifyJson(value) };
}

function attempt(target: AdminServer, run: () => AdminResponse): AdminResponse {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return problem('invalid_json', `The body is not valid JSON: ${error.message}`);
    if (error instanceof StandinError)
      return problem('invalid_field', [error.message, ...errorDetails(error)].join('; '));
    target.reportDefect(error);
    return problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
  }
}

function errorDetails({ findings, hint }: StandinError): string[] {
  const hints = hint === undefined ? [] : [hint];
  return hints.concat(
    findings.slice(0, 5).map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
  );
}

function bodyObject(body: Uint8Array): JsonObject {
  if (body.length === 0) return {};
  const value = parseJson(decodeUtf8(body), { maxDepth: 100 });
  return isJsonObject(value) ? value : {};
}

function contentTypeRequired(): Problem {
  return problem('missing_content_type', 'The admin routes take JSON only; send "Content-Type: application/json"');
}
