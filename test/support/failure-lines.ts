import { allSteps } from '../../src/runner/result/outcome';
import type { LocatedFinding, RunResult, StepResult } from '../../src/runner/result/run-result';

/** A line for each finding that a step of a run failed by. */
export function failureLines(result: RunResult, tell: (step: StepResult, finding: LocatedFinding) => string): string[] {
  return allSteps(result).flatMap((step) =>
    step.verdict.kind === 'fail' ? step.verdict.findings.map((finding) => tell(step, finding)) : [],
  );
}

/** The same with what kept steps from being judged. */
export function problemsOf(result: RunResult): string[] {
  const errors = allSteps(result).flatMap(({ name, verdict }) =>
    verdict.kind === 'error' ? [`${name}: ${verdict.error.message}`] : [],
  );
  return [
    ...errors,
    ...failureLines(result, ({ name }, { check, at, message }) => `${name}: ${check} ${at} ${message}`),
  ];
}
