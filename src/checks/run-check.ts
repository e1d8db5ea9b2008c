import type { CheckDefinition, Finding } from '../core/errors/finding';
import type { RawHeaders } from '../core/http/message';
import { canonicalKey, isJsonObject, type JsonValue } from '../core/json/json-value';
import type { Expectation } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import { commonErrorContent, documentedErrors, errorRole } from '../openapi/view/responses';

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

/** A named rule about all exchanges of a run. */
export interface RunCheck extends CheckDefinition {
  /** Where the rule comes from. */
  readonly source: string;
  /**
   * @param exchanges - in the order in which they were sent
   * @returns the disagreements, one for each cause
   */
  run(exchanges: readonly ObservedExchange[], api: ApiModel): RunFinding[];
}

/**
 * The path of an exchange as the description writes it, `/books/{bookId}`; as it was sent where that has none. Messages
 * name it, because they are the same in every run: what a run made has other keys each time.
 */
export function templateOf(api: ApiModel, { operation: id, path }: ObservedExchange): string {
  return (id === undefined ? undefined : api.operationById(id)?.path) ?? path;
}

/** A finding about two exchanges. */
export function runFinding(
  exchanges: readonly ObservedExchange[],
  exchange: ObservedExchange,
  earlier: ObservedExchange,
  finding: Finding,
): RunFinding {
  return { ...finding, exchange: exchanges.indexOf(exchange), earlier: exchanges.indexOf(earlier) };
}

/** The type of a problem that says no more than its status does (RFC 9457 §4.2.1): a code for every status, and so none. */
const NO_TYPE = 'about:blank';

/** The code of an error response, out of the property that its schema keeps it in; `undefined` when it has none. */
export function errorCode(api: ApiModel, { operation: id, status, body }: ObservedExchange): string | undefined {
  if (status === undefined || status < 400 || !isJsonObject(body)) return undefined;
  const operation = id === undefined ? undefined : api.operationById(id);
  const schema = documentedErrors(operation, status, commonErrorContent(api))[0]?.schema;
  const names = schema === undefined ? [] : [...api.propertiesOf(schema).keys()];
  const name = names.find((candidate) => errorRole(candidate) === 'code');
  const code = name === undefined ? undefined : body[name];
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
  const { method, path, query, auth, requestHeaders, requestBody, requestText } = exchange;
  const headers = requestHeaders.flatMap((name, index) => {
    const isName = index % 2 === 0 && !PER_MESSAGE_HEADERS.test(name.toLowerCase());
    return isName ? [`${name.toLowerCase()}: ${requestHeaders[index + 1] ?? ''}`] : [];
  });
  const body = requestBody === undefined ? requestText : canonicalKey(requestBody);
  return JSON.stringify([method, path, query, auth, headers.sort(), body]);
}

/** Exchanges whose requests ask for the same thing, in their order; only those that were made more than once. */
export function repeatedRequests(exchanges: readonly ObservedExchange[]): ObservedExchange[][] {
  const groups = new Map<string, ObservedExchange[]>();
  for (const exchange of exchanges) {
    const key = requestKey(exchange);
    groups.set(key, [...(groups.get(key) ?? []), exchange]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
