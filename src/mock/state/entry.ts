import { equalJson, freezeJson, type JsonObject } from '../../core/json/json-value';
import type { Key } from '../../lists/sort-values';
import type { IssuedKeys } from '../../security/issued-credentials';
import type { Collection } from './collection';
import type { Draft } from './draft';
import type { Item } from './item';
import { outboxBetween, type OutboxEntry } from './outbox';
import type { RemainingSeed } from './remaining-seed';
import { collectionOf, isSameItem, type LiveState, type Replay, type State } from './state';

/** An item that is stored under a key of a collection; `null` where it is removed. */
export type EntryRow = readonly [collection: string, key: Key, item: Item | null];

type NextKey = readonly [collection: string, key: number | bigint | null];

/**
 * What one step did to a state, as a value that can be written down and done again. Everything in it is absolute: the
 * entries of a log, done again in their order on what they led to, lead there once more. A log may so begin before the
 * snapshot that it is read behind.
 */
export interface Entry extends IssuedKeys {
  /** What of a sandbox is no state, where several processes share it. */
  readonly parts?: object;
  /** Is every response that was kept forgotten? */
  readonly forgetsReplays?: true;
  /** Collections that are as if nobody had ever written to them. */
  readonly dropped?: readonly string[];
  /** Collections that are there, even while they are empty. */
  readonly begun?: readonly string[];
  /** In the order in which they were changed. */
  readonly rows?: readonly EntryRow[];
  /** `null` for a collection whose keys are given out from where they would be. */
  readonly nextKeys?: readonly NextKey[];
  /**
   * The items of the seeds that are gone, all of them, where they are not just those that were removed. `null`: nothing of
   * the seeds is there.
   */
  readonly gone?: readonly string[] | null;
  /** All resources of which an item may be stored that its schema does not allow, where that changed. */
  readonly nonconforming?: readonly string[];
  /** Responses that are kept for an Idempotency-Key. */
  readonly replays?: readonly (readonly [key: string, replay: Replay])[];
  readonly outbox?: readonly OutboxEntry[];
}

export function isEmptyEntry(entry: Entry): boolean {
  return Object.keys(entry).length === 0;
}

/** Nothing done and nothing said are the same of these. */
const LISTS: ReadonlySet<string> = new Set(['dropped', 'begun', 'rows', 'nextKeys', 'replays', 'outbox']);

type EntryParts = { readonly [Name in keyof Entry]: Entry[Name] | undefined };

function entryOf(parts: EntryParts): Entry {
  const entry: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    if (part !== undefined && !(LISTS.has(name) && Array.isArray(part) && part.length === 0)) entry[name] = part;
  }
  return entry;
}

/** What a draft did, together with the response that is kept for its Idempotency-Key. */
export function entryOfDraft(draft: Draft, replay: readonly [key: string, replay: Replay] | undefined): Entry {
  const { dropped, keys, nonconforming } = draft.facts;
  const rows: EntryRow[] = [];
  for (const { collection, key, after } of draft.changes)
    if (!dropped.includes(collection) || draft.owns(collection)) rows.push([collection, key, after ?? null]);
  const nextKeys: NextKey[] = [];
  for (const name of keys) {
    const key = draft.nextKey(name);
    if (key !== undefined) nextKeys.push([name, key]);
  }
  // Made for each change: without what entryOf does for those of which more may be empty.
  const entry: { -readonly [Name in keyof Entry]: Entry[Name] } = {};
  if (dropped.length > 0) entry.dropped = dropped;
  if (rows.length > 0) entry.rows = rows;
  if (nextKeys.length > 0) entry.nextKeys = nextKeys;
  if (nonconforming !== undefined) entry.nonconforming = [...nonconforming];
  if (replay !== undefined) entry.replays = [replay];
  return entry;
}

/** What makes one state another, whatever did it: an admin route, an undo, another description. */
export function entryBetween(before: State, after: State): Entry {
  const begun: string[] = [];
  const rows: EntryRow[] = [];
  for (const [name, collection] of after.collections) {
    const own = before.collections.get(name);
    if (own === collection) continue;
    if (own === undefined) begun.push(name);
    rows.push(...rowsBetween(name, own ?? collectionOf(before, name), collection));
  }
  const forgets = [...before.replays.keys()].some((key) => !after.replays.has(key));
  const kept = forgets ? undefined : before.replays;
  const removes = rows.some(([, , item]) => item === null);
  return entryOf({
    forgetsReplays: forgets ? true : undefined,
    dropped: [...before.collections.keys()].filter((name) => !after.collections.has(name)),
    begun,
    rows,
    nextKeys: keysBetween(before, after),
    // Removing an item on the way takes from the seeds what may be there all the same.
    gone: removes ? goneOf(after) : changedGone(goneOf(before), goneOf(after)),
    nonconforming: changedSet([...(before.nonconforming ?? [])], [...(after.nonconforming ?? [])]),
    replays: [...after.replays].filter(([key, replay]) => kept?.get(key) !== replay),
    outbox: outboxBetween(before.outbox, after.outbox),
  });
}

/** See {@link Entry.gone}. */
export function goneOf({ seeds }: State): readonly string[] | null {
  return seeds === undefined ? null : [...seeds.goneItems];
}

type Gone = ReturnType<typeof goneOf>;

function changedGone(before: Gone, after: Gone): Entry['gone'] {
  if (before === null || after === null) return before === after ? undefined : after;
  return changedSet(before, after);
}

/** @returns the second, `undefined` where it is the same set as the first */
function changedSet(before: readonly string[], after: readonly string[]): readonly string[] | undefined {
  const known = new Set(before);
  return known.size === after.length && after.every((each) => known.has(each)) ? undefined : after;
}

function rowsBetween(name: string, before: Collection | undefined, after: Collection): EntryRow[] {
  const rows: EntryRow[] = [];
  for (const [key] of before?.entries() ?? []) if (after.get(key) === undefined) rows.push([name, key, null]);
  for (const [key, item] of after.entries()) if (!isSameItem(before?.get(key), item)) rows.push([name, key, item]);
  return rows;
}

function keysBetween(before: State, after: State): (readonly [string, number | bigint | null])[] {
  const gone = [...before.nextKeys.keys()].filter((name) => !after.nextKeys.has(name));
  return [
    ...gone.map((name) => [name, null] as const),
    ...[...after.nextKeys].filter(([name, key]) => before.nextKeys.get(name) !== key),
  ];
}

/**
 * Does to a state what an entry says of it; credentials are not of the state.
 *
 * @param seeds - what the description makes, all of it; `undefined` where it makes nothing
 */
export function applyEntry(state: LiveState, entry: Entry, seeds: RemainingSeed | undefined): void {
  const { dropped = [], begun = [], rows = [], nextKeys = [], outbox = [] } = entry;
  for (const name of dropped) state.drop(name);
  for (const name of begun) state.writable(name);
  for (const row of rows) applyRow(state, row, seeds);
  for (const [name, key] of nextKeys) state.setNextKey(name, key ?? undefined);
  for (const [id, record] of outbox) state.outbox.set(id, record);
  applySets(state, entry, seeds);
  applyReplays(state, entry);
}

function applyRow(state: LiveState, [name, key, item]: EntryRow, seeds: RemainingSeed | undefined): void {
  const collection = state.writable(name);
  if (item !== null) {
    collection.set(key, asItem(item, seeds?.collection(name)?.get(key)));
    return;
  }
  collection.delete(key);
  state.seeds = state.seeds?.without(name, key);
}

function applyReplays(state: LiveState, { forgetsReplays, replays = [] }: Entry): void {
  if (forgetsReplays === true) state.forgetReplays();
  for (const [key, replay] of replays) state.remember(key, replay);
}

/** An item that was read; the very one that the description makes where it is that, for so it is known to be unchanged. */
export function asItem(read: JsonObject, made: Item | undefined): Item {
  return made !== undefined && equalJson(made, read) ? made : freezeJson<Item>(read);
}

function applySets(state: LiveState, { gone, nonconforming }: Entry, seeds: RemainingSeed | undefined): void {
  if (gone !== undefined) state.seeds = gone === null ? undefined : seeds?.withGone(new Set(gone));
  if (nonconforming !== undefined)
    state.nonconforming = nonconforming.length === 0 ? undefined : new Set(nonconforming);
}
