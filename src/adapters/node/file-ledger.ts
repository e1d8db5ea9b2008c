import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, messageOf } from '../../errors/error-facts';
import { ConfigError } from '../../errors/harness-error';
import type { Ledger } from '../../runner/ledger';

/** A ledger in a file, a line of JSON for each entry. */
export interface FileLedger extends Ledger {
  readonly file: string;
  close(): void;
  /** For a run that left nothing. */
  remove(): void;
}

/**
 * Makes the ledger of a run. Each entry is on the disk before `append` returns: the creation that it announces may be
 * the last thing that this process does.
 *
 * @throws ConfigError `CONFIG_INVALID` when the file cannot be made, or is there already: it tells what an earlier run
 *   left, and would go with what this one leaves
 */
export function createFileLedger(file: string): FileLedger {
  const descriptor = attempt(file, () => openSync(file, 'ax', 0o600));
  syncFolder(dirname(file));
  return fileLedger(file, descriptor);
}

/**
 * Opens the ledger of an earlier run to write to its end.
 *
 * @throws ConfigError `CONFIG_INVALID` when the file cannot be written
 */
export function reopenFileLedger(file: string): FileLedger {
  const descriptor = attempt(file, () => openSync(file, 'a', 0o600));
  attempt(file, () => {
    mendEnd(file, descriptor);
  });
  return fileLedger(file, descriptor);
}

/** @throws ConfigError when the file is there */
export function requireNoLedger(file: string): void {
  if (existsSync(file)) throw alreadyThere(file);
}

function fileLedger(file: string, descriptor: number): FileLedger {
  return {
    file,
    append(entry) {
      attempt(file, () => {
        writeLine(descriptor, `${JSON.stringify(entry)}\n`);
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

/** Writes a line as a whole or, on a disk that is full, not at all: what comes later is not to be glued to half of it. */
function writeLine(descriptor: number, line: string): void {
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.from(line);
  try {
    for (let from = 0; from < bytes.length;) from += writeSync(descriptor, bytes, from);
    fsyncSync(descriptor);
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
}

/** A crash in the middle of a line leaves half of it; a whole one may lack its end. */
function mendEnd(file: string, descriptor: number): void {
  const bytes = readFileSync(file);
  const start = bytes.lastIndexOf('\n') + 1;
  if (start === bytes.length) return;
  if (isJson(bytes.subarray(start).toString())) writeLine(descriptor, '\n');
  else ftruncateSync(descriptor, start);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The name of a new file is in its folder, which is written by itself; not every system lets a folder be opened. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The ledger itself can be written, and only a crash of the whole machine could lose its name.
  }
}

function attempt<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(file);
    throw new ConfigError('CONFIG_INVALID', `The ledger ${file} cannot be written: ${messageOf(error)}`, {
      hint: 'Name another file with --ledger.',
      cause: error,
    });
  }
}

function alreadyThere(file: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', `The ledger ${file} is there already: it tells what an earlier run left`, {
    hint: `Run standin cleanup ${file} first, or name another file with --ledger.`,
  });
}
