import type { ProblemDetail } from '../../checks/problem';

/** Everything that an error body may tell. */
export interface ErrorCause {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Every fault of the request that is known; none where the problem is no fault of a value. */
  readonly details: readonly ProblemDetail[];
  /** Of the request; empty where there was none that could be read. */
  readonly method: string;
  /** Path of the request, without its query: that may hold a key. */
  readonly path: string;
  /** Epoch milliseconds by the mock's clock. */
  readonly nowMs: number;
}
