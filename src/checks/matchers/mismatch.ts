import type { JsonValue } from '../../json/json-value';

/** A part of a value that is not what a matcher asks for. */
export interface Mismatch {
  /** JSON pointer into the value. */
  readonly pointer: string;
  /** Goes on after the name of the part: `is missing`. */
  readonly message: string;
  /** In words; `undefined` when the message says it. */
  readonly expected: string | undefined;
  /** `undefined` when it is not there. */
  readonly actual: JsonValue | undefined;
}

/** A part of what was expected that nothing was compared with. */
export interface Unevaluated {
  /** JSON pointer into the value, to the part that gave no occasion. */
  readonly pointer: string;
  /** `the list is empty`. */
  readonly reason: string;
  /** What would have been asked for, in words. */
  readonly expected: string;
}

/** What comparing a value with a matcher gave. */
export interface MatchOutcome {
  readonly mismatches: readonly Mismatch[];
  readonly unevaluated: readonly Unevaluated[];
}
