import { canonicalKey } from '../../json/canonical-key';
import type { ObservedExchange } from './observed-exchange';

/** Headers that differ from request to request and ask for nothing: they name the run or the message. */
const OF_THE_MESSAGE =
  /^(?:authorization|connection|content-length|date|host|user-agent|x-request-id|x-correlation-id|traceparent|tracestate)$/;

/** Several checks ask for the same. */
const KEYS = new WeakMap<ObservedExchange, string>();

/**
 * A text that two requests share when they ask for the same thing: method, path, query, body, caller, and all headers
 * that the answer may depend on.
 */
export function requestKey(exchange: ObservedExchange): string {
  const key = KEYS.get(exchange) ?? makeKey(exchange);
  KEYS.set(exchange, key);
  return key;
}

function makeKey(exchange: ObservedExchange): string {
  const { method, path, query, auth, requestHeaders, requestBody, requestText } = exchange;
  const headers = requestHeaders.flatMap((name, index) => {
    const isName = index % 2 === 0 && !OF_THE_MESSAGE.test(name.toLowerCase());
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
