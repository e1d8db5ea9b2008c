import { headerValue } from '../core/http/headers';
import { parseMediaType } from '../core/http/media-type';
import type { RecordedExchange, RecordedResponse } from '../traffic/exchange/recorded-exchange';

/** What it is about, so that it is told once, and its words. */
type Notice = readonly [what: string, text: string];

/** What of an exchange says that the recording may not become what it is meant to be. */
export function noticesOf(exchange: RecordedExchange): Notice[] {
  const { response, request, origin } = exchange;
  if (response === undefined) return [];
  const name = `${request.method} ${request.target}`;
  return [
    ...pageNotice(exchange, response, name),
    ...otherOriginNotice(response, name, origin),
    ...linkNotice(response, name, origin),
  ];
}

/** A client of an API that gets a page: most often the address is that of an app before it, or a login came in between. */
function pageNotice(
  { request, origin }: RecordedExchange,
  { headers, status, body }: RecordedResponse,
  name: string,
): Notice[] {
  // Servers give the type to responses without a body as well.
  if (body === undefined || (body.kind === 'text' && body.text === '')) return [];
  const type = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence;
  const accept = headerValue(request.headers, 'accept') ?? '';
  if (type !== 'text/html' || accept.includes('html')) return [];
  return [
    [
      'page',
      `${name} was answered ${status} with an HTML page: is ${origin} the API itself, and not a page or a login before it?`,
    ],
  ];
}

/** Where the target leads to another server, what a client says there passes the recorder by. */
function otherOriginNotice({ headers, status }: RecordedResponse, name: string, origin: string): Notice[] {
  const location = status >= 300 && status < 400 ? (headerValue(headers, 'location') ?? '') : '';
  if (!/^https?:\/\//i.test(location) || !URL.canParse(location)) return [];
  const other = new URL(location);
  if (other.origin === origin) return [];
  const isSameHost = other.hostname === new URL(origin).hostname;
  const advice = isSameHost ? `; to record it, start with --target ${other.origin}` : '';
  return [[`origin ${other.origin}`, `${name} redirects to ${other.origin}, where nothing is recorded${advice}`]];
}

/** Addresses in bodies pass unchanged, as all of the body does. */
function linkNotice({ body }: RecordedResponse, name: string, origin: string): Notice[] {
  const at = body?.kind === 'text' ? body.text.indexOf(origin) : -1;
  // `http://127.0.0.1:40` stands in `http://127.0.0.1:4010` as well.
  if (at === -1 || body?.kind !== 'text' || /^[\w.:-]/.test(body.text.slice(at + origin.length))) return [];
  return [
    [
      'links',
      `The response to ${name} holds addresses of ${origin} itself: where a client follows them it passes the recorder by`,
    ],
  ];
}
