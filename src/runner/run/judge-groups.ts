import { matchValue } from '../../checks/matchers/match-value';
import { isSuccess, type ObservedExchange } from '../../checks/observed-exchange';
import { exchangesOf, type SentStep, type UnexplainedThing, unexplainedThings } from '../../checks/together/no-order';
import type { ObservedThing } from '../../checks/together/things';
import type { Finding } from '../../core/errors/finding';
import { counted } from '../../core/text/printable';
import { type Contract, type Step, stepsOf } from '../../formats/contract/contract';
import { groupsOf, hasGroups } from '../../formats/contract/groups';
import { endReason } from '../exchange/exchange-stages';
import { ExchangeLog } from '../exchange/exchange-log';
import { giveBack, type Run, takeFromBudget } from '../exchange/run-state';
import type { LocatedFinding, StepResult } from '../result/run-result';
import { NO_ORDER, SUCCESSES_EXPECTED } from '../result/runner-checks';
import { shownRunFinding, withFindings } from './run-findings';

/** A step of a contract that was sent. */
export interface ReplayedStep extends SentStep {
  readonly step: Step;
  readonly result: StepResult;
}

/** @param runId - what stands for the id of the run: another one each time, since what was made before may still be there */
export type SendAgain = (run: Run, contract: Contract, runId: string) => Promise<readonly ReplayedStep[]>;

/** So often a contract is sent again whose requests at the same time have no order. */
const REPETITIONS = 2;

/**
 * Looks whether an order explains what the requests of a contract were answered that were sent at the same time. Where
 * none does, or others succeeded than the contract says, the contract is sent once more with one request after the other:
 * what is not explained then either is not a matter of time, and others say it. Then it is sent again as it is, to see
 * whether it shows each time.
 *
 * @param again - sends a contract, cleanup included, with results that count nowhere
 * @returns what becomes of results
 */
export async function judgeGroups(
  run: Run,
  contract: Contract,
  sent: readonly ReplayedStep[],
  again: SendAgain,
): Promise<ReadonlyMap<StepResult, StepResult>> {
  const judged = new Map<StepResult, StepResult>();
  if (!hasGroups(contract)) return judged;
  const unexplained = unexplainedThings(run.api, sent);
  const miscounted = sent.filter(isMiscounted);
  if (unexplained.length === 0 && miscounted.length === 0) return judged;
  const trials = await tryAgain(run, contract, again);
  for (const { step, result } of miscounted) judged.set(result, withTrials(contract, step, result, trials));
  for (const thing of unexplained) {
    const owner = sent.find(({ exchange }) => exchange === thing.exchange);
    if (owner === undefined) continue;
    const finding = shownRunFinding(run, owner.result, findingOf(run, thing, sent, trials));
    const before = judged.get(owner.result) ?? owner.result;
    judged.set(owner.result, withFindings(before, [finding], run.pendingReasons.get(owner.result)));
  }
  return judged;
}

/** The same contract again. */
interface Trials {
  /** One request after the other; `undefined` where it was not sent. */
  readonly inTurn: readonly ReplayedStep[] | undefined;
  readonly repeated: readonly (readonly ReplayedStep[])[];
  /** Why it was not sent again, or not as often as it should have been. */
  readonly obstacle: string | undefined;
}

async function tryAgain(run: Run, contract: Contract, again: SendAgain): Promise<Trials> {
  let number = 0;
  let obstacle: string | undefined;
  const send = async (what: Contract): Promise<readonly ReplayedStep[] | undefined> => {
    if (obstacle !== undefined) return undefined;
    number += 1;
    const sent = await sendAside(run, what, again, number);
    if (typeof sent !== 'string') return sent;
    obstacle = sent;
    return undefined;
  };
  const inTurn = await send(oneByOne(contract));
  const repeated: (readonly ReplayedStep[])[] = [];
  while (repeated.length < REPETITIONS) {
    const sent = await send(contract);
    if (sent === undefined) break;
    repeated.push(sent);
  }
  return { inTurn, repeated, obstacle };
}

/**
 * Sends a contract again, with results that count nowhere.
 *
 * @param number - tells repetitions apart: the id of the run has it behind it
 * @returns why it is not sent
 */
export async function sendAside(
  run: Run,
  contract: Contract,
  again: SendAgain,
  number: number,
): Promise<readonly ReplayedStep[] | string> {
  const obstacle = obstacleTo(run, contract);
  if (obstacle !== undefined) return obstacle;
  const aside = asideOf(run);
  const sent = await again(aside, contract, `${run.runId}${number}`);
  run.targetError ??= aside.targetError;
  giveBack(run, stepsOf(contract).length - sent.length);
  return sent;
}

/** Takes what a repetition needs from the budget. @returns why it cannot be */
function obstacleTo(run: Run, contract: Contract): string | undefined {
  const staying = stepsOf(contract).find(({ leaves }) => leaves !== undefined);
  if (staying !== undefined) return `what "${staying.name}" makes stays`;
  return endReason(run)?.reason ?? takeFromBudget(run, stepsOf(contract).length);
}

/** The same run with a log of its own. */
function asideOf(run: Run): Run {
  return {
    ...run,
    log: new ExchangeLog(),
    pendingResults: [],
    pendingReasons: new Map(),
    probesAuth: false,
    reference: undefined,
    onStep: undefined,
  };
}

function oneByOne({ setup, steps, ...contract }: Contract): Contract {
  const alone = (step: Step): Step => ({ ...step, together: undefined, successes: undefined });
  return { ...contract, setup: setup.map(alone), steps: steps.map(alone) };
}

function findingOf(
  run: Run,
  thing: UnexplainedThing,
  sent: readonly ReplayedStep[],
  { inTurn, repeated, obstacle }: Trials,
): Finding {
  const own = pointersOf(thing.exchanges, sent);
  const showsIn = (steps: readonly ReplayedStep[]): boolean =>
    unexplainedThings(run.api, steps).some(({ exchanges }) => isOverlapping(own, pointersOf(exchanges, steps)));
  const control = controlOf(run, own, inTurn);
  const shown = repeated.filter(showsIn).length;
  const operation = run.api.operationById(thing.exchange.operation ?? '');
  return {
    check: NO_ORDER.id,
    severity: control === 'explained' ? 'error' : 'warning',
    at: '/response',
    message: thing.message,
    expected: 'answers as if one had come after the other',
    actual: thing.actual,
    spec: operation?.pointer,
    hint:
      control === 'unexplained'
        ? IN_TURN[control]
        : `${repetition(shown, repeated.length, obstacle)} ${IN_TURN[control]}`,
  };
}

/** What the same requests one after the other say. */
const IN_TURN = {
  explained: 'Sent one after the other, the same requests are answered as they should be.',
  unexplained:
    'Sent one after the other, the same requests are not explained either: what the service makes of them is not known here, and it is no matter of time.',
  unknown: 'They were not all sent one after the other, so that it may be no matter of time.',
} as const;

/** @param own - pointers of the steps that are about the thing */
function controlOf(
  run: Run,
  own: ReadonlySet<string>,
  inTurn: readonly ReplayedStep[] | undefined,
): keyof typeof IN_TURN {
  const sent = new Set(inTurn?.map(({ step }) => step.pointer));
  if (inTurn === undefined || ![...own].every((pointer) => sent.has(pointer))) return 'unknown';
  const isThing = (thing: ObservedThing): boolean => isOverlapping(own, pointersOf(exchangesOf(thing), inTurn));
  return unexplainedThings(run.api, inTurn, isThing).length > 0 ? 'unexplained' : 'explained';
}

function isMiscounted({ result }: ReplayedStep): boolean {
  return findingsOf(result).some(({ check }) => check === SUCCESSES_EXPECTED.id);
}

function findingsOf({ verdict, warnings }: StepResult): readonly LocatedFinding[] {
  return verdict.kind === 'fail' ? verdict.findings : warnings;
}

/** With what a repetition shows of how many succeed. */
function withTrials(
  contract: Contract,
  { pointer, successes }: Step,
  result: StepResult,
  { inTurn, repeated, obstacle }: Trials,
): StepResult {
  const group = [contract.setup, contract.steps]
    .flatMap(groupsOf)
    .find((steps) => steps.some((each) => each.pointer === pointer));
  const pointers = new Set(group?.map((each) => each.pointer));
  const alone = inTurn
    ?.filter(({ step }) => pointers.has(step.pointer))
    .filter(({ exchange }) => isSuccess(exchange)).length;
  const isRight =
    alone !== undefined && successes !== undefined && matchValue(successes, alone).mismatches.length === 0;
  const shown = repeated.filter((steps) => steps.some((each) => each.step.pointer === pointer && isMiscounted(each)));
  const inTurnText =
    alone === undefined
      ? ''
      : `Sent one after the other, ${alone} of them ${alone === 1 ? 'succeeds' : 'succeed'}${isRight ? ', as it should be' : ' as well: it is no matter of time'}.`;
  const hint = `${repetition(shown.length, repeated.length, obstacle)} ${inTurnText}`.trim();
  const tell = (finding: LocatedFinding): LocatedFinding =>
    finding.check === SUCCESSES_EXPECTED.id ? { ...finding, hint } : finding;
  const { verdict, warnings } = result;
  return verdict.kind === 'fail'
    ? { ...result, verdict: { kind: 'fail', findings: verdict.findings.map(tell) } }
    : { ...result, warnings: warnings.map(tell) };
}

function repetition(shown: number, times: number, obstacle: string | undefined): string {
  if (times === 0) return `It was not sent again: ${obstacle ?? 'it could not be'}.`;
  const again = `Sent again ${counted(times, 'time')}, `;
  if (shown === times) return `${again}it showed each time.`;
  return shown === 0
    ? `${again}it did not show: whether it does depends on the timing.`
    : `${again}it showed ${counted(shown, 'time')}: whether it does depends on the timing.`;
}

function pointersOf(exchanges: readonly ObservedExchange[], sent: readonly ReplayedStep[]): ReadonlySet<string> {
  const own = new Set(exchanges);
  return new Set(
    sent.flatMap(({ exchange, step }) => (own.has(exchange) && step.phase !== 'cleanup' ? [step.pointer] : [])),
  );
}

/** Are two things the same one in two replays, where they have other keys? All but what made it may name several. */
function isOverlapping(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((pointer) => other.has(pointer));
}
