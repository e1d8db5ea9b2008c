import type { Finding } from '../checks/finding';
import type { HarnessError } from '../errors/harness-error';
import type { Phase } from '../formats/contract';
import type { RawHeaders } from '../http/message';

/** A finding with the place in the description that it is about, `openapi.yaml:12:5`. */
export interface LocatedFinding extends Finding {
  readonly place?: string | undefined;
}

/** What became of one interaction. */
export type Verdict =
  | { readonly kind: 'pass'; readonly checksRun: number }
  | { readonly kind: 'fail'; readonly findings: readonly LocatedFinding[] }
  /** No answer came, or a schema does not compile: nothing could be judged. */
  | { readonly kind: 'error'; readonly error: HarnessError }
  /** Counted and shown, never silent. */
  | { readonly kind: 'skipped'; readonly reason: string };

/** A request as it was sent, the key replaced by the text `$STANDIN_API_KEY`. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RawHeaders;
  readonly body: string | undefined;
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
  /** `undefined` when no answer came. */
  readonly status: number | undefined;
  readonly verdict: Verdict;
  /** Findings that fail nothing. */
  readonly warnings: readonly LocatedFinding[];
}

export interface ContractResult {
  readonly name: string;
  readonly file: string;
  readonly steps: readonly StepResult[];
}

/** Everything that a run found. Reports and the exit code are made from it and from nothing else. */
export interface RunResult {
  /** Title and version of the description. */
  readonly api: string;
  readonly baseUrl: string;
  readonly contracts: readonly ContractResult[];
  /** Generated probes of the auth behaviour. */
  readonly probes: readonly StepResult[];
  readonly outcome: Outcome;
}

/** How many steps ended in which way. */
export type Tally = Readonly<Record<Verdict['kind'], number>>;

/**
 * What the run says as a whole. Violations that were found stay true whatever else happened; a run that executed
 * nothing says nothing.
 */
export type Outcome = 'conforms' | 'violations' | 'cannot-judge' | 'inconclusive';

export function allSteps({ contracts, probes }: Pick<RunResult, 'contracts' | 'probes'>): StepResult[] {
  return [...contracts.flatMap(({ steps }) => steps), ...probes];
}

export function tallyOf(steps: readonly StepResult[]): Tally {
  const tally = { pass: 0, fail: 0, error: 0, skipped: 0 };
  for (const { verdict } of steps) tally[verdict.kind] += 1;
  return tally;
}

export function outcomeOf(steps: readonly StepResult[]): Outcome {
  const { pass, fail } = tallyOf(steps);
  if (fail > 0) return 'violations';
  const errors = steps.flatMap(({ verdict }) => (verdict.kind === 'error' ? [verdict.error] : []));
  if (errors.some(({ code }) => !code.startsWith('TRANSPORT_'))) return 'cannot-judge';
  return errors.length > 0 || pass === 0 ? 'inconclusive' : 'conforms';
}
