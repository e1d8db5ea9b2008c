import { StandinError } from '../../core/errors/standin-error';
import { type Contract, placeholdersOf, type Step } from '../../formats/contract/contract';
import { groupsOf } from '../../formats/contract/groups';
import type { JsonValue } from '../../core/json/json-value';
import { probeUnauthenticatedWrite, tookEffect } from '../probes/unauthenticated-write';
import { capturedCredentials, missingCredentials } from '../exchange/credentials';
import { type ExchangeOutcome, withoutResponse } from '../exchange/exchange';
import { exchangeAll } from '../exchange/repeated-exchange';
import { endReason } from '../exchange/exchange-stages';
import { modeViolation } from '../exchange/request-guard';
import { followGroup, type SentGroup } from '../lock-step/follow-group';
import { LockStep, unreported } from '../lock-step/lock-step';
import { judgeGroups, type ReplayedStep, type SendAgain } from './judge-groups';
import { judgeCallers } from './judge-callers';
import { eventsOfAll, withEvents } from './judge-events';
import { replaceResults } from './run-findings';
import { EventWatch, startValues } from '../events/await-events';
import { countSuccesses, withMore } from './successes';
import {
  excuseAfterSkippedWrite,
  isRefused,
  isSetupDone,
  type SkippedWrite,
  whereRefused,
  whilePending,
} from './step-verdict';
import type { Interaction } from '../exchange/interaction';
import { operationOfStep, locationOfStep, methodOfStep, prepareStep } from '../steps/step-request';
import { redactStep } from '../result/step-redaction';
import { unsent } from '../result/step-result';
import { giveBack, takeFromBudget, type Run } from '../exchange/run-state';
import type { ProgressCounter } from './progress-counter';
import { isSafe } from '../../core/http/message';
import type { ContractResult, SkipCause, StepResult } from '../result/run-result';
import { selectSteps, whyNotMade } from '../steps/selection';

/** What a contract gave: its own steps, also by step, and the probes that were made on the way. */
export interface Replay {
  readonly result: ContractResult;
  readonly probes: readonly StepResult[];
  readonly ended: ReadonlyMap<Step, StepResult>;
}

/**
 * Replays one contract: the setup, then the steps, then whatever happened the cleanup, last step first. A step that
 * needs a value which nobody captured is skipped.
 */
export async function replayContract(run: Run, contract: Contract, progress?: ProgressCounter): Promise<Replay> {
  const replay = new ContractReplay(run, contract, progress);
  const { setup, steps, cleanup } = contract;
  const end = takeFromBudget(run, setup.length + steps.length + cleanup.length);
  if (end !== undefined) {
    for (const step of [...setup, ...steps]) await replay.skip(step, end, 'budget');
    return replay.end();
  }
  await replay.runAll();
  await replay.judge();
  const ended = await replay.end();
  const { steps: results } = ended.result;
  giveBack(run, results.filter(({ attempts }) => attempts === 0).length - ended.probes.length);
  return ended;
}

/**
 * The setup step after which the steps are not sent. After one that failed the others of the setup are tried all the
 * same: they say more of what is wrong.
 */
interface BrokenSetup {
  readonly name: string;
  readonly cause: SkipCause;
}

/** Causes for which a write is not sent on purpose: what it was to do, later steps cannot see. */
const HELD_BACK: ReadonlySet<SkipCause> = new Set(['mode', 'selection']);

function isRefusalExpected({ expect: { statuses } }: Step): boolean {
  return statuses.length > 0 && statuses.every((status) => status >= 400);
}

class ContractReplay {
  private readonly context: Run;
  private readonly contract: Contract;
  private readonly progress: ProgressCounter | undefined;
  private readonly selected: ReadonlySet<Step>;
  private readonly keys: ReadonlySet<string>;
  private readonly values: Map<string, JsonValue>;
  readonly results: StepResult[] = [];
  readonly ended = new Map<Step, StepResult>();
  private readonly probes: StepResult[] = [];
  private readonly skippedWrites: SkippedWrite[] = [];
  /** The same contract at a mock beside the target. */
  private readonly lockStep: LockStep | undefined;
  /** What the service sends because of the steps; `undefined` where nobody listens. */
  private readonly watch: EventWatch | undefined;
  /** The last step that was sent, while it is checked. */
  private checking: Promise<void> = Promise.resolve();

  constructor(run: Run, contract: Contract, progress?: ProgressCounter, runId = run.runId) {
    this.context = run;
    this.contract = contract;
    this.progress = progress;
    this.selected = selectSteps(run.api, contract, run.selection);
    this.keys = capturedCredentials(run.api, contract);
    const inbox = run.receiver?.open();
    this.values = startValues(runId, inbox);
    this.watch = inbox && new EventWatch(run, inbox);
    this.lockStep = LockStep.of(run, contract, this.values);
  }

  async runAll(): Promise<void> {
    const { setup, steps, cleanup } = this.contract;
    let broken: BrokenSetup | undefined;
    for (const group of [setup, steps].flatMap(groupsOf)) {
      const isSetup = group[0]?.phase === 'setup';
      if (broken === undefined || (isSetup && broken.cause !== 'refused') || endReason(this.context) !== undefined)
        await this.run(group);
      else {
        const reason = `the setup step "${broken.name}" did not do what it is for`;
        for (const step of group) await this.skip(step, reason, broken.cause, broken.name);
      }
      if (isSetup) broken ??= await this.brokenBy(group);
    }
    for (const step of cleanup.toReversed()) await this.run([step]);
  }

  private async brokenBy(group: readonly Step[]): Promise<BrokenSetup | undefined> {
    for (const step of group) {
      const result = await this.resultOf(step);
      if (!isSetupDone(step, result)) return { name: step.name, cause: isRefused(result) ? 'refused' : 'setup-failed' };
    }
    return undefined;
  }

  /** Adds to the results what only several exchanges show: answers in no order, and what another caller could do. */
  async judge(): Promise<void> {
    await this.checking;
    const { context: run, contract } = this;
    // A write without a key that was done is in no history here.
    if (this.skippedWrites.some(({ tookEffect: wasDone }) => wasDone === true)) return;
    const sendAgain: SendAgain = async (aside, again, runId) => {
      const replay = new ContractReplay(aside, again, undefined, runId);
      await replay.runAll();
      await replay.checking;
      return replay.sent();
    };
    for (const judge of [judgeGroups, judgeCallers])
      replaceResults(run, this, await judge(run, contract, this.sent(), sendAgain));
    if (this.watch !== undefined) replaceResults(run, this, eventsOfAll(run, this.watch, this.ended));
  }

  private sent(): ReplayedStep[] {
    return [...this.ended]
      .flatMap(([step, result]) => {
        const exchange = this.context.log.exchangeOf(result);
        return exchange === undefined ? [] : [{ step, result, name: step.name, exchange }];
      })
      .toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt);
  }

  /** Sends steps at the same time, or one alone. It is checked while the next one is on its way. */
  async run(group: readonly Step[]): Promise<void> {
    const ready: Step[] = [];
    for (const step of group) if (await this.isReady(step)) ready.push(step);
    if (ready.length === 0) return;
    this.watch?.begin();
    const sent = await this.send(ready, group.length);
    for (const { captured } of sent) for (const [name, value] of captured) this.values.set(name, value);
    const outcomes =
      this.watch === undefined ? sent : await withEvents(this.context, this.watch, ready, sent, this.values);
    await this.checking;
    this.checking = Promise.all(outcomes.map(({ result }) => result)).then((validated) => {
      for (const [index, step] of ready.entries()) this.add(validated[index] as StepResult, step);
    });
    this.checking.catch(() => undefined);
  }

  /** Is there what a step needs? Else it is skipped. */
  private async isReady(step: Step): Promise<boolean> {
    const missing = placeholdersOf(step).find(({ name }) => !this.values.has(name));
    const end = missing !== undefined || step.phase !== 'cleanup' ? endReason(this.context) : undefined;
    const keyless = missingCredentials(this.context, operationOfStep(this.context, step), step.auth);
    const { api, selection } = this.context;
    if (!this.selected.has(step))
      await this.skip(step, whyNotMade(api, step, selection) ?? 'it was not selected', 'selection');
    else if (end !== undefined) await this.skip(step, end.reason, end.cause);
    else if (missing !== undefined) await this.skipWithout(step, missing.name);
    else if (keyless !== undefined) await this.skip(step, keyless, 'disabled');
    else return true;
    return false;
  }

  async skip(step: Step, reason: string, cause: SkipCause, because?: string): Promise<void> {
    await this.checking;
    this.add(unsent(this.titleOf(step), { kind: 'skipped', reason, cause, because }), step);
  }

  async resultOf(step: Step): Promise<StepResult | undefined> {
    await this.checking;
    return this.ended.get(step);
  }

  async end(): Promise<Replay> {
    await this.checking;
    const { name, document } = this.contract;
    return { result: { name, file: document.file, steps: this.results }, probes: this.probes, ended: this.ended };
  }

  /** @param size - of the group: fewer steps where some of it are skipped */
  private async send(steps: readonly Step[], size: number): Promise<readonly ExchangeOutcome[]> {
    const { context: run } = this;
    try {
      const sent: Interaction[] = [];
      for (const step of steps) sent.push(await this.prepare(step));
      const outcomes = await exchangeAll(run, sent);
      const counted = steps.length === size ? countSuccesses(run, steps, sent, outcomes) : outcomes;
      if (this.lockStep === undefined) return counted;
      return await this.withDifferences(this.lockStep, { steps, interactions: sent, outcomes: counted });
    } catch (error) {
      if (!(error instanceof StandinError)) throw error;
      return steps.map((step) =>
        withoutResponse(redactStep(unsent(this.titleOf(step), { kind: 'error', error }), run.redact)),
      );
    }
  }

  /** Makes the request of a step, and sends it without a valid key first. */
  private async prepare(step: Step): Promise<Interaction> {
    const { context: run, contract } = this;
    const interaction = prepareStep(run, contract, step, this.values);
    if (this.mayProbe(step, interaction)) {
      for (const probe of await probeUnauthenticatedWrite(run, interaction)) {
        this.probes.push(probe);
        run.onStep?.(probe);
        this.progress?.writeProbed(probe);
        const { operation } = interaction;
        if (operation !== undefined && tookEffect(run.api, operation, probe)) {
          this.skippedWrites.push({ name: probe.name, operation, tookEffect: true });
          this.lockStep?.lose('a write without a valid key was done');
        }
      }
    }
    return { ...interaction, credentialNames: this.keys };
  }

  /** Adds to the results in what the mock beside the target answers otherwise. */
  private async withDifferences(lockStep: LockStep, group: SentGroup): Promise<readonly ExchangeOutcome[]> {
    const isAlone = group.steps.length === 1;
    if (!isAlone) await this.checking;
    const earlier = isAlone ? [] : this.sent().map(({ exchange }) => exchange);
    const found = await followGroup(lockStep, this.context, group, earlier);
    return group.outcomes.map((outcome, index) =>
      withMore(this.context, outcome, (before) => unreported(found[index] ?? [], before)),
    );
  }

  /** A step that the mode leaves out is not sent without a key either. */
  private mayProbe(step: Step, interaction: Interaction): boolean {
    const { context: run } = this;
    if (run.probesAuth === false || step.auth !== 'valid' || step.phase === 'cleanup') return false;
    return modeViolation(run, interaction) === undefined;
  }

  private async skipWithout(step: Step, name: string): Promise<void> {
    const { setup, steps } = this.contract;
    const source = [...setup, ...steps].find(({ captures }) => captures.some((capture) => capture.name === name));
    const reason = `it needs \${${name}}, which "${source?.name ?? 'no step'}" did not capture`;
    await this.skip(step, reason, await this.causeOf(source), source?.name);
  }

  /** What was left out on purpose takes with it what needs it, for the same cause. */
  private async causeOf(source: Step | undefined): Promise<SkipCause> {
    const result = source === undefined ? undefined : await this.resultOf(source);
    if (result?.verdict.kind === 'skipped') return result.verdict.cause;
    // A refusal that the contract expects.
    return result?.verdict.kind === 'pass' && (result.status ?? 0) >= 400 ? 'refused' : 'missing-value';
  }

  private add(sent: StepResult, step: Step): void {
    const pending = step.pending ?? this.contract.pending;
    const result = excuseAfterSkippedWrite(
      this.context.api,
      sent,
      operationOfStep(this.context, step),
      this.skippedWrites,
    );
    this.noteSkippedWrite(result, step);
    if (result !== sent) this.context.log.replace(sent, result);
    const method = methodOfStep(step, operationOfStep(this.context, step));
    const judged = whereRefused(result, step.mayBeRefused, method);
    if (judged !== result) this.context.log.replace(result, judged);
    const added = pending === undefined ? judged : whilePending(judged, pending);
    if (added !== judged) this.context.log.replace(judged, added);
    if (pending !== undefined) this.context.pendingReasons.set(added, pending);
    this.results.push(added);
    this.ended.set(step, added);
    this.context.onStep?.(added);
    this.progress?.stepEnded(step, added);
  }

  /** What a write that is not sent was to do, later steps will not see; what was to be refused and was done, they will. */
  private noteSkippedWrite({ verdict, name, status = 0 }: StepResult, step: Step): void {
    const operation = operationOfStep(this.context, step);
    if (operation === undefined || isSafe(operation.method)) return;
    const isAccepted = verdict.kind === 'fail' && status >= 200 && status < 300 && isRefusalExpected(step);
    if (isAccepted) this.skippedWrites.push({ name, operation, wasAccepted: true });
    if (verdict.kind !== 'skipped' || !HELD_BACK.has(verdict.cause)) return;
    // What was to be refused would have changed nothing.
    if (!isRefusalExpected(step)) this.skippedWrites.push({ name, operation, cause: verdict.cause });
  }

  private titleOf(step: Step): Parameters<typeof unsent>[0] {
    const { name, phase, together } = step;
    const place = locationOfStep(this.contract.document, step);
    return { name, phase, together, place, operation: operationOfStep(this.context, step) };
  }
}
