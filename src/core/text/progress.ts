/** How far a piece of work is, as told by the place that does it. */
export interface Progress {
  /** What is done now, as a present participle: `reading`, `compiling`. */
  readonly phase: string;
  /** What it is done to: `openapi.yaml`, `operations`. */
  readonly what: string;
  /** Of `total`. */
  readonly done: number;
  /** 0 where nobody knows how much there is. */
  readonly total: number;
  /** Is it known to take long, and can nothing be told from within it? */
  readonly isLong?: boolean | undefined;
}

/**
 * Called by long work that many wait for, from within it: much of it is synchronous, and leaves a timer no turn. Passed
 * in as a value; where nobody listens it is `undefined`, and costs nothing.
 */
export type TellProgress = (progress: Progress) => void;
