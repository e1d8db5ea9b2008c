import type { Key } from '../../lists/sort-values';
import { fillTemplate, parseCollectionName } from '../../resources/model/resource';
import { Collection } from './collection';
import type { Resource } from './prepared-resource';

/** An item by where it is stored. */
export interface AncestorItem {
  /** Name of its collection. */
  readonly collection: string;
  /** As the names of collections below it show it, decoded. */
  readonly key: string;
}

/** One text for each item: `/shelves/7`. */
function addressText(collection: string, key: Key): string {
  return `${collection}/${encodeURIComponent(String(key))}`;
}

export function addressOf(text: string): AncestorItem {
  const end = text.lastIndexOf('/');
  return { collection: text.slice(0, end), key: decodeURIComponent(text.slice(end + 1)) };
}

/** The resource that one lies below: each item of it has a collection, or a record, of the other. */
export function parentOf(resources: Iterable<Resource>, { scope }: Resource): Resource | undefined {
  const path = scope.at(-1)?.parent;
  if (path === undefined) return undefined;
  for (const parent of resources)
    if (parent.path === path) return isParentAt(parent, scope.length) ? parent : undefined;
  return undefined;
}

/** The resources that lie below the items of one. */
export function childrenOf(resources: Iterable<Resource>, parent: Resource): Resource[] {
  return [...resources].filter(({ scope }) => scope.at(-1)?.parent === parent.path && isParentAt(parent, scope.length));
}

/** Nothing lies below a single record. */
function isParentAt({ kind, scope }: Resource, depth: number): boolean {
  return kind === 'collection' && scope.length === depth - 1;
}

/** The items that a collection lies below, the nearest first. */
export function ancestorItems(resources: readonly Resource[], name: string): AncestorItem[] {
  const addresses: AncestorItem[] = [];
  const place = parseCollectionName(resources, name);
  let parent = place === undefined ? undefined : parentOf(resources, place.resource);
  let values = place?.values ?? [];
  while (parent !== undefined) {
    const key = values.at(-1) ?? '';
    values = values.slice(0, -1);
    addresses.push({ collection: fillTemplate(parent.path, values), key });
    parent = parentOf(resources, parent);
  }
  return addresses;
}

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
  ancestors(name: string): readonly AncestorItem[];
  /** Names of the collections below an item that begin with something. */
  descendants(address: string): Iterable<string>;
}

const NOTHING = Collection.empty();
NOTHING.seal();

/**
 * What a state has of the seeds, as a value: all of it, but what lies below items that are gone. That is empty, and
 * stays so when an item is made again under the same key; keys are given out from where they would be.
 */
export class RemainingSeed {
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

  ancestors(name: string): readonly AncestorItem[] {
    return this.tree.ancestors(name);
  }

  /**
   * Names of every collection that can be told without a request, emptied ones as well. A record that is gone with the
   * item above it is not among them: it would be one that was removed by itself.
   */
  *names(): Generator<string> {
    for (const name of this.tree.names()) if (!this.isGone(name) || !this.tree.isRecord(name)) yield name;
    for (const address of this.gone)
      for (const name of this.tree.descendants(address)) if (!this.tree.isRecord(name)) yield name;
  }

  /** Of those of one resource that the state began with. */
  namesOf(resource: Resource): Iterable<string> {
    return this.tree.namesOf(resource);
  }

  /** Without what lies below an item; what that is need not be known. */
  without(collection: string, key: Key): RemainingSeed {
    const address = addressText(collection, key);
    if (this.gone.has(address) || !this.tree.has(collection, key)) return this;
    return new RemainingSeed(this.tree, new Set(this.gone).add(address));
  }

  /** The same items are gone from other seeds. */
  of({ tree }: RemainingSeed): RemainingSeed {
    return new RemainingSeed(tree, this.gone);
  }

  /** Addresses of the items that are gone: `/shelves/7`. */
  get goneItems(): ReadonlySet<string> {
    return this.gone;
  }

  /** Of the same seeds, with others that are gone. */
  withGone(gone: ReadonlySet<string>): RemainingSeed {
    return new RemainingSeed(this.tree, gone);
  }

  /** Names of the collections that these have emptied and others have not. */
  *emptiedSince(before: RemainingSeed | undefined): Generator<string> {
    for (const address of this.gone) if (before?.gone.has(address) !== true) yield* this.tree.descendants(address);
  }

  private isGone(name: string): boolean {
    if (this.gone.size === 0) return false;
    return this.tree.ancestors(name).some(({ collection, key }) => this.gone.has(addressText(collection, key)));
  }
}
