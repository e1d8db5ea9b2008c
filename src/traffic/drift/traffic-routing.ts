import { headerValue } from '../../core/http/headers';
import { parseMediaType } from '../../core/http/media-type';
import type { RequestHead } from '../../core/http/message';
import { parseTarget, type RequestTarget } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import { matchBelow, normaliseBasePath } from '../../openapi/model/base-paths';
import type { Operation } from '../../openapi/model/operation';
import { type RouteMatch, selectOperation, withQueryVariables } from '../../openapi/model/operation-selection';
import type { RecordedExchange, RecordedResponse } from '../exchange/recorded-exchange';
import { hasMark } from './unmarked-schemas';

/** What a request asks for, by the description. */
export type Routed =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly match: RouteMatch;
      readonly target: RequestTarget;
    }
  /** `route` is that of the path where only its method is missing. */
  | { readonly kind: 'undocumented'; readonly route: RouteMatch['route'] | undefined; readonly path: string }
  /** No call of an API: a page and what it loads, a preflight, what no path is. */
  | { readonly kind: 'other' };

const OTHER: Routed = { kind: 'other' };

/** Finds the operation of each request below a base URL. */
export class TrafficRouting {
  private readonly api: ApiModel;
  private readonly basePath: string;

  constructor(api: ApiModel, baseUrl: string) {
    this.api = api;
    this.basePath = normaliseBasePath(new URL(baseUrl).pathname);
  }

  route(exchange: RecordedExchange, headers: RequestHead['headers']): Routed {
    const { method } = exchange.request;
    const target = parseTarget(exchange.request.target);
    if (target === undefined || target.path === '*') return OTHER;
    const match = this.match(target.path, method);
    const asked = method === 'HEAD' && match?.route.operations.has('HEAD') !== true ? 'GET' : method;
    const operation = match === undefined ? undefined : selectOperation(match.route, asked, target.query, headers);
    if (match !== undefined && operation !== undefined)
      return { kind: 'operation', operation, match: withQueryVariables(match, operation, target.query), target };
    if (isPreflight(exchange) || isPartOfPage(exchange)) return OTHER;
    return { kind: 'undocumented', route: match?.route, path: target.path };
  }

  /** Where the paths begin say the servers of the description, unless the base URL has another path than any of them. */
  private match(path: string, method: string): RouteMatch | undefined {
    const { basePath } = this;
    const isOwn = path.startsWith(`${basePath}/`);
    const own = isOwn ? this.api.routes.match(path.slice(basePath.length), method) : undefined;
    const isDescribed = basePath === '' || this.api.mounts.some((mount) => mount.basePath === basePath);
    if (!isDescribed) return own;
    const described = matchBelow(this.api.mounts, path, method) ?? matchOpen(this.api, path, method);
    return basePath === '' ? (described ?? own) : (own ?? described);
  }
}

/** Below a base path with any values of its variables. */
function matchOpen({ mounts }: ApiModel, path: string, method: string): RouteMatch | undefined {
  for (const { pattern, routes } of mounts) {
    const basePath = pattern?.exec(path)?.[0];
    const match = basePath === undefined ? undefined : routes.match(path.slice(basePath.length), method);
    if (match !== undefined && basePath !== undefined) return { ...match, basePath };
  }
  return undefined;
}

/** A browser asks by itself whether a page may ask (Fetch §3.2.2). */
function isPreflight({ request: { method, headers } }: RecordedExchange): boolean {
  return method === 'OPTIONS' && headerValue(headers, 'access-control-request-method') !== undefined;
}

const PAGE_TYPES: ReadonlySet<string> = new Set([
  'document',
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'manifest',
]);
const LOADED_BY_PAGES =
  /^(?:text\/css|(?:text|application)\/(?:x-)?javascript|image\/.*|font\/.*|audio\/.*|video\/.*)$/;

/** A page that somebody looked at, or what it loads: such traffic is recorded with that of the API. */
function isPartOfPage({ request, response, resourceType }: RecordedExchange): boolean {
  if (resourceType !== undefined) return PAGE_TYPES.has(resourceType);
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return /\btext\/html\b/.test(headerValue(headers, 'accept') ?? '') || isAsset(response);
}

function isAsset(response: RecordedResponse | undefined): boolean {
  if (response === undefined || response.status >= 400) return false;
  const type = headerValue(response.headers, 'content-type') ?? '';
  return LOADED_BY_PAGES.test(parseMediaType(type)?.essence ?? '');
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** What no word is: digits, and long texts that have some. */
const KEY = /^(?:\d+|(?=[^\d]*\d)[\w.~-]{12,})$/;

/** A path with `{id}` in the place of what looks like a key, so that the same path is named once. */
export function guessTemplate(path: string): string {
  return path
    .split('/')
    .map((segment) => (UUID.test(segment) || KEY.test(segment) || hasMark(segment) ? '{id}' : segment))
    .join('/');
}
