import { parseRfc3339 } from '../core/time/date-time';
import type { SchemaObject } from '../schema/schema-object';
import { ExactNumber, isJsonNumber, toCanonical } from '../core/json/exact-number';
import type { JsonValue } from '../core/json/json-value';

/** What identifies an item in its collection. `1` and `1n` cannot both occur: parsing gives each number one form. */
export type Key = string | number | bigint;

/** Stands where an item lacks the property: `undefined` would mean "no key" to the tree. */
export const ABSENT: unique symbol = Symbol('absent');

/** A value by which items are ordered or looked up. */
export type SortValue = string | number | bigint | boolean | null | typeof ABSENT;

const RANKS: Readonly<Record<string, number>> = {
  number: 0,
  bigint: 0,
  string: 1,
  boolean: 2,
  object: 3,
  symbol: 4,
};

/** Numbers by size, strings by Unicode code point, items without the property last. */
export function compareSortValues(left: SortValue, right: SortValue): number {
  if (left === right) return 0;
  const byRank = (RANKS[typeof left] ?? 5) - (RANKS[typeof right] ?? 5);
  if (byRank !== 0) return byRank;
  if (typeof left === 'string') return compareCodePoints(left, right as string);
  // Mixed number and bigint compare mathematically (ECMA-262 §7.2.13).
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
}

export function compareKeys(left: Key, right: Key): number {
  return compareSortValues(left, right);
}

/** UTF-16 order puts U+1F600 before U+FF5E; code point order does not. */
function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    const isSurrogateA = (a & 0xf800) === 0xd800;
    const isSurrogateB = (b & 0xf800) === 0xd800;
    if (isSurrogateA !== isSurrogateB) return isSurrogateA ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}

/** Makes a property's value comparable. Instants are compared as instants, however they are written. */
export type ToSortValue = (value: JsonValue | undefined) => SortValue;

export function sortValueReader(schema: SchemaObject | undefined): ToSortValue {
  if (schema?.['format'] === 'date-time') {
    return (value) => (typeof value === 'string' ? (parseRfc3339(value) ?? ABSENT) : ABSENT);
  }
  return (value) => {
    if (value instanceof ExactNumber) {
      const canonical = toCanonical(value);
      return canonical instanceof ExactNumber ? Number(canonical.lexeme) : canonical;
    }
    if (isJsonNumber(value) || typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    return ABSENT;
  };
}

/** The next integer: a `number` while it is exact, a `bigint` from there on, as parsing gives the same digits. */
export function successor(key: number | bigint): number | bigint {
  return typeof key === 'number' && key < Number.MAX_SAFE_INTEGER ? key + 1 : BigInt(key) + 1n;
}

/**
 * Where an item stands in an order: by value, then by key, then by the name of its collection where there are several.
 * Survives inserts and deletes elsewhere.
 */
export interface SortPosition {
  readonly value: SortValue;
  readonly key: Key;
  readonly collection?: string | undefined;
}

/** Items whose property has one of the values. */
export interface PropertyFilter {
  readonly property: string;
  readonly values: readonly SortValue[];
}
