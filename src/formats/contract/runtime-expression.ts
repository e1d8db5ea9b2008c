import { escapePattern } from '../../core/text/escape-pattern';
import { headerValue } from '../../core/http/headers';
import type { HttpRequest } from '../../core/http/message';
import { getAtPointer, parsePointer } from '../../core/json/json-pointer';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { decodeUtf8, parseJson } from '../../core/json/parse-json';

/** The runtime expressions that can be captured (OAS 3.0.3 §4.7.20.4): a part of a response or of its request. */
export type RuntimeExpression =
  | { readonly kind: 'body'; readonly pointer: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'request-body'; readonly pointer: string }
  | { readonly kind: 'request-header' | 'request-path' | 'request-query'; readonly name: string }
  | { readonly kind: 'url' | 'method' }
  | { readonly kind: 'status' };

/** What {@link evaluateExpression} looks at. */
export interface ObservedValues {
  /** The parsed body of the response; `undefined` when there is none or it is not JSON. */
  readonly body: JsonValue | undefined;
  /** A header of the response. */
  header(name: string): string | undefined;
  readonly status?: number | undefined;
  readonly request?: ObservedRequest | undefined;
}

const SIMPLE = new Map<string, RuntimeExpression>([
  ['$url', { kind: 'url' }],
  ['$method', { kind: 'method' }],
  ['$statusCode', { kind: 'status' }],
]);
const HEADER = /^\$(response|request)\.header\.([A-Za-z0-9!#$%&'*+\-.^_`|~]+)$/;
const PARAMETER = /^\$request\.(path|query)\.(.+)$/s;
const BODY = /^\$(response|request)\.body(?:#(.*))?$/s;

/** @returns `undefined` for any text that is no such expression */
export function parseRuntimeExpression(text: string): RuntimeExpression | undefined {
  const [, headerOf, header] = HEADER.exec(text) ?? [];
  if (header !== undefined) return { kind: headerOf === 'request' ? 'request-header' : 'header', name: header };
  const [, place, parameter] = PARAMETER.exec(text) ?? [];
  if (parameter !== undefined) return { kind: place === 'path' ? 'request-path' : 'request-query', name: parameter };
  return SIMPLE.get(text) ?? parseBodyExpression(text);
}

function parseBodyExpression(text: string): RuntimeExpression | undefined {
  const body = BODY.exec(text);
  if (body === null) return undefined;
  const [, of, pointer = ''] = body;
  try {
    parsePointer(pointer);
    return { kind: of === 'request' ? 'request-body' : 'body', pointer };
  } catch {
    return undefined;
  }
}

/** @returns `undefined` when the exchange has no such part */
export function evaluateExpression(expression: RuntimeExpression, observed: ObservedValues): JsonValue | undefined {
  switch (expression.kind) {
    case 'header':
      return observed.header(expression.name);
    case 'body':
      return observed.body === undefined ? undefined : getAtPointer(observed.body, expression.pointer);
    case 'status':
      return observed.status;
    default:
      return observed.request === undefined ? undefined : partOfRequest(expression, observed.request);
  }
}

function partOfRequest(
  expression: Exclude<RuntimeExpression, { kind: 'header' | 'body' | 'status' }>,
  request: ObservedRequest,
): JsonValue | undefined {
  switch (expression.kind) {
    case 'request-body':
      return request.body === undefined ? undefined : getAtPointer(request.body, expression.pointer);
    case 'request-header':
      return request.header(expression.name);
    case 'request-path':
      return request.pathParameter(expression.name);
    case 'request-query':
      return request.queryParameter(expression.name);
    case 'url':
      return request.url;
    case 'method':
      return request.method;
  }
}

/** The place in an exchange that an expression names, as findings write it: `/response/headers/location`. */
export function placeOfExpression(expression: RuntimeExpression): string {
  switch (expression.kind) {
    case 'header':
      return `/response/headers/${expression.name.toLowerCase()}`;
    case 'body':
      return `/response/body${expression.pointer}`;
    case 'status':
      return '/response/status';
    case 'request-body':
      return `/request/body${expression.pointer}`;
    case 'request-header':
      return `/request/headers/${expression.name.toLowerCase()}`;
    case 'request-path':
    case 'request-query':
      return `/request/${expression.kind === 'request-path' ? 'path' : 'query'}/${expression.name}`;
    case 'url':
    case 'method':
      return `/request/${expression.kind}`;
  }
}

/** The parts of a request that a runtime expression can name (OAS 3.0.3 §4.7.20.4). */
export interface ObservedRequest {
  /** Absolute. */
  readonly url: string;
  readonly method: string;
  /** `undefined` when there is none or it is not JSON. */
  readonly body: JsonValue | undefined;
  header(name: string): string | undefined;
  /** The decoded text of a path parameter; `undefined` when the path has none of the name. */
  pathParameter(name: string): string | undefined;
  /** The decoded text of the first parameter of the name in the query. */
  queryParameter(name: string): string | undefined;
}

/**
 * @param origin - scheme, host and port that the request went to; no slash at the end
 * @param template - path of the operation below the host, with its parameters in braces; `undefined` for a request that
 *   no operation describes
 */
export function observeRequest(
  { method, target, rawHeaders, body }: Pick<HttpRequest, 'method' | 'target' | 'rawHeaders' | 'body'>,
  origin: string,
  template: string | undefined,
): ObservedRequest {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  return {
    url: `${origin}${target}`,
    method,
    body: parseRequestBody(body),
    header: (name) => headerValue(rawHeaders, name),
    pathParameter: (name) => (template === undefined ? undefined : parameterOf(template, pathname, name)),
    queryParameter: (name) => searchParams.get(name) ?? undefined,
  };
}

function parseRequestBody(body: HttpRequest['body']): JsonValue | undefined {
  if (body.length === 0) return undefined;
  try {
    return parseJson(typeof body === 'string' ? body : decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function parameterOf(template: string, path: string, name: string): string | undefined {
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (part === `{${name}}`) return '([^/]*)';
      return part.startsWith('{') ? '[^/]*' : escapePattern(part);
    })
    .join('');
  const [, text] = new RegExp(`^${pattern}$`).exec(path) ?? [];
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
