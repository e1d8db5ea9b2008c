import type { Item } from './item';
import type { Key } from './order';
import { keyOf, type Resource } from './resource';

/** A row before it refers to others. */
export interface Row {
  readonly key: Key;
  readonly item: Item;
}

/** The rows of one collection: those that were given, then those that were made up. */
export interface Rows {
  readonly all: readonly Row[];
  readonly givenCount: number;
  readonly keys: ReadonlySet<Key>;
}

export const NO_ROWS: Rows = { all: [], givenCount: 0, keys: new Set() };

/** Items by their keys, the first of each. */
export function toRows(resource: Resource, items: readonly Item[]): Row[] {
  const byKey = new Map<Key, Item>();
  for (const item of items) {
    const key = keyOf(resource, item);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey].map(([key, item]) => ({ key, item }));
}

/** The given ones come first. */
export function rowsFrom(given: readonly Row[], made: readonly Row[]): Rows {
  const all = [...given, ...made];
  return { all, givenCount: given.length, keys: new Set(all.map(({ key }) => key)) };
}
