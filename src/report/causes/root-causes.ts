import { HTML_PAGE, REQUEST_BODY, REQUEST_PARAMETER, REQUEST_UNDOCUMENTED } from '../../checks/traffic-checks';
import type { LocatedFinding, RunError, RunResult, StepResult } from '../../runner/result/run-result';
import { fingerprintFindings, isCredentialRejection, shortHash } from './fingerprint';
import { type OtherView, type OwnedStep, ownedSteps, type RootCause, type Suspect } from './root-cause';
import { findRunCause, NO_KEY_ASKED, type RunCause } from './whole-run-cause';

/**
 * The step because of which a step was skipped: the one of its contract that its verdict names, through others that
 * were skipped themselves, else the first of its contract that failed; for a lost target the step that lost it.
 *
 * @returns `undefined` for a step that was sent, or left out on purpose
 */
function causingStep(owned: OwnedStep, all: readonly OwnedStep[]): OwnedStep | undefined {
  const { verdict } = owned.step;
  if (verdict.kind !== 'skipped') return undefined;
  if (verdict.cause === 'target-lost') return all.find(isTargetLoss);
  if (verdict.cause !== 'missing-value' && verdict.cause !== 'setup-failed') return undefined;
  const before = all.slice(0, all.indexOf(owned)).filter(({ contract }) => contract === owned.contract);
  const named = before.findLast(({ step }) => step.name === verdict.because);
  if (named !== undefined && hasFailed(named)) return named;
  return (named === undefined ? undefined : causingStep(named, all)) ?? before.find(hasFailed);
}

function hasFailed({ step: { verdict } }: OwnedStep): boolean {
  return verdict.kind === 'fail' || verdict.kind === 'error';
}

function isTargetLoss({ step: { verdict } }: OwnedStep): boolean {
  return verdict.kind === 'error' && verdict.error.code.startsWith('TRANSPORT_');
}

/** A cause on its way: what is known of it from its first step, and what it gathers. */
interface CauseBuilder {
  readonly about: Omit<RootCause, 'operations' | 'steps' | 'count' | 'consequences' | 'others'>;
  readonly steps: Set<OwnedStep>;
  /** By what they say. */
  readonly others: Map<string, OtherView>;
  count: number;
  consequences: number;
}

/**
 * Why a run is not green: one cause for everything that has the same reason. First what explains the whole run, then
 * what checks found, then what could not be checked, each in the order met. Steps that were skipped because an earlier
 * one failed are counted at its cause.
 */
export function rootCauses(result: RunResult): readonly RootCause[] {
  const steps = ownedSteps(result);
  return causesOf(result, steps, findRunCause(steps, result));
}

/** The same, but what strangers were not rejected stays a matter of each finding, which can be accepted. */
export function acceptableCauses(result: RunResult): readonly RootCause[] {
  const steps = ownedSteps(result);
  const runCause = findRunCause(steps, result);
  return causesOf(result, steps, runCause?.check === NO_KEY_ASKED ? undefined : runCause);
}

function causesOf(
  result: RunResult,
  steps: readonly OwnedStep[],
  runCause: RunCause | undefined,
): readonly RootCause[] {
  const causes = new Map<string, CauseBuilder>();
  const gather = (owned: OwnedStep, { about, finding }: Reason): void => {
    const known = causes.get(about.fingerprint);
    const cause = known ?? { about, steps: new Set(), others: new Map(), count: 0, consequences: 0 };
    if (known === undefined) causes.set(about.fingerprint, cause);
    cause.steps.add(owned);
    cause.count += owned.step.times ?? 1;
    if (finding !== undefined && !isRedundant(finding, owned, cause.about)) {
      const view = viewOf(finding);
      if (!cause.others.has(view)) cause.others.set(view, { finding, owned });
    }
  };
  for (const owned of steps) {
    for (const reason of reasonsOf(owned, runCause, result.runId)) gather(owned, reason);
  }
  for (const owned of steps) {
    const source = causingStep(owned, steps);
    const cause = source === undefined ? undefined : [...causes.values()].find((each) => each.steps.has(source));
    if (cause !== undefined) cause.consequences += 1;
  }
  const order: readonly RootCause['kind'][] = ['run', 'finding', 'error'];
  return [...causes.values()].map(finish).sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
}

/** Why a step is not green: the cause, and the finding that it stands for where that may say something else. */
interface Reason {
  readonly about: CauseBuilder['about'];
  readonly finding?: LocatedFinding;
}

/** Does a finding say nothing that its cause does not? The statuses that each operation documents are of no interest. */
function isRedundant(finding: LocatedFinding, { step }: OwnedStep, about: CauseBuilder['about']): boolean {
  if (finding.omitted !== undefined || viewOf(finding) === viewOf(about)) return true;
  // A stranger who is not rejected got a status that no operation has for that.
  if (step.phase === 'auth' && about.check === 'status-expected' && OF_STATUS.has(finding.check)) return true;
  return finding.check === about.check && isCredentialRejection(step, finding);
}

const OF_STATUS: ReadonlySet<string> = new Set(['status-expected', 'status-documented']);

function viewOf({ check, expected }: Pick<LocatedFinding, 'check' | 'expected'>): string {
  return JSON.stringify([check, expected]);
}

function reasonsOf(owned: OwnedStep, runCause: RunCause | undefined, runId: string): Reason[] {
  const { step } = owned;
  const { verdict } = step;
  const explained = runCause?.steps.includes(owned) === true ? runCause : undefined;
  if (verdict.kind === 'fail') {
    if (explained !== undefined) return verdict.findings.map((finding) => ({ about: explain(explained, finding) }));
    return fingerprintFindings(step, verdict.findings, runId).map(({ finding, primary, fingerprint }) => ({
      about: {
        fingerprint,
        kind: 'finding',
        suspect: suspectOf(step, primary, verdict.findings),
        ...detailsOf(primary),
      },
      finding,
    }));
  }
  if (verdict.kind !== 'error') return [];
  return [{ about: explained === undefined ? errorCause(verdict.error) : explain(explained, undefined) }];
}

function explain(cause: RunCause, finding: LocatedFinding | undefined): CauseBuilder['about'] {
  const { fingerprint, suspect, check, message, expected, hint } = cause;
  // No single line of the description and no field is to blame.
  const nowhere = { at: undefined, place: undefined };
  return { fingerprint, kind: 'run', suspect, check, message, expected, actual: finding?.actual, hint, ...nowhere };
}

function detailsOf({
  check,
  message,
  at,
  expected,
  actual,
  place,
  hint,
}: LocatedFinding): Pick<RootCause, 'check' | 'message' | 'at' | 'expected' | 'actual' | 'place' | 'hint'> {
  return { check, message, at, expected, actual, place, hint };
}

/** Of recorded traffic: what a service accepts is rather missing in the description. */
const RECORDED_SUSPECTS: ReadonlyMap<string, Suspect> = new Map([
  [REQUEST_UNDOCUMENTED.id, 'description'],
  [REQUEST_PARAMETER.id, 'description'],
  [REQUEST_BODY.id, 'description'],
  [HTML_PAGE.id, 'gateway'],
]);

/** A key that is not taken is first that of who started the run; a status that the contract was content with, and that is not documented, is rather missing in the description. */
function suspectOf(step: StepResult, finding: LocatedFinding, all: readonly LocatedFinding[]): Suspect {
  const { check } = finding;
  const recorded = RECORDED_SUSPECTS.get(check);
  if (recorded !== undefined) return recorded;
  if (check === 'status-expected' && isCredentialRejection(step, finding)) return 'runner settings';
  const isAsExpected = !all.some((finding) => finding.check === 'status-expected');
  return check === 'status-documented' && isAsExpected ? 'description' : 'service';
}

function errorCause({ code, message, hint, findings }: RunError): CauseBuilder['about'] {
  const family = /^[A-Z]+/.exec(code)?.[0] ?? '';
  const suspects: Readonly<Record<string, Suspect>> = { SPEC: 'description', TRANSPORT: 'service' };
  const [first] = findings;
  return {
    // The message of a transport names how long was waited and the like: one code is one cause there.
    fingerprint: shortHash(['*', code, family === 'TRANSPORT' ? '' : message]),
    kind: 'error',
    suspect: suspects[family] ?? 'runner settings',
    check: code,
    message,
    at: undefined,
    expected: first?.expected,
    actual: undefined,
    place: first?.line === undefined ? undefined : `${first.file}:${first.line}:${first.column ?? 1}`,
    hint: hint ?? first?.hint,
  };
}

function finish({ about, steps, others, count, consequences }: CauseBuilder): RootCause {
  const [first, ...rest] = steps;
  if (first === undefined) throw new Error('A cause is gathered from at least one step');
  const operations = new Set([...steps].flatMap(({ step }) => step.operation ?? []));
  return {
    ...about,
    operations: [...operations],
    steps: [first, ...rest],
    others: [...others.values()],
    count,
    consequences,
  };
}
