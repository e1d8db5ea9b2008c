import { ConfigError } from '../../core/errors/standin-error';
import type { Residue } from '../result/run-result';
import type { SentProperty } from './sent-content';

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
      /** Was an address of this machine said to lead to a shared server? */
      readonly remote?: boolean | undefined;
    }
  /** A creation is about to be sent; whether it happened is not known yet. */
  | {
      readonly kind: 'pending';
      readonly entry: number;
      readonly operation: string;
      readonly path: string;
      /** Does the body that is sent hold the id of the run in a text? Only then can the creation be told by it. */
      readonly marked?: boolean | undefined;
      /** Why what is made stays, as the contract says. */
      readonly leaves?: string | undefined;
      /** Who makes it, and is to remove it: `valid` for the key of the run, else the name of an identity. */
      readonly auth?: string | undefined;
      /** What the body has, as digests. */
      readonly sent?: readonly SentProperty[] | undefined;
    }
  /** It happened, or is changed; `item` is the path of what was made, absent when the response did not tell. */
  | {
      readonly kind: 'created';
      readonly entry: number;
      readonly item?: string | undefined;
      /** May it have been somebody else's already? Then it is reported, and never removed. */
      readonly mayBeOthers?: boolean | undefined;
      /** What the body of a change has. */
      readonly sent?: readonly SentProperty[] | undefined;
    }
  /** What a list showed before the first write to it. It is somebody else's, and is never removed. */
  | {
      readonly kind: 'before';
      /** Path of the list. */
      readonly path: string;
      /** Is that everything which the collection had? */
      readonly isComplete: boolean;
      /** The beginnings of the digests of the paths of its rows. */
      readonly rows: readonly string[];
    }
  /** It was rejected: nothing was made. */
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

/** A ledger that goes on where what it is reported can wait. */
interface TolerantLedger extends Ledger {
  /** What is left, each with the remark that the ledger is not up to date where it is not. */
  withLedgerRemark(leftBehind: readonly Residue[]): Residue[];
}

/**
 * What is about to be made must be written down first: without that it is not sent. What became of it since is of use,
 * and no reason to leave everything else as it is: a ledger that says too little costs a look more.
 */
export function tolerantLedger(ledger: Ledger): TolerantLedger {
  let failure: ConfigError | undefined;
  return {
    append(entry) {
      try {
        ledger.append(entry);
      } catch (error) {
        if (entry.kind === 'pending' || !(error instanceof ConfigError)) throw error;
        failure ??= error;
      }
    },
    withLedgerRemark(leftBehind) {
      const remark = failure === undefined ? '' : `; the ledger is not up to date: ${failure.message}`;
      return leftBehind.map((residue) => ({ ...residue, reason: `${residue.reason}${remark}` }));
    },
  };
}
