import { Collection } from './collection';
import { addressText, type ItemAddress } from './lineage';
import type { Key } from './order';
import type { Resource } from './resource';

/** Collections that are made when they are first looked at: the same ones for every state that has them. */
export interface SeedTree {
  /** @param name - path of a collection, values of its variables filled in */
  collection(name: string): Collection | undefined;
  nextKey(name: string): number | bigint | undefined;
  /** Names of every collection that can be told without a request. */
  names(): Iterable<string>;
  /** Of those of one resource. */
  namesOf(resource: Resource): Iterable<string>;
  /** Does the name stand for a single record? */
  isRecord(name: string): boolean;
  /** Does the collection begin with an item of the key? */
  has(name: string, key: Key): boolean;
  /** The items that a collection lies below, the nearest first. */
  above(name: string): readonly ItemAddress[];
  /** Names of the collections below an item that begin with something. */
  below(address: string): Iterable<string>;
}

const NOTHING = Collection.empty();
NOTHING.seal();

/**
 * What a state has of the seeds, as a value: all of it, but what lies below items that are gone. That is empty, and
 * stays so when an item is made again under the same key; keys are given out from where they would be.
 */
export class SeedsLeft {
  private readonly tree: SeedTree;
  /** The items of the seeds that are gone. */
  private readonly gone: ReadonlySet<string>;

  constructor(tree: SeedTree, gone: ReadonlySet<string> = new Set()) {
    this.tree = tree;
    this.gone = gone;
  }

  collection(name: string): Collection | undefined {
    return this.isGone(name) ? NOTHING : this.tree.collection(name);
  }

  nextKey(name: string): number | bigint | undefined {
    return this.tree.nextKey(name);
  }

  above(name: string): readonly ItemAddress[] {
    return this.tree.above(name);
  }

  /**
   * Names of every collection that can be told without a request, emptied ones as well. A record that is gone with the
   * item above it is not among them: it would be one that was removed by itself.
   */
  *names(): Generator<string> {
    for (const name of this.tree.names()) if (!this.isGone(name) || !this.tree.isRecord(name)) yield name;
    for (const address of this.gone)
      for (const name of this.tree.below(address)) if (!this.tree.isRecord(name)) yield name;
  }

  /** Of those of one resource that the state began with. */
  namesOf(resource: Resource): Iterable<string> {
    return this.tree.namesOf(resource);
  }

  /** Without what lies below an item; what that is need not be known. */
  without(collection: string, key: Key): SeedsLeft {
    const address = addressText(collection, key);
    if (this.gone.has(address) || !this.tree.has(collection, key)) return this;
    return new SeedsLeft(this.tree, new Set(this.gone).add(address));
  }

  /** The same items are gone from other seeds. */
  of({ tree }: SeedsLeft): SeedsLeft {
    return new SeedsLeft(tree, this.gone);
  }

  /** Names of the collections that these have emptied and others have not. */
  *emptiedSince(before: SeedsLeft | undefined): Generator<string> {
    for (const address of this.gone) if (before?.gone.has(address) !== true) yield* this.tree.below(address);
  }

  private isGone(name: string): boolean {
    if (this.gone.size === 0) return false;
    return this.tree.above(name).some(({ collection, key }) => this.gone.has(addressText(collection, key)));
  }
}
