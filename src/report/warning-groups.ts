import { allSteps, type LocatedFinding, type RunResult, type StepResult } from '../runner/run-result';
import { foldPointer } from './fingerprint';
import { groupBy, type Group } from './group-by';

/** A warning with the step that it is about. */
export interface StepWarning {
  readonly step: StepResult;
  readonly finding: LocatedFinding;
}

/** Findings that fail nothing, those that say the same together. */
export function warningGroups(result: RunResult): Group<StepWarning>[] {
  const warnings = allSteps(result).flatMap((step) => step.warnings.map((finding) => ({ step, finding })));
  return groupBy(warnings, ({ finding: { check, at, message } }) =>
    JSON.stringify([check, foldPointer(at), foldPointer(message)]),
  );
}
