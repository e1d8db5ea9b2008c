import { memberOf } from '../json/member';
import type { Item } from './item';
import type { ListQuery } from './list-query';
import { valueAt } from './member-address';
import { compareKeys, compareSortValues, type Key, type SortValue } from './order';
import type { Resource } from './resource';

/** One member of an order. */
export interface SortKey {
  readonly member: string;
  readonly descending: boolean;
}

/**
 * Where an item stands in an order: by value, then by key, then by the name of its collection where there are several.
 * Survives inserts and deletes elsewhere.
 */
export interface Place {
  readonly value: SortValue;
  readonly key: Key;
  readonly collection?: string | undefined;
}

/** Where an item stands in the order by a member. */
export function placeOf(
  item: Item,
  resource: Resource,
  { sortBy, collectionOf }: Pick<ListQuery, 'sortBy' | 'collectionOf'>,
): Place {
  const value = resource.sortValues(sortBy)(valueAt(item, sortBy));
  const key = memberOf(item, resource.keyMember) as Key;
  return collectionOf === undefined ? { value, key } : { value, key, collection: collectionOf(item) };
}

/** What says how two items stand to each other. */
export type Order = Pick<ListQuery, 'sortBy' | 'isByMaking'> & { readonly resource: Resource };

/** In the ascending order. */
export function comparePlaces(left: Place, right: Place, { sortBy, isByMaking, resource }: Order): number {
  if (isByMaking !== true) return compareSortValues(left.value, right.value) || compareSameValues(left, right);
  const byValue = sortBy === resource.keyMember ? 0 : compareSortValues(left.value, right.value);
  return byValue || compareCounted(left.key, right.key) || compareSameValues(left, right);
}

export function compareSameValues(left: Place, right: Place): number {
  return compareKeys(left.key, right.key) || compareKeys(left.collection ?? '', right.collection ?? '');
}

/** Texts that are counted by what they count, `9` before `10`, and before all others. */
function compareCounted(left: Key, right: Key): number {
  const [ours, theirs] = [countIn(left), countIn(right)];
  if (ours === undefined || theirs === undefined) return Number(ours === undefined) - Number(theirs === undefined);
  return compareKeys(ours.before, theirs.before) || compareKeys(ours.count, theirs.count);
}

function countIn(key: Key): { readonly before: string; readonly count: bigint } | undefined {
  const [, before, digits] = typeof key === 'string' ? (/^(\D{0,100})(\d{1,30})$/.exec(key) ?? []) : [];
  return before === undefined || digits === undefined ? undefined : { before, count: BigInt(digits) };
}

/** Items in the order of a query. */
export function sorted(items: readonly Item[], resource: Resource, query: ListQuery): Item[] {
  const sign = query.descending ? -1 : 1;
  const { thenBy = [] } = query;
  const order = { ...query, resource };
  const places = items.map((item) => ({ item, place: placeOf(item, resource, query) }));
  const compare =
    thenBy.length === 0
      ? (left: Placed, right: Placed) => sign * comparePlaces(left.place, right.place, order)
      : (left: Placed, right: Placed) =>
          sign * compareSortValues(left.place.value, right.place.value) ||
          compareBy(resource, thenBy, left.item, right.item) ||
          compareSameValues(left.place, right.place);
  return places.sort(compare).map(({ item }) => item);
}

interface Placed {
  readonly item: Item;
  readonly place: Place;
}

function compareBy(resource: Resource, keys: readonly SortKey[], left: Item, right: Item): number {
  for (const { member, descending } of keys) {
    const read = resource.sortValues(member);
    const order = compareSortValues(read(valueAt(left, member)), read(valueAt(right, member)));
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}
