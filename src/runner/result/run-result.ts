import type { CheckArea, Finding } from '../../core/errors/finding';
import type { StandinError } from '../../core/errors/standin-error';
import type { Capture, Phase } from '../../formats/contract/contract';
import type { RawHeaders } from '../../core/http/message';
import type { RequestId } from '../../core/http/headers';
import type { DimensionCoverage, MinCoverage } from '../coverage/dimensions';
import type { LockStepSummary } from './lock-step-tally';

/** Version of the JSON form of a result, written in it. */
export const RESULT_FORMAT = 'result/1';

/** What may be sent: safe methods only; writes to what the run made itself as well; everything. */
export const MODES = ['observe', 'own', 'full'] as const;
export type Mode = (typeof MODES)[number];

/** How far a run is, for who waits for it. */
export interface RunProgress {
  /**
   * `steps` of the contracts, with the writes among them that are sent without a valid key first; `probes` of operations
   * without a valid key; `checks` of all responses together; `removal` of what was made, or a look whether it is gone.
   */
  readonly phase: 'steps' | 'probes' | 'checks' | 'removal';
  /** Steps, operations or items of the phase that are done. Steps that are not to be sent do not count. */
  readonly done: number;
  readonly total: number;
  /** Steps and probes so far that failed or ended in an error. */
  readonly failed: number;
  /** Requests that were sent and that are left, about. */
  readonly sent: number;
  readonly left: number;
  /** What was done last. */
  readonly name?: string | undefined;
}

/** A finding with the place in the description that it is about, `openapi.yaml:12:5`. */
export interface LocatedFinding extends Finding {
  readonly place?: string | undefined;
}

/** Why nothing could be checked: a {@link StandinError} as a value. */
export type RunError = Pick<StandinError, 'code' | 'message' | 'hint' | 'findings'>;

/**
 * Why a step was not sent, or does not count. The first six leave a run
 * green: `selection` by tags or operations, `mode` because it could change what is not the run's own, unless most steps
 * are held back so, `pending` because the contract says so, `refused` where the service did and the contract lets it,
 * `budget` because the requests or the time that the run may take were used up, `disabled` because an
 * error in the description keeps the operation from being judged. With the others something is missing.
 */
export const SKIP_CAUSES = [
  'selection',
  'mode',
  'pending',
  'refused',
  'budget',
  'disabled',
  'missing-value',
  'setup-failed',
  'target-lost',
  'key-refused',
  'not-harmless',
  'interrupted',
] as const;
export type SkipCause = (typeof SKIP_CAUSES)[number];

/** What became of one interaction. */
export type Verdict =
  | { readonly kind: 'pass'; readonly checksRun: number }
  | { readonly kind: 'fail'; readonly findings: readonly LocatedFinding[] }
  /** No response came, or a schema does not compile: nothing could be checked. */
  | { readonly kind: 'error'; readonly error: RunError }
  /** Counted and shown, never silent. */
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      readonly cause: SkipCause;
      /** Name of the earlier step of the contract because of which it was. */
      readonly because?: string | undefined;
    };

/** A request as it was sent, every key replaced by the text of its shell variable, such as `$STANDIN_API_KEY`. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RawHeaders;
  /** `undefined` when there is none, or when it is not a text. */
  readonly body: string | undefined;
  /** What of the body is not shown, in words; `undefined` when all of it is. */
  readonly omitted?: string | undefined;
}

/** The response to a failing request: as it came, but without secrets and no longer than a report can bear. */
export interface ReceivedResponse {
  readonly headers: RawHeaders;
  /** `undefined` when there is none, or when it is not a text. */
  readonly body: string | undefined;
  /** What of it is not shown, in words; `undefined` when all of it is. */
  readonly omitted: string | undefined;
}

/**
 * A request with what differs between runs replaced by shell variables, `$name`, and what it captures itself: the steps
 * that lead to a failure can be sent again one after the other.
 */
export interface Recipe {
  readonly request: SentRequest;
  /** Names of the captured values that the request uses, and `runId` where it has the id of the run in it. */
  readonly uses: readonly string[];
  /** Names of further captured values that the step expects in the response. */
  readonly expects?: readonly string[] | undefined;
  readonly captures: readonly RecipeCapture[];
}

/** A captured value: a runtime expression, and what of its text is taken. */
export interface RecipeCapture extends Pick<Capture, 'name' | 'text'> {
  /** Regular expression whose one group is the value; left out: all of it. */
  readonly pattern?: string | undefined;
  /** Where the request as it was sent does not show it: the text that the expression names. */
  readonly value?: string | undefined;
}

export interface StepResult {
  readonly name: string;
  /** `auth` for the probes that the runner adds by itself. */
  readonly phase: Phase | 'auth';
  /** Id of the operation; `undefined` when the description has none for the request. */
  readonly operation: string | undefined;
  /** Where the step stands in its contract, `contracts/shop.yaml:12:5`; `undefined` for a probe. */
  readonly place: string | undefined;
  /** `undefined` when nothing was sent. */
  readonly request: SentRequest | undefined;
  readonly recipe: Recipe | undefined;
  /** `undefined` when no response came. */
  readonly status: number | undefined;
  /** From sending to the last byte, waiting and repetitions included; `undefined` when nothing was sent. */
  readonly durationMs: number | undefined;
  /** From the start of the run to the sending; `undefined` when nothing was sent, and in results of before. */
  readonly startMs?: number | undefined;
  /** How often the request was sent; above 1 when the target asked to wait, a connection broke, or the step repeats it. */
  readonly attempts: number;
  /** The word of the group that was sent at the same time; left out for a step that was sent alone. */
  readonly together?: string | undefined;
  /** How many exchanges of recorded traffic it stands for, which all say the same; one when left out. */
  readonly times?: number | undefined;
  readonly verdict: Verdict;
  /** What was looked at: areas in which at least one check had something to check. Left out: nothing, or not known. */
  readonly areas?: readonly CheckArea[] | undefined;
  /** Findings that fail nothing. */
  readonly warnings: readonly LocatedFinding[];
  /** Of a step that failed, where no earlier one failed in the same way: what came back. */
  readonly response?: ReceivedResponse | undefined;
  /** Of a step that failed: how the service names the request in its own logs. */
  readonly requestIds?: readonly RequestId[] | undefined;
}

export interface ContractResult {
  readonly name: string;
  readonly file: string;
  readonly steps: readonly StepResult[];
}

export interface OperationCoverage {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Steps and probes that call it. */
  readonly steps: number;
  /** Statuses that it answered with, ascending, each once. */
  readonly statuses: readonly number[];
}

/** Something that the run made and that is still there, or may be. */
export interface Residue {
  /** Where it is; for a creation whose response never came, where it was sent to. */
  readonly url: string;
  /** Id of the operation that made it. */
  readonly operation: string;
  readonly reason: string;
  /** No fault: the description has no way to remove it, or its contract says that it stays. */
  readonly isAccepted: boolean;
}

/** An operation that a run without contracts did not call, and why: `opens a WebSocket, which is not spoken here`. */
export interface UncalledOperation {
  readonly operation: string;
  readonly reason: string;
}

/** What a run learnt of the answers that it got, and acted on in what it sent afterwards. */
export interface LearntFact {
  /** Id of the operation. */
  readonly operation: string;
  /** `refuses what the description allows: name ends with ".", after 422 "…"`. */
  readonly message: string;
}

/** A row that was there before the run and is another one, or gone, behind it. Whoever did that, the run has to tell it. */
export interface ChangedRow {
  readonly url: string;
  /** Names of the properties that differ. Left out: it is gone. */
  readonly properties?: readonly string[] | undefined;
}

/** Something that the run made. */
export interface CreatedItem {
  /** Where it is or was. */
  readonly url: string;
  /** Id of the operation that made it. */
  readonly operation: string;
  /** Is it gone again? What is not is in {@link RunResult.leftBehind} as well. */
  readonly isRemoved: boolean;
}

/** Everything that a run found. Reports and the exit code are made from it and from nothing else. */
export interface RunResult {
  readonly format: typeof RESULT_FORMAT;
  readonly version: string;
  readonly runId: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Title and version of the description. */
  readonly api: string;
  /** File of the description. */
  readonly description: string;
  readonly baseUrl: string;
  /** Paths that the servers of the description put before every path of it, the first server's first. */
  readonly basePaths?: readonly string[] | undefined;
  /** `recorded`: nothing was sent; traffic of others is judged. */
  readonly mode: Mode | 'recorded';
  /** May most steps have been held back by the mode, as who started the run said? Left out: no. */
  readonly allowsSkipped?: boolean | undefined;
  /** Which part of all contracts this is, counted from 1; `undefined` for all. */
  readonly shard: { readonly index: number; readonly count: number } | undefined;
  readonly contracts: readonly ContractResult[];
  /** Generated probes of the auth behaviour. */
  readonly probes: readonly StepResult[];
  /** Every operation of the description, in its order. */
  readonly coverage: readonly OperationCoverage[];
  /** How much of the description steps and probes saw. Left out: not counted, as in recorded traffic and results of before. */
  readonly dimensions?: readonly DimensionCoverage[] | undefined;
  /** How much had to be seen, in percent, as who started the run said. Left out: nothing was asked for. */
  readonly minCoverage?: MinCoverage | undefined;
  /** What the run made, in the order of making. Left out: not known, in results of before. */
  readonly created?: readonly CreatedItem[] | undefined;
  readonly leftBehind: readonly Residue[];
  /** Rows of others that changed while it ran, as far as lists show. Left out: none. */
  readonly othersChanged?: readonly ChangedRow[] | undefined;
  /** What it learnt while it went on. Left out: nothing. */
  readonly learnt?: readonly LearntFact[] | undefined;
  /** Of a run without contracts: the operations that gave no response, each with the reason. Left out: none, or not such a run. */
  readonly uncalled?: readonly UncalledOperation[] | undefined;
  /** What was compared with a mock beside the target. Left out: there was none. */
  readonly lockStep?: LockStepSummary | undefined;
  readonly outcome: Outcome;
}

/**
 * What the run says as a whole, the worst first. Violations that were found stay true whatever else happened; a run
 * that executed nothing says nothing, and neither does one that was stopped, or where what was to be called was not.
 */
export type Outcome = 'violations' | 'cannot-judge' | 'inconclusive' | 'left-behind' | 'conforms';
