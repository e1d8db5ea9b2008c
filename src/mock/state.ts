import { Collection } from './collection';
import type { Item } from './item';
import type { Key } from './order';
import { keepReplay, type Replay } from './replays';
import { isRooted, type Resource } from './resource';
import type { SeedsLeft } from './seeds-left';

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
  readonly seeds?: SeedsLeft | undefined;
}

/** Names of everything that a state holds, looked at or not. */
export function namesOf({ collections, seeds }: State): Set<string> {
  return new Set([...(seeds?.names() ?? []), ...collections.keys()]);
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
 * change after it works on copies that share what stays the same. What is kept for Idempotency-Keys is copied whole,
 * once after each snapshot.
 */
export class LiveState {
  /** What is left of what the state began with. */
  seeds: SeedsLeft | undefined;
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
    this.collections = new Map(state.collections);
    this.nextKeys = new Map(state.nextKeys);
    this.kept = state.replays;
  }

  /** The state as it is, which later changes leave alone. */
  snapshot(): State {
    for (const collection of this.collections.values()) collection.seal();
    const { collections, nextKeys, kept: replays } = this;
    this.collections = new Map(collections);
    this.nextKeys = new Map(nextKeys);
    this.ownKept = undefined;
    return { collections, nextKeys, replays, ...(this.seeds === undefined ? {} : { seeds: this.seeds }) };
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

  /** Takes back a collection that was dropped. */
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
    for (const { collection, key } of this.seeds?.above(name) ?? []) {
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

  /** Keeps a response. To be called when nothing can refuse the request any more: a draft does not take it back. */
  remember(key: string, replay: Replay): void {
    if (this.ownKept === undefined) this.kept = this.ownKept = new Map(this.kept);
    keepReplay(this.ownKept, key, replay);
  }
}
