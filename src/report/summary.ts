import { allSteps, tallyOf, type RunResult, type StepResult } from '../runner/run-result';
import { rootCauses } from './root-causes';
import { explainsContracts } from './run-cause';
import { warningGroups } from './warning-groups';
import { counted, VERDICT_WORDS } from './wording';

/** `2 failed, 10 passed, 3 skipped, 1 pending`, the worst first. A pending step was sent: it is no skipped one. */
export function countsText(steps: readonly StepResult[]): string {
  const pending = steps.filter(isPending).length;
  const tally = tallyOf(steps.filter((step) => !isPending(step)));
  const parts = (['fail', 'error', 'pass', 'skipped'] as const)
    .filter((kind) => tally[kind] > 0)
    .map((kind) => `${tally[kind]} ${VERDICT_WORDS[kind]}`);
  const all = pending === 0 ? parts : [...parts, `${pending} pending`];
  return all.length === 0 ? 'nothing was executed' : all.join(', ');
}

/** What became of all steps, and how many different warnings there are. */
export function summaryText(result: RunResult): string {
  const warnings = warningGroups(result).length;
  return `${countsText(allSteps(result))}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}`;
}

/** `Mode own · shard 1 of 3 · 17 of 18 operations answered a step as expected`. */
export function scopeText(result: RunResult): string {
  const { mode, shard, coverage } = result;
  const good = goodOperations(result);
  const known = coverage.filter(({ operation }) => good.has(operation)).length;
  return [
    `Mode ${mode}`,
    ...(shard === undefined ? [] : [`shard ${shard.index} of ${shard.count}`]),
    ...(coverage.length === 0
      ? []
      : [`${known} of ${counted(coverage.length, 'operation')} answered a step as expected`]),
  ].join(' · ');
}

/**
 * What a wrong address or a gateway answers is no answer of an operation, even where a step expects this status; and a
 * probe asks for a refusal alone.
 */
function goodOperations(result: RunResult): ReadonlySet<string> {
  const explained = new Set(
    rootCauses(result).flatMap((cause) =>
      explainsContracts(cause) && cause.check !== 'wrong-key' ? cause.steps.map(({ step }) => step.status) : [],
    ),
  );
  const good = allSteps(result).filter(({ phase, verdict, status }) => {
    return phase !== 'auth' && verdict.kind === 'pass' && !explained.has(status);
  });
  return new Set(good.flatMap(({ operation }) => operation ?? []));
}

/** Did a contract call the step pending? It was sent and judged, but what was found fails nothing. */
export function isPending({ verdict }: StepResult): boolean {
  return verdict.kind === 'skipped' && verdict.cause === 'pending';
}
