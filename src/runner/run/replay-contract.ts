import { StandinError } from '../../core/errors/standin-error';
import { type Contract, placeholdersOf, RUN_ID, type Step } from '../../formats/contract/contract';
import type { JsonValue } from '../../core/json/json-value';
import { probeUnauthenticatedWrite, tookEffect } from '../probes/unauthenticated-write';
import { capturedCredentials } from '../exchange/credentials';
import { type ExchangeOutcome, withoutResponse } from '../exchange/exchange';
import { endReason } from '../exchange/exchange-stages';
import { exchangeRepeatedly } from '../exchange/repeated-exchange';
import { modeViolation } from '../exchange/request-guard';
import { LockStep, unreported } from '../lock-step/lock-step';
import { withFindings } from './run-findings';
import { excuseAfterSkippedWrite, type SkippedWrite, whereRefused, whilePending } from './step-verdict';
import type { Interaction } from '../exchange/interaction';
import { operationOfStep, locationOfStep, prepareStep } from '../steps/step-request';
import { redactStep } from '../result/step-redaction';
import { unsent } from '../result/step-result';
import { giveBack, takeFromBudget, type Run } from '../exchange/run-state';
import type { ProgressCounter } from './progress-counter';
import { isSafe } from '../../core/http/message';
import type { ContractResult, SkipCause, StepResult } from '../result/run-result';
import { selectSteps } from '../steps/selection';

/** What a contract gave: its own steps, and the probes that were made on the way. */
export interface Replay {
  readonly result: ContractResult;
  readonly probes: readonly StepResult[];
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
  let broken: BrokenSetup | undefined;
  for (const step of [...setup, ...steps]) {
    if (broken === undefined || isTriedAfter(broken, step) || endReason(run) !== undefined) await replay.run(step);
    else {
      const reason = `the setup step "${broken.name}" did not do what it is for`;
      await replay.skip(step, reason, broken.cause, broken.name);
    }
    if (step.phase !== 'setup' || broken !== undefined) continue;
    const result = await replay.resultOf(step);
    if (!isDone(step, result)) broken = { name: step.name, cause: isRefused(result) ? 'refused' : 'setup-failed' };
  }
  for (const step of cleanup.toReversed()) await replay.run(step);
  const ended = await replay.end();
  const { steps: results } = ended.result;
  giveBack(run, results.filter(({ attempts }) => attempts === 0).length - ended.probes.length);
  return ended;
}

/** The setup step after which the steps are not sent. */
interface BrokenSetup {
  readonly name: string;
  readonly cause: SkipCause;
}

/** After a setup step that failed the others are tried all the same: they say more of what is wrong. */
function isTriedAfter({ cause }: BrokenSetup, { phase }: Step): boolean {
  return phase === 'setup' && cause !== 'refused';
}

/**
 * Did a setup step do what the steps need it for? One that did and has other faults is not a reason to check nothing
 * else, and one that was not sent is missed only where a value of it is.
 */
function isDone({ expect }: Step, result: StepResult | undefined): boolean {
  if (result === undefined) return false;
  const { verdict, status } = result;
  if (verdict.kind === 'pass' || verdict.kind === 'skipped') return !isRefused(result);
  return status !== undefined && expect.statuses.includes(status);
}

function isRefused(result: StepResult | undefined): boolean {
  return result?.verdict.kind === 'skipped' && result.verdict.cause === 'refused';
}

class ContractReplay {
  private readonly context: Run;
  private readonly contract: Contract;
  private readonly progress: ProgressCounter | undefined;
  private readonly selected: ReadonlySet<Step>;
  private readonly keys: ReadonlySet<string>;
  private readonly values: Map<string, JsonValue>;
  private readonly results: StepResult[] = [];
  private readonly ended = new Map<Step, StepResult>();
  private readonly probes: StepResult[] = [];
  private readonly skippedWrites: SkippedWrite[] = [];
  /** The same contract at a mock beside the target. */
  private readonly lockStep: LockStep | undefined;
  /** The last step that was sent, while it is checked. */
  private checking: Promise<void> = Promise.resolve();

  constructor(run: Run, contract: Contract, progress: ProgressCounter | undefined) {
    this.context = run;
    this.contract = contract;
    this.progress = progress;
    this.selected = selectSteps(run.api, contract, run.selection);
    this.keys = capturedCredentials(run.api, contract);
    this.values = new Map([[RUN_ID, run.runId]]);
    this.lockStep = LockStep.of(run, contract);
  }

  /** Sends a step. It is checked while the next one is on its way. */
  async run(step: Step): Promise<void> {
    if (!this.selected.has(step)) return this.skip(step, 'it was not selected', 'selection');
    const missing = placeholdersOf(step).find(({ name }) => !this.values.has(name));
    const end = missing !== undefined || step.phase !== 'cleanup' ? endReason(this.context) : undefined;
    if (end !== undefined) return this.skip(step, end.reason, end.cause);
    if (missing !== undefined) return this.skipWithout(step, missing.name);
    const { result, captured } = await this.send(step);
    for (const [name, value] of captured) this.values.set(name, value);
    await this.checking;
    this.checking = result.then((validated) => {
      this.add(validated, step);
    });
    this.checking.catch(() => undefined);
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
    return { result: { name, file: document.file, steps: this.results }, probes: this.probes };
  }

  private async send(step: Step): Promise<ExchangeOutcome> {
    const { context: run, contract } = this;
    try {
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
      const sent = { ...interaction, credentialNames: this.keys };
      const outcome = await exchangeRepeatedly(run, sent);
      return this.lockStep === undefined ? outcome : await this.withDifferences(this.lockStep, step, sent, outcome);
    } catch (error) {
      if (!(error instanceof StandinError)) throw error;
      return withoutResponse(redactStep(unsent(this.titleOf(step), { kind: 'error', error }), run.redact));
    }
  }

  /** Adds to the result in what the mock beside the target answers otherwise. */
  private async withDifferences(
    lockStep: LockStep,
    step: Step,
    interaction: Interaction,
    outcome: ExchangeOutcome,
  ): Promise<ExchangeOutcome> {
    const differences = await lockStep.follow(step, interaction, outcome);
    if (differences.length === 0) return outcome;
    const result = outcome.result.then((before) => {
      const after = withFindings(before, unreported(differences, before), undefined);
      this.context.log.replace(before, after);
      return after;
    });
    return { ...outcome, result };
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
    const verdict = source === undefined ? undefined : (await this.resultOf(source))?.verdict;
    return verdict?.kind === 'skipped' ? verdict.cause : 'missing-value';
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
    const judged = whereRefused(result, step.mayBeRefused, operationOfStep(this.context, step)?.method);
    if (judged !== result) this.context.log.replace(result, judged);
    const added = pending === undefined ? judged : whilePending(judged, pending);
    if (added !== judged) this.context.log.replace(judged, added);
    if (pending !== undefined) this.context.pendingReasons.set(added, pending);
    this.results.push(added);
    this.ended.set(step, added);
    this.context.onStep?.(added);
    this.progress?.stepEnded(step, added);
  }

  /** What a write that is not sent was to do, later steps will not see. */
  private noteSkippedWrite({ verdict, name }: StepResult, step: Step): void {
    const operation = operationOfStep(this.context, step);
    if (verdict.kind !== 'skipped' || verdict.cause !== 'mode' || operation === undefined) return;
    if (!isSafe(operation.method)) this.skippedWrites.push({ name, operation });
  }

  private titleOf(step: Step): Parameters<typeof unsent>[0] {
    const { name, phase } = step;
    const place = locationOfStep(this.contract.document, step);
    return { name, phase, place, operation: operationOfStep(this.context, step) };
  }
}
