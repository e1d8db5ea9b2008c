import type { RunResult } from '../../runner/result/run-result';
import type { RootCause } from './root-cause';
import { rootCauses } from './root-causes';

/** What became of the causes of an earlier run, by their fingerprints. */
export interface Comparison {
  /** The earlier run. */
  readonly runId: string;
  readonly startedAt: string;
  /** Fingerprints of causes that only the later run has. */
  readonly fresh: ReadonlySet<string>;
  /** Causes that only the earlier run has, and whose operations the later one called: they are gone. */
  readonly fixed: readonly RootCause[];
  /** Causes that only the earlier run has, and of whose operations the later one called none: nobody knows. */
  readonly notTried: readonly RootCause[];
  /** How many both have. */
  readonly same: number;
}

/** Compares the causes of two runs; the same fingerprint is the same cause. */
export function compareResults(earlier: RunResult, later: RunResult): Comparison {
  const [before, after] = [rootCauses(earlier), rootCauses(later)];
  const known = new Set(before.map(({ fingerprint }) => fingerprint));
  const now = new Set(after.map(({ fingerprint }) => fingerprint));
  const called = new Set(later.coverage.flatMap(({ operation, statuses }) => (statuses.length > 0 ? [operation] : [])));
  const gone = before.filter(({ fingerprint }) => !now.has(fingerprint));
  const isTried = ({ operations }: RootCause): boolean =>
    operations.length === 0 ? called.size > 0 : operations.some((operation) => called.has(operation));
  return {
    runId: earlier.runId,
    startedAt: earlier.startedAt,
    fresh: new Set([...now].filter((fingerprint) => !known.has(fingerprint))),
    fixed: gone.filter(isTried),
    notTried: gone.filter((cause) => !isTried(cause)),
    same: [...now].filter((fingerprint) => known.has(fingerprint)).length,
  };
}

/** `2 new, 1 fixed, 3 as before`, and how many could not be told. */
export function comparisonText({ fresh, fixed, same, notTried }: Comparison): string {
  const unknown = notTried.length === 0 ? '' : `, ${notTried.length} not tried again`;
  return `${fresh.size} new, ${fixed.length} fixed, ${same} as before${unknown}`;
}
