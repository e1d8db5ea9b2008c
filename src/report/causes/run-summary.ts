import { type Group, groupBy } from '../../core/text/group-by';
import { counted } from '../../core/text/printable';
import type { MissedLimit } from '../../runner/coverage/dimensions';
import {
  allSteps,
  hasProof,
  missedCoverage,
  isMostlySkippedByMode,
  neverAnswered,
  skippedByMode,
  skippedDependents,
  stopped,
  tallyOf,
  isEmptyShard,
} from '../../runner/result/outcome';
import type {
  ChangedRow,
  ContractResult,
  LocatedFinding,
  Outcome,
  Residue,
  RunResult,
  StepResult,
  Verdict,
} from '../../runner/result/run-result';
import { missedHint, missedText } from './coverage-text';
import { foldPointer, ruleOf } from './fingerprint';
import type { RootCause } from './root-cause';
import { explainsContracts } from './whole-run-cause';
import { rootCauses } from './root-causes';

interface StepWarning {
  readonly step: StepResult;
  readonly finding: LocatedFinding;
}

/** Findings that fail nothing, those that say the same together. */
export function warningGroups(result: RunResult): Group<StepWarning>[] {
  const warnings = allSteps(result).flatMap((step) => step.warnings.map((finding) => ({ step, finding })));
  return groupBy(warnings, ({ finding }) => JSON.stringify([finding.check, foldPointer(finding.at), ruleOf(finding)]));
}

const EXIT_CODES = { conforms: 0, violations: 1, 'cannot-judge': 2, inconclusive: 3, 'left-behind': 4 } as const;

/** The exit code that says the same as an outcome; `docs/reference/reports.md` lists them. */
export function exitCodeOf(outcome: Outcome): 0 | 1 | 2 | 3 | 4 {
  return EXIT_CODES[outcome];
}

/** An outcome as reports write it. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  conforms: 'CONFORMS',
  violations: 'VIOLATIONS',
  'cannot-judge': 'CANNOT JUDGE',
  inconclusive: 'INCONCLUSIVE',
  'left-behind': 'LEFT BEHIND',
};

/** A verdict as reports write it. */
export const VERDICT_WORDS: Readonly<Record<Verdict['kind'], string>> = {
  fail: 'failed',
  error: 'could not be checked',
  pass: 'passed',
  skipped: 'skipped',
};

/** `3 times in 3 steps`; several findings of one step are no several times. */
export function extentText({ kind, count, steps }: Pick<RootCause, 'kind' | 'count' | 'steps'>): string {
  const where = counted(steps.length, 'step');
  const times = steps.reduce((sum, { step }) => sum + (step.times ?? 1), 0);
  if (kind === 'run' || count === times) return `${counted(times, 'time')} in ${where}`;
  return `${counted(count, 'finding')} in ${where}`;
}

/** What else is said of a cause, one line each; of many the first ones. */
export function otherViews({ others }: Pick<RootCause, 'others'>): string[] {
  const shown = others.slice(0, MOST_VIEWS).map(({ finding: { check, message, expected, actual }, owned }) => {
    const details = [
      ...(expected === undefined ? [] : [`expected ${expected}`]),
      ...(actual === undefined ? [] : [`actual ${actual}`]),
    ];
    return `${check} ${message}${details.length === 0 ? '' : ` (${details.join(', ')})`}, in step "${owned.step.name}"`;
  });
  const rest = others.length - MOST_VIEWS;
  return rest > 0 ? [...shown, `and ${counted(rest, 'other expectation')}`] : shown;
}

const MOST_VIEWS = 3;

/** Operations that gave no response, in the order of the description, and which of them were to be called. */
export function operationsWithoutResponse(
  result: RunResult,
): { readonly operation: string; readonly wasMeant: boolean }[] {
  const missed = new Set(neverAnswered(allSteps(result)));
  const silent = result.coverage.filter(({ statuses }) => statuses.length === 0);
  return silent.map(({ operation }) => ({ operation, wasMeant: missed.has(operation) }));
}

/** Why a run is not green although no single step says so. */
export interface RunProblem {
  readonly id:
    | 'nothing-judged'
    | 'stopped'
    | 'not-judged'
    | 'never-answered'
    | 'left-behind'
    | 'held-back'
    | 'coverage-missed';
  /** Tells it apart from others with the same id: an operation, a URL. */
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
}

/** What is left, the same at the same place together. */
export function residueGroups({ leftBehind }: RunResult, isAccepted: boolean): Group<Residue>[] {
  const residues = leftBehind.filter((residue) => residue.isAccepted === isAccepted);
  return groupBy(residues, ({ url, operation, reason }) => JSON.stringify([url, operation, reason]));
}

/** A service gives ids as long as it likes; the ledger has the whole. */
const LONGEST_URL = 2000;

/** One line about what is left. */
export function residueText([{ url, operation, reason }, ...others]: Group<Residue>): string {
  const shown = url.length > LONGEST_URL ? `${url.slice(0, LONGEST_URL)}…` : url;
  return `${shown} (${operation}): ${reason}${others.length === 0 ? '' : ` (${others.length + 1} times)`}`;
}

/** One line about a row of others that is another one behind the run. */
export function changedRowText({ url, properties }: ChangedRow): string {
  return properties === undefined ? `${url} is gone` : `${url}: ${properties.join(', ')}`;
}

/** Rows of others that changed during the run: a title, and a line for each of the first ones; `undefined` when there are none. */
export function othersChanged({ othersChanged: rows = [] }: RunResult): { title: string; lines: string[] } | undefined {
  if (rows.length === 0) return undefined;
  const rest = rows.length - MOST_ROWS;
  return {
    title: `${counted(rows.length, 'row')} that existed before the run changed while it ran, whoever did that`,
    lines: [
      ...rows.slice(0, MOST_ROWS).map(changedRowText),
      ...(rest > 0 ? [`… and ${counted(rest, 'more row')}`] : []),
    ],
  };
}

/** More of them say nothing new. */
const MOST_ROWS = 10;

/** A run conforms exactly when no step failed, every sent one could be checked, and there is none of these. */
export function runProblems(result: RunResult): RunProblem[] {
  const steps = allSteps(result);
  const { fail, error } = tallyOf(steps);
  return [
    // Beside a failure, or what could not be checked, that tells it.
    ...(fail + error === 0 && !hasProof(steps) && !isEmptyShard(result) ? [nothingCheckedProblem(steps)] : []),
    ...stoppedProblems(stopped(steps)),
    // Beside a failure they are counted at their cause.
    ...(fail + error === 0 ? uncheckedProblems(result) : []),
    ...neverAnswered(steps).map((operation) => ({
      id: 'never-answered' as const,
      subject: operation,
      message: `${operation} was planned, but no request got a response`,
      hint: 'See why its steps were skipped.',
    })),
    ...heldBackProblems(result),
    ...missedCoverage(result).map(coverageProblem),
    ...residueGroups(result, false).map((group) => ({
      id: 'left-behind' as const,
      subject: group[0].url,
      message: residueText(group),
      hint: 'Run standin cleanup with the ledger of the run.',
    })),
  ];
}

function nothingCheckedProblem(steps: readonly StepResult[]): RunProblem {
  const message =
    tallyOf(steps).pass === 0
      ? 'Nothing was checked: no step was sent'
      : 'No step of a contract passed; probes and cleanup do not check the contracts';
  const hint = 'See why the steps were skipped: the mode, --only and --skip.';
  return { id: 'nothing-judged', subject: 'run', message, hint };
}

/** What the mode kept the run from looking at, where that is most of it. */
function heldBackProblems(result: RunResult): RunProblem[] {
  const steps = allSteps(result);
  const held = skippedByMode(steps);
  if (result.allowsSkipped === true || !hasProof(steps) || !isMostlySkippedByMode(steps)) return [];
  const operations = [...new Set(held.flatMap(({ operation }) => operation ?? []))];
  const shown = operations.slice(0, MOST_SHOWN).join(', ');
  const more = operations.length > MOST_SHOWN ? ` and ${operations.length - MOST_SHOWN} more` : '';
  return [
    {
      id: 'held-back',
      subject: 'run',
      message: `The mode held back ${counted(held.length, 'step')}, more than were checked. Not checked: (${shown}${more})`,
      hint: 'The reasons say how to have them sent. --allow-skipped accepts the run as it is.',
    },
  ];
}

const MOST_SHOWN = 8;

function coverageProblem(missed: MissedLimit): RunProblem {
  return {
    id: 'coverage-missed',
    subject: missed.dimension,
    message: missedText(missed),
    hint: missedHint(missed),
  };
}

function stoppedProblems(steps: readonly StepResult[]): RunProblem[] {
  const [first] = steps;
  if (first?.verdict.kind !== 'skipped') return [];
  return [
    {
      id: 'stopped',
      subject: 'run',
      message: `The run ended early, ${counted(steps.length, 'step')} not sent: ${first.verdict.reason}`,
      hint: 'The other steps were not checked. Run it again.',
    },
  ];
}

function uncheckedProblems({ contracts, probes }: RunResult): RunProblem[] {
  return [...contracts, { name: 'auth behaviour', steps: probes }].flatMap(uncheckedProblemsOf);
}

function uncheckedProblemsOf({ name, steps }: Pick<ContractResult, 'name' | 'steps'>): RunProblem[] {
  const missed = skippedDependents(steps);
  const [first] = missed;
  if (first?.verdict.kind !== 'skipped') return [];
  return [
    {
      id: 'not-judged',
      subject: name,
      message: `${name}: ${counted(missed.length, 'step')} could not be sent: ${first.verdict.reason}`,
      hint: 'Steps that need an accepted failure are not checked. Fix it, or leave the contract out.',
    },
  ];
}

/** `2 failed, 10 passed, 3 skipped, 1 pending`, the worst first. A pending step was sent: it is no skipped one. */
export function countsText(steps: readonly StepResult[]): string {
  const pending = steps.filter(isPending).length;
  const tally = tallyOf(steps.filter((step) => !isPending(step)));
  const parts = (['fail', 'error', 'pass', 'skipped'] as const)
    .filter((kind) => tally[kind] > 0)
    .map((kind) => `${tally[kind]} ${VERDICT_WORDS[kind]}`);
  const all = pending === 0 ? parts : [...parts, `${pending} pending`];
  return all.length === 0 ? 'no step was sent' : all.join(', ');
}

/** What became of all steps, of what less was seen than was asked for, and how many different warnings there are. */
export function summaryText(result: RunResult): string {
  const warnings = warningGroups(result).length;
  const missed = missedCoverage(result).map(({ dimension }) => dimension);
  return [
    countsText(allSteps(result)),
    ...(missed.length === 0 ? [] : [`too little coverage of ${missed.join(', ')}`]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ].join(', ');
}

/** `Lock-step: 310 steps compared with the mock, 12 not: …`; `undefined` where there was no mock beside the target. */
export function lockStepText({ lockStep }: RunResult): string | undefined {
  if (lockStep === undefined) return undefined;
  const { compared, omitted } = lockStep;
  const others = omitted.reduce((sum, { steps }) => sum + steps, 0);
  const reasons = omitted.map(({ reason, steps }) => `${reason} (${steps})`).join('; ');
  return `Lock-step: ${counted(compared, 'step')} compared with the mock${others === 0 ? '' : `, ${others} not: ${reasons}`}`;
}

/** `Mode own · shard 1 of 3 · 17 of 18 operations responded as expected`. */
export function scopeText(result: RunResult): string {
  const { mode, shard, coverage } = result;
  const good = goodOperations(result);
  const known = coverage.filter(({ operation }) => good.has(operation)).length;
  return [
    mode === 'recorded' ? 'Recorded traffic' : `Mode ${mode}`,
    ...(shard === undefined ? [] : [`shard ${shard.index} of ${shard.count}`]),
    ...(coverage.length === 0 ? [] : [`${known} of ${counted(coverage.length, 'operation')} responded as expected`]),
  ].join(' · ');
}

/**
 * What a wrong address or a gateway answers is not a response of an operation, even where a step expects this status; and a
 * probe asks for a rejection alone.
 */
function goodOperations(result: RunResult): ReadonlySet<string> {
  const explained = new Set(
    rootCauses(result).flatMap((cause) =>
      explainsContracts(cause) && cause.check !== 'wrong-key' ? cause.steps.map(({ step }) => step.status) : [],
    ),
  );
  const good = allSteps(result).filter(({ phase, verdict, status }) => {
    return phase !== 'auth' && verdict.kind === 'pass' && !explained.has(status);
  });
  return new Set(good.flatMap(({ operation }) => operation ?? []));
}

/** Did a contract call the step pending? It was sent and checked, but what was found fails nothing. */
export function isPending({ verdict }: StepResult): boolean {
  return verdict.kind === 'skipped' && verdict.cause === 'pending';
}
