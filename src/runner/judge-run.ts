import type { Finding } from '../checks/finding';
import { checkRun } from '../checks/run';
import type { RunFinding } from '../checks/run/run-check';
import { locate } from './exchange';
import { Evidence } from './evidence';
import { maskFinding, reportRedaction } from './mask-credentials';
import { stillPending } from './pending';
import { redactFinding } from './redact';
import type { Run } from './run';
import type { LocatedFinding, StepResult } from './run-result';

/**
 * What the exchanges of a run say together, added to the steps that are at fault; and what failing steps were answered.
 *
 * @param steps - the results so far, in their order
 * @returns as many results, in the same order, and those of exchanges that belong to no step
 */
export function judgeRun(
  run: Run,
  steps: readonly StepResult[],
): { readonly steps: readonly StepResult[]; readonly others: readonly StepResult[] } {
  const added = new Map<StepResult, LocatedFinding[]>();
  for (const finding of checkRun(run.log.exchanges(), run.api)) {
    const step = stepOf(run, finding, steps);
    if (step === undefined) continue;
    const redaction = reportRedaction(run.api, run.api.operationById(step.operation ?? ''));
    const located = maskFinding(redactFinding(locate(run.api, withoutPlaces(finding)), run.redact), redaction);
    added.set(step, [...(added.get(step) ?? []), located]);
  }
  const evidence = new Evidence(run);
  const judged = (step: StepResult): StepResult => evidence.addTo(step, withFindings(step, added.get(step) ?? []));
  const known = new Set(steps);
  return { steps: steps.map(judged), others: [...added.keys()].filter((step) => !known.has(step)).map(judged) };
}

/** The step of the exchange, or of the one that it disagrees with where only that one is in the contracts. */
function stepOf(run: Run, { exchange, earlier }: RunFinding, steps: readonly StepResult[]): StepResult | undefined {
  const [own, other] = [run.log.resultAt(exchange), run.log.resultAt(earlier)];
  const isStep = (result: StepResult | undefined): boolean => result !== undefined && steps.includes(result);
  return isStep(own) || !isStep(other) ? own : other;
}

/** The finding alone: its places in the run mean nothing in a report. */
function withoutPlaces({ check, severity, at, message, expected, actual, spec, hint }: RunFinding): Finding {
  return { check, severity, at, message, expected, actual, spec, hint };
}

/** A step that fails nothing, such as a pending one, takes what was found as a warning. */
function withFindings(step: StepResult, findings: readonly LocatedFinding[]): StepResult {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const others = findings.filter(({ severity }) => severity !== 'error');
  const warnings = [...step.warnings, ...others];
  if (errors.length === 0) return others.length === 0 ? step : { ...step, warnings };
  const { verdict } = step;
  if (verdict.kind === 'pass')
    return (
      stillPending({ ...step, warnings }, errors) ?? { ...step, verdict: { kind: 'fail', findings: errors }, warnings }
    );
  if (verdict.kind === 'fail') {
    return { ...step, verdict: { kind: 'fail', findings: [...verdict.findings, ...errors] }, warnings };
  }
  const softened = errors.map((finding) => ({ ...finding, severity: 'warning' }) as const);
  return { ...step, warnings: [...warnings, ...softened] };
}
