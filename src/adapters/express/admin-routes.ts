import express, { type Request, type Response, type Router } from 'express';
import { problem, type Problem } from '../../checks/problem';
import { HarnessError } from '../../errors/harness-error';
import { similarName } from '../../errors/similar-name';
import type { HttpResponse } from '../../http/message';
import { isJsonMediaType } from '../../http/media-type';
import { decodeUtf8 } from '../../json/decode-utf8';
import { joinPointer } from '../../json/json-pointer';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';
import { stringifyJson } from '../../json/stringify-json';
import { isClockTime } from '../../time/clock-time';
import { parseRfc3339 } from '../../time/date-time';
import { checkAdminAccess } from './admin-access';
import type { ConnectionOrder } from './connection-order';
import { announcesBody, inviteBody, readBody } from './read-body';
import { writeResponse } from './write-response';

/** What the admin routes can do; the same things that the app's methods do. */
export interface AdminTarget {
  health(): JsonObject;
  state(): JsonObject;
  /** @throws ConfigError when the document is no usable state */
  load(document: JsonValue): void;
  reset(): void;
  /** @returns false when there are too many snapshots already */
  saveSnapshot(name: string): boolean;
  /** @returns false when there is no snapshot of that name */
  restoreSnapshot(name: string): boolean;
  dropSnapshots(): void;
  journal(): JsonValue;
  clearJournal(): void;
  setClock(epochMs: number | undefined): void;
  docsPage(): string;
  /** Says what went wrong inside. */
  reportDefect(error: unknown): void;
  refuse(fault: Problem): HttpResponse;
}

export const ADMIN_PATH = '/__standin';
/** Larger than a request body of the API may be: a whole state comes in one. */
const MAX_BYTES = 64 * 1024 * 1024;

type Answer = { readonly status: number; readonly value?: JsonValue; readonly page?: string } | Problem;
const PAGE_HEADERS = [
  'Cache-Control',
  'no-store',
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'",
];

type Action = (target: AdminTarget, body: JsonObject) => Answer;

const NO_CONTENT: Answer = { status: 204 };

const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  '/docs': { GET: (target) => ({ status: 200, page: target.docsPage() }) },
  '/health': { GET: (target) => ({ status: 200, value: target.health() }) },
  '/state': {
    GET: (target) => ({ status: 200, value: target.state() }),
    PUT: (target, body) => {
      target.load(body);
      return NO_CONTENT;
    },
  },
  '/reset': {
    POST: (target) => {
      target.reset();
      return NO_CONTENT;
    },
  },
  '/snapshot': {
    POST: (target, body) => {
      const name = nameIn(body);
      if (typeof name === 'object') return name;
      if (target.saveSnapshot(name)) return { status: 201, value: { name } };
      return problem('bad_request', 'There are 100 snapshots already; save over one of them, or DELETE them all');
    },
    DELETE: (target) => {
      target.dropSnapshots();
      return NO_CONTENT;
    },
  },
  '/restore': {
    POST: (target, body) => {
      const name = nameIn(body);
      if (typeof name === 'object') return name;
      return target.restoreSnapshot(name)
        ? NO_CONTENT
        : problem('resource_not_found', `There is no snapshot "${name}"`);
    },
  },
  '/journal': {
    GET: (target) => ({ status: 200, value: target.journal() }),
    DELETE: (target) => {
      target.clearJournal();
      return NO_CONTENT;
    },
  },
  '/clock': {
    PUT: (target, body) => {
      const unknown = unknownMember(body, ['now']);
      if (unknown !== undefined) return unknown;
      const { now } = body;
      const epochMs = typeof now === 'string' ? parseRfc3339(now) : undefined;
      if (now !== null && (epochMs === undefined || !isClockTime(epochMs)))
        return problem(
          'invalid_field',
          'The field /now must be a date-time up to the year 9998, or null for the real time',
        );
      target.setClock(epochMs);
      return NO_CONTENT;
    },
  },
};

/** Routes to look into a mock and to steer it: JSON only, no CORS, for this machine alone unless a token is set. */
export function adminRoutes(target: AdminTarget, order: ConnectionOrder, token: string | undefined): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
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

function dispatch(target: AdminTarget, order: ConnectionOrder, request: Request, response: Response): void {
  const send = (answer: Answer): void => {
    sendAnswer(target, response, answer);
  };
  const methods = Object.hasOwn(ACTIONS, request.path) ? ACTIONS[request.path] : undefined;
  if (methods === undefined) {
    send(
      problem(
        'route_not_found',
        `There is no admin route ${request.path}; there are ${Object.keys(ACTIONS).join(', ')}`,
      ),
    );
    return;
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
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
    send(needsType ? wrongType() : attempt(target, () => action(target, {})));
    return;
  }
  if (!isJsonMediaType(request.headers['content-type'] ?? '')) {
    send(wrongType());
    return;
  }
  order.begin(request.socket);
  inviteBody(request, response);
  readBody(request, MAX_BYTES, (read) => {
    if (read.kind === 'too-large') send(problem('body_too_large', 'The body is too large'));
    else send(attempt(target, () => action(target, objectIn(read.body))));
    order.end(request.socket);
  });
}

const REFUSALS = new WeakMap<Response, HttpResponse>();

/** The refusal that an admin request was answered with, for the log. */
export function refusalOf(response: Response): HttpResponse | undefined {
  return REFUSALS.get(response);
}

function sendAnswer(target: AdminTarget, response: Response, answer: Answer): void {
  const written = toResponse(target, answer);
  if ('code' in answer) REFUSALS.set(response, written);
  writeResponse(response, written);
}

function toResponse(target: AdminTarget, answer: Answer): HttpResponse {
  if ('code' in answer) return target.refuse(answer);
  const { status, value, page } = answer;
  if (page !== undefined) return { status, headers: PAGE_HEADERS, body: page };
  const type = value === undefined ? [] : ['Content-Type', 'application/json'];
  const headers = ['Cache-Control', 'no-store', ...type];
  return { status, headers, body: value === undefined ? undefined : stringifyJson(value) };
}

function attempt(target: AdminTarget, run: () => Answer): Answer {
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

function told({ findings }: HarnessError): string[] {
  return findings.slice(0, 5).map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`));
}

function objectIn(body: Uint8Array): JsonObject {
  if (body.length === 0) return {};
  const value = parseJson(decodeUtf8(body), { maxDepth: 100 });
  return isJsonObject(value) ? value : {};
}

/** The name of a snapshot, `default` where none is sent; a mistyped one must not save over another snapshot. */
function nameIn(body: JsonObject): string | Problem {
  const unknown = unknownMember(body, ['name']);
  if (unknown !== undefined) return unknown;
  const { name = 'default' } = body;
  if (typeof name === 'string' && name !== '') return name.slice(0, 200);
  return problem('invalid_field', 'The field /name must be a text that is not empty; without it the name is "default"');
}

function unknownMember(body: JsonObject, known: readonly string[]): Problem | undefined {
  const name = Object.keys(body).find((member) => !known.includes(member));
  if (name === undefined) return undefined;
  const near = similarName(name, known);
  const hint = near === undefined ? `there is ${known.join(', ')}` : `did you mean "${near}"?`;
  const pointer = joinPointer('', name);
  return problem('invalid_field', `The field ${pointer.slice(0, 200)} is not known here; ${hint}`, { pointer });
}

function wrongType(): Problem {
  return problem('missing_content_type', 'The admin routes take JSON only; send "Content-Type: application/json"');
}
