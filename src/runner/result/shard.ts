import type { RunResult } from './run-result';

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
 * Did no step of a contract fall to a shard? There may be more shards than contracts, or what was chosen is in other
 * ones. Unlike a run that executed nothing, that is no fault: whether anything ran at all is reported of all shards
 * together. Probes may have fallen to it all the same.
 */
export function isEmptyShard({ shard, contracts }: Pick<RunResult, 'shard' | 'contracts'>): boolean {
  if (shard === undefined || shard.count < 2) return false;
  const steps = contracts.flatMap((contract) => contract.steps);
  return steps.every(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'selection');
}
