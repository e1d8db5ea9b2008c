import { counted } from '../errors/counted';
import { neverAnswered, allSteps, type Outcome, type RunResult, type Verdict } from '../runner/run-result';
import type { RootCause } from './root-cause';

export { counted };

/** An outcome as reports write it. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  conforms: 'CONFORMS',
  violations: 'VIOLATIONS',
  'cannot-judge': 'CANNOT JUDGE',
  inconclusive: 'INCONCLUSIVE',
  'left-behind': 'LEFT BEHIND',
};

/** A verdict as reports write it. */
export const VERDICT_WORDS: Readonly<Record<Verdict['kind'], string>> = {
  fail: 'failed',
  error: 'could not be judged',
  pass: 'passed',
  skipped: 'skipped',
};

/** `3 times in 3 steps`; several findings of one step are no several times. */
export function extentText({ kind, count, steps }: Pick<RootCause, 'kind' | 'count' | 'steps'>): string {
  const where = counted(steps.length, 'step');
  if (kind === 'run' || count === steps.length) return `${counted(steps.length, 'time')} in ${where}`;
  return `${counted(count, 'finding')} in ${where}`;
}

/** What else is said of a cause, one line each; of many the first ones. */
export function otherViews({ others }: Pick<RootCause, 'others'>): string[] {
  const shown = others.slice(0, MOST_VIEWS).map(({ finding: { check, message, expected, actual }, owned }) => {
    const details = [
      ...(expected === undefined ? [] : [`expected ${expected}`]),
      ...(actual === undefined ? [] : [`actual ${actual}`]),
    ];
    return `${check} ${message}${details.length === 0 ? '' : ` (${details.join(', ')})`}, in ${owned.step.name}`;
  });
  const rest = others.length - MOST_VIEWS;
  return rest > 0 ? [...shown, `and with ${counted(rest, 'other expectation')}`] : shown;
}

const MOST_VIEWS = 3;

/** Operations that gave no answer, in the order of the description, and which of them were to be called. */
export function unanswered(result: RunResult): { readonly operation: string; readonly wasMeant: boolean }[] {
  const missed = new Set(neverAnswered(allSteps(result)));
  const silent = result.coverage.filter(({ statuses }) => statuses.length === 0);
  return silent.map(({ operation }) => ({ operation, wasMeant: missed.has(operation) }));
}
