import type { ApiModel } from '../../openapi/model/api-model';
import { missedLimits, type MissedLimit } from '../coverage/dimensions';
import type {
  LocatedFinding,
  OperationCoverage,
  Outcome,
  Residue,
  RunResult,
  SkipCause,
  StepResult,
  Verdict,
} from './run-result';

/** Which operations were called, and what they answered with. */
export function coverageOf({ operations }: ApiModel, steps: readonly StepResult[]): OperationCoverage[] {
  return operations.map(({ id, method, path }) => {
    const own = steps.filter(({ operation }) => operation === id);
    const statuses = own.flatMap(({ status }) => (status === undefined ? [] : [status]));
    const distinct = [...new Set(statuses)].sort((left, right) => left - right);
    return { operation: id, method, path, steps: own.length, statuses: distinct };
  });
}

const CHOSEN: ReadonlySet<SkipCause> = new Set(['selection', 'mode', 'pending', 'refused', 'budget', 'disabled']);
const ENDED: ReadonlySet<SkipCause> = new Set(['interrupted', 'target-lost', 'key-refused']);
const DEPENDENT: ReadonlySet<SkipCause> = new Set(['setup-failed', 'missing-value']);

export function allSteps({ contracts, probes }: Pick<RunResult, 'contracts' | 'probes'>): StepResult[] {
  return [...contracts.flatMap(({ steps }) => steps), ...probes];
}

/** What a step failed by; nothing where it ended in another way. */
export function failuresOf({ verdict }: Pick<StepResult, 'verdict'>): readonly LocatedFinding[] {
  return verdict.kind === 'fail' ? verdict.findings : [];
}

/** Did the run end because the service refused its key? */
export function isKeyRefused(steps: readonly StepResult[]): boolean {
  return steps.some(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'key-refused');
}

/** How many steps ended in which way. */
export function tallyOf(steps: readonly StepResult[]): Readonly<Record<Verdict['kind'], number>> {
  const tally = { pass: 0, fail: 0, error: 0, skipped: 0 };
  for (const { verdict } of steps) tally[verdict.kind] += 1;
  return tally;
}

/**
 * @param isEmpty - a shard that got no contract: then it is no fault that no step of one passed
 * @param allowsSkipped - may the mode have held back most steps?
 */
export function outcomeOf(
  steps: readonly StepResult[],
  leftBehind: readonly Residue[],
  {
    isEmpty = false,
    allowsSkipped = false,
  }: { readonly isEmpty?: boolean; readonly allowsSkipped?: boolean | undefined } = {},
): Outcome {
  // Failures say nothing of the service then.
  if (isKeyRefused(steps)) return 'inconclusive';
  if (tallyOf(steps).fail > 0) return 'violations';
  const errors = steps.flatMap(({ verdict }) => (verdict.kind === 'error' ? [verdict.error] : []));
  if (errors.some(({ code }) => !code.startsWith('TRANSPORT_'))) return 'cannot-judge';
  if (errors.length > 0 || isIncomplete(steps, isEmpty)) return 'inconclusive';
  if (!leftBehind.every(({ isAccepted }) => isAccepted)) return 'left-behind';
  return !allowsSkipped && isMostlySkippedByMode(steps) ? 'inconclusive' : 'conforms';
}

type Judged = Pick<RunResult, 'contracts' | 'probes' | 'shard' | 'allowsSkipped' | 'dimensions' | 'minCoverage'>;

/** The outcome of a whole result: that of its steps, and whether as much was seen as was asked for. */
export function outcomeOfResult(result: Judged & Pick<RunResult, 'leftBehind'>): Outcome {
  if (missedCoverage(result).length > 0) return 'violations';
  return outcomeOf(allSteps(result), result.leftBehind, {
    isEmpty: isEmptyShard(result),
    allowsSkipped: result.allowsSkipped,
  });
}

/** The dimensions of which less was seen than was asked for; none where that is not judged. */
export function missedCoverage(result: Judged): MissedLimit[] {
  const { dimensions = [], minCoverage = {} } = result;
  return whyCoverageIsOpen(result) === undefined ? missedLimits(dimensions, minCoverage) : [];
}

/**
 * Why it is not judged whether enough was seen: the run is a part, or did not do all that it was to do, so that it would
 * have seen more.
 */
export function whyCoverageIsOpen(result: Judged): string | undefined {
  const steps = allSteps(result);
  const { shard, dimensions, allowsSkipped } = result;
  if (dimensions === undefined) return 'it was not counted';
  if (shard !== undefined && shard.count > 1) return 'this is a shard; merge-reports judges all of them together';
  if (stopped(steps).length > 0) return 'the run ended early';
  if (tallyOf(steps).error > 0 || isIncomplete(steps, false)) return 'not all could be checked that was to be';
  return allowsSkipped !== true && isMostlySkippedByMode(steps) ? 'the mode held back most steps' : undefined;
}

function isIncomplete(steps: readonly StepResult[], isEmpty: boolean): boolean {
  if (!isEmpty && !hasProof(steps)) return true;
  return neverAnswered(steps).length + stopped(steps).length + skippedDependents(steps).length > 0;
}

/** Steps of contracts that the mode held back; what was never made need not be removed. */
export function skippedByMode(steps: readonly StepResult[]): StepResult[] {
  return ofContracts(steps).filter(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'mode');
}

/** Did the mode hold back more steps than were checked? Then the run says little of the service. */
export function isMostlySkippedByMode(steps: readonly StepResult[]): boolean {
  const chosen = ofContracts(steps).filter(
    ({ verdict }) => verdict.kind !== 'skipped' || verdict.cause !== 'selection',
  );
  return skippedByMode(steps).length * 2 > chosen.length;
}

function ofContracts(steps: readonly StepResult[]): StepResult[] {
  return steps.filter(({ phase }) => phase === 'setup' || phase === 'steps');
}

/**
 * Did a step of a contract pass? What the probes and the cleanup met says nothing of what the contracts ask for: a
 * service that rejects everybody lets all probes pass.
 */
export function hasProof(steps: readonly StepResult[]): boolean {
  return ofContracts(steps).some(({ verdict }) => verdict.kind === 'pass');
}

/** Steps that were not sent because the run had ended: it was interrupted, or the target had gone. */
export function stopped(steps: readonly StepResult[]): StepResult[] {
  return steps.filter(({ verdict }) => verdict.kind === 'skipped' && ENDED.has(verdict.cause));
}

/**
 * Steps that were not sent because an earlier one did not do what it is for. Where nothing fails, because that failure
 * is accepted, nothing is known of them all the same. What was never made need not be removed.
 */
export function skippedDependents(steps: readonly StepResult[]): StepResult[] {
  return steps.filter(
    ({ verdict, phase }) => verdict.kind === 'skipped' && phase !== 'cleanup' && DEPENDENT.has(verdict.cause),
  );
}

/** Operations that steps meant to call, and that none of them got a response from. */
export function neverAnswered(steps: readonly StepResult[]): string[] {
  const answered = new Set(steps.filter(({ status }) => status !== undefined).map(({ operation }) => operation));
  const missed = steps.flatMap(({ operation, verdict }) => {
    const isMissed = verdict.kind === 'skipped' && !CHOSEN.has(verdict.cause) && verdict.cause !== 'not-harmless';
    return isMissed && operation !== undefined && !answered.has(operation) ? [operation] : [];
  });
  return [...new Set(missed)];
}

/** One part of a run that is divided over several machines, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The items of one shard: every n-th, so that the parts of a folder are about as long as each other. */
export function takeShard<Item>(items: readonly Item[], shard: Shard | undefined): Item[] {
  return items.filter((_, position) => shard === undefined || position % shard.count === shard.index - 1);
}

/**
 * Did no step of a contract fall to a shard? There may be more shards than contracts, or what was chosen is in other
 * ones. Unlike a run that executed nothing, that is no fault: whether anything ran at all is reported of all shards
 * together. Probes may have fallen to it all the same.
 */
export function isEmptyShard({ shard, contracts }: Pick<RunResult, 'shard' | 'contracts'>): boolean {
  if (shard === undefined || shard.count < 2) return false;
  const steps = contracts.flatMap((contract) => contract.steps);
  return steps.every(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'selection');
}
