import type { LocatedFinding, StepResult } from './run-result';

const CHECK = 'pending';
/** The reason of the contract goes on after it. */
const PASSES = 'The step passes and is still marked as pending: ';

/** A pending step is sent and judged, but what it finds fails nothing; that it has nothing left to find is told. */
export function whilePending(result: StepResult, pending: string): StepResult {
  const { verdict, warnings } = result;
  const reason = `pending: ${pending}`;
  if (verdict.kind === 'fail') {
    const findings = verdict.findings.map((finding) => ({ ...finding, severity: 'warning' }) as const);
    return { ...result, verdict: { kind: 'skipped', reason, cause: 'pending' }, warnings: [...findings, ...warnings] };
  }
  if (verdict.kind !== 'pass') return result;
  const message = `${PASSES}${pending}`;
  const over = { check: CHECK, severity: 'warning', at: '/request', message, hint: 'Take the mark away.' } as const;
  return { ...result, warnings: [...warnings, over] };
}

/**
 * What was found over the whole run, of a pending step that passed on its own: it has something left to find, and fails
 * nothing.
 *
 * @returns `undefined` for a step that is not pending
 */
export function stillPending(step: StepResult, errors: readonly LocatedFinding[]): StepResult | undefined {
  const mark = step.warnings.find(({ check }) => check === CHECK);
  if (mark === undefined) return undefined;
  const warnings = step.warnings.filter((warning) => warning !== mark);
  return whilePending(
    { ...step, verdict: { kind: 'fail', findings: errors }, warnings },
    mark.message.slice(PASSES.length),
  );
}
