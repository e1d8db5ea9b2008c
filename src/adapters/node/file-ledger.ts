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
import { continueSeal, LedgerSeal } from './ledger-seal';

/** A ledger in a file, a line of JSON for each entry. */
export interface FileLedger extends Ledger {
  readonly file: string;
  close(): void;
  /** For a run that left nothing. */
  remove(): void;
}

/** How a ledger is kept. */
export interface LedgerKeeping {
  /** That its lines are sealed with; left out: they are not. */
  readonly key?: Uint8Array | undefined;
  /** Does it outlive a crash of the whole machine, too? Left out: yes; it costs a wait for the disk with each entry. */
  readonly isDurable?: boolean | undefined;
}

/**
 * Makes the ledger of a run. Each entry is on the disk before `append` returns: the creation that it announces may be
 * the last thing that this process does.
 *
 * @throws ConfigError `CONFIG_INVALID` when the file cannot be made, or is there already: it tells what an earlier run
 *   left, and would go with what this one leaves
 */
export function createFileLedger(file: string, { key, isDurable = true }: LedgerKeeping = {}): FileLedger {
  const descriptor = attempt(file, () => openSync(file, 'ax', 0o600));
  if (isDurable) syncFolder(dirname(file));
  return fileLedger(file, descriptor, { seal: key === undefined ? undefined : new LedgerSeal(key), isDurable });
}

/**
 * Opens the ledger of an earlier run to write to its end.
 *
 * @param key - that it was sealed with; of one that was sealed with another key what is added has no seal
 * @throws ConfigError `CONFIG_INVALID` when the file cannot be written
 */
export function reopenFileLedger(file: string, key?: Uint8Array): FileLedger {
  const descriptor = attempt(file, () => openSync(file, 'a', 0o600));
  attempt(file, () => {
    mendEnd(file, descriptor);
  });
  const seal = key === undefined ? undefined : continueSeal(key, readFileSync(file, 'utf8'));
  return fileLedger(file, descriptor, { seal, isDurable: true });
}

/** @throws ConfigError when the file is there */
export function requireNoLedger(file: string): void {
  if (existsSync(file)) throw alreadyThere(file);
}

interface Kept {
  readonly seal: LedgerSeal | undefined;
  readonly isDurable: boolean;
}

function fileLedger(file: string, descriptor: number, { seal, isDurable }: Kept): FileLedger {
  const write = (line: string): void => {
    writeLine(descriptor, `${line}\n`, isDurable);
  };
  return {
    file,
    append(entry) {
      attempt(file, () => {
        const line = JSON.stringify(entry);
        if (seal === undefined) write(line);
        else seal.seal(line, write);
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
function writeLine(descriptor: number, line: string, isDurable = true): void {
  const bytes = Buffer.from(line);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    if (isDurable) fsyncSync(descriptor);
  } catch (error) {
    if (written > 0) ftruncateSync(descriptor, fstatSync(descriptor).size - written);
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
