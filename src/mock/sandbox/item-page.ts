import { createHash } from 'node:crypto';
import { equalJson, isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import { ABSENT, compareKeys, compareSortValues, type Key, type SortValue } from '../../lists/sort-values';
import type { Collection } from '../state/collection';
import { type Item, valueAt } from '../state/item';
import type { Resource } from '../state/prepared-resource';

/** The version of an item that is not there. */
export const NO_VERSION = 'none';

/** A stored item as people look at it, and how it differs from the start. */
export interface Row {
  readonly key: Key;
  /** Another one after each change; {@link NO_VERSION} of what was removed. */
  readonly version: string;
  /** Of what was removed, as it was. */
  readonly item: Item;
  readonly change: RowChange | null;
  readonly before: Item | null;
}

type RowChange = 'added' | 'changed' | 'removed';

export interface RowQuery {
  /** Text that a value has somewhere; letters of either case. */
  readonly search?: string | undefined;
  /** Name of a property, with `-` before it for the highest first. */
  readonly sort?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Only what differs from the start, removed items too. */
  readonly isChanged: boolean;
}

/** A collection as it is and as it was. */
export interface Table {
  readonly resource: Resource;
  readonly now: Collection;
  readonly start: Collection;
  /** Takes out what nobody is shown. */
  readonly redact: (item: Item) => Item;
}

export interface RowPage {
  /** So many match. */
  readonly total: number;
  readonly rows: readonly Row[];
}

type Entry = readonly [key: Key, item: Item];

interface Sortable {
  readonly entry: Entry;
  readonly value: SortValue;
}

/** Rows of a collection, in the order of their keys unless another is asked for: no more are made than are shown. */
export function rowPage(table: Table, query: RowQuery): RowPage {
  const { offset, limit, search = '', sort = '', isChanged } = query;
  const { now } = table;
  if (!isChanged && search === '' && sort === '') return { total: now.size, rows: firstRows(table, offset, limit) };
  let entries: Entry[] = isChanged ? changedEntries(table) : [...now.entries()];
  if (search !== '') entries = entries.filter(matcher(table, search.toLowerCase()));
  if (sort !== '') entries = sorted(table.resource, entries, sort);
  return {
    total: entries.length,
    rows: entries.slice(offset, offset + limit).map(([key]) => rowAt(table, key)),
  };
}

/** The row with a key, be it removed meanwhile; none where there never was one. */
export function rowsWith(table: Table, key: Key | undefined): RowPage {
  const isThere = key !== undefined && (table.now.get(key) ?? table.start.get(key)) !== undefined;
  return isThere ? { total: 1, rows: [rowAt(table, key)] } : { total: 0, rows: [] };
}

/** @param key - of an item that there is, or was at the start */
export function rowAt({ now, start, redact }: Table, key: Key): Row {
  const [before, item] = [start.get(key), now.get(key)];
  const change = changeOf(before, item);
  return {
    key,
    version: item === undefined ? NO_VERSION : versionOf(item),
    item: redact(item ?? before ?? {}),
    change: change ?? null,
    before: before === undefined || change === undefined ? null : redact(before),
  };
}

/** So many items were added, changed and removed. */
export function countChanges(table: Pick<Table, 'now' | 'start'>): number {
  return changedEntries(table).length;
}

/** Short, and the same for the same JSON. */
function versionOf(item: Item): string {
  return createHash('sha256').update(stringifyJson(item)).digest('base64url').slice(0, 12);
}

function changeOf(before: Item | undefined, now: Item | undefined): RowChange | undefined {
  if (now === undefined) return 'removed';
  if (before === undefined) return 'added';
  // Items are never changed in place: the same object is the same item.
  return before === now || equalJson(before, now) ? undefined : 'changed';
}

function firstRows(table: Table, offset: number, limit: number): Row[] {
  const rows: Row[] = [];
  let passed = 0;
  for (const [key] of table.now.entries()) {
    if (rows.length >= limit) break;
    if (passed++ >= offset) rows.push(rowAt(table, key));
  }
  return rows;
}

/** In the order of their keys; those that were removed as they were. */
function changedEntries({ now, start }: Pick<Table, 'now' | 'start'>): Entry[] {
  if (now === start) return [];
  const changed: Entry[] = [];
  for (const entry of now.entries()) if (changeOf(start.get(entry[0]), entry[1]) !== undefined) changed.push(entry);
  for (const entry of start.entries()) if (now.get(entry[0]) === undefined) changed.push(entry);
  return changed.sort(([left], [right]) => compareKeys(left, right));
}

/** @param wanted - in lower case */
function matcher({ redact }: Table, wanted: string): (entry: Entry) => boolean {
  const has = (value: JsonValue): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted);
    if (Array.isArray(value)) return value.some(has);
    return isJsonObject(value) ? Object.values(value).some(has) : scalarText(value).includes(wanted);
  };
  return ([, item]) => has(redact(item));
}

/** Items without the property come last in either direction; equal ones in the order of their keys. */
function sorted(resource: Resource, entries: readonly Entry[], sort: string): Entry[] {
  const isDescending = sort.startsWith('-');
  const property = isDescending ? sort.slice(1) : sort;
  const toSortValue = resource.sortValues(property);
  const compare = (left: SortValue, right: SortValue): number => {
    const order = compareSortValues(left, right);
    return isDescending && left !== ABSENT && right !== ABSENT ? -order : order;
  };
  return entries
    .map((entry): Sortable => ({ entry, value: toSortValue(valueAt(entry[1], property)) }))
    .sort((left, right) => compare(left.value, right.value))
    .map(({ entry }) => entry);
}
