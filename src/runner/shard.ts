import { allSteps, type RunResult } from './run-result';

/** One part of a run that is divided over several machines, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The items of one shard: every n-th, so that the parts of a folder are about as long as each other. */
export function takeShard<Item>(items: readonly Item[], shard: Shard | undefined): Item[] {
  return items.filter((_, position) => shard === undefined || position % shard.count === shard.index - 1);
}

/**
 * Did nothing fall to a shard? There may be more shards than contracts, or what was chosen is in other ones. Unlike a
 * run that executed nothing, that is no fault: whether anything ran at all is told of all shards together.
 */
export function isEmptyShard(result: Pick<RunResult, 'shard' | 'contracts' | 'probes'>): boolean {
  if (result.shard === undefined || result.shard.count < 2) return false;
  return allSteps(result).every(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'selection');
}
