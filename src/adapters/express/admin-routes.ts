import express, { type Request, type Response, type Router } from 'express';
import { problem, type Problem } from '../../checks/problem';
import { HarnessError } from '../../errors/harness-error';
import type { HttpResponse } from '../../http/message';
import { isJsonMediaType } from '../../http/media-type';
import { parseQuery, parseTarget } from '../../http/request-target';
import { decodeUtf8 } from '../../json/decode-utf8';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import { isJsonObject, type JsonObject } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';
import { stringifyJson } from '../../json/stringify-json';
import { ACTIONS, type AdminRequest, type AdminTarget, type Answer } from './admin-actions';
import { ADMIN_PATH } from './admin-index';
import { checkAdminAccess } from './admin-access';
import { wantsPage } from './browser-at-root';
import type { ConnectionOrder } from './connection-order';
import { announcesBody, inviteBody, readBody } from './read-body';
import { IMAGE_PATH, placeholderImage } from './placeholder-image';
import { writeResponse } from './write-response';

/** What the routes need to answer, beside what they do. */
export interface AdminServer extends AdminTarget {
  /** Says what went wrong inside. */
  reportDefect(error: unknown): void;
  refuse(fault: Problem): HttpResponse;
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
    if ('code' in image) sendAnswer(target, response, image);
    else writeResponse(response, image);
  });
  router.use((request, response) => {
    const refusal = checkAdminAccess(request, token);
    if (refusal !== undefined) {
      sendAnswer(target, response, refusal);
      return;
    }
    dispatch(target, order, request, response);
  });
  return router;
}

function dispatch(target: AdminServer, order: ConnectionOrder, request: Request, response: Response): void {
  const send = (answer: Answer): void => {
    sendAnswer(target, response, answer);
  };
  const path = pathFor(request);
  if (path === undefined) {
    // Links of the page go on from there.
    const [visited = ''] = request.originalUrl.split('?');
    writeResponse(response, { status: 302, headers: ['Location', `${visited}/`], body: undefined });
    return;
  }
  const methods = Object.hasOwn(ACTIONS, path) ? ACTIONS[path] : undefined;
  if (methods === undefined) {
    send(
      problem(
        'route_not_found',
        `There is no admin route ${request.path}; there are ${Object.keys(ACTIONS).slice(1).join(', ')}, and ${ADMIN_PATH}/ tells what they do`,
      ),
    );
    return;
  }
  const method = methodOf(request);
  const action = methods[method];
  if (action === undefined) {
    const allow = Object.keys(methods).join(', ').replace('GET', 'GET, HEAD');
    send(
      problem('method_not_allowed', `${request.path} does not answer ${request.method}; it answers ${allow}`, {
        headers: ['Allow', allow],
      }),
    );
    return;
  }
  if (!announcesBody(request)) {
    // A form or an image of a page cannot ask for JSON, so that asking for it keeps pages out once more.
    const needsType = method !== 'GET' && !isJsonMediaType(request.headers['content-type'] ?? '');
    send(needsType ? wrongType() : attempt(target, () => act(action, target, request, {})));
    return;
  }
  if (!isJsonMediaType(request.headers['content-type'] ?? '')) {
    send(wrongType());
    return;
  }
  order.begin(request.socket);
  inviteBody(request, response);
  const maxBytes = target.maxBytes();
  readBody(request, maxBytes, (read) => {
    if (read.kind === 'too-large')
      send(
        problem('body_too_large', `The body has more than ${maxBytes} bytes; --max-body raises the limit of the mock`),
      );
    else send(attempt(target, () => act(action, target, request, objectIn(read.body))));
    order.end(request.socket);
  });
}

/**
 * The route that a request is for. A person who opens the address of all of them is shown the page, and a program the list.
 *
 * @returns `undefined` where the address of the page lacks its slash
 */
function pathFor(request: Request): string | undefined {
  if (request.path !== '/' || !wantsPage(request)) return request.path;
  return request.originalUrl.split('?')[0]?.endsWith('/') === true ? '/docs' : undefined;
}

function methodOf({ method }: Request): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** What a query may say; another name may be a mistyped one, which would mean the main state. */
const QUERY_NAMES: readonly string[] = ['sandbox', 'snapshot'];

/** What it may say beside, by route. */
const MORE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'GET /state': ['secrets', 'all', 'collection'],
  'GET /row': ['collection', 'key'],
  'PUT /row': ['collection'],
  'PATCH /row': ['collection', 'key'],
  'DELETE /row': ['collection', 'key'],
};
const FLAGS: ReadonlySet<string> = new Set(['secrets', 'all']);

function act(
  action: (request: AdminRequest) => Answer,
  target: AdminServer,
  request: Request,
  body: JsonObject,
): Answer {
  const query = readQuery(request);
  if ('code' in query) return query;
  const [sandbox, snapshot] = QUERY_NAMES.map((name) => query.get(name));
  // One that had to go can still be made anew.
  const mayBeGone = request.method === 'DELETE' || request.path === '/reset';
  const place = target.place(sandbox, mayBeGone);
  const secrets = query.get('secrets') === 'true';
  return 'code' in place ? place : action({ target, place, sandbox, snapshot, secrets, body, query });
}

function readQuery(request: Request): Map<string, string> | Problem {
  const names = [...QUERY_NAMES, ...(MORE_NAMES[`${methodOf(request)} ${request.path}`] ?? [])];
  const query = new Map<string, string>();
  for (const { name = '', value = '' } of parseQuery(parseTarget(request.originalUrl)?.query ?? '')) {
    if (!names.includes(name) || query.has(name))
      return problem('invalid_parameter', `The query may name ${names.join(' and ')} once, not "${name.slice(0, 80)}"`);
    if (FLAGS.has(name) && !/^(?:true|false)$/.test(value))
      return problem('invalid_parameter', `The query may say ${name}=true or ${name}=false`);
    query.set(name, value);
  }
  return query;
}

const REFUSALS = new WeakMap<Response, HttpResponse>();

/** The refusal that an admin request was answered with, for the log. */
export function refusalOf(response: Response): HttpResponse | undefined {
  return REFUSALS.get(response);
}

function sendAnswer(target: AdminServer, response: Response, answer: Answer): void {
  const written = toResponse(target, answer);
  if ('code' in answer) REFUSALS.set(response, written);
  writeResponse(response, written);
}

function toResponse(target: AdminServer, answer: Answer): HttpResponse {
  if ('code' in answer) return target.refuse(answer);
  const { status, value, page } = answer;
  if (page !== undefined) return { status, headers: PAGE_HEADERS, body: page };
  const type = value === undefined ? [] : ['Content-Type', 'application/json'];
  const headers = ['Cache-Control', 'no-store', ...type];
  return { status, headers, body: value === undefined ? undefined : stringifyJson(value) };
}

function attempt(target: AdminServer, run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return problem('invalid_json', `The body is not valid JSON: ${error.message}`);
    if (error instanceof HarnessError) return problem('invalid_field', [error.message, ...told(error)].join('; '));
    target.reportDefect(error);
    return problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
  }
}

function told({ findings, hint }: HarnessError): string[] {
  const hints = hint === undefined ? [] : [hint];
  return hints.concat(
    findings.slice(0, 5).map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
  );
}

function objectIn(body: Uint8Array): JsonObject {
  if (body.length === 0) return {};
  const value = parseJson(decodeUtf8(body), { maxDepth: 100 });
  return isJsonObject(value) ? value : {};
}

function wrongType(): Problem {
  return problem('missing_content_type', 'The admin routes take JSON only; send "Content-Type: application/json"');
}
