/** How long an answer waits, in milliseconds. */
export type Delay =
  | { readonly kind: 'uniform'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'normal'; readonly meanMs: number; readonly deviationMs: number }
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly sigma: number };

/** In which way a response breaks the contract on purpose. */
export type Breach = 'missing' | 'type' | 'enum' | 'extra';

/** What goes wrong. */
export type FaultAction =
  | { readonly kind: 'latency'; readonly delay: Delay }
  | { readonly kind: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'reset' | 'empty' | 'truncate' | 'malformed-json' }
  | { readonly kind: 'wrong-content-type'; readonly mediaType: string }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'error-rate'; readonly share: number; readonly status: number }
  | { readonly kind: 'outage'; readonly fromMs: number; readonly untilMs: number; readonly status: number }
  | { readonly kind: 'fail'; readonly count: number; readonly status: number }
  | { readonly kind: 'rate-limit'; readonly requests: number; readonly perMs: number }
  | { readonly kind: 'commit-then-fail'; readonly status: number | undefined }
  | { readonly kind: 'violate'; readonly pointer: string; readonly path: readonly string[]; readonly breach: Breach };

/** One thing that goes wrong, for which requests, and for how long. */
export interface Fault {
  /** As it was written. */
  readonly text: string;
  readonly action: FaultAction;
  /** `operationId` of the only operation that it touches. */
  readonly operation: string | undefined;
  readonly method: string | undefined;
  /** Path template, as in the description. */
  readonly path: string | undefined;
  /** It ends so long after it was set. */
  readonly forMs: number | undefined;
  /** It ends when it happened so often. */
  readonly times: number | undefined;
}

/** The longest that any answer is held back. */
export const MAX_DELAY_MS = 60_000;
