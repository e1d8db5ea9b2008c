import type { RunResult } from '../runner/run-result';
import { ownedSteps, type OwnedStep } from './owned-step';
import { runProblems, type RunProblem } from './run-problems';

/** One line of a report of tests: a step, or something that is wrong with the run as a whole. */
export type ReportCase =
  | ({ readonly kind: 'step'; readonly suite: string; readonly name: string } & OwnedStep)
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
  return [
    ...ownedSteps(result).map((owned): ReportCase => {
      const suite = owned.contract === undefined ? PROBES : (suites.get(owned.contract) ?? owned.contract.name);
      return { kind: 'step', suite, name: unique(suite, owned.step.name), ...owned };
    }),
    ...runProblems(result).map((problem): ReportCase => {
      return { kind: 'problem', suite: RUN, name: unique(RUN, `${problem.id}: ${problem.subject}`), problem };
    }),
  ];
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
