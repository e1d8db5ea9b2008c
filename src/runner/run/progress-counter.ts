import type { Contract, Step } from '../../formats/contract/contract';
import type { Run } from '../exchange/run-state';
import type { RunProgress, StepResult } from '../result/run-result';
import { planRun } from './plan';

/** What became of these was decided for all of them at once: they were not done. */
const CUT_OFF: ReadonlySet<string> = new Set(['interrupted', 'target-lost', 'key-refused']);

/** A look whether it is the run's own, the removal, and a look whether it is gone. */
const REMOVAL_REQUESTS = 3;

/** Counts what a run has done, against what was planned, and tells of it. */
export class ProgressCounter {
  private readonly tell: (progress: RunProgress) => void;
  private readonly run: Run;
  private readonly planned: Set<Step>;
  private phase: RunProgress['phase'] = 'steps';
  private done = 0;
  private total: number;
  private failed = 0;
  private sent = 0;
  /** Requests of the probes that are still to come; rather too many than too few. */
  private probesLeft: number;

  private constructor(tell: (progress: RunProgress) => void, run: Run, all: readonly Contract[]) {
    const { steps, probes } = planRun(run, all);
    this.tell = tell;
    this.run = run;
    this.planned = new Set(steps);
    this.total = steps.size;
    this.probesLeft = probes.reduce((sum, { requests }) => sum + requests, 0);
  }

  /** @returns `undefined` where nobody listens: then nothing is counted */
  static of(run: Run, all: readonly Contract[]): ProgressCounter | undefined {
    return run.onProgress === undefined ? undefined : new ProgressCounter(run.onProgress, run, all);
  }

  /** Contracts that are run next, which may be others than those that were planned. */
  expect(contracts: readonly Contract[]): void {
    const { steps } = planRun({ ...this.run, shard: undefined }, contracts);
    for (const step of steps) this.planned.add(step);
    this.total = Math.max(this.total, this.done + steps.size);
  }

  /** @param total - how much of it there is */
  begin(phase: RunProgress['phase'], total: number): void {
    this.phase = phase;
    this.done = 0;
    this.total = total;
    this.report();
  }

  stepEnded(step: Step, result: StepResult): void {
    const { verdict, name } = result;
    const isDone = verdict.kind !== 'skipped' || !CUT_OFF.has(verdict.cause);
    if (!this.planned.has(step) || !isDone) return;
    this.done += 1;
    this.note(result);
    this.report(name);
  }

  /** A write that was sent without a valid key before its step. */
  writeProbed(result: StepResult): void {
    this.probesLeft = Math.max(0, this.probesLeft - 1);
    this.note(result);
    this.report(result.name);
  }

  operationProbed(id: string, results: readonly StepResult[]): void {
    // What is left belongs to the operations that are left, in equal parts.
    this.probesLeft -= Math.round(this.probesLeft / Math.max(1, this.total - this.done));
    this.done += 1;
    for (const result of results) this.note(result);
    this.report(id);
  }

  /** Something that was made and removed, where the run looks whether it is gone. */
  absenceChecked(path: string): void {
    this.itemDone(path, 1);
  }

  /** Something that was left to be removed. */
  removalTried(path: string): void {
    this.itemDone(path, REMOVAL_REQUESTS);
  }

  private itemDone(path: string, requests: number): void {
    this.done += 1;
    this.total = Math.max(this.total, this.done);
    this.sent += requests;
    this.report(this.run.redact(path));
  }

  private note({ verdict: { kind } }: StepResult): void {
    this.sent += 1;
    if (kind === 'fail' || kind === 'error') this.failed += 1;
  }

  private report(name?: string): void {
    const { phase, done, total, failed, sent } = this;
    this.tell({ phase, done, total, failed, sent, left: this.requestsLeft(), name });
  }

  private requestsLeft(): number {
    const { phase, done, total, probesLeft, run } = this;
    if (phase === 'removal') return (total - done) * REMOVAL_REQUESTS;
    const { creations } = run;
    const removal = creations.removed().length + creations.remaining().length * REMOVAL_REQUESTS;
    if (phase !== 'steps') return probesLeft + removal;
    // The steps that are left will make as much as those before them did.
    return total - done + probesLeft + Math.round((removal * total) / Math.max(1, done));
  }
}
