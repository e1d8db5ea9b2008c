import type { RawHeaders } from '../../core/http/message';

/** A request that a service sent to the run. */
export interface ReceivedEvent {
  readonly method: string;
  /** Below the address of its inbox, without a query: `/paid`, or nothing. */
  readonly path: string;
  /** As it was sent. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
  /** By the clock of `performance.now()`. */
  readonly atMs: number;
}

/** What came to one address, or to none in particular. */
export interface EventInbox {
  readonly url: string;
  /** In the order of their arrival. */
  readonly received: readonly ReceivedEvent[];
  /** Waits for the next one, or until nothing came for that time. */
  next(timeoutMs: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Receives what the service sends by itself while a run goes on. */
export interface EventReceiver {
  /** What the service reaches it by. */
  readonly url: string;
  /** Gives an address that nobody else has. */
  open(): EventInbox;
}
