import { headerValue } from '../../core/http/headers';
import { isJsonMediaType, parseMediaType } from '../../core/http/media-type';
import { parseTarget } from '../../core/http/request-target';
import { isOfBrowser } from '../exchange/browser-exchange';
import type { CleanExchange, RecordedResponse } from '../exchange/recorded-exchange';

/** Why an exchange is not the API's; each is a row of what the user is told. */
export interface NoiseKind {
  readonly id: string;
  /** What one such exchange is, and what several are, as a user reads it: `asset of a page`, `assets of pages`. */
  readonly reason: readonly [one: string, several: string];
  /** Whoever asks first has it: the order of {@link NOISE_KINDS} counts. */
  readonly is: (exchange: CleanExchange, api: string | undefined) => boolean;
}

/** The origin of an exchange as URLs have it: in lower case, without the default port. */
export function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return address.toLowerCase();
  }
}

/** Media type of a response, without parameters and in lower case; `''` where it has none. */
function typeOf(response: RecordedResponse | undefined): string {
  const value = response === undefined ? undefined : headerValue(response.headers, 'content-type');
  return (value === undefined ? undefined : parseMediaType(value)?.essence) ?? '';
}

function pathOf({ request }: CleanExchange): string {
  return parseTarget(request.target)?.path ?? request.target;
}

function requestHeader({ request }: CleanExchange, name: string): string | undefined {
  return headerValue(request.headers, name);
}

/** Did a script of a page, or a program, ask for it, and not a page itself? */
function isScripted({ resourceType }: CleanExchange): boolean {
  return resourceType === 'fetch' || resourceType === 'xhr';
}

const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml']);
const ASSET_RESOURCES = new Set([
  'stylesheet',
  'script',
  'image',
  'imageset',
  'font',
  'media',
  'texttrack',
  'manifest',
  'object',
]);
const ASSET_TYPES =
  /^(?:text\/css|(?:text|application)\/(?:x-)?(?:java|ecma)script|application\/wasm|font\/|application\/(?:x-)?font-|application\/vnd\.ms-fontobject|application\/manifest\+json|text\/vtt)/;
const MEDIA_TYPES = /^(?:image|audio|video)\//;
const ASSET_ENDINGS = /\.(?:css|m?js|cjs|jsx|tsx?|map|wasm|woff2?|ttf|otf|eot|webmanifest|vtt)$/i;
const MEDIA_ENDINGS = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp[34]|webm|ogg|wav|mov|m4a)$/i;
const BROWSERS_OWN =
  /^\/(?:favicon\.ico|apple-touch-icon[^/]*\.png|robots\.txt|sitemap\.xml|browserconfig\.xml|manifest\.json|site\.webmanifest|service-?worker\.js|sw\.js|ads\.txt|crossdomain\.xml|\.well-known\/(?:appspecific\/.*|assetlinks\.json|apple-app-site-association|change-password))$/i;
/** Words of paths to which pages report what is done on them. */
const REPORTING =
  /^(?:collect|track(?:ing|er)?|beacon|analytics|telemetry|pixel|rum|pageview|impression|csp-report|envelope|error-?report(?:ing)?)$/i;
const REPORT_TYPES = /^application\/(?:csp-report|reports\+json|x-.*-envelope)$/;

function isAsset(exchange: CleanExchange): boolean {
  const { request, resourceType, response } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const [type, path] = [typeOf(response), pathOf(exchange)];
  if (ASSET_TYPES.test(type) || ASSET_ENDINGS.test(path)) return !isJsonMediaType(type) || /\.map$/i.test(path);
  if (resourceType !== undefined) return ASSET_RESOURCES.has(resourceType);
  // An API may have pictures: what is asked for with credentials, and what no file's name stands for, is one of them.
  const isOpen = requestHeader(exchange, 'authorization') === undefined;
  return isOpen && MEDIA_ENDINGS.test(path) && (MEDIA_TYPES.test(type) || response?.status === 304);
}

/** Is it a report of a page to those who watch its use: by how it was sent, or by where it went and that nobody wanted a response? */
function isReport(exchange: CleanExchange, api: string | undefined): boolean {
  const sent = sentType(exchange);
  if (REPORT_RESOURCES.has(exchange.resourceType ?? '') || REPORT_TYPES.test(sent)) return true;
  // Browsers keep the response from the page (Fetch §3.6): `navigator.sendBeacon`, through a proxy.
  if (exchange.request.method === 'POST' && requestHeader(exchange, 'sec-fetch-mode') === 'no-cors') return true;
  const isElsewhere = api !== undefined && originOf(exchange.origin) !== api;
  // `navigator.sendBeacon` of a text: a plain type to another origin, and no response that is read.
  if (isElsewhere && exchange.request.method === 'POST' && sent === 'text/plain') return true;
  return namesReport(exchange) && (isElsewhere || isUnread(exchange));
}

/** Media type of what was sent, as {@link typeOf} gives that of a response. */
function sentType(exchange: CleanExchange): string {
  return parseMediaType(requestHeader(exchange, 'content-type') ?? '')?.essence ?? '';
}

const REPORT_RESOURCES = new Set(['beacon', 'ping', 'cspviolationreport']);

function namesReport(exchange: CleanExchange): boolean {
  const words = pathOf(exchange).split('/');
  return words.some((word) => REPORTING.test(word.replace(/\.\w+$/, '')));
}

/** Had the response nothing to read: nothing at all, or a picture of one point? */
function isUnread({ response }: CleanExchange): boolean {
  return response?.body === undefined || MEDIA_TYPES.test(typeOf(response));
}

/** Servers give the type of a page to responses without a body as well. */
function isChangeWithoutBody({ request, response }: CleanExchange): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return response?.body === undefined || (response.body.kind === 'text' && response.body.text === '');
}

/** A page, or what a browser is given in place of the API: one of an error is what the API said to a program. */
function isPage(exchange: CleanExchange): boolean {
  if (isChangeWithoutBody(exchange)) return false;
  const { resourceType, response } = exchange;
  if (resourceType === 'document' || resourceType === 'iframe') return !isJsonMediaType(typeOf(response));
  if (!PAGE_TYPES.has(typeOf(response))) return false;
  const wantsJson = /json/.test(
    `${requestHeader(exchange, 'accept') ?? ''} ${requestHeader(exchange, 'content-type') ?? ''}`,
  );
  return (response?.status ?? 200) < 400 || !(isScripted(exchange) || wantsJson);
}

function isUpgrade(exchange: CleanExchange): boolean {
  const { resourceType, response, origin } = exchange;
  const asked = requestHeader(exchange, 'upgrade')?.toLowerCase();
  return resourceType === 'websocket' || response?.status === 101 || /^wss?:/i.test(origin) || asked === 'websocket';
}

/** After these faults of the mock a response is late, and else what it always is. */
const LATE_ALONE = /^(?:latency|dribble)(?:$|:)/;

/** Did somebody tell the mock what to respond, by a fault, a forced response or `Prefer: code=404`? */
function isForced({ response }: CleanExchange): boolean {
  const headers = response?.headers ?? [];
  const faults = headerValue(headers, 'x-standin-fault')?.split(', ') ?? [];
  return (
    faults.some((fault) => !LATE_ALONE.test(fault)) ||
    /\b(?:code|example|dynamic)=/.test(headerValue(headers, 'preference-applied') ?? '')
  );
}

/** A 304 that nobody but the browser's cache asked for (RFC 9110 §15.4.5). */
function isCacheCheck(exchange: CleanExchange): boolean {
  if (exchange.response?.status !== 304) return false;
  return isOfBrowser(exchange) || requestHeader(exchange, 'if-none-match') === undefined;
}

function isPrefetch(exchange: CleanExchange): boolean {
  const purpose = requestHeader(exchange, 'sec-purpose') ?? requestHeader(exchange, 'purpose') ?? '';
  return exchange.resourceType === 'prefetch' || /prefetch|preview/i.test(purpose);
}

function isStream({ resourceType, response }: CleanExchange): boolean {
  return resourceType === 'eventsource' || typeOf(response) === 'text/event-stream';
}

/** Such requests are no noise where a description says what to expect. */
export const REQUEST_ALONE = 'request-alone';

/** What traffic has beside an API, the surest first. */
export const NOISE_KINDS: readonly NoiseKind[] = [
  {
    id: 'upgrade',
    reason: ['upgrade to another protocol, such as websockets', 'upgrades to another protocol, such as websockets'],
    is: isUpgrade,
  },
  {
    id: 'preflight',
    reason: [
      'question of a browser whether it may ask (OPTIONS)',
      'questions of browsers whether they may ask (OPTIONS)',
    ],
    is: ({ request }) => request.method === 'OPTIONS' || request.method === 'CONNECT',
  },
  {
    id: 'report',
    reason: ['report of a page on its use and errors', 'reports of pages on their use and errors'],
    is: isReport,
  },
  {
    id: 'other-origin',
    reason: ['request to another origin', 'requests to other origins'],
    is: ({ origin }, api) => api !== undefined && originOf(origin) !== api,
  },
  {
    id: 'browser',
    reason: ['file that browsers ask for by themselves', 'files that browsers ask for by themselves'],
    is: (exchange) => BROWSERS_OWN.test(pathOf(exchange)),
  },
  { id: 'asset', reason: ['asset of a page', 'assets of pages'], is: isAsset },
  { id: 'prefetch', reason: ['request made ahead of time', 'requests made ahead of time'], is: isPrefetch },
  {
    id: REQUEST_ALONE,
    reason: [
      'request without a response, which makes a step where a description is given (--spec)',
      'requests without a response, which make steps where a description is given (--spec)',
    ],
    is: ({ response, isRequestAlone }) => response === undefined && isRequestAlone === true,
  },
  {
    id: 'no-response',
    reason: ['request without a response', 'requests without a response'],
    is: ({ response, isRequestAlone }) => response === undefined && isRequestAlone !== true,
  },
  {
    id: 'forced',
    reason: [
      'response that the mock was told to give, which is not that of the API',
      'responses that the mock was told to give, which are not those of the API',
    ],
    is: isForced,
  },
  { id: 'stream', reason: ['stream of events', 'streams of events'], is: isStream },
  { id: 'page', reason: ['HTML page', 'HTML pages'], is: isPage },
  { id: 'cache', reason: ['check of a cache (304)', 'checks of a cache (304)'], is: isCacheCheck },
];

/** Does an exchange look like one of an API: does it show JSON, or was it sent some? */
export function isOfApi(exchange: CleanExchange): boolean {
  const isNoise = NOISE_KINDS.some(({ is }) => is(exchange, undefined));
  const types = [typeOf(exchange.response), requestHeader(exchange, 'content-type') ?? ''];
  return !isNoise && types.some(isJsonMediaType);
}

/** Does a response send the client to a page? @param pages - addresses at which pages were found */
export function redirectsToPage(exchange: CleanExchange, pages: ReadonlySet<string>): boolean {
  const { response } = exchange;
  if (response === undefined || response.status < 300 || response.status > 399 || response.status === 304) return false;
  const location = headerValue(response.headers, 'location');
  if (location === undefined) return false;
  return pages.has(addressOf(exchange, location)) || exchange.resourceType === 'document';
}

/** The address of an exchange, or of what it names, without the fragment. */
export function addressOf({ origin, request }: CleanExchange, location: string = request.target): string {
  try {
    const url = new URL(location, new URL(request.target, origin));
    url.hash = '';
    return url.href;
  } catch {
    return location;
  }
}
