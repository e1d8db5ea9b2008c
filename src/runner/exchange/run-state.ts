import type { StandinError } from '../../core/errors/standin-error';
import type { NamedParent, StepAuth } from '../../formats/contract/contract';
import type { Transport } from '../../core/http/message';
import type { ApiModel } from '../../openapi/model/api-model';
import { Creations } from '../ownership/creation-registry';
import { NO_LEDGER, type Ledger } from '../ownership/ledger';
import { ExchangeLog } from './exchange-log';
import type { Interaction } from './interaction';
import { createRedactor, keysOf, type LearningRedactor } from '../../redaction/key-redactor';
import type { MinCoverage } from '../coverage/dimensions';
import type { Shard } from '../result/outcome';
import { LockStepTally } from '../result/lock-step-tally';
import type { Mode, RunProgress, StepResult } from '../result/run-result';
import type { EventReceiver, ReceivedEvent } from '../transport/event-inbox';
import type { Reference } from '../transport/reference';

export interface RunInput {
  /** Version of the tool, for the result. */
  readonly version: string;
  readonly api: ApiModel;
  readonly transport: Transport;
  /** Scheme, host, port and the path before every path of the description; no slash at the end. */
  readonly baseUrl: string;
  /** `undefined` when the target asks for none. */
  readonly apiKey: string | undefined;
  /** Keys of single security schemes, by their name in the description; none when left out. */
  readonly schemeKeys?: ReadonlyMap<string, string> | undefined;
  /** Are credentials sent where the description asks for them? Left out: yes. */
  readonly sendsKey?: boolean | undefined;
  /** Keys of further callers, by the name that contracts give them. */
  readonly identities?: ReadonlyMap<string, string> | undefined;
  /** Keys that have to be rejected, by name; none when left out. */
  readonly refusedIdentities?: ReadonlyMap<string, string> | undefined;
  /** Different in each run, and short: names of what is created hold it. */
  readonly runId: string;
  readonly mode: Mode;
  /** Existing things that every contract may make something below; none when left out. */
  readonly within?: readonly NamedParent[] | undefined;
  /** May the mode hold back most steps, and the run be green all the same? Left out: no. */
  readonly allowsSkipped?: boolean | undefined;
  /** How much of the description is to be seen, in percent; nothing is asked for when left out. */
  readonly minCoverage?: MinCoverage | undefined;
  /** Ids of checks whose warnings fail the run, or `all`; none when left out. */
  readonly promoted?: ReadonlySet<string> | undefined;
  /** Left out: everything. */
  readonly selection?: Selection | undefined;
  /** Which part of all contracts to run, counted from 1. */
  readonly shard?: Shard | undefined;
  /** Call secured operations without a valid key as well? Left out: yes. */
  readonly probesAuth?: boolean | undefined;
  /** How much may be sent, and for how long, but for what removes what was made; without end when left out. */
  readonly budget?: Budget | undefined;
  /** How many contracts run at a time; 1 when left out. */
  readonly concurrency?: number | undefined;
  /** Where creations are written down; nowhere when left out. */
  readonly ledger?: Ledger | undefined;
  /** Is what was made removed only where what stands there shows that it is the run's own? Left out: no. */
  readonly needsEvidence?: boolean | undefined;
  /** A mock of the same description that every step is sent to as well; none when left out. */
  readonly reference?: Reference | undefined;
  /** Once aborted nothing more is sent but the cleanup. */
  readonly signal?: AbortSignal | undefined;
  /** Receives what the service sends by itself; what contracts expect of it is not looked at when left out. */
  readonly receiver?: EventReceiver | undefined;
  readonly onStep?: ((step: StepResult) => void) | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/**
 * Values of path variables that a run saw to exist and did not create: a server, a tenant, an organisation, which
 * contracts name as they are. By the template up to the variable: `/servers/{id}`.
 */
export type KnownParents = ReadonlyMap<string, string>;

export interface Run extends RunInput {
  readonly basePath: string;
  readonly creations: Creations;
  readonly redact: LearningRedactor;
  readonly log: ExchangeLog;
  /** What was compared with the mock beside the target, and what was not. */
  readonly lockStep: LockStepTally;
  /** Every response that was or is being checked. */
  readonly pendingResults: Promise<StepResult>[];
  /** Words before the key in the header Authorization that the run found out, by the name of the scheme. */
  readonly schemeWords: Map<string, string>;
  /** Keys that steps send which earlier ones captured, by what their interactions call them. */
  readonly sessions: Map<string, Exclude<StepAuth, string>>;
  /** What the service sent and a step awaited. */
  readonly takenEvents: Set<ReceivedEvent>;
  /** Why steps are marked as pending, by their results. */
  readonly pendingReasons: Map<StepResult, string>;
  /** Ids of operations of which a Location was followed. */
  readonly followedLocations: Set<string>;
  /** Ids of GETs that were answered with something: only their 404 says that there is nothing. */
  readonly readableOperations: Set<string>;
  /** Ids of the write operations that were probed without a key. */
  readonly probedWrites: Set<string>;
  /** Ids of the write operations that did without a key what they are for. */
  readonly unprotectedWrites: Set<string>;
  /** `undefined` until the contracts are over. */
  knownParents: KnownParents | undefined;
  /** Requests of the budget that are sent, or will be. */
  takenRequests: number;
  /** By the clock of `performance.now()`. */
  readonly beganAt: number;
  /** Requests whose key of the run was refused, by operation; `undefined` once an operation is known to have taken it. */
  keyRefusals: Map<string, Interaction> | undefined;
  /** Requests with the key of the run that were not refused, with their lowest status, by operation: it may be open. */
  readonly keyAnswers: Map<string, readonly [Interaction, number]>;
  /** Why the key is taken for a wrong one, so that nothing is sent any more. */
  keyRefusal: string | undefined;
  hasAnswered: boolean;
  /** Was any response one of the API, and not of something in its place? */
  hasApiResponse: boolean;
  /** Requests one after the other that were not answered in time. */
  unansweredRequests: number;
  /** The same, while only a look of the runner met it and no step has told it. */
  untoldError: StandinError | undefined;
  /** Why the target is taken for gone, so that nothing waits for it again and again. */
  targetError: StandinError | undefined;
}

export function startRun(input: RunInput): Run {
  return {
    ...input,
    basePath: new URL(input.baseUrl).pathname.replace(/\/+$/, ''),
    creations: new Creations(input.api, input.ledger ?? NO_LEDGER),
    redact: createRedactor(keysOf(input)),
    log: new ExchangeLog(),
    lockStep: new LockStepTally(),
    pendingResults: [],
    schemeWords: new Map(),
    sessions: new Map(),
    takenEvents: new Set(),
    pendingReasons: new Map(),
    followedLocations: new Set(),
    readableOperations: new Set(),
    probedWrites: new Set(),
    unprotectedWrites: new Set(),
    knownParents: undefined,
    takenRequests: 0,
    beganAt: performance.now(),
    keyRefusals: input.sendsKey === false ? undefined : new Map(),
    keyAnswers: new Map(),
    keyRefusal: undefined,
    hasAnswered: false,
    hasApiResponse: false,
    unansweredRequests: 0,
    untoldError: undefined,
    targetError: undefined,
  };
}

/** How much of a run there may be: no contract and no probe is begun that would go beyond it. */
export interface Budget {
  readonly requests: number | undefined;
  /** From the begin of the run. */
  readonly milliseconds: number | undefined;
}

/**
 * Takes requests from the budget, before something is begun that sends them.
 *
 * @param requests - how many it takes at most; {@link giveBack} what it did not need
 * @returns why it is not to be begun; `undefined` where there is enough left
 */
export function takeFromBudget(run: Run, requests: number): string | undefined {
  const { budget, beganAt } = run;
  if (budget?.requests !== undefined && run.takenRequests + requests > budget.requests)
    return `it takes ${requests} requests, and of the ${budget.requests} of the run (--max-requests) ${run.takenRequests} are taken`;
  if (budget?.milliseconds !== undefined && performance.now() - beganAt >= budget.milliseconds)
    return `the run may take ${budget.milliseconds / 1000} s (--max-time)`;
  run.takenRequests += requests;
  return undefined;
}

/** Requests that were taken and not sent; below zero for those that were sent beside them. */
export function giveBack(run: Run, requests: number): void {
  run.takenRequests -= requests;
}

/** Which steps to run, by tags of contracts and steps and by operations. */
export interface Selection {
  /** Run these alone; empty means all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}
