import { headerValue } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, pickProperties } from '../../core/json/json-value';
import type { Link, Operation } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { isSpecificName } from './path-names';
import type { Route } from '../../openapi/model/operation-selection';
import {
  bindingOf,
  fillItemRoute,
  itemRouteOf,
  itemRoutesOf,
  keyText,
  routeOf,
  routeOfItem,
  type ItemRoute,
} from './item-routes';
import { containsRunId } from './sent-content';

/** A creation as it was sent: by which operation, and to which path below the base URL. */
interface SentCreation {
  readonly operation: Operation;
  readonly path: string;
}

/** What a response says of where the thing stands that was made. */
export interface ItemLocation {
  /** Its path; `undefined` when that is not known. */
  readonly item: string | undefined;
  /** Paths of which the response names several: none is believed before somebody looked what stands there. */
  readonly candidates: readonly string[];
  /** The one of them that Location names: what the response said is there where that shows all of these. */
  readonly located?: LocatedKeys | undefined;
}

/** A path, and what identifies the thing that stands there: numbers and texts by the names of their properties. */
export interface LocatedKeys {
  readonly item: string;
  readonly keys: JsonObject;
}

/** What a client sent and what came back of it. */
interface CreationExchange {
  readonly response: HttpResponse;
  /** `undefined` where the response is not JSON. */
  readonly body: JsonValue | undefined;
  /** Body of the request; left out or `undefined` where it is not known. */
  readonly sentBody?: JsonValue | undefined;
}

/**
 * Where what was made stands. What is believed to be the run's own may be removed, so that nothing is guessed: the
 * property that links of the description name is the key. Without such a link it is the property of the variable's name, the
 * one that the resource model names, or `id`, where nothing else in the response says something else; a Location counts
 * where the body has no key, and where a look finds at it what the response shows. Where the response has none at all, a
 * key that the client sent with the id of the run in it is the one.
 */
export function itemLocation(
  api: ApiModel,
  creation: SentCreation,
  told: CreationExchange,
  run: RunAddress,
): ItemLocation {
  const { operation, path } = creation;
  if (operation.method !== 'POST') {
    const isItem = routeOfItem(api, operation, path, path) !== undefined;
    return { item: isItem ? path : undefined, candidates: [] };
  }
  for (const route of itemRoutesOf(api, operation)) {
    const alone = onlyKeyIn(told);
    if (alone !== undefined) return locationOf([fillItemRoute(api, route, path, alone, {})]);
    const place = locationAt(api, creation, route, told, run);
    if (place.item !== undefined || place.candidates.length > 0) return place;
  }
  return UNKNOWN_LOCATION;
}

/** Where responses come from, and what the run's own things hold. */
export interface RunAddress {
  readonly baseUrl: string;
  readonly runId: string;
}

function locationAt(
  api: ApiModel,
  { operation, path }: SentCreation,
  route: ItemRoute,
  told: CreationExchange,
  { baseUrl, runId }: RunAddress,
): ItemLocation {
  const { response } = told;
  const [body, sentBody] = onlyOnes(told);
  const object = body !== undefined && isJsonObject(body) ? body : {};
  const linked = linkedPointers(api, operation, route);
  const keys = linked.flatMap((pointer) => keyText(getAtPointer(object, pointer)) ?? []);
  if (keys.length > 0) return locationOf(keys.map((key) => fillItemRoute(api, route, path, key, object)));
  const located = locationsIn(api, { operation, path }, route, response, baseUrl);
  // Where a link names the property, another one is not a key: it can only raise doubts.
  if (linked.length > 0 && located.length === 0) return UNKNOWN_LOCATION;
  const toPaths = (item: JsonObject, isKey: (key: string) => boolean): (string | undefined)[] =>
    candidateKeys(route, item)
      .filter(isKey)
      .map((key) => fillItemRoute(api, route, path, key, item));
  const envelope = bindingOf(api, operation)?.response?.path;
  const items = itemsIn(body, envelope);
  if (items.some((item) => mayBeShared(api, operation, route, item, runId))) return UNKNOWN_LOCATION;
  const shown = items.flatMap((item) => toPaths(item, () => true));
  // A key with the id of the run in it is nobody else's, whether the response has it or not.
  const chosen = itemsIn(sentBody).flatMap((item) => toPaths(item, (key) => containsRunId(key, runId)));
  const place = locationOf([...shown, ...chosen, ...located]);
  // Of several numbers and names in the body Location says which is the key (RFC 9110 §10.2.2); a look has to confirm it.
  const agreed = located.filter((each) => place.item === undefined && shown.includes(each));
  const [at] = itemsIn(body, envelope).flatMap((item) =>
    agreed.map((path) => ({ item: path, keys: keysOf(route, item) })),
  );
  return at === undefined ? place : { ...place, located: at };
}

/** The key in `["17"]`, where a list of one was sent and is answered so. */
function onlyKeyIn(told: CreationExchange): string | undefined {
  const [body] = onlyOnes(told);
  return body === told.body ? undefined : keyText(body);
}

/** Of a list of one that was sent, and answered with a list of one, the two items; else the bodies as they are. */
function onlyOnes({ body, sentBody }: CreationExchange): [JsonValue | undefined, JsonValue | undefined] {
  const isOne = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length === 1;
  if (!isOne(sentBody)) return [body, sentBody];
  const [sent] = sentBody as JsonValue[];
  return [isOne(body) ? (body as JsonValue[])[0] : body, sent];
}

/** The Location, where it leads to an item of the route. */
function locationsIn(
  api: ApiModel,
  { operation, path }: SentCreation,
  { route }: ItemRoute,
  { headers }: HttpResponse,
  baseUrl: string,
): string[] {
  const location = headerValue(headers, 'location');
  const named = location === undefined ? undefined : pathOfLocation(location, baseUrl, path);
  return named !== undefined && routeOfItem(api, operation, path, named) === route ? [named] : [];
}

/** Each of them may be somebody else's key; all together are nobody's but that of one thing. */
function keysOf(route: ItemRoute, item: JsonObject): JsonObject {
  const texts = candidateKeys(route, item);
  return pickProperties(item, (name) => {
    const text = keyText(ownProperty(item, name));
    return text !== undefined && texts.includes(text);
  });
}

/**
 * An item, or the one in an envelope around it.
 *
 * @param envelope - properties that lead to it, as the resource model reads the description
 */
function itemsIn(body: JsonValue | undefined, envelope: readonly string[] = []): JsonObject[] {
  if (body === undefined || !isJsonObject(body)) return [];
  const held = envelope.length === 0 ? undefined : getAtPointer(body, envelope.reduce<string>(joinPointer, ''));
  if (held !== undefined && isJsonObject(held)) return [held];
  const properties = Object.values(body);
  const [only] = properties;
  return properties.length === 1 && only !== undefined && isJsonObject(only) ? [only] : [body];
}

const UNKNOWN_LOCATION: ItemLocation = { item: undefined, candidates: [] };

/** Everything must name the same one. */
function locationOf(paths: readonly (string | undefined)[]): ItemLocation {
  const different = [...new Set(paths)];
  if (different.length === 0) return UNKNOWN_LOCATION;
  if (different.length === 1) return { item: different[0], candidates: [] };
  return { item: undefined, candidates: different.filter((path) => path !== undefined) };
}

/**
 * Where what a body asks to be made would stand, by the keys that the client chose. What stands there already would be
 * changed by a service that takes a creation for a change (`upsert`).
 *
 * @returns below the base URL
 */
export function chosenPaths(
  api: ApiModel,
  { operation, path }: SentCreation,
  sentBody: JsonValue | undefined,
): string[] {
  if (operation.method !== 'POST') return [];
  const items = Array.isArray(sentBody) ? sentBody.flatMap((each) => itemsIn(each)) : itemsIn(sentBody);
  const paths = itemRoutesOf(api, operation).flatMap((route) =>
    items.flatMap((item) =>
      candidateKeys(route, item).flatMap((key) => fillItemRoute(api, route, path, key, item) ?? []),
    ),
  );
  return [...new Set(paths)];
}

/** Names of variables whose values are given out one by one. */
const GIVEN_OUT = /(?:^|_|-|[a-z](?=[A-Z]))(?:id|iid|uuid|guid|key|number|ref|reference|token|hash|sha)$/i;

/**
 * May a key be one that many things have? A property of the variable's name is, where nothing can be read at the address,
 * no link names it, and it is not of the kind that is given out: `DELETE /todos/{topic}` removes many. What holds the
 * id of the run is nobody else's.
 */
function mayBeShared(api: ApiModel, operation: Operation, route: ItemRoute, item: JsonObject, runId?: string): boolean {
  const key = keyText(ownProperty(item, route.variable));
  if (key === undefined || GIVEN_OUT.test(route.variable)) return false;
  if (runId !== undefined && containsRunId(key, runId)) return false;
  if (linkedPointers(api, operation, route).length > 0) return false;
  const read = route.route.operations.get('GET');
  return read === undefined || bindingOf(api, read)?.response?.form === 'list';
}

/** The path of an item of a list, by the property that the description makes such paths with. */
export function itemPath(
  api: ApiModel,
  operation: Operation,
  path: string,
  item: Readonly<Record<string, JsonValue>>,
): string | undefined {
  const route = itemRouteOf(api, operation);
  if (route === undefined) return undefined;
  const linked = linkedPointers(api, operation, route);
  // A list has its items without the envelope that a response with one of them may have.
  const keys = linked.flatMap((pointer) => {
    const last = pointer.slice(pointer.lastIndexOf('/'));
    return keyText(getAtPointer(item, pointer)) ?? keyText(getAtPointer(item, last)) ?? [];
  });
  const possible = new Set(linked.length > 0 ? keys : candidateKeys(route, item));
  const [key] = possible;
  const isOne = key !== undefined && possible.size === 1 && !mayBeShared(api, operation, route, item);
  return isOne ? fillItemRoute(api, route, path, key, item) : undefined;
}

/**
 * The key in the path of an item, and the paths of the same item elsewhere in the description.
 *
 * @param from - where the creation was sent
 */
export function otherPaths(api: ApiModel, operation: Operation, from: string, item: string): string[] {
  const match = routeOf(api, item);
  const own = itemRoutesOf(api, operation).find(({ route }) => route === match?.route);
  const key = own === undefined ? undefined : match?.pathParameters[own.variable];
  if (operation.method !== 'POST' || own === undefined || key === undefined) return [];
  // Under another name the key may be another one: `iid` counts in a project, and `id` everywhere.
  return itemRoutesOf(api, operation).flatMap((route) =>
    route === own || route.variable !== own.variable ? [] : (fillItemRoute(api, route, from, key, {}) ?? []),
  );
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
 * The properties that links of the 201 fill the variable with (OAS 3.0.3 §4.7.20), as JSON pointers: links to operations
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
    // Another expression, such as `$request.body#/name`, names no property of the response.
    const [, pointer] = typeof expression === 'string' ? (/^\$response\.body#(\/.*)$/.exec(expression) ?? []) : [];
    return [pointer === undefined || /~(?![01])/.test(pointer) ? NO_PROPERTY : pointer];
  });
  return [...new Set(pointers)];
}

/** No body has it. */
const NO_PROPERTY = '/\u0000';

function successLinks({ responses }: Operation): Link[] {
  return [...responses].flatMap(([status, { links }]) => (status.startsWith('2') ? links : []));
}

/**
 * The property of the variable's name; else `id`, what the name ends in, `iid` of `issue_iid`, and the property that the
 * resource model has for the key.
 */
function candidateKeys({ variable, keyProperty }: ItemRoute, item: JsonObject): string[] {
  const textOf = (name: string): string[] => [keyText(ownProperty(item, name)) ?? []].flat();
  const [named] = textOf(variable);
  if (named !== undefined) return [named];
  const ending = variable.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).at(-1) ?? '';
  const names = ['id', ending.toLowerCase(), ...(keyProperty === undefined ? [] : [keyProperty])];
  return [...new Set(names.flatMap(textOf))];
}

/** The key that a response shows of an item whose path ends in a variable: its property of that name, or of the model. */
export function keysIn(api: ApiModel, route: Route, variable: string, body: JsonObject): string[] {
  const bindings = [...route.operations.values()].flatMap((operation) => bindingOf(api, operation) ?? []);
  const properties = bindings.flatMap(({ resource: { key } }) => (key.isHidden ? [] : [key.name]));
  const names = [...new Set([variable, ...properties])];
  return itemsIn(body).flatMap((item) => names.flatMap((name) => keyText(ownProperty(item, name)) ?? []));
}
