import { isConventional, statusDocumented } from '../../checks/response/status/status-checks';
import type { Step } from '../../formats/contract/contract';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { bindingOf } from '../ownership/item-routes';
import type { LocatedFinding, SkipCause, StepResult } from '../result/run-result';
import { CAPTURE, EVENT_EXPECTED, LOCK_STEP, SUCCESSES_EXPECTED } from '../result/runner-checks';

/** What a step asks for beyond what the description says. */
const EXPECTATIONS: ReadonlySet<string> = new Set([
  'status-expected',
  'code-expected',
  'body-expected',
  'headers-expected',
  SUCCESSES_EXPECTED.id,
  EVENT_EXPECTED.id,
]);

/** Where a service refuses what it may refuse, it may differ from a mock that does not. */
const REFUSABLE: ReadonlySet<string> = new Set([...EXPECTATIONS, LOCK_STEP.id]);
const CAPTURES: ReadonlySet<string> = new Set([CAPTURE.id]);

/** A write that the mode held back, or one that a probe without a key did before the contract could. */
export interface SkippedWrite {
  readonly name: string;
  readonly operation: Operation;
  /** Why it was not sent; of one that took effect nothing. */
  readonly cause?: SkipCause;
  readonly tookEffect?: true;
  /** Was it to be refused, and done all the same? */
  readonly wasAccepted?: true;
}

/**
 * A step that looks at what a write before it was to do, where the mode held that back, cannot find what it expects: it
 * is no failure, and counts as held back as well. The same holds after a write without a key that was done: that is the
 * finding, and not what follows from it; and in reads after one that was to be refused and was done. What breaks the
 * description stays one.
 */
export function excuseAfterSkippedWrite(
  api: ApiModel,
  result: StepResult,
  operation: Operation | undefined,
  earlier: readonly SkippedWrite[],
): StepResult {
  const { verdict } = result;
  if (verdict.kind !== 'fail') return result;
  const cause = earlier.find((write) => operation === undefined || isSeenBy(api, write, operation));
  const findings = verdict.findings.filter(({ check }) => !EXPECTATIONS.has(check));
  if (cause === undefined || findings.length === verdict.findings.length) return result;
  if (findings.length > 0) return { ...result, verdict: { kind: 'fail', findings } };
  const { name, tookEffect, wasAccepted, cause: heldBackBy = 'mode' } = cause;
  const isDone = tookEffect === true || wasAccepted === true;
  const holder = heldBackBy === 'mode' ? 'the mode held back' : 'was left out';
  const reason = isDone
    ? `what it expects may no longer hold after "${name}", which was done`
    : `what it expects may follow from "${name}", which ${holder}`;
  return { ...result, verdict: { kind: 'skipped', reason, cause: isDone ? 'missing-value' : heldBackBy } };
}

/** What was done although it was to be refused shows in reads: of the item where it changed one, else of lists. */
function isSeenBy(api: ApiModel, { operation: write, wasAccepted }: SkippedWrite, read: Operation): boolean {
  const isShown = read.method === 'GET' && (write.method !== 'POST' || !/\}\/?$/.test(read.path));
  return isRelated(api, write, read) && (wasAccepted !== true || isShown);
}

/** May one operation show what another one did? They share a resource, or one stands below the other's collection. */
function isRelated(api: ApiModel, write: Operation, read: Operation): boolean {
  const [written, shown] = [bindingOf(api, write)?.resource, bindingOf(api, read)?.resource];
  if (written !== undefined && written === shown) return true;
  const [left, right] = [collectionPath(write), collectionPath(read)];
  return `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`);
}

/** The path without the variable that it may end in, and without the names of the others. */
function collectionPath({ path }: Operation): string {
  return path.replace(/\/\{[^{}/]*\}\/?$/, '').replaceAll(/\{[^{}]*\}/g, '{}');
}

/** A service that has no such operation, or does not know the caller, refuses no single request. */
const NO_REFUSALS: ReadonlySet<number> = new Set([401, 405, 406, 413, 415]);

/**
 * A step that the service may refuse, and did: there is nothing to judge, but for what breaks the description. A list
 * that has nothing to capture is as good as refused.
 *
 * @param result - of a step that says `mayBeRefused`
 * @param method - of the operation of the step
 */
export function whereRefused(
  result: StepResult,
  mayBeRefused: Step['mayBeRefused'],
  method: string | undefined,
): StepResult {
  const { verdict, status = 0 } = result;
  if (verdict.kind !== 'fail' || mayBeRefused === false) return result;
  const isRefused = isRefusal(status, mayBeRefused);
  if (!isRefused && !(method === 'GET' && status >= 200 && status < 300)) return result;
  const excused = isRefused ? REFUSABLE : CAPTURES;
  // That it is not documented is what few descriptions do, where it was expected.
  const isUsual = ({ check }: LocatedFinding): boolean =>
    isRefused && check === statusDocumented.id && isConventional(status);
  const findings = verdict.findings.filter((each) => !excused.has(each.check) && !isUsual(each));
  if (findings.length > 0) return { ...result, verdict: { kind: 'fail', findings } };
  const usual = verdict.findings.filter(isUsual).map((each) => ({ ...each, severity: 'warning' }) as const);
  const reason = isRefused ? `the service answered it with ${status}` : 'nothing is there that it looks for';
  const message = isRefused
    ? refusalText(status)
    : 'Nothing is there that the step looks for: what needs it is not checked';
  const warning = { check: 'refused', severity: 'warning', at: '/response/status', message } as const;
  return {
    ...result,
    verdict: { kind: 'skipped', reason, cause: 'refused' },
    warnings: [...usual, ...result.warnings, warning],
  };
}

function refusalText(status: number): string {
  return status < 400
    ? `Answered with ${status}, where the step expects a refusal and does not insist on it`
    : `Refused with ${status}, as the step allows: what needs it is not checked`;
}

function isRefusal(status: number, mayBeRefused: Step['mayBeRefused']): boolean {
  if (typeof mayBeRefused === 'object') return mayBeRefused.includes(status);
  return mayBeRefused && status >= 400 && status < 500 && !NO_REFUSALS.has(status);
}

const CHECK = 'pending';

/** A pending step is sent and checked, but what it finds fails nothing; that it has nothing left to find is reported. */
export function whilePending(result: StepResult, pending: string): StepResult {
  const { verdict, warnings } = result;
  const reason = `pending: ${pending}`;
  if (verdict.kind === 'fail') {
    const findings = verdict.findings.map((finding) => ({ ...finding, severity: 'warning' }) as const);
    return { ...result, verdict: { kind: 'skipped', reason, cause: 'pending' }, warnings: [...findings, ...warnings] };
  }
  if (verdict.kind !== 'pass') return result;
  const message = `The step passes and is still marked as pending: ${pending}`;
  const over = { check: CHECK, severity: 'warning', at: '/request', message, hint: 'Take the mark away.' } as const;
  return { ...result, warnings: [...warnings, over] };
}

/** A pending step that passed on its own, and fails by what was found over the whole run: it has something left to find. */
export function stillPending(failed: StepResult, pending: string): StepResult {
  return whilePending({ ...failed, warnings: failed.warnings.filter(({ check }) => check !== CHECK) }, pending);
}

/**
 * Did a setup step do what the steps need it for? One that did and has other faults is not a reason to check nothing
 * else, and one that was not sent is missed only where a value of it is.
 */
export function isSetupDone({ expect }: Step, result: StepResult | undefined): boolean {
  if (result === undefined) return false;
  const { verdict, status } = result;
  if (verdict.kind === 'pass' || verdict.kind === 'skipped') return !isRefused(result);
  return status !== undefined && expect.statuses.includes(status);
}

/** Did the service refuse what the contract lets it refuse? */
export function isRefused(result: StepResult | undefined): boolean {
  return result?.verdict.kind === 'skipped' && result.verdict.cause === 'refused';
}
