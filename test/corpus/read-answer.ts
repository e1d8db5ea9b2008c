import type { HttpResponse } from '../../src/core/http/message';
import { headerValue } from '../../src/core/http/headers';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import type { ResourceDescription } from '../../src/resources/model/resource';
import type { Binding } from '../../src/resources/model/binding';
import type { BodyShape } from '../../src/lists/body-shape';

/** The key under which an answer says that the item was stored: in its body, else at the end of Location. */
export function keyOf(resource: ResourceDescription, create: Binding, response: HttpResponse): JsonValue | undefined {
  const item = itemOf(create.response, response);
  const key = item === undefined ? undefined : keyIn(item, resource);
  if (key !== undefined) return key;
  const last = headerValue(response.headers, 'location')
    ?.replace(/[?#].*$/, '')
    .split('/')
    .at(-1);
  if (last === undefined || last === '') return undefined;
  // `/things/{id}.json`: what stands behind the key is no part of it.
  const suffix = /\}([^/}]*)$/.exec(resource.itemPath ?? '')?.[1] ?? '';
  return decodeURIComponent(suffix !== '' && last.endsWith(suffix) ? last.slice(0, -suffix.length) : last);
}

function bodyOf(response: HttpResponse): JsonValue | undefined {
  const text = typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body);
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

/** What stands at the end of a path of members. */
export function dig(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

/** The item in an answer. */
export function itemOf(shape: BodyShape | undefined, response: HttpResponse): JsonObject | undefined {
  const item = shape === undefined ? undefined : dig(bodyOf(response), shape.path);
  return isJsonObject(item) ? plain(item, shape) : undefined;
}

/** The items in an answer. */
export function itemsOf(shape: BodyShape | undefined, response: HttpResponse): JsonObject[] | undefined {
  const list = shape === undefined ? undefined : dig(bodyOf(response), shape.path);
  const items = Array.isArray(list) ? list : isJsonObject(list) ? Object.values(list) : undefined;
  return items?.filter(isJsonObject).map((item) => plain(item, shape));
}

/** JSON:API keeps the members of an item one level deeper. */
function plain(item: JsonObject, shape: BodyShape | undefined): JsonObject {
  const { attributes } = item;
  return shape?.layout === 'json-api' && isJsonObject(attributes) ? { ...attributes, ...item } : item;
}

/** The key of an item. */
export function keyIn(item: JsonObject, { key }: ResourceDescription): JsonValue | undefined {
  const value = item[key.name];
  return value === null ? undefined : value;
}
