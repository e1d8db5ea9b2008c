import type { HttpResponse } from '../http/message';
import { freezeJson } from '../json/freeze-json';
import { Collection } from './collection';
import type { Item } from './item';
import type { Key } from './order';
import type { Resource } from './resource';

/** A response kept for an Idempotency-Key. */
export interface Replay {
  /** Digest of the body that it answered. */
  readonly payload: string;
  readonly response: HttpResponse;
  /** Epoch milliseconds of the mock's clock. */
  readonly storedAt: number;
}

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

const NO_CHANGES: readonly Change[] = [];

export function emptyState(resources: readonly Resource[]): State {
  return {
    collections: new Map(resources.map((resource) => [resource.path, Collection.empty()])),
    nextKeys: new Map(),
    replays: new Map(),
  };
}

/**
 * A state in the making. Reads see what was written; the state that it began from is not touched, so that dropping
 * the draft undoes everything.
 */
export class Draft {
  private readonly base: State;
  // Made on the first write: most drafts only read.
  private touched: Map<string, Collection> | undefined;
  private nextKeys: Map<string, number | bigint> | undefined;
  private made: Change[] | undefined;

  constructor(base: State) {
    this.base = base;
  }

  get changes(): readonly Change[] {
    return this.made ?? NO_CHANGES;
  }

  /** For reading only. */
  collection(path: string): Collection {
    const collection = this.touched?.get(path) ?? this.base.collections.get(path);
    if (collection === undefined) {
      const known = [...this.base.collections.keys()].join(', ');
      throw new Error(`There is no collection ${path}; there are ${known}`);
    }
    return collection;
  }

  get(path: string, key: Key): Item | undefined {
    return this.collection(path).get(key);
  }

  put(path: string, key: Key, item: Item): Item {
    const frozen = freezeJson<Item>(item);
    (this.made ??= []).push({ collection: path, key, before: this.get(path, key), after: frozen });
    this.writable(path).set(key, frozen);
    return frozen;
  }

  remove(path: string, key: Key): void {
    const before = this.get(path, key);
    if (before === undefined) return;
    (this.made ??= []).push({ collection: path, key, before, after: undefined });
    this.writable(path).delete(key);
  }

  nextKey(path: string): number | bigint | undefined {
    return this.nextKeys?.get(path) ?? this.base.nextKeys.get(path);
  }

  setNextKey(path: string, key: number | bigint): void {
    (this.nextKeys ??= new Map<string, number | bigint>()).set(path, key);
  }

  /** The state that the draft has become. */
  finish(replays: ReadonlyMap<string, Replay> = this.base.replays): State {
    return {
      collections: this.touched === undefined ? this.base.collections : overlay(this.base.collections, this.touched),
      nextKeys: this.nextKeys === undefined ? this.base.nextKeys : overlay(this.base.nextKeys, this.nextKeys),
      replays,
    };
  }

  private writable(path: string): Collection {
    this.touched ??= new Map<string, Collection>();
    let collection = this.touched.get(path);
    if (collection === undefined) this.touched.set(path, (collection = this.collection(path).copy()));
    return collection;
  }
}

function overlay<Value>(base: ReadonlyMap<string, Value>, changed: ReadonlyMap<string, Value>): Map<string, Value> {
  const result = new Map(base);
  for (const [key, value] of changed) result.set(key, value);
  return result;
}
