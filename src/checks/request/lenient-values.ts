import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';
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
  if (typeof value === 'string') {
    const { scalars } = shape;
    return scalars.includes('boolean') && !scalars.includes('string')
      ? (WORDS.get(value.toLowerCase()) ?? value)
      : value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => withBooleans(item, shape.item(index)));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    withBooleans(member, shape.property(name)),
  ]);
  return members.some(([name, member]) => member !== value[name]) ? Object.fromEntries(members) : value;
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
    for (const [name, member] of Object.entries(inner)) {
      if (isNothing(member) && isMeant(joinPointer(pointer, name))) {
        left.push(joinPointer(pointer, name));
        changed.set(name, undefined);
        continue;
      }
      const pruned = pruneBelow(member, pointer, name);
      if (pruned !== member) changed.set(name, pruned);
    }
    if (changed.size === 0) return inner;
    return Object.fromEntries(
      Object.entries(inner).flatMap(([name, member]): [string, JsonValue][] => {
        if (!changed.has(name)) return [[name, member]];
        const pruned = changed.get(name);
        return pruned === undefined ? [] : [[name, pruned]];
      }),
    );
  };
  const pruneBelow = (inner: JsonValue, pointer: string, name: string | number): JsonValue =>
    typeof inner === 'object' && inner !== null ? prune(inner, joinPointer(pointer, name)) : inner;
  return { value: prune(value, ''), left };
}
