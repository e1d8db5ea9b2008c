import type { KeyTrips } from './client-keys';

/** What one description gave when it was served and called. */
export interface Trial {
  /** Path, as short as it can be shown. */
  readonly name: string;
  readonly bytes: number;
  /** `undefined` when it was served; else why not. */
  readonly refused: string | undefined;
  /** From the start of the process to the last byte of the first answer, in milliseconds. */
  readonly firstAnswerMs: number;
  /** Peak of the resident memory of the server's process, in MB. */
  readonly memoryMb: number;
  readonly operations: number;
  /** Operations that answered, and not with a 5xx. */
  readonly answered: number;
  /** Operations whose good request was accepted with a documented success. */
  readonly succeeded: number;
  /** Answers that broke their schema, or anything else that the checks of `standin verify` look at. */
  readonly wrong: readonly Complaint[];
  /** Requests that could not be made, and operations that answered 5xx or nothing. */
  readonly failed: readonly Complaint[];
  readonly resources: number;
  /** Operations that a resource stands behind. */
  readonly stateful: number;
  readonly roundTrips: number;
  readonly roundTripsHeld: number;
  readonly broken: readonly Complaint[];
  /** With `--keys` alone. */
  readonly keys?: KeyTrips;
}

/** One thing that was not as it should be. */
export interface Complaint {
  /** `GET /things/{id}` */
  readonly operation: string;
  /** What it is counted under. */
  readonly kind: string;
  readonly detail: string;
}
