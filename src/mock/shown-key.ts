import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import { memberOf, setMember } from '../json/member';
import type { Property } from '../openapi/model';
import { chanceOf } from '../payload/sampler/chance';
import type { ItemKey } from '../resources/resource-model';
import type { ItemDraft } from './item';
import { clockOf } from './new-item/times';
import { tellsMaking } from '../resources/time-names';
import type { Key } from './order';

/** The key that an item shows in a member of a member, where keys are shown so: `metadata: { name }`. */
export function shownKey(item: ItemDraft, { shownAt }: ItemKey): JsonValue | undefined {
  return shownAt.length === 0 ? undefined : valueAlong(item, shownAt);
}

/** Makes an item show a key there, unless it does; what leads there is made where it is missing. */
export function showKey(item: ItemDraft, { shownAt }: ItemKey, key: Key): void {
  const [first, ...rest] = shownAt;
  if (first === undefined || scalarText(valueAlong(item, shownAt) ?? null) === String(key)) return;
  setMember(item, first, withValue(memberOf(item, first), rest, key));
}

function valueAlong(item: ItemDraft, path: readonly string[]): JsonValue | undefined {
  const [first = '', ...rest] = path;
  let value = memberOf(item, first);
  for (const name of rest) value = isJsonObject(value) ? memberOf(value, name) : undefined;
  return value;
}

function withValue(held: JsonValue | undefined, path: readonly string[], value: Key): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const members = isJsonObject(held) ? held : {};
  return { ...members, [first]: withValue(memberOf(members, first), rest, value) };
}

/** Words before the name of a key that ask for one which begins so: `generateName`, `name_prefix`. */
const ASKS_FOR_BEGINNING = /^(?:generate|auto)_?|_?(?:prefix|generate)$/i;

/** How the key of a new item is to begin: what is sent beside the key, in a member that is named after it. */
export function keyBeginning(item: ItemDraft, { member, shownAt }: ItemKey): string | undefined {
  const place = shownAt.length > 0 ? shownAt : [member];
  const around = place.length === 1 ? item : valueAlong(item, place.slice(0, -1));
  const name = place.at(-1)?.toLowerCase();
  if (!isJsonObject(around as JsonValue | undefined)) return undefined;
  const members = around as ItemDraft;
  const asks = (other: string): boolean =>
    ASKS_FOR_BEGINNING.test(other) && other.replace(ASKS_FOR_BEGINNING, '').toLowerCase() === name;
  for (const other of Object.keys(members)) {
    const value = asks(other) ? members[other] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Names of members that hold an identifier which the service gives out beside the key. */
const GIVEN_ID = /^(?:uid|uuid|guid|unique_?id)$/i;

/**
 * Sets what a service says of an item beside its key: an identifier of its own, and when it was made. What is there
 * stays.
 *
 * @param around - members of the object that holds the key
 */
export function completeBesideKey(
  item: ItemDraft,
  { shownAt }: ItemKey,
  around: ReadonlyMap<string, Property>,
  key: Key,
  nowMs: number,
): void {
  const [member, name] = shownAt;
  if (member === undefined || name === undefined || shownAt.length !== 2) return;
  const held = memberOf(item, member);
  const shown: Record<string, JsonValue> = isJsonObject(held) ? { ...held } : {};
  for (const property of around.values()) {
    if (memberOf(shown, property.name) !== undefined) continue;
    const clock = tellsMaking(property.name) ? clockOf(property) : undefined;
    if (clock !== undefined) setMember(shown, property.name, clock(nowMs));
    else if (GIVEN_ID.test(property.name) && isPlainText(property))
      setMember(shown, property.name, identifier(key, nowMs));
  }
  setMember(item, member, shown);
}

function isPlainText({ schema }: Property): boolean {
  return schema['type'] === 'string' && schema['pattern'] === undefined && schema['enum'] === undefined;
}

/** In the form of a UUID of version 4 (RFC 9562 §5.4); the same for the same key at the same time. */
function identifier(key: Key, nowMs: number): string {
  const hex = [0, 1, 2, 3]
    .map((part) => chanceOf(`${key} ${nowMs} ${part}`).toString(16).padStart(8, '0').slice(-8))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
