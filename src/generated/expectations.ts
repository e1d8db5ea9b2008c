import { type JsonObject, type JsonValue, pickProperties, setProperty } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { successes } from '../openapi/view/operation-bodies';
import type { Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import { flatOf } from './parameters';
import { keyPathOf } from './subject';

/** An object within the properties that lead to it. */
export function along(path: readonly string[], inner: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((value, name) => ({ [name]: value }), inner);
}

/** The thing of a key, where a response shows one; `undefined` where it does not show keys. */
export function itemOf(resource: ResourceDescription, key: string, more: JsonObject = {}): JsonObject | undefined {
  const [property, ...inner] = keyPathOf(resource);
  if (property === undefined) return undefined;
  const item: Record<string, JsonValue> = { ...more };
  setProperty(item, property, along(inner, key));
  return item;
}

/** What the body of a response about one thing has to be. */
export function bodyWith({ response }: Binding, item: JsonObject | undefined): JsonObject | undefined {
  if (response?.form !== 'item' || item === undefined) return undefined;
  return along(response.path, item) as JsonObject;
}

/** How short and how long a page may be, as far as it is told. */
export function pageSizes(
  api: ApiModel,
  { parameters: { limit, unusedLimit } }: Binding,
): { readonly least: number; readonly most: number | undefined } {
  const parameter = limit ?? unusedLimit;
  const { minimum, maximum } = parameter === undefined ? {} : flatOf(api, parameter);
  const least = typeof minimum === 'number' ? Math.max(1, minimum) : 1;
  return { least, most: typeof maximum === 'number' ? maximum : undefined };
}

/** The longest page of a list that can be asked for, and how long it is; `undefined` where nobody knows. */
export interface LongestPage {
  readonly parameters: JsonObject;
  /** `undefined` where a list is one page. */
  readonly size: number | undefined;
}

export function longestPage(api: ApiModel, list: Binding): LongestPage | undefined {
  const { unusedLimit, limit = unusedLimit, cursor, offset, page, after } = list.parameters;
  if ([limit, cursor, offset, page, after].every((each) => each === undefined))
    return { parameters: {}, size: undefined };
  const { most } = pageSizes(api, list);
  if (limit !== undefined && most !== undefined) return { parameters: { [limit.name]: most }, size: most };
  return typeof limit?.defaultValue === 'number' ? { parameters: {}, size: limit.defaultValue } : undefined;
}

/** A list may lag behind a write: it is read once more before anything is said. */
export function awaited(step: JsonObject): JsonObject {
  return { ...step, repeat: { until: step['expect'] ?? {}, attempts: 2, intervalMs: 100 } };
}

/** What a list has to be that others write to as well: it has an item, or its page is full of others. */
export function hasEntry({ response }: Binding, item: JsonObject, { size }: LongestPage): JsonObject {
  const entry = along(response?.entryPath ?? [], item);
  if (size === undefined) return { $contains: entry };
  return { $not: { $length: { $max: size - 1 }, $minItems: 0, $each: { $not: entry } } };
}

/** A list that does not have an item, on the page that is shown. */
export function hasNoEntry({ response }: Binding, item: JsonObject): JsonObject {
  return { $not: { $contains: along(response?.entryPath ?? [], item) } };
}

/** What the list in the body has to be. */
export function listOf({ response }: Binding, matcher: JsonValue): JsonObject | undefined {
  return response?.form === 'list' ? (along(response.path, matcher) as JsonObject) : undefined;
}

/** The name of a header of the success of an operation, as the description writes it. */
export function headerNamed({ operation }: Binding, pattern: RegExp): string | undefined {
  return [...(successes(operation)[0]?.headers.keys() ?? [])].find((name) => pattern.test(name));
}

/** The query of the next page, out of a header of links (RFC 8288). */
export function nextPage(header: string): JsonObject {
  return { from: `$response.header.${header}`, pattern: '<[^>?]*(\\?[^>]*)>[^<]*;\\s*rel="?next' };
}

/** The expectation of a body that shows something of one thing, as far as its schema has it; empty where there is nothing to show. */
export function bodyShowing(api: ApiModel, binding: Binding, all: JsonObject): JsonObject {
  const schema = binding.response?.item;
  const names = schema === undefined ? undefined : api.propertiesOf(schema);
  const shown = pickProperties(all, (name) => names === undefined || names.size === 0 || names.has(name));
  const body = Object.keys(shown).length === 0 ? undefined : bodyWith(binding, shown);
  return body === undefined ? {} : { body };
}
