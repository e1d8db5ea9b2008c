import { numberFromLexeme } from '../../core/json/exact-number';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setProperty,
  valueAlong,
} from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import type { Property } from '../../openapi/model/operation';
import type { ItemKey, ResourceDescription } from '../../resources/model/resource';

/** One stored item: frozen, shared between states, never changed in place. */
export type Item = JsonObject;

/** The hidden property that keeps the key under which an item was found before it got another one. */
export const FORMER_KEY = '$former';

/** An item on its way into the store. A property set to `undefined` is left out. */
export type ItemDraft = Record<string, JsonValue | undefined>;

/** What items are chosen and ordered by: the name of a property, or the address of one in a part of the item. */
export function partAddress(part: string, name: string): string {
  return `/${part}/${name}`;
}

/** The same of a resource object: `/attributes/name` (JSON:API 1.1 §7.2.2). */
export function attributeAddress(name: string): string {
  return partAddress('attributes', name);
}

/** The part and the name in an address of {@link partAddress}; `undefined` of the name of a property. */
function splitAddress(address: string): [part: string, name: string] | undefined {
  const end = address.startsWith('/') ? address.indexOf('/', 1) : -1;
  return end < 0 ? undefined : [address.slice(1, end), address.slice(end + 1)];
}

/** The value of a property, or at an address of {@link partAddress}. */
export function valueAt(item: Item, address: string): JsonValue | undefined {
  const own = ownProperty(item, address);
  const path = own === undefined ? splitAddress(address) : undefined;
  return path === undefined ? own : valueAlong(item, path);
}

/** What the description says of the value at an address, as far as it is known. */
export function propertyAt(
  { properties, attributes }: Pick<ResourceDescription, 'properties' | 'attributes'>,
  address: string,
): Property | undefined {
  const own = properties.get(address);
  const [part, name = ''] = own === undefined ? (splitAddress(address) ?? []) : [];
  return part === 'attributes' ? attributes.get(name) : own;
}

/** Of which type the keys of a collection are; `any` when its schema does not say. */
export type KeyKind = 'number' | 'string' | 'any';

/**
 * A value as a key of the wanted type. Descriptions often declare a number for the property and a text for the path
 * parameter, or the other way round: both name the same item.
 *
 * @returns `undefined` for what can be no key
 */
export function coerceKey(value: JsonValue | undefined, kind: KeyKind): Key | undefined {
  if (typeof value === 'string') {
    if (kind !== 'number' || !/^-?(?:0|[1-9]\d*)$/.test(value)) return value;
    const number = numberFromLexeme(value);
    return typeof number === 'number' || typeof number === 'bigint' ? number : value;
  }
  if (typeof value === 'number' || typeof value === 'bigint') return kind === 'string' ? String(value) : value;
  return undefined;
}

/** The key that an item shows in a property of a property, where keys are shown so: `metadata: { name }`. */
export function shownKey(item: ItemDraft, { propertyPath }: ItemKey): JsonValue | undefined {
  return propertyPath.length === 0 ? undefined : valueAlong(item as Item, propertyPath);
}

/** Makes an item show a key there, unless it does; what leads there is made where it is missing. */
export function showKey(item: ItemDraft, { propertyPath }: ItemKey, key: Key): void {
  const [first, ...rest] = propertyPath;
  if (first === undefined || scalarText(valueAlong(item as Item, propertyPath) ?? null) === String(key)) return;
  setProperty(item, first, withValue(ownProperty(item, first), rest, key));
}

function withValue(held: JsonValue | undefined, path: readonly string[], value: Key): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const properties = isJsonObject(held) ? held : {};
  return { ...properties, [first]: withValue(ownProperty(properties, first), rest, value) };
}

/** Words before the name of a key that ask for one which begins so: `generateName`, `name_prefix`. */
const ASKS_FOR_BEGINNING = /^(?:generate|auto)_?|_?(?:prefix|generate)$/i;

/** How the key of a new item is to begin: what is sent beside the key, in a property that is named after it. */
export function keyBeginning(item: ItemDraft, { name: property, propertyPath }: ItemKey): string | undefined {
  const place = propertyPath.length > 0 ? propertyPath : [property];
  const around = place.length === 1 ? item : valueAlong(item as Item, place.slice(0, -1));
  const name = place.at(-1)?.toLowerCase();
  if (!isJsonObject(around as JsonValue | undefined)) return undefined;
  const properties = around as ItemDraft;
  const asks = (other: string): boolean =>
    ASKS_FOR_BEGINNING.test(other) && other.replace(ASKS_FOR_BEGINNING, '').toLowerCase() === name;
  for (const other of Object.keys(properties)) {
    const value = asks(other) ? properties[other] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
