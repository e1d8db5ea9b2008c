import type { CheckFinding, Finding } from '../core/errors/finding';
import type { RawHeaders } from '../core/http/message';
import { type Group, groupBy } from '../core/text/group-by';
import { canonicalKey, isJsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import type { Expectation } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { codePath, commonErrorContent, documentedErrors } from '../openapi/view/responses';

/** One request of a run and what came back, as plain values. */
export interface ObservedExchange {
  /** Id of the operation; `undefined` when the description has none for the request. */
  readonly operation: string | undefined;
  /** Upper case. */
  readonly method: string;
  /** Path of the URL as it was sent, that of the base URL included, without the query. */
  readonly path: string;
  /** As it was sent, without `?`; `''` for none. */
  readonly query: string;
  /** How the request authenticated: `valid`, `none`, …, or the name of an identity. */
  readonly auth: string;
  /** As they were sent. Credentials may be left out. */
  readonly requestHeaders: RawHeaders;
  /** The body as it was sent; `''` for none. */
  readonly requestText: string;
  /** The JSON in it; `undefined` when there is none. */
  readonly requestBody: JsonValue | undefined;
  /** What the contract expects; `undefined` when nobody said. */
  readonly expected: Pick<Expectation, 'statuses' | 'codes'> | undefined;
  /** Was it sent again until its response was as the contract waits for? Then something else makes the change. */
  readonly isPolled?: boolean | undefined;
  /** `undefined` when no whole response came: the request may have had its effect or not. */
  readonly status: number | undefined;
  readonly headers: RawHeaders;
  /** The JSON of the response; `undefined` when there is none. */
  readonly body: JsonValue | undefined;
  /** Bytes of the response as it was read; `undefined` when nobody counted. */
  readonly bodySize?: number | undefined;
  /**
   * When the request was sent, by a counter of the run that goes up by one with every request that is sent and every
   * answer that has arrived. What was sent after another one's answer had arrived can see its effects; what overlaps may
   * or may not.
   */
  readonly sentAt: number;
  /** When the response had arrived, or the request was given up, by the same counter. */
  readonly respondedAt: number;
}

/** Was the request sent when the response to the other one had arrived? */
export function isAfter(later: ObservedExchange, earlier: ObservedExchange): boolean {
  return later.sentAt > earlier.respondedAt;
}

/** Did the response say that what was asked for is done? */
export function isSuccess({ status }: ObservedExchange): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Does the contract expect the status that came? Then its author knows why it is right. */
export function isExpected({ status, expected }: ObservedExchange): boolean {
  return status !== undefined && expected?.statuses.includes(status) === true;
}

/** Does the method ask for no change (RFC 9110 §9.2.1)? */
export function isSafe({ method }: ObservedExchange): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}

/**
 * A disagreement that shows when several exchanges are seen together. Its message and its place say what is wrong and
 * of which operation, and are the same in every run: keys, values and the order of exchanges are for `expected` and
 * `actual`.
 */
export interface RunFinding extends Finding {
  /** Index of the exchange whose response is at fault. */
  readonly exchange: number;
  /** Index of the exchange that it disagrees with. */
  readonly earlier: number;
}

/** A finding as a check of a run returns it; without `spec` it is about the operation of its exchange. */
export interface RunCheckFinding extends CheckFinding {
  /** The exchange whose response is at fault. */
  readonly exchange: ObservedExchange;
  /** The one that it disagrees with. */
  readonly earlier: ObservedExchange;
}

export function operationOf(api: ApiModel, { operation }: Pick<ObservedExchange, 'operation'>): Operation | undefined {
  return operation === undefined ? undefined : api.operationById(operation);
}

/**
 * The path of an exchange as the description writes it, `/books/{bookId}`; as it was sent where that has none. Messages
 * name it, because they are the same in every run: what a run made has other keys each time.
 */
export function templateOf(api: ApiModel, exchange: ObservedExchange): string {
  return operationOf(api, exchange)?.path ?? exchange.path;
}

/** The type of a problem that says no more than its status does (RFC 9457 §4.2.1): a code for every status, and so none. */
const NO_TYPE = 'about:blank';

/** The code of an error answer, out of the property that its schema keeps it in; `undefined` when it has none. */
export function errorCode(api: ApiModel, exchange: ObservedExchange): string | undefined {
  const { status, body } = exchange;
  if (status === undefined || status < 400 || !isJsonObject(body)) return undefined;
  const [error] = documentedErrors(operationOf(api, exchange), status, commonErrorContent(api));
  const path = codePath(api, error?.schema);
  const code = path.length === 0 ? undefined : valueAlong(body, path);
  return typeof code === 'string' && code !== '' && code !== NO_TYPE ? code : undefined;
}

/** Headers that differ from request to request and ask for nothing: they name the run or the message. */
const PER_MESSAGE_HEADERS =
  /^(?:authorization|connection|content-length|date|host|user-agent|x-request-id|x-correlation-id|traceparent|tracestate)$/;

/** Several checks ask for the same. */
const REQUEST_KEYS = new WeakMap<ObservedExchange, string>();

/**
 * A text that two requests share when they ask for the same thing: method, path, query, body, caller, and all headers
 * that the response may depend on.
 */
function requestKey(exchange: ObservedExchange): string {
  const key = REQUEST_KEYS.get(exchange) ?? makeKey(exchange);
  REQUEST_KEYS.set(exchange, key);
  return key;
}

function makeKey(exchange: ObservedExchange): string {
  const { method, requestBody, requestText } = exchange;
  const body = requestBody === undefined ? requestText : canonicalKey(requestBody);
  return JSON.stringify([method, targetKey(exchange), body]);
}

/** A text that two requests share when they are about the same thing in the same form: all but the method and the body. */
export function targetKey({ path, query, auth, requestHeaders }: ObservedExchange): string {
  const headers = requestHeaders.flatMap((name, index) => {
    const isName = index % 2 === 0 && !PER_MESSAGE_HEADERS.test(name.toLowerCase());
    return isName ? [`${name.toLowerCase()}: ${requestHeaders[index + 1] ?? ''}`] : [];
  });
  return JSON.stringify([path, query, auth, headers.sort()]);
}

/** Exchanges whose requests ask for the same thing, in their order; only those that were made more than once. */
export function repeatedRequests(exchanges: readonly ObservedExchange[]): Group<ObservedExchange>[] {
  return groupBy(exchanges, requestKey).filter(({ length }) => length > 1);
}
