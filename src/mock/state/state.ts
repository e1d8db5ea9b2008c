import { equalJson } from '../../core/json/json-value';
import type { HttpResponse } from '../../core/http/message';
import type { Key } from '../../lists/sort-values';
import { Collection } from './collection';
import type { Item } from './item';
import { Outbox, type OutboxRecords } from './outbox';
import type { RemainingSeed } from './remaining-seed';
import { isRooted, type Resource } from './prepared-resource';

/** A response kept for an Idempotency-Key. */
export interface Replay {
  /** Digest of the body that it answered. */
  readonly payload: string;
  readonly response: HttpResponse;
  readonly storedAt: number;
}

/** How long a response is stored, in milliseconds of the mock's clock. */
export const REPLAY_MS = 24 * 60 * 60 * 1000;
/** Oldest first out, so that a client that generates a key for each request cannot fill the memory. */
const MAX_REPLAYS = 10_000;
/** Nor by what each response repeats of its body. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** What all bodies of a map have together; maps are changed here alone. */
const lengths = new WeakMap<ReadonlyMap<string, Replay>, number>();

function bodyOf(replay: Replay | undefined): number {
  return replay?.response.body?.length ?? 0;
}

function lengthOf(replays: ReadonlyMap<string, Replay>): number {
  let length = lengths.get(replays);
  if (length === undefined) {
    length = 0;
    for (const replay of replays.values()) length += bodyOf(replay);
  }
  return length;
}

/** Keeps a response in place of an earlier one of its key, and forgets what is over. */
export function storeReplay(replays: Map<string, Replay>, key: string, replay: Replay): void {
  let length = lengthOf(replays) + bodyOf(replay) - bodyOf(replays.get(key));
  // Taken out first: a key that is set again would keep its old place.
  replays.delete(key);
  replays.set(key, replay);
  // Oldest first: what is over is at the beginning.
  for (const [oldest, stored] of replays) {
    const isWithin = replays.size <= MAX_REPLAYS && length <= MAX_LENGTH;
    if ((isWithin && replay.storedAt - stored.storedAt < REPLAY_MS) || oldest === key) break;
    length -= bodyOf(stored);
    replays.delete(oldest);
  }
  lengths.set(replays, length);
}

/** Everything that a mock remembers, as a value: kept, restored and compared without copying. */
export interface State {
  /**
   * By name of the collection: its path, with the values of its variables filled in (`/shelves/7/books`). One whose
   * name follows from a request is there from the first item on that is stored in it.
   */
  readonly collections: ReadonlyMap<string, Collection>;
  /** The next key that the service gives out, by name of the collection. */
  readonly nextKeys: ReadonlyMap<string, number | bigint>;
  /** By API key, operation and idempotency key; oldest first. */
  readonly replays: ReadonlyMap<string, Replay>;
  /** Collections that are there from the start though nothing was stored in them. */
  readonly seeds?: RemainingSeed | undefined;
  /**
   * Paths of the resources of which an item may be stored that its schema does not allow: requests accept more than
   * responses may have, or the description was edited. Their responses are validated one by one.
   */
  readonly nonconforming?: ReadonlySet<string> | undefined;
  readonly outbox?: OutboxRecords | undefined;
}

/** A collection of a state; `undefined` for one that nothing was stored in. */
export function collectionOf({ collections, seeds }: State, name: string): Collection | undefined {
  return collections.get(name) ?? seeds?.collection(name);
}

/** One change of one item. Together they are what a request did. */
export interface Change {
  readonly collection: string;
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** Is it of an item that is at another place now, and the same? */
  readonly isMove?: true;
}

export function emptyState(resources: readonly Resource[]): State {
  return {
    collections: new Map(resources.filter(isRooted).map((resource) => [resource.path, Collection.empty()])),
    nextKeys: new Map(),
    replays: new Map(),
  };
}

/** What a collection reads as that nothing was stored in. */
const NOTHING = Collection.empty();
NOTHING.seal();

/**
 * The state of a running mock. Items are changed in place while nobody else holds them: copying a path of each tree for
 * each request costs as much as everything else that a write does. A snapshot seals the collections, and the first
 * change after it works on copies that share what stays the same. What is stored for Idempotency-Keys is copied whole,
 * once after each snapshot.
 */
export class LiveState {
  seeds: RemainingSeed | undefined;
  /** See {@link State.nonconforming}; replaced with each change, never changed itself. */
  nonconforming: ReadonlySet<string> | undefined;
  readonly outbox: Outbox;
  private collections: Map<string, Collection>;
  private nextKeys: Map<string, number | bigint>;
  private kept: ReadonlyMap<string, Replay>;
  /** The same map, while nobody else holds it. */
  private ownKept: Map<string, Replay> | undefined;
  /** By name of a collection, the keys of the items below which there are collections. Made when first asked for. */
  private above: Map<string, Set<string>> | undefined;

  constructor(state: State) {
    for (const collection of state.collections.values()) collection.seal();
    this.seeds = state.seeds;
    this.nonconforming = state.nonconforming;
    this.collections = new Map(state.collections);
    this.nextKeys = new Map(state.nextKeys);
    this.kept = state.replays;
    this.outbox = new Outbox(state.outbox);
  }

  snapshot(): State {
    for (const collection of this.collections.values()) collection.seal();
    const { collections, nextKeys, kept: replays, seeds, nonconforming } = this;
    this.collections = new Map(collections);
    this.nextKeys = new Map(nextKeys);
    this.ownKept = undefined;
    const outbox = this.outbox.share();
    return {
      collections,
      nextKeys,
      replays,
      ...(outbox.size === 0 ? {} : { outbox }),
      ...(seeds === undefined ? {} : { seeds }),
      ...(nonconforming === undefined ? {} : { nonconforming }),
    };
  }

  /** How many items there are, those of seeds that nobody wrote to left out. */
  get size(): number {
    let sum = 0;
    for (const { size } of this.collections.values()) sum += size;
    return sum;
  }

  /** For reading. One that nothing was stored in yet reads as empty. */
  collection(name: string): Collection {
    return this.collections.get(name) ?? this.seeds?.collection(name) ?? NOTHING;
  }

  /** Was anything stored there since the item above it was made, even if it is gone by now? */
  has(name: string): boolean {
    return this.owns(name) || (this.seeds?.collection(name)?.size ?? 0) > 0;
  }

  /** Is it kept here, and not read from the seeds? */
  owns(name: string): boolean {
    return this.collections.has(name);
  }

  names(): Iterable<string> {
    return this.collections.keys();
  }

  /** For changing; made when there is none. */
  writable(name: string): Collection {
    const own = this.collections.get(name);
    if (own?.isSealed === false) return own;
    const collection = own ?? this.seeds?.collection(name);
    const copy = collection?.copy() ?? Collection.empty();
    this.collections.set(name, copy);
    if (own === undefined && this.above !== undefined) this.noteAbove(name, this.above);
    return copy;
  }

  adopt(name: string, collection: Collection): void {
    this.collections.set(name, collection);
  }

  /** Forgets a collection; it reads as what it began with from then on. */
  drop(name: string): void {
    this.collections.delete(name);
  }

  /**
   * The keys of a collection at which something is stored. Of one that is as it began, those below which something is:
   * it is not made for that.
   */
  keysStored(name: string): Key[] {
    const own = this.collections.get(name);
    if (own !== undefined) return [...own.entries()].map(([key]) => key);
    if (this.seeds === undefined) return [];
    if (this.above === undefined) {
      this.above = new Map();
      for (const stored of this.collections.keys()) this.noteAbove(stored, this.above);
    }
    return [...(this.above.get(name) ?? [])];
  }

  private noteAbove(name: string, noted: Map<string, Set<string>>): void {
    for (const { collection, key } of this.seeds?.ancestors(name) ?? []) {
      const keys = noted.get(collection);
      if (keys === undefined) noted.set(collection, new Set([key]));
      else keys.add(key);
    }
  }

  nextKey(path: string): number | bigint | undefined {
    return this.nextKeys.get(path) ?? this.seeds?.nextKey(path);
  }

  setNextKey(path: string, key: number | bigint | undefined): void {
    if (key === undefined) this.nextKeys.delete(path);
    else this.nextKeys.set(path, key);
  }

  /** By API key, operation and idempotency key; oldest first. */
  get replays(): ReadonlyMap<string, Replay> {
    return this.kept;
  }

  forgetReplays(): void {
    this.kept = this.ownKept = new Map();
  }

  /** Keeps a response. To be called when nothing can reject the request any more: a draft does not take it back. */
  remember(key: string, replay: Replay): void {
    if (this.ownKept === undefined) this.kept = this.ownKept = new Map(this.kept);
    storeReplay(this.ownKept, key, replay);
  }
}

/** Is the same stored in both, as far as can be told without a look at the items? */
export function areSameStates(left: State, right: State): boolean {
  if (left.collections.size !== right.collections.size || left.seeds !== right.seeds) return false;
  for (const [name, collection] of left.collections) if (right.collections.get(name) !== collection) return false;
  return true;
}

export interface CollectionDiff {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
  readonly changed: readonly { readonly before: Item; readonly after: Item }[];
}

/** By path of the collection; those in which nothing changed are left out. */
export type StateDiff = Readonly<Record<string, CollectionDiff>>;

/** What has to be done to the first state to make it the second, in the order of the keys. */
export function diffStates(before: State, after: State): StateDiff {
  const paths = new Set([
    ...before.collections.keys(),
    ...after.collections.keys(),
    ...(after.seeds?.emptiedSince(before.seeds) ?? []),
    ...(before.seeds?.emptiedSince(after.seeds) ?? []),
  ]);
  const diffs = [...paths].flatMap((path) => {
    const [from, to] = [collectionOf(before, path), collectionOf(after, path)];
    const diff = from === to ? NO_DIFF : diffCollections(from, to);
    return diff.added.length + diff.removed.length + diff.changed.length === 0 ? [] : [[path, diff] as const];
  });
  return Object.fromEntries(diffs);
}

/** A stored item is never changed in place; one that was stored and read again is another object. */
export function isSameItem(left: Item | undefined, right: Item): boolean {
  return left === right || (left !== undefined && equalJson(left, right));
}

const NO_DIFF: CollectionDiff = { added: [], removed: [], changed: [] };

function diffCollections(before: Collection | undefined, after: Collection | undefined): CollectionDiff {
  const added: Item[] = [];
  const removed: Item[] = [];
  const changed: { before: Item; after: Item }[] = [];
  const lookUp = (collection: Collection | undefined, key: Key): Item | undefined => collection?.get(key);
  for (const [key, item] of before?.entries() ?? []) {
    const now = lookUp(after, key);
    if (now === undefined) removed.push(item);
    else if (!isSameItem(now, item)) changed.push({ before: item, after: now });
  }
  for (const [key, item] of after?.entries() ?? []) if (lookUp(before, key) === undefined) added.push(item);
  return { added, removed, changed };
}
