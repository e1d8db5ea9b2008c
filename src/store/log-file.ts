import { closeSync, fdatasync, fstatSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { codeOf, messageOf } from '../core/errors/standin-error';
import { writeLine } from '../files/line-file';
import type { Entry } from '../mock/state/entry';
import { type Position, StoreError, type StoredSnapshot } from '../mock/state/state-log';
import { entryText } from './entry-json';
import { logLine } from './log-lines';
import { snapshotText, writePieces, writeWhole } from './snapshot-file';

export const LOG_FORMAT = 'store-log/1';
/** Entries of so many bytes become a snapshot, and more where the snapshot is large: writing it costs its length. */
const LONG_BYTES = 4 * 1024 * 1024;
const LONG_SHARE = 1;

/** When what was written is made to outlast the end of the machine: before it is answered, or after so many milliseconds. */
export type SyncPolicy = 'always' | number;

/** The two files of a sandbox. */
export interface LogPaths {
  readonly log: string;
  readonly snapshot: string;
}

export interface LogTerms {
  readonly policy: SyncPolicy;
  /** Called when entries that were appended were not written: what they did has to be taken back. */
  readonly onRefused: () => void;
}

/** What is appended in one turn of the event loop is written together. */
interface Turn {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function withResolvers(): Turn {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((...given) => {
    [resolve, reject] = given;
  });
  return { promise, resolve, reject };
}

/** What is known of the files before they are written to. */
interface LogExtent {
  readonly position: Position;
  /** Of the head of the log. */
  readonly from: Position;
  readonly logBytes: number;
  readonly snapshotBytes: number;
}

/** The first line of a log. @param sum - of the snapshot that it follows, to tell one that was edited */
function headLine(position: Position, sum: number, rest: Entry): Buffer {
  const snapshot = sum.toString(16);
  return logLine(`{"standin":"${LOG_FORMAT}","n":${position},"snapshot":"${snapshot}","rest":${entryText(rest)}}`);
}

/** What was done in one turn of the event loop. @param position - behind it */
function turnLine(position: Position, entries: readonly string[]): Buffer {
  return logLine(`{"n":${position},"all":[${entries.join(',')}]}`);
}

/**
 * The log of one sandbox in a file, with the snapshot that it follows in another one beside it. Lines are written whole, in
 * the call that appends them; the system has them when that returns, so that the end of the process loses none.
 */
export class LogFile {
  position: Position;
  private readonly paths: LogPaths;
  private readonly policy: SyncPolicy;
  private descriptor: number;
  private bytes: number;
  private snapshotBytes: number;
  private from: Position;
  /** Lines that were appended while a snapshot is being written. */
  private since: Uint8Array[] | undefined;
  private failure: StoreError | undefined;
  /** Of the last entries, where they were not stored. */
  private refusal: StoreError | undefined;
  /** Entries that are not written yet. */
  private queued: string[] = [];
  private turn: Turn | undefined;
  private readonly onRefused: () => void;
  private written = 0;
  private synced = 0;
  private syncing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    paths: LogPaths,
    { policy, onRefused }: LogTerms,
    { position, from, logBytes, snapshotBytes }: LogExtent,
  ) {
    this.paths = paths;
    this.policy = policy;
    this.onRefused = onRefused;
    this.position = position;
    this.from = from;
    this.bytes = logBytes;
    this.snapshotBytes = snapshotBytes;
    this.descriptor = openSync(paths.log, 'a', 0o600);
  }

  /** Writes both files anew, and goes on with them. @throws what the file system throws */
  static begin(paths: LogPaths, terms: LogTerms, position: Position, snapshot: StoredSnapshot): LogFile {
    const { policy } = terms;
    const files = { log: `${paths.log}.tmp`, snapshot: `${paths.snapshot}.tmp` };
    let [sum, snapshotBytes] = [0, 0];
    writeWhole(files.snapshot, policy === 'always', (write) => {
      for (const piece of snapshotText(snapshot)) {
        sum = crc32(piece, sum);
        snapshotBytes += write(piece);
      }
    });
    let logBytes = 0;
    writeWhole(files.log, policy === 'always', (write) => {
      logBytes = write(headLine(position, sum, snapshot.rest));
    });
    renameSync(files.snapshot, paths.snapshot);
    renameSync(files.log, paths.log);
    return new LogFile(paths, terms, { position, from: position, logBytes, snapshotBytes });
  }

  /** Why nothing more can be stored. */
  get trouble(): string | undefined {
    return (this.failure ?? this.refusal)?.message;
  }

  /**
   * Takes entries, which are written at the end of this turn of the event loop, or by {@link flush}: one call of the system
   * is enough for all requests of a turn.
   */
  append(entries: readonly Entry[]): void {
    if (this.failure !== undefined) throw this.failure;
    for (const entry of entries) this.queued.push(entryText(entry));
    this.position += entries.length;
    if (this.turn !== undefined) return;
    const { promise, resolve, reject } = withResolvers();
    // Where nobody waits, the one who is told of what was refused is enough.
    promise.catch(() => undefined);
    this.turn = { promise, resolve, reject };
    setImmediate(() => {
      try {
        this.flush();
      } catch {
        // Who waits for the turn knows.
      }
    });
  }

  /** Writes what was appended. @throws StoreError when it is not written; the file then ends as before, and so does what is known of it */
  flush(): void {
    const { queued, turn } = this;
    if (turn === undefined) return;
    this.queued = [];
    this.turn = undefined;
    const bytes = turnLine(this.position, queued);
    try {
      this.write(bytes);
    } catch (error) {
      this.position -= queued.length;
      this.onRefused();
      turn.reject(error);
      throw error;
    }
    this.since?.push(bytes);
    this.bytes += bytes.length;
    this.written += 1;
    if (this.policy !== 'always') this.timer ??= this.later(this.policy);
    turn.resolve();
  }

  /** When what was appended is written, and on the disk where the policy says so. */
  settled(): Promise<void> | undefined {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const { turn } = this;
    if (this.policy !== 'always') return turn?.promise;
    if (turn !== undefined) return turn.promise.then(() => this.settled());
    return this.synced === this.written ? undefined : this.onDisk(this.written);
  }

  private async onDisk(wanted: number): Promise<void> {
    while (this.synced < wanted) await this.sync();
  }

  get isLong(): boolean {
    return this.since === undefined && this.bytes > Math.max(LONG_BYTES, this.snapshotBytes * LONG_SHARE);
  }

  /** Writes a snapshot beside what goes on, and then puts both files in their places. */
  async compact(snapshot: StoredSnapshot): Promise<void> {
    const { position, paths } = this;
    if (this.since !== undefined || this.failure !== undefined || this.isClosed || position === this.from) return;
    // The snapshot has what was appended: it has to be stored.
    this.flush();
    const since: Uint8Array[] = (this.since = []);
    const files = { log: `${paths.log}.tmp`, snapshot: `${paths.snapshot}.tmp` };
    try {
      const { sum, bytes } = await writePieces(files.snapshot, snapshotText(snapshot));
      // Its descriptor is about to be closed.
      while (this.syncing !== undefined) await this.syncing;
      if (this.hasEnded()) return;
      const whole = Buffer.concat([headLine(position, sum, snapshot.rest), ...since]);
      writeWhole(files.log, true, (write) => write(whole));
      renameSync(files.snapshot, paths.snapshot);
      renameSync(files.log, paths.log);
      const before = this.descriptor;
      this.descriptor = openSync(paths.log, 'a');
      closeSync(before);
      this.bytes = whole.length;
      this.from = position;
      this.snapshotBytes = bytes;
      this.synced = this.written;
    } finally {
      this.since = undefined;
      for (const file of Object.values(files)) rmSync(file, { force: true });
    }
  }

  /** Everything that was written lies on the disk when this returns. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isClosed) return;
    this.flush();
    await this.syncing?.catch(() => undefined);
    this.isClosed = true;
    if (this.failure === undefined) fsyncSync(this.descriptor);
    closeSync(this.descriptor);
  }

  /** Takes both files away: the log first, for without it the other one is nobody's. */
  remove(): void {
    this.queued = [];
    this.turn?.resolve();
    this.turn = undefined;
    rmSync(this.paths.log, { force: true });
    rmSync(this.paths.snapshot, { force: true });
    clearTimeout(this.timer);
    this.isClosed = true;
    void (this.syncing ?? Promise.resolve()).finally(() => {
      closeSync(this.descriptor);
    });
  }

  /** Asked anew after each wait. */
  private hasEnded(): boolean {
    return this.isClosed;
  }

  private write(lines: Uint8Array): void {
    try {
      writeLine(this.descriptor, lines, false);
      this.refusal = undefined;
    } catch (error) {
      const why = `The change was not stored: ${this.paths.log} cannot be written (${messageOf(error)})`;
      const advice = codeOf(error) === 'ENOSPC' ? '; the disk is full: make room, then ask again' : '';
      const problem = (this.refusal = new StoreError(`${why}${advice}`, 1, error));
      // Half a line that could not be taken back would be in the way of the next one.
      if (fstatSync(this.descriptor).size !== this.bytes) this.failure = problem;
      throw problem;
    }
  }

  /** Many that wait for the disk wait for it once. */
  private sync(): Promise<void> {
    return (this.syncing ??= new Promise<void>((resolve, reject) => {
      const target = this.written;
      fdatasync(this.descriptor, (error) => {
        this.syncing = undefined;
        if (error === null) {
          this.synced = Math.max(this.synced, target);
          resolve();
          return;
        }
        // The system has forgotten what it could not write: what comes later would be behind a gap.
        this.failure = new StoreError(
          `What was written to ${this.paths.log} may not be on the disk (${error.message}): nothing more is stored. Look after the disk, and start the mock again`,
          60,
          error,
        );
        reject(this.failure);
      });
    }));
  }

  private later(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = undefined;
      if (!this.isClosed) this.sync().catch(() => undefined);
    }, ms).unref();
  }
}
