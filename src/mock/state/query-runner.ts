import type { Collection } from './collection';
import { type Item, valueAt } from './item';
import {
  comparePositions,
  compareSameValues,
  type ListQuery,
  type Page,
  sortItems,
  sortPositionOf,
} from './list-query';
import type { Key, PropertyFilter, SortPosition } from '../../lists/sort-values';
import type { Resource } from './prepared-resource';

/** Up to so many matches are gathered and sorted; beyond, an index in the wanted order is walked instead. */
const MOST_SORTED = 1000;

/** Answers a list query in time that grows with the page and the rarest filter, not with the collection. */
export function runListQuery(collection: Collection, resource: Resource, query: ListQuery): Page {
  const { filters, tests = [] } = query;
  const matches = createMatcher(resource, filters, tests);
  const rarest = query.collectionOf === undefined ? rarestFilter(collection, resource, filters) : undefined;
  if (isSortedInMemory(resource, query, rarest)) {
    const found = rarest === undefined ? [...collection.byKey()] : findByFilter(collection, resource, rarest.filter);
    return pageOf(sortItems(found.filter(matches), resource, query), resource, query);
  }

  const total = countMatches(collection, resource, filters, rarest, matches);
  const isOneIndex = filters.length <= 1 && query.sortBy === resource.keyMember;
  const walk = (asked: ListQuery): Pick<Page, 'items' | 'next' | 'firstOfNext'> => {
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
  const previous = hasMore && first !== undefined ? sortPositionOf(first, resource, query) : undefined;
  return { items, total, next: lastPosition(items, resource, query), previous };
}

/** Takes a page out of items that are in the wanted order already. */
function walkPage(
  ordered: Iterable<Item>,
  resource: Resource,
  query: ListQuery,
  matches: ((item: Item) => boolean) | undefined,
): Pick<Page, 'items' | 'next' | 'firstOfNext'> {
  const { limit, skip = 0 } = query;
  const items: Item[] = [];
  let passed = 0;
  for (const item of ordered) {
    if (matches?.(item) === false || passed++ < skip) continue;
    if (items.length === limit)
      return { items, next: lastPosition(items, resource, query), firstOfNext: sortPositionOf(item, resource, query) };
    items.push(item);
  }
  return { items, next: undefined };
}

/** Few matches are sorted; what no index orders or finds must be. */
function isSortedInMemory(
  resource: Resource,
  { tests = [], thenBy = [], collectionOf, isByCreation = false, from }: ListQuery,
  rarest: CountedFilter | undefined,
): boolean {
  const isIndexed = thenBy.length === 0 && collectionOf === undefined && !isByCreation && from === undefined;
  if (tests.length > 0 || !isIndexed) return true;
  return rarest !== undefined && (rarest.count <= MOST_SORTED || rarest.filter.property === resource.keyMember);
}

function createMatcher(
  resource: Resource,
  filters: readonly PropertyFilter[],
  others: NonNullable<ListQuery['tests']>,
): (item: Item) => boolean {
  const tests = filters.map(({ property, values }) => {
    const wanted = new Set(values);
    const toSortValue = resource.sortValues(property);
    return (item: Item) => wanted.has(toSortValue(valueAt(item, property)));
  });
  const all = others.length === 0 ? tests : [...tests, ...others];
  return (item) => all.every((test) => test(item));
}

interface CountedFilter {
  readonly filter: PropertyFilter;
  readonly count: number;
}

function rarestFilter(
  collection: Collection,
  resource: Resource,
  filters: readonly PropertyFilter[],
): CountedFilter | undefined {
  let rarest: CountedFilter | undefined;
  for (const filter of filters) {
    const { property, values } = filter;
    const count =
      property === resource.keyMember
        ? values.length
        : collection.countWhere(property, values, resource.sortValues(property));
    if (rarest === undefined || count < rarest.count) rarest = { filter, count };
  }
  return rarest;
}

function findByFilter(collection: Collection, resource: Resource, filter: PropertyFilter): Item[] {
  if (filter.property !== resource.keyMember) {
    return [...collection.where(filter.property, filter.values, resource.sortValues(filter.property))];
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
    const end = Math.max(0, countBefore(matching, resource, query, before) - skip);
    const start = Math.max(0, end - limit);
    return pageBefore(matching.slice(start, end), matching.length, start > 0, resource, query);
  }
  const begin =
    from !== undefined
      ? countBefore(matching, resource, query, from)
      : after === undefined
        ? 0
        : indexAfter(matching, resource, query, after);
  const start = begin === -1 ? matching.length : begin + skip;
  const items = matching.slice(start, start + limit);
  const behind = matching[start + items.length];
  if (behind === undefined) return { items, total: matching.length, next: undefined };
  const next = lastPosition(items, resource, query);
  return { items, total: matching.length, next, firstOfNext: sortPositionOf(behind, resource, query) };
}

/** Index of the first item behind a place, -1 when there is none. */
function indexAfter(matching: readonly Item[], resource: Resource, query: ListQuery, after: SortPosition): number {
  // Where several properties order the items, only the item itself tells where the page before ended.
  if (query.thenBy !== undefined && query.thenBy.length > 0) {
    const last = indexOfPosition(matching, resource, query, after);
    return last === -1 || last + 1 >= matching.length ? -1 : last + 1;
  }
  const compare = comparison(resource, query, after);
  return matching.findIndex((item) => compare(item) > 0);
}

function countBefore(matching: readonly Item[], resource: Resource, query: ListQuery, before: SortPosition): number {
  if (query.thenBy !== undefined && query.thenBy.length > 0)
    return Math.max(0, indexOfPosition(matching, resource, query, before));
  const compare = comparison(resource, query, before);
  const end = matching.findIndex((item) => compare(item) >= 0);
  return end === -1 ? matching.length : end;
}

/** How an item stands to a place in the order that is asked for. */
function comparison(resource: Resource, query: ListQuery, place: SortPosition): (item: Item) => number {
  const sign = query.descending ? -1 : 1;
  const order = { ...query, resource };
  return (item) => sign * comparePositions(sortPositionOf(item, resource, query), place, order);
}

function indexOfPosition(items: readonly Item[], resource: Resource, query: ListQuery, place: SortPosition): number {
  return items.findIndex((item) => compareSameValues(sortPositionOf(item, resource, query), place) === 0);
}

function countMatches(
  collection: Collection,
  resource: Resource,
  filters: readonly PropertyFilter[],
  rarest: CountedFilter | undefined,
  matches: (item: Item) => boolean,
): number {
  if (rarest === undefined) return collection.size;
  if (filters.length === 1) return rarest.count;
  const { property, values } = rarest.filter;
  let count = 0;
  for (const item of collection.where(property, values, resource.sortValues(property))) if (matches(item)) count++;
  return count;
}

function inOrder(
  collection: Collection,
  resource: Resource,
  query: ListQuery,
  filter: PropertyFilter | undefined,
): Iterable<Item> {
  const { sortBy, descending, after } = query;
  if (sortBy !== resource.keyMember) {
    return collection.byMember(sortBy, resource.sortValues(sortBy), { after, descending });
  }
  if (filter === undefined) return collection.byKey({ after: after?.key, descending });
  const { property, values } = filter;
  return collection.where(property, values, resource.sortValues(property), { after: after?.key, descending });
}

function lastPosition(items: readonly Item[], resource: Resource, query: ListQuery): SortPosition | undefined {
  const last = items.at(-1);
  return last === undefined ? undefined : sortPositionOf(last, resource, query);
}
