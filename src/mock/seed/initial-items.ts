import { addToList } from '../../core/text/memoize';
import type { FixtureCount, FixtureItem } from '../../formats/fixture';
import type { Key } from '../../lists/sort-values';
import type { Item } from '../state/item';
import { arrange } from '../state/item-representation';
import { keyOf, type Resource } from '../state/prepared-resource';
import type { ExampleItems } from './example-items';

/** An item before it refers to others. */
export interface Row {
  readonly key: Key;
  readonly item: Item;
}

/** The items of one collection: those that were given, then those that were generated. */
export interface Items {
  readonly all: readonly Row[];
  readonly givenCount: number;
  readonly keys: ReadonlySet<Key>;
}

export const NO_ROWS: Items = { all: [], givenCount: 0, keys: new Set() };

/** Items by their keys, the first of each. */
export function toItems(resource: Resource, items: readonly Item[]): Row[] {
  const byKey = new Map<Key, Item>();
  for (const item of items) {
    const key = keyOf(resource, item);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey].map(([key, item]) => ({ key, item }));
}

/** The given ones come first. */
export function itemsFrom(given: readonly Row[], made: readonly Row[]): Items {
  const all = [...given, ...made];
  return { all, givenCount: given.length, keys: new Set(all.map(({ key }) => key)) };
}

export interface InitialItems {
  readonly given: readonly Item[];
  /** So many items are generated beside those. */
  readonly count: number;
  readonly shownAt?: (key: Key) => readonly string[];
}

export interface InitialItemsSource {
  /** @param values - what stands in the place of the variables of the resource's path */
  of(resource: Resource, values: readonly Key[], name: string): InitialItems;
  /** The collections of a resource that something is given of. */
  names(resource: Resource): Iterable<string>;
}

/** Rows of a collection without a scope, and of one below each item of another. */
const ROOT_ROWS = 4;
const SCOPED_ROWS = 2;

/** The examples of the description, else a few items. */
export function initialItemsFromExamples(examples: ExampleItems): InitialItemsSource {
  return {
    names: (resource) => examples.names(resource),
    of(resource, values, name) {
      const given = examples.of(resource, name);
      if (given.length > 0) return { given, count: 0, shownAt: (key) => examples.pointersOf(resource, name, key) };
      // Made-up items would be empty where their schema declares nothing.
      const isUntold = resource.kind === 'collection' && resource.properties.size === 0 && resource.isOpen;
      if (resource.isMembership || isUntold) return { given, count: 0 };
      const usual = values.length === 0 ? ROOT_ROWS : SCOPED_ROWS;
      return { given, count: resource.kind === 'singleton' ? 1 : usual };
    },
  };
}

/** What fixtures hold, and as many items as they count. */
export function initialItemsFromFixtures(
  items: readonly FixtureItem[],
  counts: readonly FixtureCount[],
): InitialItemsSource {
  const byName = new Map<string, FixtureItem[]>();
  for (const item of items) addToList(byName, item.collection, item);
  return {
    // Those of fixtures are in the state.
    names: () => [],
    of(resource, _values, name) {
      const counted = counts.filter(({ collection, resource: path }) =>
        collection === undefined ? path === resource.path : collection === name,
      );
      return {
        given: (byName.get(name) ?? []).map(({ value }) => arrange(resource, value)),
        count: counted.reduce((sum, { count }) => sum + count, 0),
      };
    },
  };
}
