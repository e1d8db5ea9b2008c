import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import type { Violation } from '../../schema/validator';
import { type InvalidValue, type ValueReading, violationsOf, withChanged } from './lenient-values';

/** A value without properties that are `null`, and the JSON pointers of those that were taken out. */
interface WithoutUnset {
  readonly value: JsonValue;
  readonly removed: readonly string[];
}

/** Does a body show that its client sends what is not set as well: has it `null` anywhere? */
function hasNull(value: JsonValue): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  return isJsonObject(value) && Object.values(value).some(hasNull);
}

/** What clients write whose language has no value that is not set: `null`, an empty text, list or object, -1. */
function isUnset(value: JsonValue): boolean {
  if (value === null || value === '' || value === -1) return true;
  return typeof value === 'object' && (Array.isArray(value) || isJsonObject(value)) && Object.keys(value).length === 0;
}

/**
 * @param isMeant - says of the pointer of a property whether it is to go
 * @param isNothing - says of the value of a property whether it may go
 */
function withoutUnset(
  value: JsonValue,
  isMeant: (pointer: string) => boolean,
  isNothing: (property: JsonValue) => boolean = (member) => member === null,
): WithoutUnset {
  const removed: string[] = [];
  // What has no such property in it stays the same value: a large body is gone through, and not made again.
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
        removed.push(joinPointer(pointer, name));
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
  return { value: prune(value, ''), removed };
}

/** Nobody reads more pointers in one message. */
const MAX_LISTED_POINTERS = 10;

/** A body without what is not set, where it is valid so. */
export const UNSET_VALUES: ValueReading = {
  code: 'null_member',
  read(invalid) {
    const without = mayBeUnset(invalid) ? withoutInvalidNulls(invalid) : undefined;
    return without && { value: without.value, named: without.removed.slice(0, MAX_LISTED_POINTERS).join(', ') };
  },
};

/** May nulls in a body be what is wrong? Of faults that nobody counted to the end no part is the one that is not set. */
export function mayBeUnset({ value, violations }: InvalidValue): boolean {
  return violations[0]?.isOneOfMany !== true && hasNull(value);
}

/** Without the properties whose `null` breaks the schema, where that makes the body valid. */
function withoutInvalidNulls({ schema, value, violations }: InvalidValue): WithoutUnset | undefined {
  const broken = new Set(violations.map(({ pointer }) => pointer));
  const isBroken = (pointer: string): boolean => broken.has(pointer);
  const isBelow = (pointer: string): boolean => isBroken('') || pointerAndAncestors(pointer).some(isBroken);
  const attempts = [
    () => withoutUnset(value, isBroken),
    // A union is broken as a whole: then the nulls in it may be the cause.
    () => withoutUnset(value, isBelow),
    // A client that sends null where nothing is set sends other empty values as well.
    () => withoutUnset(value, isBroken, isUnset),
  ];
  for (const attempt of attempts) {
    const without = attempt();
    if (without.removed.length > 0 && schema?.accepts(without.value, 'request') !== false) return without;
  }
  return undefined;
}

/** What is wrong with a body beside the values in it that are not set. */
export function violationsBesideUnset({ schema, value, violations }: InvalidValue): readonly Violation[] {
  const broken = new Set(violations.map(({ pointer }) => pointer));
  const { value: rest, removed } = withoutUnset(value, (pointer) => broken.has(pointer), isUnset);
  const others = removed.length === 0 ? [] : violationsOf(schema, rest);
  // A property that must be there is missed only because it was taken out.
  const known = others.filter(({ pointer }) => broken.has(pointer));
  return known.length === 0 ? violations : known;
}

/** The pointer itself and those of all that it lies in. */
function pointerAndAncestors(pointer: string): string[] {
  const places: string[] = [];
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) places.push(pointer.slice(0, end));
  return places;
}
