import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { memberOf } from '../../json/member';
import type { Schema } from '../../openapi/model';
import type { TextShape } from '../../openapi/text-shape';
import type { Warnings } from '../warnings';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'true', 'y', 'yes', 'on'].map((word): [string, boolean] => [word, true]),
  ...['0', 'f', 'false', 'n', 'no', 'off'].map((word): [string, boolean] => [word, false]),
]);

/**
 * Text where booleans are meant, as real clients write them: `1`, `True`, `yes`.
 *
 * @param value - as it was read; what could not be read as a boolean is still text
 * @returns the same value where nothing of it is such a word
 */
export function withBooleans(value: JsonValue, shape: TextShape | undefined): JsonValue {
  if (shape === undefined) return value;
  if (typeof value === 'string') return isBoolean(shape) ? (WORDS.get(value.toLowerCase()) ?? value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => withBooleans(item, shape.item(index)));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isJsonObject(value) ? membersWithBooleans(value, shape) : value;
}

function membersWithBooleans(value: JsonObject, shape: TextShape): JsonObject {
  // Of members that nothing is said of there may be any number.
  const names = shape.others === undefined ? shape.names : Object.keys(value);
  const changed = new Map<string, JsonValue>();
  for (const name of names) {
    const member = memberOf(value, name);
    const read = member === undefined ? undefined : withBooleans(member, shape.property(name));
    if (read !== undefined && read !== member) changed.set(name, read);
  }
  return changed.size === 0 ? value : withChanged(value, changed);
}

function isBoolean({ scalars }: TextShape): boolean {
  return scalars.includes('boolean') && !scalars.includes('string');
}

/** An object with other values of some members; `undefined` takes one out. */
function withChanged(value: JsonObject, changed: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
      const own = changed.has(name) ? changed.get(name) : member;
      return own === undefined ? [] : [[name, own]];
    }),
  );
}

/**
 * A value with its words for booleans read, where it is valid so and the reading is allowed.
 *
 * @param what - names it, for the warning
 */
export function readBooleans(
  value: JsonValue,
  shape: TextShape,
  schema: Schema | undefined,
  what: string,
  warnings: Warnings,
): JsonValue | undefined {
  const read = withBooleans(value, shape);
  if (read === value || (schema?.validate('request')(read) ?? []).length > 0) return undefined;
  const message = `${what} has another word for a boolean than true or false`;
  return warnings.allows('boolean_word', message) ? read : undefined;
}

/** A value without members that are `null`, and the JSON pointers of those that were taken out. */
export interface WithoutNulls {
  readonly value: JsonValue;
  readonly left: readonly string[];
}

/** Does a body show that its client sends what is not set as well: has it `null` anywhere? */
export function hasNull(value: JsonValue): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  return isJsonObject(value) && Object.values(value).some(hasNull);
}

/** What clients write whose language has no value that is not set: `null`, an empty text, list or object, -1. */
export function isUnset(value: JsonValue): boolean {
  if (value === null || value === '' || value === -1) return true;
  return typeof value === 'object' && (Array.isArray(value) || isJsonObject(value)) && Object.keys(value).length === 0;
}

/**
 * @param isMeant - says of the pointer of a member whether it is to go
 * @param isNothing - says of the value of a member whether it may go
 */
export function withoutNulls(
  value: JsonValue,
  isMeant: (pointer: string) => boolean,
  isNothing: (member: JsonValue) => boolean = (member) => member === null,
): WithoutNulls {
  const left: string[] = [];
  // What has no such member in it stays the same value: a large body is gone through, and not made again.
  const prune = (inner: JsonValue, pointer: string): JsonValue => {
    if (Array.isArray(inner)) {
      const items = inner.map((item, index) => pruneBelow(item, pointer, index));
      return items.some((item, index) => item !== inner[index]) ? items : inner;
    }
    if (!isJsonObject(inner)) return inner;
    const changed = new Map<string, JsonValue | undefined>();
    for (const name of Object.keys(inner)) {
      const member = inner[name] ?? null;
      if (isNothing(member) && isMeant(joinPointer(pointer, name))) {
        left.push(joinPointer(pointer, name));
        changed.set(name, undefined);
        continue;
      }
      const pruned = pruneBelow(member, pointer, name);
      if (pruned !== member) changed.set(name, pruned);
    }
    return changed.size === 0 ? inner : withChanged(inner, changed);
  };
  const pruneBelow = (inner: JsonValue, pointer: string, name: string | number): JsonValue =>
    typeof inner === 'object' && inner !== null ? prune(inner, joinPointer(pointer, name)) : inner;
  return { value: prune(value, ''), left };
}
