import type { RunResult, StepResult } from '../runner/run-result';
import { ownedSteps, type OwnedStep } from './owned-step';
import type { RootCause } from './root-cause';
import { rootCauses } from './root-causes';
import { runProblems, type RunProblem } from './run-problems';

/** One line of a report of tests: a step, or something that is wrong with the run as a whole. */
export type ReportCase =
  | ({
      readonly kind: 'step';
      readonly suite: string;
      readonly name: string;
      /** Why it is not green, by the name that every report gives it; of several the first. */
      readonly cause: RootCause | undefined;
    } & OwnedStep)
  | { readonly kind: 'problem'; readonly suite: string; readonly name: string; readonly problem: RunProblem };

const PROBES = 'auth behaviour';
const RUN = 'run';

/** Every step and every problem of the run; no two have the same suite and the same name. */
export function reportCases(result: RunResult): ReportCase[] {
  const names = new Map<string, number>();
  // Readers of reports take two cases with one name for one, and drop the second.
  const unique = (suite: string, name: string): string => {
    const key = JSON.stringify([suite, name]);
    const count = (names.get(key) ?? 0) + 1;
    names.set(key, count);
    return count === 1 ? name : unique(suite, `${name} (${count})`);
  };
  const suites = suiteNames(result);
  const causes = causesByStep(result);
  return [
    ...ownedSteps(result).map((owned): ReportCase => {
      const suite = owned.contract === undefined ? PROBES : (suites.get(owned.contract) ?? owned.contract.name);
      return { kind: 'step', suite, name: unique(suite, owned.step.name), cause: causes.get(owned.step), ...owned };
    }),
    ...runProblems(result).map((problem): ReportCase => {
      return { kind: 'problem', suite: RUN, name: unique(RUN, `${problem.id}: ${problem.subject}`), problem };
    }),
  ];
}

function causesByStep(result: RunResult): ReadonlyMap<StepResult, RootCause> {
  const causes = new Map<StepResult, RootCause>();
  for (const cause of rootCauses(result)) {
    for (const { step } of cause.steps) if (!causes.has(step)) causes.set(step, cause);
  }
  return causes;
}

/** The names of the contracts, with their files where two share a name. */
function suiteNames({ contracts }: RunResult): ReadonlyMap<object, string> {
  return new Map(
    contracts.map((contract) => {
      const { name, file } = contract;
      const isShared = contracts.filter((other) => other.name === name).length > 1 || name === PROBES || name === RUN;
      return [contract, isShared ? `${name} (${file})` : name];
    }),
  );
}
