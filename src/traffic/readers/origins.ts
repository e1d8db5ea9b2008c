import { headerValue } from '../../core/http/headers';
import { bodyKind, parseMediaType } from '../../core/http/media-type';
import { isSafe, type RawHeaders } from '../../core/http/message';
import type { RecordedExchange } from '../exchange/recorded-exchange';

/** How much of some traffic went to one origin. */
export interface OriginTraffic {
  readonly origin: string;
  readonly exchanges: number;
  /** Those of them that look like calls of an API. */
  readonly calls: number;
}

/**
 * The origins of some traffic, the one that is most likely the API first: that with most calls, and of equal ones the one
 * that was called first.
 */
export function originsOf(exchanges: readonly RecordedExchange[]): OriginTraffic[] {
  const byOrigin = new Map<string, { exchanges: number; calls: number }>();
  for (const exchange of exchanges) {
    const count = byOrigin.get(exchange.origin) ?? { exchanges: 0, calls: 0 };
    byOrigin.set(exchange.origin, {
      exchanges: count.exchanges + 1,
      calls: count.calls + (isCall(exchange) ? 1 : 0),
    });
  }
  const origins = [...byOrigin].map(([origin, counts]) => ({ origin, ...counts }));
  return origins.sort((one, other) => other.calls - one.calls || other.exchanges - one.exchanges);
}

/** What a browser asks for with these is a call of a script, or may be one. */
const SCRIPTED: ReadonlySet<string> = new Set(['fetch', 'xhr', 'xmlhttprequest', 'other']);
/** How data is written that programs read. */
const DATA: ReadonlySet<string> = new Set(['json', 'sequence', 'xml']);

/** JSON or the like on either side, a change, or a response without a body; nothing that a page is made of. */
function isCall({ request, response, resourceType }: RecordedExchange): boolean {
  if (request.method === 'OPTIONS') return false;
  if (resourceType !== undefined && !SCRIPTED.has(resourceType)) return false;
  if (isData(request.headers) || (response !== undefined && isData(response.headers))) return true;
  if (response !== undefined && isPage(response.headers)) return false;
  return !isSafe(request.method) || response === undefined || response.status === 204;
}

function isData(headers: RawHeaders): boolean {
  return DATA.has(bodyKind(headerValue(headers, 'content-type') ?? ''));
}

function isPage(headers: RawHeaders): boolean {
  return parseMediaType(headerValue(headers, 'content-type') ?? '')?.subtype === 'html';
}
