import type { HttpRequest, HttpResponse } from './message';

/** How one request is to be sent. Transports without a socket need not look at it. */
export interface SendOptions {
  /**
   * Statuses that the sender counts on. One that asks to come back later (429, 503) is then the answer, and nothing is
   * waited for.
   */
  readonly expects?: readonly number[] | undefined;
  /** Ends the sending, and the waiting for its answer, at once. */
  readonly signal?: AbortSignal | undefined;
  /** Send on a connection of its own: those that are open may have been closed by the other side (RFC 9112 §9.3.1). */
  readonly isFresh?: boolean | undefined;
  /**
   * Is the request one that the target carries out once however often it comes, although its method does not say so?
   */
  readonly mayRepeat?: boolean | undefined;
  /** Send although the run was interrupted: what the run made has still to be removed. */
  readonly despiteInterrupt?: boolean | undefined;
}

/**
 * The only way to a target: whoever sends a request sends it through this, and cannot tell a socket from a mock in
 * the same process.
 */
export interface Transport {
  /**
   * Sends one request and gives the whole response. Any status is a response; the promise rejects only when no
   * response came.
   */
  send(request: HttpRequest, options?: SendOptions): Promise<HttpResponse>;
}
