/** Version of the ledger file, written in its first line. */
export const LEDGER_FORMAT = 'ledger/1';

/** What a run may leave behind, one line each: written before a creation is sent, and after it was answered. */
export type LedgerEntry =
  | {
      readonly kind: 'run';
      readonly format: typeof LEDGER_FORMAT;
      readonly runId: string;
      readonly baseUrl: string;
      /** File of the description. */
      readonly description: string;
      readonly startedAt: string;
    }
  /** A creation is about to be sent; whether it happened is not known yet. */
  | { readonly kind: 'pending'; readonly entry: number; readonly operation: string; readonly path: string }
  /** It happened; `item` is the path of what was made, absent when the answer did not tell. */
  | { readonly kind: 'created'; readonly entry: number; readonly item?: string | undefined }
  /** It was refused: nothing was made. */
  | { readonly kind: 'refused'; readonly entry: number }
  /** What was made is gone again. */
  | { readonly kind: 'removed'; readonly entry: number };

/** Keeps the entries of a run, so that what it made is found again even after a crash. */
export interface Ledger {
  /** Returns when the entry is safe. @throws ConfigError when it cannot be written */
  append(entry: LedgerEntry): void;
}

/** A ledger that keeps nothing: for a target that nobody else uses. */
export const NO_LEDGER: Ledger = { append: () => undefined };
