import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { ConfigError } from '../../errors/harness-error';
import { messageOf } from '../../errors/error-facts';
import type { Ledger } from '../../runner/ledger';

/** A ledger in a file, a line of JSON for each entry. */
export interface FileLedger extends Ledger {
  readonly file: string;
  close(): void;
  /** For a run that left nothing. */
  remove(): void;
}

/**
 * Opens a ledger to write to its end. Each entry is on the disk before `append` returns: the creation that it
 * announces may be the last thing that this process does.
 *
 * @throws ConfigError `CONFIG_INVALID` when the file cannot be written
 */
export function openFileLedger(file: string): FileLedger {
  const descriptor = attempt(file, () => openSync(file, 'a', 0o600));
  return {
    file,
    append(entry) {
      attempt(file, () => {
        writeSync(descriptor, `${JSON.stringify(entry)}\n`);
        fsyncSync(descriptor);
      });
    },
    close() {
      closeSync(descriptor);
    },
    remove() {
      rmSync(file, { force: true });
    },
  };
}

function attempt<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `The ledger ${file} cannot be written: ${messageOf(error)}`, {
      hint: 'Name another file with --ledger.',
      cause: error,
    });
  }
}
