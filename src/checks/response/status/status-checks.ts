import {
  contentTypeOf,
  isErrorInSuccess,
  type ObservedResponse,
  previewStatus,
  type ResponseCheck,
} from '../../response-check';
import { headerValue, headerValues } from '../../../core/http/headers';
import { parseRetryAfter } from '../../../core/http/http-date';
import { bestMediaType } from '../../../core/http/accept';
import { parseMediaType } from '../../../core/http/media-type';
import { previewValue } from '../../../core/json/stringify-json';
import type { Operation } from '../../../openapi/model/operation';

/**
 * Statuses that HTTP itself may answer with, whatever the operation (RFC 9110 §15.5, RFC 6585). A description need
 * not list them with each operation.
 */
const PROTOCOL_STATUSES = new Set([405, 406, 408, 413, 414, 415, 417, 428, 429, 431, 503]);

/**
 * Statuses that HTTP has for a request that is wrong or without credentials, for what is not there or is there already,
 * and for a condition that does not hold (RFC 9110 §15.5). Few descriptions list them with each operation; where they are
 * what was expected, nobody is misled.
 */
const CONVENTIONAL_STATUSES = new Set([400, 401, 404, 409, 412, 422]);

export function isConventional(status: number): boolean {
  return CONVENTIONAL_STATUSES.has(status);
}

/** And for a caller who is known and may not do it (RFC 9110 §15.5.4): that a key was sent is a part of it. */
const FORBIDDEN = 403;

/** Is an undocumented status what most descriptions leave unsaid? */
function isUsual({ responses }: Operation, { status, expected, isAuthenticated }: ObservedResponse): boolean {
  // Where no success is documented at all, that one comes says more of the description than of the service.
  if (status < 300 && ![...responses.keys()].some((each) => /^[23]|^default$/i.test(each))) return true;
  const isForbidden = status === FORBIDDEN && isAuthenticated === true;
  return (isConventional(status) || isForbidden) && expected?.statuses.includes(status) === true;
}

/** The status is one that the operation documents. */
export const statusDocumented: ResponseCheck = {
  id: 'status-documented',
  area: 'status',
  source: 'OAS 3.0.3 §4.7.16 Responses Object',
  basis: 'description',
  priority: -1,
  run(observed) {
    const { operation, documented, status, method } = observed;
    if (operation === undefined) return undefined;
    // A service that has no HEAD is not the one that its GET describes.
    if (method === 'HEAD' && operation.method === 'GET' && status === 404) return [];
    if (documented !== undefined || PROTOCOL_STATUSES.has(status)) return [];
    return [
      {
        severity: isUsual(operation, observed) ? 'warning' : 'error',
        at: '/response/status',
        message: `${operation.id} does not document the status ${status}`,
        expected: [...operation.responses.keys()].join(', '),
        actual: previewStatus(observed),
        spec: `${operation.pointer}/responses`,
        hint: 'Document this status, or correct the server.',
      },
    ];
  },
};

/**
 * No request makes the server fail, documented or not: a description lists 500 to say what a failure looks like, not
 * that it is one of the right answers. A 503 that says when to come back is a server that takes care of itself.
 */
export const noServerError: ResponseCheck = {
  id: 'no-server-error',
  area: 'status',
  source: 'RFC 9110 §15.6; WFC 100, 963',
  basis: 'http',
  run(observed) {
    const { status, expected, operation, documented } = observed;
    if (expected?.statuses.includes(status) === true) return undefined;
    if (status < 500 || status > 599) return [];
    const isPause = status === 503 && hasRetryAfter(observed);
    return [
      {
        severity: isPause ? 'warning' : 'error',
        at: '/response/status',
        message: isPause ? 'The server was not ready' : `The server failed with ${status}`,
        expected: 'a status below 500',
        identity: { expected: 'an answer below 500' },
        actual: previewStatus(observed),
        spec: documented?.pointer ?? operation?.pointer,
        hint: hintFor(observed),
      },
    ];
  },
};

function hasRetryAfter({ headers }: ObservedResponse): boolean {
  return parseRetryAfter(headerValue(headers, 'retry-after') ?? '', 0) !== undefined;
}

function hintFor({ status, operation }: ObservedResponse): string | undefined {
  if (status === 501 && operation !== undefined) return 'The description has this operation, and the server does not.';
  if (status === 502 || status === 504) return 'A gateway responded in place of the service.';
  if (status === 503) return 'A 503 that has Retry-After is a warning only.';
  return 'A request that cannot be used is rejected with a status from 400 to 499.';
}

/** Says what is wrong with a status as the response to this request; `undefined` when it may be right. */
type Rule = (observed: ObservedResponse) => string | undefined;

const RULES: Readonly<Record<number, Rule>> = {
  201: ({ method }) => {
    return ['GET', 'HEAD', 'DELETE'].includes(method)
      ? `${method} creates nothing that a 201 could speak of`
      : undefined;
  },
  206: ({ requestHeaders }) => {
    return requestHeaders === undefined || headerValue(requestHeaders, 'range') !== undefined
      ? undefined
      : 'A part was sent, and the request asked for no Range';
  },
  304: ({ method }) => {
    return method === 'GET' || method === 'HEAD' ? undefined : `304 is for GET and HEAD, not for ${method}`;
  },
  401: ({ operation, requestHeaders }) => {
    // Credentials that nobody asked for may be rejected when they are bad.
    if (operation?.security.length !== 0 || headerValue(requestHeaders ?? [], 'authorization') !== undefined) {
      return undefined;
    }
    return `${operation.id} asks for no credentials`;
  },
  405: ({ operation, method }) => {
    return operation?.method === method ? `The description has ${method} ${operation.path}` : undefined;
  },
  406: (observed) => {
    const type = acceptableType(observed);
    return type === undefined ? undefined : `The request accepts ${type}, which the operation answers with`;
  },
  413: ({ requestBodyLength }) =>
    requestBodyLength === 0 ? 'The request has no body that could be too large' : undefined,
  415: ({ requestBodyLength }) =>
    requestBodyLength === 0 ? 'The request has no body that could be in a wrong form' : undefined,
};

/** The status is one that HTTP has for such a request: its method, its headers, its body. */
export const statusFitsRequest: ResponseCheck = {
  id: 'status-fits-request',
  area: 'http',
  source: 'RFC 9110 §15.3.2, §15.3.7, §15.4.5, §15.5; WFC 951, 952, 955, 956, 957, 959, 960',
  basis: 'http',
  supersededBy: { checks: ['status-documented'], at: '/response/status' },
  run(observed) {
    const { status, expected, operation, documented } = observed;
    const rule = RULES[status];
    // A contract that expects the status knows why.
    if (rule === undefined || expected?.statuses.includes(status) === true) return undefined;
    const message = rule(observed);
    if (message === undefined) return [];
    return [
      {
        at: '/response/status',
        message,
        expected: `another status than ${status}`,
        actual: previewStatus(observed),
        spec: documented?.pointer ?? operation?.pointer,
      },
    ];
  },
};

/** What the operation answers a success with and the request accepts; `undefined` when that cannot be told. */
function acceptableType({ operation, requestHeaders }: ObservedResponse): string | undefined {
  if (operation === undefined || requestHeaders === undefined) return undefined;
  // Language, charset and coding are negotiated too, and the description says nothing of them.
  const isNarrow = ['accept-language', 'accept-charset'].some(
    (name) => headerValue(requestHeaders, name) !== undefined,
  );
  if (isNarrow || /;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(headerValue(requestHeaders, 'accept-encoding') ?? ''))
    return undefined;
  const accept = headerValues(requestHeaders, 'accept').join(', ');
  return successTypes(operation).find((type) => bestMediaType(accept, [type]) !== undefined);
}

function successTypes({ responses }: Operation): string[] {
  return [...responses.values()].filter(({ status }) => status.startsWith('2')).flatMap(({ mediaTypes }) => mediaTypes);
}

/** The status is a status of HTTP, and has the headers without which a client cannot follow it. */
export const statusFitsHeaders: ResponseCheck = {
  id: 'status-fits-headers',
  area: 'http',
  source: 'RFC 9110 §15, §15.3.7, §15.5.22; WFC 950, 965',
  basis: 'http',
  run(observed) {
    const { status, documented, operation } = observed;
    const about = { at: '/response/status' } as const;
    const spec = documented?.pointer ?? operation?.pointer;
    if (status < 100 || status > 599) {
      const message = `${status} is not an HTTP status`;
      return [{ ...about, message, expected: 'a number from 100 to 599', actual: String(status), spec }];
    }
    const name = neededHeader(observed);
    if (name === undefined) return undefined;
    if (headerValue(observed.headers, name) !== undefined) return [];
    const at = `/response/headers/${name.toLowerCase()}`;
    const message = `The ${status} has no ${name}`;
    return [{ ...about, at, message, expected: NEEDED_FOR[name], actual: 'no header', spec }];
  },
};

const NEEDED_FOR = { Upgrade: 'the protocols to upgrade to', 'Content-Range': 'which part this is' } as const;

function neededHeader(observed: ObservedResponse): keyof typeof NEEDED_FOR | undefined {
  if (observed.status === 426) return 'Upgrade';
  if (observed.status !== 206) return undefined;
  // Several parts in one body say it each for itself.
  const isMultipart = parseMediaType(contentTypeOf(observed) ?? '')?.essence === 'multipart/byteranges';
  // Where nobody documents the 206, that is the one finding.
  return isMultipart || observed.documented === undefined ? undefined : 'Content-Range';
}

/** An error has the status of one: clients look at the status first. */
export const errorStatus: ResponseCheck = {
  id: 'error-status',
  area: 'errors',
  source: "the description's error schema; RFC 9110 §15.3",
  basis: 'description',
  run(observed) {
    const { status, body, documented, operation, commonError } = observed;
    if (status < 200 || status > 299 || body.kind !== 'json' || commonError === undefined) return undefined;
    if (!isErrorInSuccess(observed)) return [];
    return [
      {
        at: '/response/body',
        message: `An error object was sent with the status ${status}`,
        expected: 'the status of the error, 400 or above',
        actual: previewValue(body.value),
        spec: documented?.pointer ?? operation?.pointer,
      },
    ];
  },
};
