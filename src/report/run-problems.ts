import {
  allSteps,
  hasProof,
  heldBack,
  isMostlyHeldBack,
  neverAnswered,
  stopped,
  tallyOf,
  unjudged,
  type ContractResult,
  type Residue,
  type RunResult,
  type StepResult,
} from '../runner/run-result';
import { isEmptyShard } from '../runner/shard';
import { groupBy, type Group } from './group-by';
import { counted } from './wording';

/** Why a run is not green although no single step says so. */
export interface RunProblem {
  readonly id: 'nothing-judged' | 'stopped' | 'not-judged' | 'never-answered' | 'left-behind' | 'held-back';
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

/** A run conforms exactly when no step failed, every sent one could be judged, and there is none of these. */
export function runProblems(result: RunResult): RunProblem[] {
  const steps = allSteps(result);
  const { fail, error } = tallyOf(steps);
  return [
    // Beside a failure, or what could not be judged, that tells it.
    ...(fail + error === 0 && !hasProof(steps) && !isEmptyShard(result) ? [nothingJudged(steps)] : []),
    ...stoppedProblems(stopped(steps)),
    // Beside a failure they are counted at their cause.
    ...(fail + error === 0 ? unjudgedProblems(result) : []),
    ...neverAnswered(steps).map((operation) => ({
      id: 'never-answered' as const,
      subject: operation,
      message: `${operation} was to be called, and never answered`,
      hint: 'Look at the cause of the steps that were skipped.',
    })),
    ...heldBackProblems(result),
    ...residueGroups(result, false).map((group) => ({
      id: 'left-behind' as const,
      subject: group[0].url,
      message: residueText(group),
      hint: 'standin cleanup takes the ledger of the run and tries again.',
    })),
  ];
}

function nothingJudged(steps: readonly StepResult[]): RunProblem {
  const message =
    tallyOf(steps).pass === 0
      ? 'Nothing was judged: a run that executed nothing says nothing'
      : 'No step of a contract passed: what probes and a cleanup meet says nothing of the contracts';
  const hint = 'Look at why the steps were skipped: the mode, and what --only and --skip leave.';
  return { id: 'nothing-judged', subject: 'run', message, hint };
}

/** What the mode kept the run from looking at, where that is most of it. */
function heldBackProblems(result: RunResult): RunProblem[] {
  const steps = allSteps(result);
  const held = heldBack(steps);
  if (result.allowsSkipped === true || !hasProof(steps) || !isMostlyHeldBack(steps)) return [];
  const operations = [...new Set(held.flatMap(({ operation }) => operation ?? []))];
  const shown = operations.slice(0, MOST_SHOWN).join(', ');
  const more = operations.length > MOST_SHOWN ? ` and ${operations.length - MOST_SHOWN} more` : '';
  return [
    {
      id: 'held-back',
      subject: 'run',
      message: `The mode held back ${counted(held.length, 'step')}, more than were judged: nothing is known of what they call (${shown}${more})`,
      hint: 'Their reasons say what would have them sent. --allow-skipped takes the run as it is.',
    },
  ];
}

const MOST_SHOWN = 8;

function stoppedProblems(steps: readonly StepResult[]): RunProblem[] {
  const [first] = steps;
  if (first?.verdict.kind !== 'skipped') return [];
  return [
    {
      id: 'stopped',
      subject: 'run',
      message: `The run ended early, ${counted(steps.length, 'step')} not sent: ${first.verdict.reason}`,
      hint: 'Nothing is known of what was not sent. Run it again.',
    },
  ];
}

function unjudgedProblems({ contracts, probes }: RunResult): RunProblem[] {
  return [...contracts, { name: 'auth behaviour', steps: probes }].flatMap(unjudgedProblemsOf);
}

function unjudgedProblemsOf({ name, steps }: Pick<ContractResult, 'name' | 'steps'>): RunProblem[] {
  const missed = unjudged(steps);
  const [first] = missed;
  if (first?.verdict.kind !== 'skipped') return [];
  return [
    {
      id: 'not-judged',
      subject: name,
      message: `${name}: ${counted(missed.length, 'step')} could not be sent: ${first.verdict.reason}`,
      hint: 'An accepted failure says nothing of the steps that needed it. Mend it, or leave the contract out.',
    },
  ];
}
