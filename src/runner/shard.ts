/** One part of a run that is divided over several machines, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The items of one shard: every n-th, so that the parts of a folder are about as long as each other. */
export function takeShard<Item>(items: readonly Item[], shard: Shard | undefined): Item[] {
  return items.filter((_, position) => shard === undefined || position % shard.count === shard.index - 1);
}
