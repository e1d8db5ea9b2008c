import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import { isJsonNumber, toCanonical, toLexeme } from '../json/exact-number';
import { getAtPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Link, Operation } from '../openapi/model';
import { isSpecificName } from './aliases';
import { itemRouteOf, routeOfItem, type ItemRoute } from './item-routes';

/** A creation as it was sent: by which operation, and to which path below the base URL. */
interface Sent {
  readonly operation: Operation;
  readonly path: string;
}

/** What an answer says of where the thing stands that was made. */
export interface Place {
  /** Its path; `undefined` when that is not known. */
  readonly item: string | undefined;
  /** Paths of which the answer names several: none is believed before somebody looked what stands there. */
  readonly candidates: readonly string[];
}

/**
 * Where what was made stands. What is believed to be the run's own may be removed, so that nothing is guessed: the
 * member that links of the description name is the key. Without such a link it is the member of the variable's name, or
 * `id`, where nothing else in the answer says something else; a Location counts where the body has no key.
 */
export function itemPlace(
  api: ApiModel,
  { operation, path }: Sent,
  { headers }: HttpResponse,
  body: JsonValue | undefined,
  baseUrl: string,
): Place {
  if (operation.method !== 'POST') {
    const isItem = routeOfItem(api, operation, path) !== undefined;
    return { item: isItem ? path : undefined, candidates: [] };
  }
  const route = itemRouteOf(api, operation);
  if (route === undefined) return NOWHERE;
  const object = body !== undefined && isJsonObject(body) ? body : {};
  const linked = linkedPointers(api, operation, route);
  const keys = linked.flatMap((pointer) => keyText(getAtPointer(object, pointer)) ?? []);
  const toItem = (key: string): string | undefined => itemAt(api, operation, path, key);
  if (keys.length > 0) return placeOf(keys.map(toItem));
  const location = headerValue(headers, 'location');
  const named = location === undefined ? undefined : pathOfLocation(location, baseUrl, path);
  const isItem = named !== undefined && isItemOf(api, { operation, path }, named);
  const located = isItem ? [named] : [];
  const guesses = guessedKeys(route.variable, object).map(toItem);
  // Where a link names the member, another one is no key: it can only raise doubts.
  if (linked.length > 0 && located.length === 0) return NOWHERE;
  return placeOf([...guesses, ...located]);
}

const NOWHERE: Place = { item: undefined, candidates: [] };

/** Everything must name the same one. */
function placeOf(paths: readonly (string | undefined)[]): Place {
  const different = [...new Set(paths)];
  if (different.length === 1) return { item: different[0], candidates: [] };
  return { item: undefined, candidates: different.filter((path) => path !== undefined) };
}

/** Only an item of this very collection: what else a Location names was not made by this request. */
function isItemOf(api: ApiModel, { operation, path }: Sent, named: string): boolean {
  return routeOfItem(api, operation, named) !== undefined && named.startsWith(`${path}/`);
}

/** The path of an item of a list, by the member that the description makes such paths with. */
export function itemOf(
  api: ApiModel,
  operation: Operation,
  path: string,
  item: Readonly<Record<string, JsonValue>>,
): string | undefined {
  const route = itemRouteOf(api, operation);
  if (route === undefined) return undefined;
  const linked = linkedPointers(api, operation, route);
  // A list has its items without the envelope that an answer with one of them may have.
  const keys = linked.flatMap((pointer) => {
    const last = pointer.slice(pointer.lastIndexOf('/'));
    return keyText(getAtPointer(item, pointer)) ?? keyText(getAtPointer(item, last)) ?? [];
  });
  const possible = new Set(linked.length > 0 ? keys : guessedKeys(route.variable, item));
  const [key] = possible;
  return key === undefined || possible.size > 1 ? undefined : itemAt(api, operation, path, key);
}

/** A key that is no segment of its own would name the collection, or what is above it; `all` may be another operation. */
function itemAt(api: ApiModel, operation: Operation, path: string, key: string): string | undefined {
  if (['', '.', '..'].includes(key)) return undefined;
  const item = `${path}/${encodeURIComponent(key)}`;
  return routeOfItem(api, operation, item) === undefined ? undefined : item;
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

/**
 * The members that links of the 201 fill the variable with (OAS 3.0.3 §4.7.20), as JSON pointers: links to operations
 * on the item or below it, else to others whose variable has the same name and says of what kind the thing is.
 */
function linkedPointers(api: ApiModel, operation: Operation, { route, variable }: ItemRoute): string[] {
  const made = operation.responses.get('201')?.links ?? [];
  const links = made.length > 0 ? made : successLinks(operation);
  const named = links.flatMap(({ operationId, parameters }) => {
    const expression = parameters.get(variable) ?? parameters.get(`path.${variable}`);
    const target = operationId === undefined ? undefined : api.operationById(operationId)?.path;
    return expression === undefined || target === undefined ? [] : [{ expression, target }];
  });
  const direct = named.filter(({ target }) => `${target}/`.startsWith(`${route.path}/`));
  const telling = direct.length > 0 || !isSpecificName(variable) ? direct : named;
  const pointers = telling.flatMap(({ expression }) => {
    // Another expression, such as `$request.body#/name`, names no member of the answer.
    const [, pointer] = typeof expression === 'string' ? (/^\$response\.body#(\/.*)$/.exec(expression) ?? []) : [];
    return [pointer === undefined || /~(?![01])/.test(pointer) ? NO_MEMBER : pointer];
  });
  return [...new Set(pointers)];
}

/** No body has it. */
const NO_MEMBER = '/\u0000';

function successLinks({ responses }: Operation): Link[] {
  return [...responses].flatMap(([status, { links }]) => (status.startsWith('2') ? links : []));
}

/** The member of the variable's name; else `id`, and what the name ends in: `iid` of `issue_iid`. */
function guessedKeys(variable: string, item: Readonly<Record<string, JsonValue>>): string[] {
  const textOf = (name: string): string | undefined => keyText(Object.hasOwn(item, name) ? item[name] : undefined);
  const named = textOf(variable);
  if (named !== undefined) return [named];
  const ending = variable.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).at(-1) ?? '';
  return [...new Set([textOf('id') ?? [], textOf(ending.toLowerCase()) ?? []].flat())];
}

function keyText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return value !== undefined && isJsonNumber(value) ? toLexeme(toCanonical(value)) : undefined;
}
