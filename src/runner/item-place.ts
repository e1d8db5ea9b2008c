import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import { isJsonNumber, toCanonical, toLexeme } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Operation } from '../openapi/model';
import { itemRouteOf, routeOf } from './item-routes';

/** A creation as it was sent: by which operation, and to which path below the base URL. */
interface Sent {
  readonly operation: Operation;
  readonly path: string;
}

/**
 * Where what was made stands. By the member of the body that the item's path is made with, else by Location. Not the
 * other way round: what is believed to be the run's own may be removed, and a Location that is wrong may lead to
 * somebody else's.
 */
export function itemPath(
  api: ApiModel,
  { operation, path }: Sent,
  { headers }: HttpResponse,
  body: JsonValue | undefined,
  baseUrl: string,
): string | undefined {
  if (operation.method !== 'POST') return path;
  const item = body === undefined || !isJsonObject(body) ? undefined : itemOf(api, operation, path, body);
  if (item !== undefined) return item;
  const location = headerValue(headers, 'location');
  const named = location === undefined ? undefined : pathOfLocation(location, baseUrl, path);
  return named !== undefined && isItemOf(api, { operation, path }, named) ? named : undefined;
}

/** Only an item of this very collection: what else a Location names was not made by this request. */
function isItemOf(api: ApiModel, { operation, path }: Sent, named: string): boolean {
  const route = routeOf(api, named)?.route;
  return route !== undefined && route === itemRouteOf(api, operation)?.route && named.startsWith(`${path}/`);
}

/** The path of an item of a collection, by the member that the description makes such paths with. */
export function itemOf(
  api: ApiModel,
  operation: Operation,
  path: string,
  item: Readonly<Record<string, JsonValue>>,
): string | undefined {
  const route = itemRouteOf(api, operation);
  const key = route === undefined ? undefined : keyOf(operation, route.variable, item);
  // A key that is no segment of its own would name the collection, or what is above it.
  return key === undefined || ['', '.', '..'].includes(key) ? undefined : `${path}/${encodeURIComponent(key)}`;
}

/**
 * The path of a Location below the base URL. A relative reference goes on from the request (RFC 9110 §10.2.2).
 *
 * @param from - path of the request, below the base URL; `/` when it does not matter
 * @returns `undefined` when it leads to another origin, or out of the API
 */
export function pathOfLocation(location: string, baseUrl: string, from = '/'): string | undefined {
  const base = new URL(`${baseUrl}/`);
  const request = `${baseUrl}${from}`;
  if (!URL.canParse(location, request)) return undefined;
  const { origin, pathname } = new URL(location, request);
  return origin === base.origin && pathname.startsWith(base.pathname)
    ? pathname.slice(base.pathname.length - 1)
    : undefined;
}

/** The links of the 201 say which member is the key (OAS 3.0.3 §4.7.20); else one of the variable's name, or `id`. */
function keyOf(operation: Operation, variable: string, body: Readonly<Record<string, JsonValue>>): string | undefined {
  const links = operation.responses.get('201')?.links ?? [];
  const expressions = links.map(({ parameters }) => parameters.get(variable) ?? parameters.get(`path.${variable}`));
  const linked = expressions.flatMap((text) =>
    typeof text === 'string' ? (/^\$response\.body#\/([^/]+)$/.exec(text)?.[1] ?? []) : [],
  );
  for (const name of [...linked, variable, 'id']) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (typeof value === 'string') return value;
    if (value !== undefined && isJsonNumber(value)) return toLexeme(toCanonical(value));
  }
  return undefined;
}
