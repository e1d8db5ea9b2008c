import { expectationFindings } from '../../checks/response/registry';
import type { ObservedResponse } from '../../checks/response-check';
import type { Finding } from '../../core/errors/finding';
import type { Repeat } from '../../formats/contract/contract';
import { headerValue } from '../../core/http/headers';
import { parseRetryAfter } from '../../core/http/http-date';
import { exchange, exchangeTogether, type ExchangeOutcome } from './exchange';
import { endReason } from './exchange-stages';
import { locate } from './finding-location';
import type { Interaction } from './interaction';
import type { Run } from './run-state';
import type { LocatedFinding, StepResult, Verdict } from '../result/run-result';
import { shownFinding } from '../result/step-result';
import { REAL_TIMING, type Timing } from '../transport/timing';

/**
 * Sends an interaction, again and again where it asks for that, until its response is as awaited or a bound is met. An
 * answer on the way is checked by the description alone; the last one by all that the step expects.
 */
export async function exchangeRepeatedly(
  run: Run,
  interaction: Interaction,
  timing: Timing = REAL_TIMING,
): Promise<ExchangeOutcome> {
  const { repeat } = interaction;
  if (repeat === undefined) return exchange(run, interaction);
  const repetition = new Repetition(repeat, timing);
  const earlier: Promise<StepResult>[] = [];
  for (;;) {
    const outcome = await exchange(run, { ...interaction, isLast: (observed) => repetition.isEndedBy(observed) });
    if (!outcome.isLast) await timing.sleep(repetition.waitMs, run.signal);
    if (outcome.isLast || endReason(run) !== undefined)
      return { ...outcome, result: mergeAttempts(run, interaction, outcome.result, earlier, repetition) };
    earlier.push(outcome.result);
  }
}

/** Sends an interaction, again where it asks for that, or several at the same time. */
export async function exchangeAll(run: Run, interactions: readonly Interaction[]): Promise<ExchangeOutcome[]> {
  const [first, ...others] = interactions;
  if (first === undefined || others.length > 0) return exchangeTogether(run, interactions);
  return [await exchangeRepeatedly(run, first)];
}

class Repetition {
  /** Until the next attempt. */
  waitMs = 0;
  private attempts = 0;
  /** What the last response lacked; empty when it was as awaited. */
  private unmet: readonly Finding[] = [];
  private readonly repeat: Repeat;
  private readonly timing: Timing;
  private readonly startedAt: number;

  constructor(repeat: Repeat, timing: Timing) {
    this.repeat = repeat;
    this.timing = timing;
    this.startedAt = timing.now();
  }

  isEndedBy(observed: ObservedResponse): boolean {
    const { repeat, timing } = this;
    this.attempts += 1;
    this.unmet = expectationFindings(observed, repeat.until);
    if (this.unmet.length === 0 || this.attempts >= repeat.attempts) return true;
    const asked = headerValue(observed.headers, 'retry-after');
    this.waitMs = (asked === undefined ? undefined : parseRetryAfter(asked, timing.now())) ?? repeat.intervalMs;
    return timing.now() - this.startedAt + this.waitMs > repeat.timeoutMs;
  }

  /**
   * That the bound was met before what was waited for.
   *
   * @param show - makes a finding one that shows no secret
   */
  finding(show: (finding: Finding) => LocatedFinding): LocatedFinding | undefined {
    const [unmet] = this.unmet;
    if (unmet === undefined) return undefined;
    const first = show(unmet);
    const { attempts, repeat } = this;
    const seconds = ((this.timing.now() - this.startedAt) / 1000).toFixed(1);
    const isByCount = attempts >= repeat.attempts;
    const bound = isByCount
      ? `repeat.attempts is ${repeat.attempts}`
      : `repeat.timeoutMs is ${repeat.timeoutMs}, and the next attempt would be ${this.waitMs} ms away`;
    const message = `What the step waits for did not come in ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} and ${seconds} s`;
    return {
      check: 'repeat-until',
      severity: 'error',
      at: first.at,
      message,
      expected: first.expected,
      actual: first.actual,
      hint: `${first.message}. The bound: ${bound}.`,
    };
  }
}

/** The result of the last attempt, with what the earlier ones were at fault in, each once. */
async function mergeAttempts(
  run: Run,
  interaction: Interaction,
  last: Promise<StepResult>,
  earlier: readonly Promise<StepResult>[],
  repetition: Repetition,
): Promise<StepResult> {
  const result = await last;
  const others = await Promise.all(earlier);
  const isMade = interaction.isWritten === false;
  // What nobody wrote waits for what it expects: that it did not come is said already.
  const bound = !isMade
    ? repetition.finding((finding) => shownFinding(run, interaction, locate(run.api, finding)))
    : undefined;
  const failed = [...findingsOf(result.verdict), ...others.flatMap(({ verdict }) => findingsOf(verdict))];
  const errors = unique([...(bound === undefined ? [] : [bound]), ...failed]);
  const late = isMade && others.length > 0 && failed.length === 0 ? [LATE] : [];
  const warnings = unique([...late, ...result.warnings, ...others.flatMap((each) => each.warnings)]);
  const attempts = result.attempts + others.reduce((sum, each) => sum + each.attempts, 0);
  const isValidated = result.verdict.kind === 'pass' || result.verdict.kind === 'fail';
  const verdict = isValidated && errors.length > 0 ? ({ kind: 'fail', findings: errors } as const) : result.verdict;
  const whole = { ...result, verdict, warnings, attempts };
  for (const each of [...others, result]) run.log.replace(each, whole);
  return whole;
}

const LATE = {
  check: 'repeat-until',
  severity: 'warning',
  at: '/response/body',
  message: 'The response was as expected only when the request was sent once more (eventual)',
} as const;

function findingsOf(verdict: Verdict): readonly Finding[] {
  return verdict.kind === 'fail' ? verdict.findings : [];
}

function unique<Each extends Finding>(findings: readonly Each[]): Each[] {
  const known = new Map(findings.map((finding) => [`${finding.check} ${finding.at} ${finding.message}`, finding]));
  return [...known.values()];
}
