import { headerValue, headerValues } from '../core/http/headers';
import { preflightOf } from '../core/http/cors';
import type { RawHeaders } from '../core/http/message';
import { isLoopbackHost } from '../core/http/request-target';

/** What the proxy tells a browser in the place of a target that does not. */
export interface CrossOriginAnswer {
  /** Lines to add to those of the response. */
  readonly headers: RawHeaders;
  /** Is the request a preflight, which the proxy then answers with 204, whatever the target said? */
  readonly isPreflight: boolean;
}

/**
 * Lets pages of other origins read what the target says (Fetch §3.2), where it has no word on that itself.
 *
 * @param allowed - origins, `*` for all; `undefined` for those of this machine. Any page that somebody opens could else
 *   read through the proxy what only this machine can reach
 * @param request - header lines of the request
 * @param response - of the target
 * @returns `undefined` where nothing is to be added
 */
export function crossOriginAnswer(
  allowed: readonly string[] | undefined,
  method: string,
  request: RawHeaders,
  response: RawHeaders,
): CrossOriginAnswer | undefined {
  const origin = headerValue(request, 'origin');
  if (origin === undefined || headerValue(response, 'access-control-allow-origin') !== undefined) return undefined;
  const isNamed = allowed === undefined ? isOfThisMachine(origin) : allowed.includes(origin);
  if (!isNamed && allowed?.includes('*') !== true) return undefined;
  // Cookies go to origins that are named, never to any (Fetch §3.2.3).
  const open = isNamed
    ? ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin']
    : ['Access-Control-Allow-Origin', '*'];
  if (preflightOf(method, request) === undefined) {
    const names = [...new Set(response.filter((_, index) => index % 2 === 0))];
    const exposed = names.length === 0 ? [] : ['Access-Control-Expose-Headers', names.join(', ')];
    return { headers: [...open, ...exposed], isPreflight: false };
  }
  const asked = headerValues(request, 'access-control-request-headers').join(', ');
  return {
    isPreflight: true,
    headers: [
      ...open,
      'Access-Control-Allow-Methods',
      headerValue(request, 'access-control-request-method') ?? method,
      ...(asked === '' ? [] : ['Access-Control-Allow-Headers', asked]),
      // Another target may stand behind the proxy soon.
      'Access-Control-Max-Age',
      '5',
    ],
  };
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
}
