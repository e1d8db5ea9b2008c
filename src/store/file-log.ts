import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { codeOf, ConfigError, messageOf } from '../core/errors/standin-error';
import { isJsonObject, type JsonObject } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { counted } from '../core/text/printable';
import type { Entry } from '../mock/state/entry';
import {
  type AboutStore,
  type Appended,
  NOT_STORED,
  type Position,
  type StateLog,
  StoreError,
  type StoredSnapshot,
  type Tail,
} from '../mock/state/state-log';
import { entryOf } from './entry-json';
import { type FolderLock, lockFolder } from './folder-lock';
import { LOG_FORMAT, LogFile, type LogPaths, type LogTerms, type SyncPolicy } from './log-file';
import { readLogLines, STORED } from './log-lines';

const STORE_FORMAT = 'store/1';
/** Says what the folder is. No sandbox has a file of this name. */
const ABOUT = 'store.info';

export interface FileLogOptions {
  readonly sync: SyncPolicy;
  /** Told what was mended, and what cannot be done any more. */
  readonly onNotice: (text: string) => void;
}

/**
 * Stores the sandboxes of a mock in a folder, which this process alone may use.
 *
 * @throws ConfigError `STORE_IN_USE` where another process uses it, `STORE_UNUSABLE` where it is no store, one of another
 *   version, damaged, or not to be written to
 */
export function openFileLog(folder: string, options: FileLogOptions): FileLog {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    requireStore(folder);
    const lock = lockFolder(folder);
    return new FileLog(folder, lock, options);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unusable(folder, messageOf(error), 'Name a folder that this user may write to: --store file:FOLDER.', error);
  }
}

function unusable(folder: string, message: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError('STORE_UNUSABLE', `The store ${folder} cannot be used: ${message}`, { hint, cause });
}

interface About extends Partial<AboutStore> {
  readonly standin: string;
}

/** @throws ConfigError for a folder that holds something else */
function requireStore(folder: string): void {
  const about = join(folder, ABOUT);
  if (existsSync(about)) {
    const { standin } = readAbout(about);
    if (standin === STORE_FORMAT) return;
    const [what, hint] = standin.startsWith('store/')
      ? [`it is of the version ${standin}, and this standin reads ${STORE_FORMAT}`, 'Use the standin that wrote it.']
      : [`${ABOUT} in it is not that of a standin store`, 'Name an empty folder, or one that standin made.'];
    throw unusable(folder, what, hint);
  }
  const [other] = readdirSync(folder).filter((name) => !/^(?:lock|store\.info)(?:\.|$)/.test(name));
  if (other !== undefined)
    throw unusable(folder, `it holds ${other}, and no ${ABOUT}`, 'Name an empty folder, or one that standin made.');
  writeAbout(about, { standin: STORE_FORMAT });
}

function readAbout(file: string): About {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as About | null;
    return typeof value?.standin === 'string' ? value : { standin: '' };
  } catch {
    return { standin: '' };
  }
}

function writeAbout(file: string, about: About): void {
  writeFileSync(`${file}.tmp`, `${JSON.stringify(about, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.tmp`, file);
}

const LOG = '.log';

/** Files of an id are named so that a file system which knows no case keeps `A` and `a` apart. */
function fileNameOf(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`);
}

function idOf(fileName: string): string {
  return fileName.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export class FileLog implements StateLog {
  readonly isShared = false;
  readonly place: string;
  private readonly lock: FolderLock;
  private readonly options: FileLogOptions;
  private readonly files = new Map<string, LogFile>();
  onRefused: ((id: string) => void) | undefined;
  private isClosed = false;

  constructor(folder: string, lock: FolderLock, options: FileLogOptions) {
    this.place = folder;
    this.lock = lock;
    this.options = options;
  }

  about(): AboutStore | undefined {
    const { title, digest } = readAbout(join(this.place, ABOUT));
    return title === undefined || digest === undefined ? undefined : { title, digest };
  }

  describe({ title, digest }: AboutStore): void {
    writeAbout(join(this.place, ABOUT), { standin: STORE_FORMAT, title, digest });
  }

  ids(): readonly string[] {
    const names = readdirSync(this.place).filter((name) => name.endsWith(LOG));
    return names.map((name) => idOf(name.slice(0, -LOG.length))).sort();
  }

  /** Reads the files themselves: what this process appended is in them. @throws ConfigError for files that are damaged */
  read(id: string, after: Position): Tail | undefined {
    const paths = this.pathsOf(id);
    this.files.get(id)?.flush();
    if (!existsSync(paths.log)) return undefined;
    const { head, entries, position, length } = this.readLog(paths.log);
    const from = positionOf(head);
    if (!this.files.has(id)) {
      const snapshotBytes = statSync(paths.snapshot, { throwIfNoEntry: false })?.size ?? 0;
      this.files.set(id, new LogFile(paths, this.termsOf(id), { position, from, logBytes: length, snapshotBytes }));
    }
    if (after >= from && after > 0) return { snapshot: undefined, entries: entries.slice(after - from), position };
    return { snapshot: this.readSnapshot(paths.snapshot, head), entries, position };
  }

  private readLog(file: string): { head: JsonObject; entries: readonly Entry[]; position: Position; length: number } {
    const bytes = readFileSync(file);
    const read = readLogLines(bytes);
    if ('line' in read) throw this.damaged(`line ${read.line} of ${file} is not what was written`);
    const [head, ...lines] = read.lines;
    if (head?.['standin'] !== LOG_FORMAT) throw this.damaged(`${file} does not begin as a log of standin`);
    const entries: Entry[] = [];
    for (const [index, { n, all }] of lines.entries()) {
      if (Array.isArray(all)) for (const each of all) entries.push(entryOf(each as JsonObject));
      if (n !== positionOf(head) + entries.length)
        throw this.damaged(`line ${index + 2} of ${file} does not follow the one before it`);
    }
    if (read.length < bytes.length) this.cutTail(file, read.length, bytes.length);
    return { head, entries, position: positionOf(head) + entries.length, length: read.length };
  }

  begin(id: string, snapshot: StoredSnapshot): Position {
    this.demandLock();
    this.files.get(id)?.remove();
    this.files.delete(id);
    try {
      this.files.set(id, LogFile.begin(this.pathsOf(id), this.termsOf(id), 0, snapshot));
      return 0;
    } catch (error) {
      throw new StoreError(`The sandbox ${id} was not stored: ${messageOf(error)}`, 1, error);
    }
  }

  append(id: string, after: Position, entries: readonly Entry[], beginning?: StoredSnapshot): Appended {
    this.demandLock();
    if (after === NOT_STORED && beginning !== undefined && !existsSync(this.pathsOf(id).log)) {
      this.begin(id, beginning);
      return this.append(id, 0, entries);
    }
    const file = this.files.get(id);
    if (file?.position !== after) return { kind: 'behind', tail: this.read(id, after) };
    if (entries.length > 0) file.append(entries);
    return { kind: 'appended', position: file.position };
  }

  remove(id: string): void {
    this.files.get(id)?.remove();
    this.files.delete(id);
  }

  settled(id: string): Promise<void> | undefined {
    return this.files.get(id)?.settled();
  }

  flush(id: string): void {
    this.files.get(id)?.flush();
  }

  isLong(id: string): boolean {
    return this.files.get(id)?.isLong === true;
  }

  async compact(id: string, position: Position, snapshot: StoredSnapshot): Promise<void> {
    const file = this.files.get(id);
    if (file === undefined || file.position !== position) return;
    try {
      await file.compact(snapshot);
    } catch (error) {
      this.options.onNotice(
        `The log of the sandbox ${id} stays long, no snapshot could be written: ${messageOf(error)}`,
      );
    }
  }

  trouble(): string | undefined {
    if (this.isClosed) return `${this.place} was closed`;
    if (!this.lock.isHeld()) return this.lostLock().message;
    for (const file of this.files.values()) if (file.trouble !== undefined) return file.trouble;
    return undefined;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const file of this.files.values()) await file.close();
    this.files.clear();
    this.lock.release();
  }

  /** Nothing is written where somebody else may write. */
  private demandLock(): void {
    if (this.isClosed) throw new StoreError(`${this.place} was closed: nothing more is stored`, 60);
    if (!this.lock.isHeld()) throw this.lostLock();
  }

  private lostLock(): StoreError {
    return new StoreError(
      `Another process has taken ${this.place} over: nothing more is stored here; stop this mock`,
      60,
    );
  }

  private termsOf(id: string): LogTerms {
    return {
      policy: this.options.sync,
      onRefused: () => {
        this.onRefused?.(id);
      },
    };
  }

  private pathsOf(id: string): LogPaths {
    const path = join(this.place, fileNameOf(id));
    return { log: `${path}${LOG}`, snapshot: `${path}.json` };
  }

  private cutTail(file: string, length: number, found: number): void {
    truncateSync(file, length);
    const what = counted(found - length, 'byte');
    this.options.onNotice(
      `${file} ended in the middle of an entry: ${what} were cut off. They are of a change that nobody was told was done`,
    );
  }

  private readSnapshot(file: string, head: JsonObject): StoredSnapshot {
    let bytes: Buffer;
    let rows: unknown;
    try {
      bytes = readFileSync(file);
      rows = parseJson(bytes.toString('utf8'), STORED);
    } catch (error) {
      const what = codeOf(error) === 'ENOENT' ? 'is missing' : `cannot be read (${messageOf(error)})`;
      throw this.damaged(`${file} ${what}`);
    }
    const isEdited = crc32(bytes).toString(16) !== head['snapshot'];
    const object = isJsonObject(rows as JsonObject) ? (rows as JsonObject) : {};
    return { rows: object, rest: entryOf(head['rest'] as JsonObject), isEdited };
  }

  private damaged(what: string): ConfigError {
    return unusable(
      this.place,
      what,
      'Nothing was changed. Put the files back from a copy, or move the two files of that sandbox away: it then begins anew.',
    );
  }
}

function positionOf(line: JsonObject): Position {
  return typeof line['n'] === 'number' ? line['n'] : -1;
}
