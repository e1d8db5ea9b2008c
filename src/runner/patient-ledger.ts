import { ConfigError } from '../errors/harness-error';
import type { Ledger } from './ledger';
import type { Residue } from './run-result';

/** A ledger that goes on where what it is told can wait. */
export interface PatientLedger extends Ledger {
  /** What is left, each with the remark that the ledger is not up to date where it is not. */
  tellOf(leftBehind: readonly Residue[]): Residue[];
}

/**
 * What is about to be made must be written down first: without that it is not sent. What became of it since is of use,
 * and no reason to leave everything else as it is: a ledger that says too little costs a look more.
 */
export function patientLedger(ledger: Ledger): PatientLedger {
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
    tellOf(leftBehind) {
      const remark = failure === undefined ? '' : `; the ledger is not up to date: ${failure.message}`;
      return leftBehind.map((residue) => ({ ...residue, reason: `${residue.reason}${remark}` }));
    },
  };
}
