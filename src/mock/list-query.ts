import type { Collection } from './collection';
import type { Item } from './item';
import { compareSameValues, comparePlaces, placeOf, sorted, type Place, type SortKey } from './list-order';
import type { Key, SortValue } from './order';
import { valueAt } from './member-address';
import type { Resource } from './resource';

/** Items whose member has one of the values. */
export interface Filter {
  readonly member: string;
  readonly values: readonly SortValue[];
}

export interface ListQuery {
  /** All of them must hold. */
  readonly filters: readonly Filter[];
  /** What no index can tell; all of them must hold. */
  readonly tests?: readonly ((item: Item) => boolean)[];
  readonly sortBy: string;
  readonly descending: boolean;
  /** Decide where {@link sortBy} finds two items equal. */
  readonly thenBy?: readonly SortKey[];
  /**
   * Do items that {@link sortBy} finds equal come as they were made: those whose keys are texts that count by the count?
   * No index tells that.
   */
  readonly isByMaking?: boolean | undefined;
  readonly limit: number;
  /** So many matching items come before the page. */
  readonly skip?: number;
  /** The last item of the page before, by its place in the order. */
  readonly after: Place | undefined;
  /**
   * Name of the collection of an item, where those of several are listed together: two of them may have one key, and no
   * index finds them by it.
   */
  readonly collectionOf?: CollectionOf | undefined;
  /** The first item of the page, or where it would stand. Never beside {@link after} and {@link before}. */
  readonly from?: Place | undefined;
  /** The first item of the page behind: the page is the last one that fits before it. Never beside {@link after}. */
  readonly before?: Place | undefined;
}

export type CollectionOf = (item: Item) => string | undefined;

export interface Page {
  readonly items: readonly Item[];
  /** How many items match in all. */
  readonly total: number;
  /** Place of the last item of this page; `undefined` when nothing follows. */
  readonly next: Place | undefined;
  /** Place of the first item of the next page. */
  readonly following?: Place | undefined;
  /** Place of the first item of a page before a place; `undefined` when nothing comes before it. */
  readonly previous?: Place | undefined;
}

/** Up to so many matches are gathered and sorted; beyond, an index in the wanted order is walked instead. */
const GATHERED = 1000;

/** Answers a list query in time that grows with the page and the rarest filter, not with the collection. */
export function runListQuery(collection: Collection, resource: Resource, query: ListQuery): Page {
  const { filters, tests = [] } = query;
  const matches = createMatcher(resource, filters, tests);
  const rarest = query.collectionOf === undefined ? rarestFilter(collection, resource, filters) : undefined;
  if (isGathered(resource, query, rarest)) {
    const found = rarest === undefined ? [...collection.byKey()] : gather(collection, resource, rarest.filter);
    return pageOf(sorted(found.filter(matches), resource, query), resource, query);
  }

  const total = countMatches(collection, resource, filters, rarest, matches);
  const isOneIndex = filters.length <= 1 && query.sortBy === resource.keyMember;
  const walk = (asked: ListQuery): Pick<Page, 'items' | 'next' | 'following'> => {
    const ordered = inOrder(collection, resource, asked, rarest?.filter);
    return walkPage(ordered, resource, asked, isOneIndex ? undefined : matches);
  };
  const { before, descending } = query;
  if (before === undefined) return { total, ...walk(query) };
  // The other way round, what comes before a place follows it.
  const { items, next } = walk({ ...query, after: before, descending: !descending });
  return pageBefore([...items].reverse(), total, next !== undefined, resource, query);
}

function pageBefore(
  items: readonly Item[],
  total: number,
  hasMore: boolean,
  resource: Resource,
  query: ListQuery,
): Page {
  const [first] = items;
  const previous = hasMore && first !== undefined ? placeOf(first, resource, query) : undefined;
  return { items, total, next: lastPlace(items, resource, query), previous };
}

/** Takes a page out of items that are in the wanted order already. */
function walkPage(
  ordered: Iterable<Item>,
  resource: Resource,
  query: ListQuery,
  matches: ((item: Item) => boolean) | undefined,
): Pick<Page, 'items' | 'next' | 'following'> {
  const { limit, skip = 0 } = query;
  const items: Item[] = [];
  let passed = 0;
  for (const item of ordered) {
    if (matches?.(item) === false || passed++ < skip) continue;
    if (items.length === limit)
      return { items, next: lastPlace(items, resource, query), following: placeOf(item, resource, query) };
    items.push(item);
  }
  return { items, next: undefined };
}

/** Few matches are sorted; what no index orders or finds must be. */
function isGathered(
  resource: Resource,
  { tests = [], thenBy = [], collectionOf, isByMaking = false, from }: ListQuery,
  rarest: CountedFilter | undefined,
): boolean {
  const isIndexed = thenBy.length === 0 && collectionOf === undefined && !isByMaking && from === undefined;
  if (tests.length > 0 || !isIndexed) return true;
  return rarest !== undefined && (rarest.count <= GATHERED || rarest.filter.member === resource.keyMember);
}

function createMatcher(
  resource: Resource,
  filters: readonly Filter[],
  others: NonNullable<ListQuery['tests']>,
): (item: Item) => boolean {
  const tests = filters.map(({ member, values }) => {
    const wanted = new Set(values);
    const toSortValue = resource.sortValues(member);
    return (item: Item) => wanted.has(toSortValue(valueAt(item, member)));
  });
  const all = others.length === 0 ? tests : [...tests, ...others];
  return (item) => all.every((test) => test(item));
}

interface CountedFilter {
  readonly filter: Filter;
  readonly count: number;
}

function rarestFilter(
  collection: Collection,
  resource: Resource,
  filters: readonly Filter[],
): CountedFilter | undefined {
  let rarest: CountedFilter | undefined;
  for (const filter of filters) {
    const { member, values } = filter;
    const count =
      member === resource.keyMember
        ? values.length
        : collection.countWhere(member, values, resource.sortValues(member));
    if (rarest === undefined || count < rarest.count) rarest = { filter, count };
  }
  return rarest;
}

function gather(collection: Collection, resource: Resource, filter: Filter): Item[] {
  if (filter.member !== resource.keyMember) {
    return [...collection.where(filter.member, filter.values, resource.sortValues(filter.member))];
  }
  const keys = new Set(filter.values);
  return [...keys].flatMap((key): Item[] => {
    const item = collection.get(key as Key);
    return item === undefined ? [] : [item];
  });
}

function pageOf(matching: readonly Item[], resource: Resource, query: ListQuery): Page {
  const { after, before, from, skip = 0, limit } = query;
  if (before !== undefined) {
    const end = Math.max(0, beforePlace(matching, resource, query, before) - skip);
    const start = Math.max(0, end - limit);
    return pageBefore(matching.slice(start, end), matching.length, start > 0, resource, query);
  }
  const begin =
    from !== undefined
      ? beforePlace(matching, resource, query, from)
      : after === undefined
        ? 0
        : afterPlace(matching, resource, query, after);
  const start = begin === -1 ? matching.length : begin + skip;
  const items = matching.slice(start, start + limit);
  const behind = matching[start + items.length];
  if (behind === undefined) return { items, total: matching.length, next: undefined };
  const next = lastPlace(items, resource, query);
  return { items, total: matching.length, next, following: placeOf(behind, resource, query) };
}

/** Index of the first item behind a place, -1 when there is none. */
function afterPlace(matching: readonly Item[], resource: Resource, query: ListQuery, after: Place): number {
  const { thenBy = [] } = query;
  // Where several members order the items, only the item itself tells where the page before ended.
  if (thenBy.length > 0) {
    const last = indexOfPlace(matching, resource, query, after);
    return last === -1 || last + 1 >= matching.length ? -1 : last + 1;
  }
  const sign = query.descending ? -1 : 1;
  return matching.findIndex(
    (item) => sign * comparePlaces(placeOf(item, resource, query), after, { ...query, resource }) > 0,
  );
}

/** How many items come before a place. */
function beforePlace(matching: readonly Item[], resource: Resource, query: ListQuery, before: Place): number {
  const { thenBy = [] } = query;
  if (thenBy.length > 0) return Math.max(0, indexOfPlace(matching, resource, query, before));
  const sign = query.descending ? -1 : 1;
  const end = matching.findIndex(
    (item) => sign * comparePlaces(placeOf(item, resource, query), before, { ...query, resource }) >= 0,
  );
  return end === -1 ? matching.length : end;
}

function indexOfPlace(items: readonly Item[], resource: Resource, query: ListQuery, place: Place): number {
  return items.findIndex((item) => compareSameValues(placeOf(item, resource, query), place) === 0);
}

function countMatches(
  collection: Collection,
  resource: Resource,
  filters: readonly Filter[],
  rarest: CountedFilter | undefined,
  matches: (item: Item) => boolean,
): number {
  if (rarest === undefined) return collection.size;
  if (filters.length === 1) return rarest.count;
  const { member, values } = rarest.filter;
  let count = 0;
  for (const item of collection.where(member, values, resource.sortValues(member))) if (matches(item)) count++;
  return count;
}

function inOrder(
  collection: Collection,
  resource: Resource,
  query: ListQuery,
  filter: Filter | undefined,
): Iterable<Item> {
  const { sortBy, descending, after } = query;
  if (sortBy !== resource.keyMember) {
    return collection.byMember(sortBy, resource.sortValues(sortBy), { after, descending });
  }
  if (filter === undefined) return collection.byKey({ after: after?.key, descending });
  const { member, values } = filter;
  return collection.where(member, values, resource.sortValues(member), { after: after?.key, descending });
}

function lastPlace(items: readonly Item[], resource: Resource, query: ListQuery): Place | undefined {
  const last = items.at(-1);
  return last === undefined ? undefined : placeOf(last, resource, query);
}
