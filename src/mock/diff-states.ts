import type { Collection } from './collection';
import type { Item } from './item';
import type { Key } from './order';
import { collectionOf, type State } from './state';

/** What became of the items of one collection. */
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

const NO_DIFF: CollectionDiff = { added: [], removed: [], changed: [] };

function diffCollections(before: Collection | undefined, after: Collection | undefined): CollectionDiff {
  const added: Item[] = [];
  const removed: Item[] = [];
  const changed: { before: Item; after: Item }[] = [];
  const lookUp = (collection: Collection | undefined, key: Key): Item | undefined => collection?.get(key);
  for (const [key, item] of before?.entries() ?? []) {
    const now = lookUp(after, key);
    if (now === undefined) removed.push(item);
    // A stored item is never changed in place, so that another object means another item.
    else if (now !== item) changed.push({ before: item, after: now });
  }
  for (const [key, item] of after?.entries() ?? []) if (lookUp(before, key) === undefined) added.push(item);
  return { added, removed, changed };
}
