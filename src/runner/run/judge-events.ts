import type { JsonValue } from '../../core/json/json-value';
import type { Step } from '../../formats/contract/contract';
import type { EventFinding, EventWatch } from '../events/await-events';
import type { ExchangeOutcome } from '../exchange/exchange';
import { locate } from '../exchange/finding-location';
import type { Run } from '../exchange/run-state';
import type { LocatedFinding, StepResult } from '../result/run-result';
import { maskFinding, redactFinding, reportRedaction } from '../result/step-redaction';
import { withFindings } from './run-findings';
import { withMore } from './successes';

/**
 * Waits for the events of steps that were answered, and adds what is wrong with them. A step that was not answered as
 * expected causes none, nor is anything known of one that lacks a value.
 *
 * @param values - with what the responses gave
 * @returns the outcomes in the same order
 */
export async function withEvents(
  run: Run,
  watch: EventWatch,
  steps: readonly Step[],
  outcomes: readonly ExchangeOutcome[],
  values: ReadonlyMap<string, JsonValue>,
): Promise<readonly ExchangeOutcome[]> {
  const judged: ExchangeOutcome[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const step = steps[index];
    const { response, captured } = outcome;
    const isDone = response !== undefined && step?.expect.statuses.includes(response.status) === true;
    const isKnown = step?.captures.every(({ name }) => captured.has(name)) === true;
    const found = step !== undefined && isDone && isKnown ? await watch.after(step, values) : [];
    const shown = found.map((each) => shownFinding(run, each));
    judged.push(shown.length === 0 ? outcome : withMore(run, outcome, () => shown));
  }
  return judged;
}

/** What only the whole contract shows of its events. @returns what becomes of results */
export function eventsOfAll(
  run: Run,
  watch: EventWatch,
  ended: ReadonlyMap<Step, StepResult>,
): ReadonlyMap<StepResult, StepResult> {
  const judged = new Map<StepResult, StepResult>();
  for (const { step, found } of watch.end()) {
    const result = ended.get(step);
    if (result === undefined) continue;
    const before = judged.get(result) ?? result;
    judged.set(result, withFindings(before, [shownFinding(run, found)], run.pendingReasons.get(result)));
  }
  return judged;
}

/** A finding about what the service sent, as a report has it. */
function shownFinding(run: Run, { event, finding }: EventFinding): LocatedFinding {
  return maskFinding(redactFinding(locate(run.api, finding), run.redact), reportRedaction(run.api, event.request));
}
