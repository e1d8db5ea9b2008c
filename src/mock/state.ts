import { Collection } from './collection';
import type { Item } from './item';
import type { Key } from './order';
import { keepReplay, type Replay } from './replays';
import type { Resource } from './resource';

/** Everything that a mock remembers, as a value: kept, restored and compared without copying. */
export interface State {
  /** By path of the collection. */
  readonly collections: ReadonlyMap<string, Collection>;
  /** The next key that the service gives out, by path of the collection. */
  readonly nextKeys: ReadonlyMap<string, number | bigint>;
  /** By API key, operation and idempotency key; oldest first. */
  readonly replays: ReadonlyMap<string, Replay>;
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
    collections: new Map(resources.map((resource) => [resource.path, Collection.empty()])),
    nextKeys: new Map(),
    replays: new Map(),
  };
}

/**
 * The state of a running mock. Items are changed in place while nobody else holds them: copying a path of each tree for
 * each request costs as much as everything else that a write does. A snapshot seals the collections, and the first
 * change after it works on copies that share what stays the same. What is kept for Idempotency-Keys is copied whole,
 * once after each snapshot.
 */
export class LiveState {
  private collections: Map<string, Collection>;
  private nextKeys: Map<string, number | bigint>;
  private kept: ReadonlyMap<string, Replay>;
  /** The same map, while nobody else holds it. */
  private ownKept: Map<string, Replay> | undefined;

  constructor(state: State) {
    for (const collection of state.collections.values()) collection.seal();
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
    return { collections, nextKeys, replays };
  }

  /** For reading. */
  collection(path: string): Collection {
    const collection = this.collections.get(path);
    if (collection !== undefined) return collection;
    throw new Error(`There is no collection ${path}; there are ${[...this.collections.keys()].join(', ')}`);
  }

  /** For changing. */
  writable(path: string): Collection {
    const collection = this.collection(path);
    if (!collection.isSealed) return collection;
    const copy = collection.copy();
    this.collections.set(path, copy);
    return copy;
  }

  nextKey(path: string): number | bigint | undefined {
    return this.nextKeys.get(path);
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
