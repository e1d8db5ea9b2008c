import type { FixtureCount, FixtureItem } from '../formats/fixture';
import { arrange } from './conform';
import type { Item } from './item';
import type { Key } from './order';
import type { Resource } from './resource';
import type { ExampleRows } from './seed-examples';

/** What a collection begins with. */
export interface Beginning {
  readonly given: readonly Item[];
  /** So many rows are made up beside those. */
  readonly count: number;
  /** Where a given one was shown. */
  readonly shownAt?: (key: Key) => readonly string[];
}

/** What collections begin with. */
export interface Beginnings {
  /** @param values - what stands in the place of the variables of the resource's path */
  of(resource: Resource, values: readonly Key[], name: string): Beginning;
  /** The collections of a resource that something is given of. */
  names(resource: Resource): Iterable<string>;
}

/** Rows of a collection without a scope, and of one below each item of another. */
const ROOT_ROWS = 4;
const SCOPED_ROWS = 2;

/** The examples of the description, else a few rows. */
export function beginWithExamples(examples: ExampleRows): Beginnings {
  return {
    names: (resource) => examples.names(resource),
    of(resource, values, name) {
      const given = examples.of(resource, name);
      if (given.length > 0) return { given, count: 0, shownAt: (key) => examples.pointersOf(resource, name, key) };
      if (resource.isMembership) return { given, count: 0 };
      const usual = values.length === 0 ? ROOT_ROWS : SCOPED_ROWS;
      return { given, count: resource.kind === 'singleton' ? 1 : usual };
    },
  };
}

/** What fixtures hold, and as many rows as they count. */
export function beginWithFixture(items: readonly FixtureItem[], counts: readonly FixtureCount[]): Beginnings {
  const byName = new Map<string, FixtureItem[]>();
  for (const item of items) {
    const others = byName.get(item.collection);
    if (others === undefined) byName.set(item.collection, [item]);
    else others.push(item);
  }
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
