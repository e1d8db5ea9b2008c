import { matchValue } from '../../checks/matchers/match-value';
import { describeMatcher } from '../../checks/matchers/mismatch';
import type { Finding } from '../../core/errors/finding';
import type { Step } from '../../formats/contract/contract';
import type { ExchangeOutcome } from '../exchange/exchange';
import { locate } from '../exchange/finding-location';
import type { Interaction } from '../exchange/interaction';
import type { Run } from '../exchange/run-state';
import type { LocatedFinding, StepResult } from '../result/run-result';
import { SUCCESSES_EXPECTED } from '../result/runner-checks';
import { withFindings } from './run-findings';

/**
 * Compares how many requests of a group succeeded with what one of its steps says (`successes`). Where one of them was
 * not sent, or not answered, there is nothing to count.
 *
 * @returns the outcomes in the same order
 */
export function countSuccesses(
  run: Run,
  steps: readonly Step[],
  interactions: readonly Interaction[],
  outcomes: readonly ExchangeOutcome[],
): readonly ExchangeOutcome[] {
  const index = steps.findIndex(({ successes }) => successes !== undefined);
  const [wanted, interaction, outcome] = [steps[index]?.successes, interactions[index], outcomes[index]];
  const statuses = outcomes.flatMap(({ response }) => response?.status ?? []);
  if (wanted === undefined || interaction === undefined || outcome === undefined) return outcomes;
  if (statuses.length < steps.length) return outcomes;
  const count = statuses.filter((status) => status >= 200 && status < 300).length;
  if (matchValue(wanted, count).mismatches.length === 0) return outcomes;
  const finding: Finding = {
    check: SUCCESSES_EXPECTED.id,
    severity: 'error',
    at: '/response/status',
    message: 'Of the requests that were sent at the same time another number succeeded than is right',
    expected: `${describeMatcher(wanted)} of ${steps.length}`,
    actual: `${count}: ${steps.map(({ name }, each) => `"${name}" ${statuses[each]}`).join(', ')}`,
    spec: interaction.operation?.pointer,
    hint: 'What the service looks at before it writes may be another by then: look and write as one, or with a condition.',
  };
  const counted = withMore(run, outcome, () => [locate(run.api, finding)]);
  return outcomes.map((each) => (each === outcome ? counted : each));
}

/** An outcome with further findings, which are made once its result is there. */
export function withMore(
  run: Run,
  outcome: ExchangeOutcome,
  findingsFor: (before: StepResult) => readonly LocatedFinding[],
): ExchangeOutcome {
  const result = outcome.result.then((before) => {
    const after = withFindings(before, findingsFor(before), undefined);
    if (after !== before) run.log.replace(before, after);
    return after;
  });
  // Who awaits it gets the error all the same.
  result.catch(() => undefined);
  return { ...outcome, result };
}
