import { getAtPointer, parsePointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import type { ObservedRequest } from './observed-request';

/** The runtime expressions that can be captured (OAS 3.0.3 §4.7.20.4): a part of a response or of its request. */
export type RuntimeExpression =
  | { readonly kind: 'body'; readonly pointer: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'request-body'; readonly pointer: string }
  | { readonly kind: 'request-header' | 'request-path' | 'request-query'; readonly name: string }
  | { readonly kind: 'url' | 'method' }
  | { readonly kind: 'status' };

/** How expressions begin, for whoever mistyped one. */
export const EXPRESSION_HEADS = [
  '$response.body',
  '$response.header',
  '$request.body',
  '$request.path',
  '$request.query',
  '$request.header',
  '$url',
  '$method',
  '$statusCode',
] as const;

/** What {@link evaluateExpression} looks at. */
export interface ObservedValues {
  /** The parsed body of the response; `undefined` when there is none or it is no JSON. */
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
  return SIMPLE.get(text) ?? parseBody(text);
}

function parseBody(text: string): RuntimeExpression | undefined {
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
