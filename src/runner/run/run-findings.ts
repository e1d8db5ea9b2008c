import type { RunFinding } from '../../checks/observed-exchange';
import { checkRun } from '../../checks/run/registry';
import type { Finding } from '../../core/errors/finding';
import type { Step } from '../../formats/contract/contract';
import { locate } from '../exchange/finding-location';
import type { Run } from '../exchange/run-state';
import { allSteps, failuresOf } from '../result/outcome';
import type { LocatedFinding, RunResult, StepResult } from '../result/run-result';
import { LOCK_STEP } from '../result/runner-checks';
import { maskFinding, redactFinding, reportRedaction } from '../result/step-redaction';
import { ResponseExcerpts } from './response-excerpts';
import { stillPending } from './step-verdict';

/**
 * What the exchanges of a run say together, added to the steps that are at fault; and what failing steps were answered.
 *
 * @returns the results in the same order; those of exchanges that belong to no step are probes
 */
export function addRunFindings(run: Run, results: Pick<RunResult, 'contracts' | 'probes'>): typeof results {
  const steps = allSteps(results);
  const added = new Map<StepResult, LocatedFinding[]>();
  const { findings, compared } = checkRun(run.log.exchanges(), run.api);
  const told = new Set(steps.flatMap(({ warnings }) => warnings.map(({ message }) => message)));
  const withState = new Set(compared.map((index) => run.log.resultAt(index)));
  for (const finding of findings) {
    const step = stepOf(run, finding, steps);
    // What a step alone shows needs no second check to say it.
    if (step === undefined || (finding.severity === 'warning' && told.has(finding.message))) continue;
    added.set(step, [...(added.get(step) ?? []), shownRunFinding(run, step, plainFinding(finding))]);
  }
  const evidence = new ResponseExcerpts(run);
  const complete = (step: StepResult): StepResult => {
    const own = added.get(step) ?? [];
    const before = withoutRepeated(lookedAt(step, withState), own);
    return evidence.addTo(step, withPromoted(run, withFindings(before, own, run.pendingReasons.get(step)), step));
  };
  const others = [...added.keys()].filter((step) => !steps.includes(step));
  return {
    contracts: results.contracts.map((contract) => ({ ...contract, steps: contract.steps.map(complete) })),
    probes: [...results.probes, ...others].map(complete),
  };
}

/** A finding that several exchanges show, as a report of one of them has it. */
export function shownRunFinding(run: Run, step: StepResult, finding: Finding): LocatedFinding {
  const redaction = reportRedaction(run.api, run.api.operationById(step.operation ?? ''));
  return maskFinding(redactFinding(locate(run.api, finding), run.redact), redaction);
}

/** The step of the exchange, or of the one that it disagrees with where only that one is in the contracts. */
function stepOf(run: Run, { exchange, earlier }: RunFinding, steps: readonly StepResult[]): StepResult | undefined {
  const [own, other] = [run.log.resultAt(exchange), run.log.resultAt(earlier)];
  const isStep = (result: StepResult | undefined): boolean => result !== undefined && steps.includes(result);
  return isStep(own) || !isStep(other) ? own : other;
}

/** Puts results in the place of those that they say more than. */
export function replaceResults(
  run: Run,
  { results, ended }: { readonly results: StepResult[]; readonly ended: Map<Step, StepResult> },
  judged: ReadonlyMap<StepResult, StepResult>,
): void {
  for (const [step, before] of [...ended]) {
    const after = judged.get(before);
    if (after === undefined) continue;
    run.log.replace(before, after);
    const pending = run.pendingReasons.get(before);
    if (pending !== undefined) run.pendingReasons.set(after, pending);
    results.splice(results.indexOf(before), 1, after);
    ended.set(step, after);
  }
}

/** The finding alone: its places in the run mean nothing in a report. */
export function plainFinding({
  check,
  severity,
  at,
  message,
  expected,
  actual,
  spec,
  hint,
  identity,
}: RunFinding): Finding {
  return { check, severity, at, message, expected, actual, spec, hint, identity };
}

/** Of what was compared with other exchanges the state was looked at. */
function lookedAt(step: StepResult, withState: ReadonlySet<StepResult | undefined>): StepResult {
  const { areas = [] } = step;
  return withState.has(step) && !areas.includes('state') ? { ...step, areas: [...areas, 'state'] } : step;
}

/** What a check of the run says of the same place as the comparison with a mock is said by it alone. */
function withoutRepeated(step: StepResult, added: readonly LocatedFinding[]): StepResult {
  const told = new Set(added.filter(({ severity }) => severity === 'error').map(({ at }) => at));
  const isOther = ({ check, at }: LocatedFinding): boolean => check !== LOCK_STEP.id || !told.has(at);
  if (told.size === 0) return step;
  const { verdict, warnings } = step;
  const findings = verdict.kind === 'fail' ? verdict.findings.filter(isOther) : [];
  const others = verdict.kind === 'fail' ? { kind: 'fail' as const, findings } : verdict;
  return { ...step, verdict: others, warnings: warnings.filter(isOther) };
}

/** Warnings of checks that are to fail the run fail their step, unless it is one that fails nothing. */
function withPromoted({ promoted, pendingReasons }: Run, step: StepResult, sent: StepResult): StepResult {
  const { verdict, warnings } = step;
  const isJudged = verdict.kind === 'pass' || verdict.kind === 'fail';
  if (promoted === undefined || !isJudged || pendingReasons.has(sent)) return step;
  const isPromoted = ({ check, severity }: LocatedFinding): boolean =>
    severity === 'warning' && (promoted.has('all') || promoted.has(check));
  const errors = warnings.filter(isPromoted).map((finding) => ({ ...finding, severity: 'error' }) as const);
  const rest = warnings.filter((finding) => !isPromoted(finding));
  return errors.length === 0 ? step : withFindings({ ...step, warnings: rest }, errors, undefined);
}

/** A step that fails nothing, such as a pending one, takes what was found as a warning. */
export function withFindings(
  step: StepResult,
  findings: readonly LocatedFinding[],
  pending: string | undefined,
): StepResult {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const others = findings.filter(({ severity }) => severity !== 'error');
  const warnings = [...step.warnings, ...others];
  if (errors.length === 0) return others.length === 0 ? step : { ...step, warnings };
  const { verdict } = step;
  // What the contract lets a service refuse was sent, and is judged by what others say of it.
  const isRefused = verdict.kind === 'skipped' && verdict.cause === 'refused';
  if (verdict.kind === 'pass' || verdict.kind === 'fail' || isRefused) {
    const findings = [...failuresOf(step), ...errors];
    const failed: StepResult = { ...step, verdict: { kind: 'fail', findings }, warnings };
    return pending === undefined ? failed : stillPending(failed, pending);
  }
  const softened = errors.map((finding) => ({ ...finding, severity: 'warning' }) as const);
  return { ...step, warnings: [...warnings, ...softened] };
}
