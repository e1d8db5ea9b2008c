import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { codeOf, ConfigError } from '../core/errors/standin-error';

/** Who holds a folder. A number of a process is given out again, so that it says nothing without the rest. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Of the machine's start, and of the numbers of processes; `''` where the system does not tell. */
  readonly boot: string;
  readonly namespace: string;
  /** When the process began, in ticks of the system since its start; `''` where it does not tell. */
  readonly began: string;
}

/** The holder says so often that it is there. */
const BEAT_MS = 5000;
/** One on another machine, or in another container, is gone when it was silent for so long. */
const SILENT_MS = 3 * BEAT_MS;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function namespaceOfProcesses(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * The 22nd field of proc_pid_stat(5). The second, a name in parentheses, may hold anything.
 *
 * @returns another value than it had while it lived for one that has ended and that nobody waited for (`Z`, `X`), as in a container
 *   without an init
 */
function beginOf(pid: number | 'self'): string {
  const [state = '', ...fields] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return /^[ZX]/i.test(state) ? 'ended' : (fields[18] ?? '');
}

function thisProcess(): Holder {
  return {
    pid: process.pid,
    host: hostname(),
    boot: read('/proc/sys/kernel/random/boot_id'),
    namespace: namespaceOfProcesses(),
    began: beginOf('self'),
  };
}

export interface FolderLock {
  /** Was it still held when it was looked at last? Somebody may have removed the file, or taken it over after a long sleep of the machine. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Takes a folder for this process alone, by a file `lock` in it. One that a process left which is gone is taken over: at once where the system tells that it is gone,
 * after {@link SILENT_MS} without a sign of life where it ran on another machine or in another container.
 *
 * @throws ConfigError `STORE_IN_USE` where another process holds it
 */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'lock');
  const own = JSON.stringify(thisProcess());
  while (!create(file, own)) {
    const found = read(file);
    const since = ageMs(file);
    if (since === undefined) continue;
    const holder = holderOf(found);
    if (holder === undefined ? since < SILENT_MS : isAlive(holder, since)) throw inUse(folder, holder);
    takeOver(file, found);
  }
  let isHeld = true;
  const beat = setInterval(() => {
    isHeld = read(file) === own;
    if (isHeld) utimesSync(file, new Date(), new Date());
  }, BEAT_MS).unref();
  return {
    isHeld: () => isHeld,
    release() {
      clearInterval(beat);
      if (read(file) === own) rmSync(file, { force: true });
    },
  };
}

function create(file: string, text: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeSync(descriptor, text);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @returns `undefined` where it is gone */
function ageMs(file: string): number | undefined {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts && Date.now() - facts.mtimeMs;
}

function holderOf(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Holder | null;
    return typeof value?.pid === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder, silentMs: number): boolean {
  const own = thisProcess();
  const isHere = holder.host === own.host && holder.namespace === own.namespace;
  if (!isHere) return silentMs < SILENT_MS;
  if (holder.boot !== own.boot) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  return beginOf(holder.pid) === holder.began;
}

/** Of several that take over at the same time one wins: a file is renamed once. */
function takeOver(file: string, stale: string): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Another one was faster, and this is its lock.
  if (read(aside) !== stale) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function inUse(folder: string, holder: Holder | undefined): ConfigError {
  const own = thisProcess();
  const where = holder === undefined || holder.host === own.host ? '' : ` on ${holder.host}`;
  const who =
    holder === undefined
      ? 'another process'
      : holder.pid === own.pid && holder.began === own.began && where === ''
        ? 'another mock of this process'
        : `the process ${holder.pid}${where}`;
  return new ConfigError('STORE_IN_USE', `The store ${folder} is in use by ${who}`, {
    hint: `One process at a time can use a folder: stop that one, or name another folder. If it is certain that nothing uses it, remove ${join(folder, 'lock')}. Several mocks of one state share a Redis.`,
  });
}
