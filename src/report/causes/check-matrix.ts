import { CHECK_AREAS, type CheckArea } from '../../core/errors/finding';
import { groupBy } from '../../core/text/group-by';
import { allSteps, failuresOf } from '../../runner/result/outcome';
import type { LocatedFinding, RunResult, StepResult } from '../../runner/result/run-result';
import { areaOf } from './fingerprint';
import type { RootCause } from './root-cause';
import { rootCauses } from './root-causes';

/** What is known of one operation in one area: `open` where nothing was looked at. */
export type CellState = 'fail' | 'error' | 'pass' | 'open';

export interface MatrixCell {
  readonly state: CellState;
  /** Steps and probes in which it failed, or in which it was looked at. */
  readonly steps: number;
  /** The first cause that shows here. */
  readonly cause: string | undefined;
}

export interface MatrixRow {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
  readonly cells: Readonly<Record<CheckArea, MatrixCell>>;
}

/** Operations × what checks look at: what failed, what was right, and what nobody looked at. */
export function checkMatrix(result: RunResult): MatrixRow[] {
  const byOperation = new Map(
    groupBy(allSteps(result), ({ operation = '' }) => operation).map((steps) => [steps[0].operation, steps] as const),
  );
  const causes = new Map<StepResult, RootCause>();
  for (const cause of rootCauses(result)) {
    for (const { step } of cause.steps) if (!causes.has(step)) causes.set(step, cause);
  }
  return result.coverage.map(({ operation, method, path, statuses }) => {
    const steps = byOperation.get(operation) ?? [];
    const cells = CHECK_AREAS.map((area) => [area, cellOf(steps, area, causes)] as const);
    return {
      operation,
      method,
      path,
      statuses,
      cells: Object.fromEntries(cells) as MatrixRow['cells'],
    };
  });
}

function cellOf(steps: readonly StepResult[], area: CheckArea, causes: ReadonlyMap<StepResult, RootCause>): MatrixCell {
  const failed = steps.filter((step) => failuresOf(step).some((finding) => areaIn(step, finding) === area));
  const [first] = failed;
  if (first !== undefined) return { state: 'fail', steps: failed.length, cause: causes.get(first)?.fingerprint };
  const looked = steps.filter(({ areas = [] }) => areas.includes(area));
  if (looked.length > 0) return { state: 'pass', steps: looked.length, cause: undefined };
  const broken = area === 'http' ? steps.filter(({ verdict }) => verdict.kind === 'error') : [];
  const [error] = broken;
  if (error !== undefined) return { state: 'error', steps: broken.length, cause: causes.get(error)?.fingerprint };
  return { state: 'open', steps: 0, cause: undefined };
}

/** A probe asks about credentials, whichever check tells the answer. */
function areaIn({ phase }: StepResult, finding: LocatedFinding): CheckArea {
  return phase === 'auth' ? 'auth' : areaOf(finding);
}
