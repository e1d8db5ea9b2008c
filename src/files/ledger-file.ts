import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf, ConfigError, messageOf } from '../core/errors/standin-error';
import { toPaste } from '../core/text/printable';
import type { Ledger } from '../runner/ownership/ledger';
import { writeLine } from './line-file';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where things are stored that are to outlive a run and are nobody's but this user's: `$XDG_STATE_HOME/standin`, else
 * `~/.local/state/standin` (XDG Base Directory Specification), on Windows below `%LOCALAPPDATA%`. Made when it is asked
 * for, for this user alone.
 *
 * @throws what the file system throws, where this user may not write there
 */
function stateFolder(environment: Environment = process.env, platform: string = process.platform): string {
  const named = platform === 'win32' ? environment['LOCALAPPDATA'] : environment['XDG_STATE_HOME'];
  const above = named === undefined || named === '' ? join(homedir(), '.local', 'state') : named;
  const folder = join(above, 'standin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** So many ledgers of runs at this machine are stored; nobody tidies there. */
const MOST_LEDGERS = 100;

/**
 * Where the ledgers of runs at services of this machine are stored. The oldest make room.
 *
 * @throws what the file system throws
 */
export function ledgerFolder(): string {
  const folder = join(stateFolder(), 'ledgers');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length >= MOST_LEDGERS) dropOldest(folder, names, names.length - MOST_LEDGERS + 1);
  return folder;
}

function dropOldest(folder: string, names: readonly string[], count: number): void {
  const files = names.flatMap((name) => {
    const path = join(folder, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts?.isFile() === true ? [{ path, at: facts.mtimeMs }] : [];
  });
  for (const { path } of files.toSorted((left, right) => left.at - right.at).slice(0, count)) {
    rmSync(path, { force: true });
  }
}

const KEY_LENGTH = 32;
/** Hexadecimal digits of a seal. */
const SEAL_LENGTH = 32;
const SEALED = new RegExp(`^(.*),"mac":"([0-9a-f]{${SEAL_LENGTH}})"\\}$`);

/**
 * Seals the lines of a ledger: each has a code of this user's key, its own text and the seal of the line before it
 * (HMAC, RFC 2104), so that no line can be changed, added, moved or taken out of the middle without the key. The end may
 * be missing: so a crash leaves it.
 */
export class LedgerSeal {
  private readonly key: Uint8Array;
  private last: string;

  /** @param last - the seal of the last line that is there already */
  constructor(key: Uint8Array, last = '') {
    this.key = key;
    this.last = last;
  }

  /**
   * @param line - JSON of an object, on one line
   * @param write - keeps the sealed line; where it throws, the line was never there
   */
  seal(line: string, write: (sealed: string) => void): void {
    const seal = sealOf(this.key, this.last, line);
    write(`${line.slice(0, -1)},"mac":"${seal}"}`);
    this.last = seal;
  }
}

/** A seal to go on with; `undefined` where a line that is there was not sealed with this key. A line that was cut does not count. */
export function continueSeal(key: Uint8Array, text: string): LedgerSeal | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  let last = '';
  for (const [index, line] of lines.entries()) {
    const [, head = '', seal = ''] = SEALED.exec(line) ?? [];
    if (index > 0 && index === lines.length - 1 && !line.endsWith('}')) break;
    const expected = sealOf(key, last, `${head}}`);
    if (seal.length !== SEAL_LENGTH || !timingSafeEqual(Buffer.from(seal), Buffer.from(expected))) return undefined;
    last = seal;
  }
  return new LedgerSeal(key, last);
}

function sealOf(key: Uint8Array, last: string, line: string): string {
  return createHmac('sha256', key).update(`${last}\n${line}`).digest('hex').slice(0, SEAL_LENGTH);
}

/**
 * The key of this user's ledgers, made when it is first asked for; nobody else may read it. One that others can read is
 * worth nothing, and is made anew.
 *
 * @returns `undefined` where it cannot be kept, as in a container without a home: ledgers are then not sealed
 */
export function ledgerKey(): Uint8Array | undefined {
  try {
    const file = join(stateFolder(), 'ledger.key');
    return readKey(file) ?? makeKey(file);
  } catch {
    return undefined;
  }
}

function readKey(file: string): Uint8Array | undefined {
  try {
    const { mode } = statSync(file);
    const key = readFileSync(file);
    if (key.length === KEY_LENGTH && (process.platform === 'win32' || (mode & 0o077) === 0)) return key;
    rmSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

function makeKey(file: string): Uint8Array | undefined {
  try {
    const key = randomBytes(KEY_LENGTH);
    writeFileSync(file, key, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    // Another run made it at the same time.
    if (codeOf(error) === 'EEXIST') return readKey(file);
    throw error;
  }
}

/** A ledger in a file, a line of JSON for each entry. */
export interface FileLedger extends Ledger {
  readonly file: string;
  close(): void;
  /** For a run that left nothing. */
  remove(): void;
}

/** How a ledger is stored. */
interface LedgerFileOptions {
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
export function createFileLedger(file: string, { key, isDurable = true }: LedgerFileOptions = {}): FileLedger {
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

interface LedgerSettings {
  readonly seal: LedgerSeal | undefined;
  readonly isDurable: boolean;
}

function fileLedger(file: string, descriptor: number, { seal, isDurable }: LedgerSettings): FileLedger {
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
  return new ConfigError('CONFIG_INVALID', `The ledger ${file} is there already: it lists what an earlier run left`, {
    hint: `Run ${toPaste(`standin cleanup ${file}`)} first, or name another file with --ledger.`,
  });
}
