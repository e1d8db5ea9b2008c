import type { Collection } from './collection';
import type { Item } from './item';
import { compareKeys, compareSortValues, type Key, type SortValue } from './order';
import type { Resource } from './resource';

/** Items whose member has one of the values. */
export interface Filter {
  readonly member: string;
  readonly values: readonly SortValue[];
}

export interface ListQuery {
  /** All of them must hold. */
  readonly filters: readonly Filter[];
  readonly sortBy: string;
  readonly descending: boolean;
  readonly limit: number;
  /** The last item of the page before, by its place in the order. */
  readonly after: Place | undefined;
}

/** Where an item stands in an order: by value, then by key. Survives inserts and deletes elsewhere. */
export interface Place {
  readonly value: SortValue;
  readonly key: Key;
}

export interface Page {
  readonly items: readonly Item[];
  /** How many items match in all. */
  readonly total: number;
  /** Place of the last item of this page; `undefined` when nothing follows. */
  readonly next: Place | undefined;
}

/** Up to so many matches are gathered and sorted; beyond, an index in the wanted order is walked instead. */
const GATHERED = 1000;

/** Answers a list query in time that grows with the page and the rarest filter, not with the collection. */
export function runListQuery(collection: Collection, resource: Resource, query: ListQuery): Page {
  const matches = createMatcher(resource, query.filters);
  const rarest = rarestFilter(collection, resource, query.filters);
  const isGathered = rarest !== undefined && (rarest.count <= GATHERED || rarest.filter.member === resource.keyMember);
  if (isGathered)
    return pageOf(sorted(gather(collection, resource, rarest.filter, matches), resource, query), resource, query);

  const total = countMatches(collection, resource, query.filters, rarest, matches);
  const ordered = inOrder(collection, resource, query, rarest?.filter);
  const items: Item[] = [];
  let hasMore = false;
  for (const item of ordered) {
    if (query.filters.length > 1 || query.sortBy !== resource.keyMember ? !matches(item) : false) continue;
    if (items.length === query.limit) {
      hasMore = true;
      break;
    }
    items.push(item);
  }
  return { items, total, next: hasMore ? lastPlace(items, resource, query) : undefined };
}

function createMatcher(resource: Resource, filters: readonly Filter[]): (item: Item) => boolean {
  const tests = filters.map(({ member, values }) => {
    const wanted = new Set(values);
    const toSortValue = resource.sortValues(member);
    return (item: Item) => wanted.has(toSortValue(item[member]));
  });
  return (item) => tests.every((test) => test(item));
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

function gather(collection: Collection, resource: Resource, filter: Filter, matches: (item: Item) => boolean): Item[] {
  if (filter.member !== resource.keyMember) {
    return [...collection.where(filter.member, filter.values, resource.sortValues(filter.member))].filter(matches);
  }
  const keys = new Set(filter.values);
  return [...keys].flatMap((key): Item[] => {
    const item = collection.get(key as Key);
    return item !== undefined && matches(item) ? [item] : [];
  });
}

function sorted(items: Item[], resource: Resource, query: ListQuery): Item[] {
  const sign = query.descending ? -1 : 1;
  return items
    .map((item) => ({ item, place: placeOf(item, resource, query.sortBy) }))
    .sort((left, right) => sign * comparePlaces(left.place, right.place))
    .map(({ item }) => item);
}

function pageOf(matching: readonly Item[], resource: Resource, query: ListQuery): Page {
  const { after } = query;
  const sign = query.descending ? -1 : 1;
  const start =
    after === undefined
      ? 0
      : matching.findIndex((item) => sign * comparePlaces(placeOf(item, resource, query.sortBy), after) > 0);
  const items = start === -1 ? [] : matching.slice(start, start + query.limit);
  const hasMore = start !== -1 && start + items.length < matching.length;
  return { items, total: matching.length, next: hasMore ? lastPlace(items, resource, query) : undefined };
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

function placeOf(item: Item, resource: Resource, sortBy: string): Place {
  return { value: resource.sortValues(sortBy)(item[sortBy]), key: item[resource.keyMember] as Key };
}

function comparePlaces(left: Place, right: Place): number {
  return compareSortValues(left.value, right.value) || compareKeys(left.key, right.key);
}

function lastPlace(items: readonly Item[], resource: Resource, query: ListQuery): Place | undefined {
  const last = items.at(-1);
  return last === undefined ? undefined : placeOf(last, resource, query.sortBy);
}
