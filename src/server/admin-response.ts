import { storeProblem } from '../mock/context/error-response';
import { StoreError } from '../mock/state/state-log';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StandinError } from '../core/errors/standin-error';
import type { HttpResponse } from '../core/http/message';
import { problem } from '../core/http/problem';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import type { JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { ActionResult, EventSink, Rejection } from './actions/action';
import type { AdminError } from './actions/shapes';
import { writeResponse } from './response-delivery';

/** No browser takes it for anything else than what it says to be, nor shows it inside another page. */
const SAFE_HEADERS = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

const PAGE_HEADERS = [
  ...SAFE_HEADERS,
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'",
];

/** The window runs its own script and nothing else, and is shown in no other page (CSP 3). */
const WINDOW_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** A file of the window. @param name - with its extension */
export function fileResponse(name: string, body: Uint8Array): HttpResponse {
  const type = TYPES[name.replace(/^.*\./, '')] ?? 'application/octet-stream';
  const headers = [
    ...SAFE_HEADERS,
    'Content-Type',
    `${type}; charset=utf-8`,
    'Content-Security-Policy',
    WINDOW_POLICY,
    'Referrer-Policy',
    'no-referrer',
  ];
  return { status: 200, headers, body };
}

/** What is there as a whole. */
export type AtOnce = Exclude<ActionResult, { stream: unknown }>;

const ERROR_RESPONSES = new WeakMap<ServerResponse, HttpResponse>();

/** The rejection that an admin request got, for the log. */
export function errorResponseOf(response: ServerResponse): HttpResponse | undefined {
  return ERROR_RESPONSES.get(response);
}

/** Sends what an action gave. Errors have the shape of {@link AdminError}, whatever errors the description has. */
export function sendResult(response: ServerResponse, result: AtOnce): void {
  const written = toResponse(result);
  if ('code' in result) ERROR_RESPONSES.set(response, written);
  writeResponse(response, written);
}

function toResponse(result: AtOnce): HttpResponse {
  if ('code' in result) {
    const { status, headers = [] } = result;
    return jsonResponse(status, errorOf(result) as unknown as JsonValue, headers);
  }
  const { status, value, page } = result;
  if (page !== undefined) return { status, headers: PAGE_HEADERS, body: page };
  return value === undefined ? { status, headers: SAFE_HEADERS, body: undefined } : jsonResponse(status, value);
}

function jsonResponse(status: number, value: JsonValue, headers: readonly string[] = []): HttpResponse {
  return {
    status,
    headers: [...SAFE_HEADERS, ...headers, 'Content-Type', 'application/json'],
    body: stringifyJson(value),
  };
}

function errorOf({ status, code, message, pointer, details, findings, current = null }: Rejection): AdminError {
  const known = details?.flatMap((each) => (each.pointer === undefined ? [] : [{ ...each, pointer: each.pointer }]));
  const first = pointer === undefined ? [] : [{ pointer, message }];
  const made = (known ?? first).map((each) => ({ pointer: each.pointer, message: each.message, expected: null }));
  return { status, code, message, findings: findings ?? made, current };
}

/** Server-sent events, until one of both sides ends them. @returns when they are over */
export function sendEvents(response: ServerResponse, begin: (sink: EventSink) => () => void): Promise<void> {
  response.writeHead(200, [...SAFE_HEADERS, 'Content-Type', 'text/event-stream'] as never);
  if (response.req.method === 'HEAD') {
    response.end();
    return Promise.resolve();
  }
  const socket: Socket & { readonly server?: Server } = response.req.socket;
  // Of a request that had to wait its turn, whose client is gone meanwhile: nothing would tell the end of it.
  if (socket.destroyed) return Promise.resolve();
  const done = begin({
    write(text) {
      response.write(text);
    },
    waiting: () => response.writableLength,
    isClosing: () => socket.server?.listening === false,
    end() {
      response.end();
      // Nothing else is to come on it, and the server waits for it.
      socket.destroySoon();
    },
    destroy() {
      socket.destroy();
    },
  });
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('close', end);
      socket.off('close', end);
      done();
      resolve();
    };
    response.once('close', end);
    // A response that waits for those before it on its connection is not told when that is closed.
    socket.once('close', end);
  });
}

/** What went wrong, as it is told to who asked; `internal_error` for what is a defect of the mock. */
export function rejectionOf(error: unknown): Rejection {
  if (error instanceof JsonSyntaxError) return problem('invalid_json', `The body is not valid JSON: ${error.message}`);
  if (!(error instanceof StandinError))
    return problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
  if (error instanceof StoreError) return storeProblem(error);
  const findings = error.findings.map(({ pointer, message, expected = null }) => ({ pointer, message, expected }));
  return { ...problem('invalid_field', [error.message, ...errorDetails(error)].join('; ')), findings };
}

/** What the message does not say already. */
function errorDetails(error: StandinError): string[] {
  const { findings, hint } = error;
  const hints = hint === undefined ? [] : [hint];
  const others = findings.filter((finding) => !error.message.includes(finding.message));
  return hints.concat(
    others.slice(0, 5).map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
  );
}
