import type { StateLog } from '../state/state-log';
import type { JournalSize, StoredRequest } from './journal-entry';

/** What processes tell one another. */
export type Told =
  | { readonly kind: 'request'; readonly sandbox: string; readonly stored: StoredRequest }
  /** The journal of a sandbox was emptied. */
  | { readonly kind: 'cleared'; readonly sandbox: string }
  /** Others than requests changed something, at a process. */
  | { readonly kind: 'changed'; readonly what: string; readonly process: string };

/** Something to tell, with when it was: epoch milliseconds and parts of them. */
export type TimedTold = Told & { readonly atMs: number };

/** What a process tells at once. */
export interface ToldBatch {
  readonly process: string;
  /** Counts those of the process from 1: one that is told again, because no reply came, is told once. */
  readonly number: number;
  readonly told: readonly TimedTold[];
  /** Requests beside these that are not remembered. */
  readonly lost: number;
}

/** A process that answered requests that it did not tell of yet. */
export interface Debtor {
  readonly process: string;
  /** When the first of them was answered, or before; epoch milliseconds. */
  readonly sinceMs: number;
}

/** Up to where a process knows what was told. */
export interface HeardUpTo {
  /** Another one where all that was told before is gone. */
  readonly instance: string;
  readonly cursor: string;
}

export interface Heard extends HeardUpTo {
  /** In place of all that was known before? */
  readonly isWhole: boolean;
  /** Requests have their numbers, which are the same for all who hear. */
  readonly told: readonly Told[];
  /** Number of the latest request. */
  readonly last: number;
  /** Since when a process did not tell of all it answered; `undefined` where each did. */
  readonly owedSinceMs: number | undefined;
}

/**
 * Where processes that serve the same sandboxes tell one another of their requests, while somebody looks at them. What was
 * told gets its place in the order of times when somebody hears it. Everything may throw a {@link StoreError}.
 */
export interface RequestStream {
  /** Somebody looks, and goes on for a while. */
  watch(): Promise<void>;
  /** A process is there, and has something to tell. @returns whether somebody looks */
  owe(debtor: Debtor): Promise<boolean>;
  /** @param owedSinceMs - of what the process has still to tell; `undefined` for nothing. @returns whether somebody looks still */
  tell(batch: ToldBatch, owedSinceMs: number | undefined): Promise<boolean>;
  /**
   * What was answered after something that a process may still tell gets its place another time.
   *
   * @param known - `undefined` for nothing
   * @param isPatient - else all that was told gets its place now
   */
  hear(known: HeardUpTo | undefined, isPatient: boolean): Promise<Heard>;
}

/** A log of several processes. */
export interface SharedLog extends StateLog {
  /** What its writers tell one another beside the entries; without it each knows its own requests alone. */
  readonly requests?: RequestStream;
}

/** So many requests of all sandboxes are remembered together. */
export const SHARED_JOURNAL: JournalSize = { entries: 2000, textBytes: 12 * 1024 * 1024, bodyBytes: 16 * 1024 };
