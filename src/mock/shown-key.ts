import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import { memberOf, setMember } from '../json/member';
import type { ItemKey } from '../resources/resource-model';
import type { ItemDraft } from './item';
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
  for (const [other, value] of Object.entries(around as ItemDraft)) {
    const asks = ASKS_FOR_BEGINNING.test(other) && other.replace(ASKS_FOR_BEGINNING, '').toLowerCase() === name;
    if (asks && typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
