import { headerValue } from '../../core/http/headers';
import type { CleanExchange } from './recorded-exchange';

/** Is an exchange known to come out of a browser, which does by itself what a program has to be told? */
export function isOfBrowser({ request, resourceType }: CleanExchange): boolean {
  return (
    resourceType !== undefined ||
    // `fetch` outside of browsers sends a Sec-Fetch-Mode as well, and never where the request is from.
    headerValue(request.headers, 'sec-fetch-site') !== undefined ||
    /^Mozilla\//.test(headerValue(request.headers, 'user-agent') ?? '')
  );
}

const OF_CACHE = /^(?:if-none-match|if-modified-since)$/i;

/** An exchange without what the cache of a browser asked, whatever the page wanted (RFC 9111 §4.3). */
export function withoutCacheConditions(exchange: CleanExchange): CleanExchange {
  const { headers } = exchange.request;
  if (!isOfBrowser(exchange) || !headers.some((name, index) => index % 2 === 0 && OF_CACHE.test(name))) return exchange;
  const kept = headers.filter((_, index) => !OF_CACHE.test(headers[index - (index % 2)] ?? ''));
  return { ...exchange, request: { ...exchange.request, headers: kept } };
}
