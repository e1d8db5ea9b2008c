import { type JsonValue, ownProperty } from '../../core/json/json-value';
import {
  compareKeys,
  compareSortValues,
  type Key,
  type PropertyFilter,
  type SortPosition,
} from '../../lists/sort-values';
import type { Parameter } from '../../openapi/model/operation';
import { attributeAddress, type Item, valueAt } from './item';
import type { Resource } from './prepared-resource';

/** One property of an order. */
export interface SortKey {
  readonly property: string;
  readonly descending: boolean;
}

/** Where an item stands in the order by a property. */
export function sortPositionOf(
  item: Item,
  resource: Resource,
  { sortBy, collectionOf }: Pick<ListQuery, 'sortBy' | 'collectionOf'>,
): SortPosition {
  const value = resource.sortValues(sortBy)(valueAt(item, sortBy));
  const key = ownProperty(item, resource.keyMember) as Key;
  return collectionOf === undefined ? { value, key } : { value, key, collection: collectionOf(item) };
}

/** What says how two items stand to each other. */
type SortOrder = Pick<ListQuery, 'sortBy' | 'isByCreation'> & { readonly resource: Resource };

/** In the ascending order. */
export function comparePositions(
  left: SortPosition,
  right: SortPosition,
  { sortBy, isByCreation, resource }: SortOrder,
): number {
  if (isByCreation !== true) return compareSortValues(left.value, right.value) || compareSameValues(left, right);
  const byValue = sortBy === resource.keyMember ? 0 : compareSortValues(left.value, right.value);
  return byValue || compareNumberedTexts(left.key, right.key) || compareSameValues(left, right);
}

export function compareSameValues(left: SortPosition, right: SortPosition): number {
  return compareKeys(left.key, right.key) || compareKeys(left.collection ?? '', right.collection ?? '');
}

/** Texts that are counted by what they count, `9` before `10`, and before all others. */
function compareNumberedTexts(left: Key, right: Key): number {
  const [ours, theirs] = [numberAtEnd(left), numberAtEnd(right)];
  if (ours === undefined || theirs === undefined) return Number(ours === undefined) - Number(theirs === undefined);
  return compareKeys(ours.before, theirs.before) || compareKeys(ours.count, theirs.count);
}

function numberAtEnd(key: Key): { readonly before: string; readonly count: bigint } | undefined {
  const [, before, digits] = typeof key === 'string' ? (/^(\D{0,100})(\d{1,30})$/.exec(key) ?? []) : [];
  return before === undefined || digits === undefined ? undefined : { before, count: BigInt(digits) };
}

/** Items in the order of a query. */
export function sortItems(items: readonly Item[], resource: Resource, query: ListQuery): Item[] {
  const sign = query.descending ? -1 : 1;
  const { thenBy = [] } = query;
  const order = { ...query, resource };
  const positioned = items.map((item) => ({ item, position: sortPositionOf(item, resource, query) }));
  const compare =
    thenBy.length === 0
      ? (left: PositionedItem, right: PositionedItem) => sign * comparePositions(left.position, right.position, order)
      : (left: PositionedItem, right: PositionedItem) =>
          sign * compareSortValues(left.position.value, right.position.value) ||
          compareBy(resource, thenBy, left.item, right.item) ||
          compareSameValues(left.position, right.position);
  return positioned.sort(compare).map(({ item }) => item);
}

interface PositionedItem {
  readonly item: Item;
  readonly position: SortPosition;
}

function compareBy(resource: Resource, keys: readonly SortKey[], left: Item, right: Item): number {
  for (const { property, descending } of keys) {
    const read = resource.sortValues(property);
    const order = compareSortValues(read(valueAt(left, property)), read(valueAt(right, property)));
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

type CollectionOf = (item: Item) => string | undefined;
export interface ListQuery {
  /** All of them must hold. */
  readonly filters: readonly PropertyFilter[];
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
  readonly isByCreation?: boolean | undefined;
  readonly limit: number;
  /** So many matching items come before the page. */
  readonly skip?: number;
  /** The last item of the page before, by its place in the order. */
  readonly after: SortPosition | undefined;
  /**
   * Name of the collection of an item, where those of several are listed together: two of them may have one key, and no
   * index finds them by it.
   */
  readonly collectionOf?: CollectionOf | undefined;
  /** The first item of the page, or where it would stand. Never beside {@link after} and {@link before}. */
  readonly from?: SortPosition | undefined;
  /** The first item of the page behind: the page is the last one that fits before it. Never beside {@link after}. */
  readonly before?: SortPosition | undefined;
}

export interface Page {
  readonly items: readonly Item[];
  /** How many items match in all. */
  readonly total: number;
  /** Place of the last item of this page; `undefined` when nothing follows. */
  readonly next: SortPosition | undefined;
  /** Place of the first item of the next page. */
  readonly firstOfNext?: SortPosition | undefined;
  /** Place of the first item of a page before a place; `undefined` when nothing comes before it. */
  readonly previous?: SortPosition | undefined;
}

/** A name as it was sent, before a direction that stands behind it is known. */
interface SortTerm {
  readonly property: string;
  /** `undefined` where it does not say. */
  descending: boolean | undefined;
}

/**
 * Reads the wanted order: `-name`, `name:desc`, `name desc`, several with commas; or, as Spring Data writes it, names and
 * then their direction in one value, `name,age,desc`. A direction of its own counts for those that do not say. A name
 * that no property has is left out.
 *
 * @param sort - value of the parameter
 * @param direction - value of the parameter for a direction of its own
 */
export function readSort(
  resource: Resource,
  parameter: Parameter | undefined,
  sort: JsonValue | undefined,
  direction: JsonValue | undefined,
): SortKey[] {
  const turned = typeof direction === 'string' && isTurned(direction);
  const keys = valuesOf(parameter, sort).flatMap((value) => namesIn(resource, value));
  if (keys.length === 0 && sort === undefined && turned) return [{ property: resource.keyMember, descending: true }];
  return keys.map(({ property, descending }) => ({ property, descending: descending ?? turned }));
}

/** Does a direction say that what is greatest comes first? */
export function isTurned(direction: string): boolean {
  return /^-|desc/i.test(direction);
}

/** One text for each value that was sent; a list that is not exploded is one value. */
function valuesOf(parameter: Parameter | undefined, sort: JsonValue | undefined): string[] {
  const values: readonly (JsonValue | undefined)[] = Array.isArray(sort) ? sort : [sort];
  const texts = values.filter((each) => typeof each === 'string');
  return parameter?.explode === false ? [texts.join(',')] : texts;
}

function namesIn(resource: Resource, value: string): SortTerm[] {
  const names: SortTerm[] = [];
  for (const part of value.split(',')) {
    const text = part.trim();
    // A property may be called so.
    if (/^(?:asc|desc)$/i.test(text) && propertyNamed(resource, text) === undefined) {
      for (const name of names) name.descending ??= text.toLowerCase() === 'desc';
      continue;
    }
    const [, sign = '', name = '', order = ''] = /^([+-]?)(.*?)(?:[\s:]+(asc|desc)[a-z]*)?$/i.exec(text) ?? [];
    const property = propertyNamed(resource, name);
    if (property !== undefined) names.push({ property, descending: saysDescending(sign, order) });
  }
  return names;
}

function saysDescending(sign: string, order: string): boolean | undefined {
  if (order !== '') return order.toLowerCase() === 'desc';
  return sign === '' ? undefined : sign === '-';
}

/** `created_at` and `createdAt` are one name to a client that sorts. */
function propertyNamed({ properties, attributes }: Resource, name: string): string | undefined {
  const own = nameIn(properties, name);
  if (own !== undefined) return own;
  const attribute = nameIn(attributes, name);
  return attribute === undefined ? undefined : attributeAddress(attribute);
}

function nameIn(properties: Resource['properties'], name: string): string | undefined {
  if (properties.has(name)) return name;
  const folded = fold(name);
  return folded === '' ? undefined : [...properties.keys()].find((property) => fold(property) === folded);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
