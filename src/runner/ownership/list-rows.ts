import { isJsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { isScalar } from '../../formats/contract/placeholders';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { itemPath, keysIn } from './item-location';
import { bindingOf, fillItemRoute, itemRouteOf, lastVariable, listFor, routeOf } from './item-routes';

/** A list, and the operation that the paths of its rows are told by. */
export interface ListPlace {
  readonly list: Operation;
  readonly path: string;
  readonly operation: Operation;
  /** Where that operation is sent. */
  readonly from: string;
}

/** The list that shows what an operation makes or changes. @param from - where it is sent */
export function listBeside(
  api: ApiModel,
  operation: Operation,
  from: string,
): { readonly operation: Operation; readonly path: string } | undefined {
  return operation.method === 'POST' ? listFor(api, operation, from) : listAbove(api, from);
}

/** The list at a path, or above the item at it. */
function listAbove(api: ApiModel, path: string): { readonly operation: Operation; readonly path: string } | undefined {
  const match = routeOf(api, path);
  if (match === undefined) return undefined;
  const isItem = lastVariable(match.route) !== undefined;
  const above = isItem
    ? path.replace(/[^/]+(\/?)$/, '$1').replace(/(?<=.)\/{1,2}$/, match.route.path.endsWith('/') ? '/' : '')
    : path;
  const operation = routeOf(api, above)?.route.operations.get('GET');
  return operation === undefined ? undefined : { operation, path: above };
}

/** An item of a list. */
export interface Entry {
  readonly item: JsonValue;
  /** In a map by key. */
  readonly key?: string;
}

/** Where the description says that the items stand, else the body itself, or the only list in it. */
export function entriesOf(api: ApiModel, list: Operation, body: JsonValue | undefined): readonly Entry[] | undefined {
  const shape = bindingOf(api, list)?.response;
  const held = shape === undefined ? undefined : valueAlong(body, shape.path);
  if (shape?.form === 'map' && isJsonObject(held)) return Object.entries(held).map(([key, item]) => ({ key, item }));
  const entries = Array.isArray(held) ? held : onlyListIn(body);
  return entries?.map((entry) => ({ item: valueAlong(entry, shape?.entryPath ?? []) ?? entry }));
}

/** In a map by key every property is an item, and none says how many there are. */
export function isMap(api: ApiModel, list: Operation): boolean {
  const { form, path = [] } = bindingOf(api, list)?.response ?? {};
  return form === 'map' && path.length === 0;
}

function onlyListIn(body: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (Array.isArray(body)) return body;
  const lists = isJsonObject(body) ? Object.values(body).filter((property) => Array.isArray(property)) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

/** @param given - the key, where the list is a map by key */
export function pathOfRow(
  api: ApiModel,
  place: ListPlace,
  item: JsonValue,
  given: string | undefined,
): string | undefined {
  const { list, operation, from } = place;
  const isKey = isScalar(item) && bindingOf(api, list)?.response?.form === 'keys';
  const key = given ?? (isKey ? scalarText(item) : undefined);
  const route = operation.method === 'POST' ? itemRouteOf(api, operation) : undefined;
  if (route === undefined) return pathBelow(api, place.path, item, key);
  const shown = isJsonObject(item) ? itemPath(api, operation, from, item) : undefined;
  return shown ?? (key === undefined ? undefined : fillItemRoute(api, route, from, key, {}));
}

/** The path of a row right below its list. */
function pathBelow(api: ApiModel, list: string, item: JsonValue, given: string | undefined): string | undefined {
  const below = (segment: string): string => (list.endsWith('/') ? `${list}${segment}/` : `${list}/${segment}`);
  const route = routeOf(api, below('standin'))?.route;
  const variable = route && lastVariable(route);
  if (route === undefined || variable === undefined) return undefined;
  const key = given ?? (isJsonObject(item) ? keysIn(api, route, variable, item)[0] : undefined);
  return key === undefined ? undefined : below(encodeURIComponent(key));
}
