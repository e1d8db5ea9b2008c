import express, { type Request, type Response, type Router } from 'express';
import { problem, type Problem } from '../../checks/problem';
import { HarnessError } from '../../errors/harness-error';
import type { HttpResponse } from '../../http/message';
import { isJsonMediaType } from '../../http/media-type';
import { decodeUtf8 } from '../../json/decode-utf8';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';
import { stringifyJson } from '../../json/stringify-json';
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
  journal(): JsonValue;
  clearJournal(): void;
  setClock(epochMs: number | undefined): void;
  docsPage(): string;
  refuse(fault: Problem): HttpResponse;
}

export const ADMIN_PATH = '/__standin';
/** Larger than a request body of the API may be: a whole state comes in one. */
const MAX_BYTES = 64 * 1024 * 1024;

type Answer = { readonly status: number; readonly value?: JsonValue } | Problem;
type Action = (target: AdminTarget, body: JsonObject) => Answer;

const NO_CONTENT: Answer = { status: 204 };

const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
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
      if (target.saveSnapshot(name)) return { status: 201, value: { name } };
      return problem('bad_request', 'There are 100 snapshots already; save over one of them, or reset');
    },
  },
  '/restore': {
    POST: (target, body) => {
      const name = nameIn(body);
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
      const { now } = body;
      const epochMs = typeof now === 'string' ? parseRfc3339(now) : undefined;
      if (epochMs === undefined && now !== null)
        return problem('invalid_field', 'The field /now must be a date-time, or null for the real time');
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
      writeResponse(response, target.refuse(refusal));
      return;
    }
    if (request.path === '/docs' && request.method === 'GET') {
      const headers = [
        'Content-Type',
        'text/html; charset=utf-8',
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'",
      ];
      writeResponse(response, { status: 200, headers, body: target.docsPage() });
      return;
    }
    dispatch(target, order, request, response);
  });
  return router;
}

function dispatch(target: AdminTarget, order: ConnectionOrder, request: Request, response: Response): void {
  const send = (answer: Answer): void => {
    if ('code' in answer) writeResponse(response, target.refuse(answer));
    else {
      const isEmpty = answer.value === undefined;
      const headers = isEmpty
        ? ['Cache-Control', 'no-store']
        : ['Cache-Control', 'no-store', 'Content-Type', 'application/json'];
      writeResponse(response, {
        status: answer.status,
        headers,
        body: isEmpty ? undefined : stringifyJson(answer.value ?? null),
      });
    }
  };
  const methods = Object.hasOwn(ACTIONS, request.path) ? ACTIONS[request.path] : undefined;
  if (methods === undefined) {
    send(
      problem(
        'route_not_found',
        `There is no admin route ${request.path}; there are ${Object.keys(ACTIONS).join(', ')} and /docs`,
      ),
    );
    return;
  }
  const action = methods[request.method];
  if (action === undefined) {
    const allow = Object.keys(methods).join(', ');
    send(
      problem('method_not_allowed', `${request.path} does not answer ${request.method}; it answers ${allow}`, {
        headers: ['Allow', allow],
      }),
    );
    return;
  }
  if (!announcesBody(request)) {
    // A form or an image of a page cannot ask for JSON, so that asking for it keeps pages out once more.
    const needsType = request.method !== 'GET' && !isJsonMediaType(request.headers['content-type'] ?? '');
    send(needsType ? wrongType() : attempt(() => action(target, {})));
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
    else if (read.kind === 'read') send(attempt(() => action(target, objectIn(read.body))));
    order.end(request.socket);
  });
}

function attempt(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return problem('invalid_json', `The body is not valid JSON: ${error.message}`);
    if (!(error instanceof HarnessError)) throw error;
    const shown = error.findings
      .slice(0, 5)
      .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`));
    return problem('invalid_field', [error.message, ...shown].join('; '));
  }
}

function objectIn(body: Uint8Array): JsonObject {
  if (body.length === 0) return {};
  const value = parseJson(decodeUtf8(body), { maxDepth: 100 });
  return isJsonObject(value) ? value : {};
}

function nameIn(body: JsonObject): string {
  const { name } = body;
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : 'default';
}

function wrongType(): Problem {
  return problem('missing_content_type', 'The admin routes take JSON only; send "Content-Type: application/json"');
}
