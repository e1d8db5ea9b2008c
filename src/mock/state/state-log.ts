import { StandinError } from '../../core/errors/standin-error';
import type { JsonObject } from '../../core/json/json-value';
import type { Entry } from './entry';

/** How many entries of a sandbox were stored so far, those that a snapshot took in included. */
export type Position = number;

/** A whole state as a log stores it. */
export interface StoredSnapshot {
  /** In the format of a fixture file; what nobody wrote to, and the description makes anew, is not in it. */
  readonly rows: JsonObject;
  /** What a fixture has no place for. */
  readonly rest: Entry;
  /** Did somebody else write the rows, so that they may be anything? */
  readonly isEdited?: boolean;
}

/** What a reader of a log does not know yet. */
export interface Tail {
  /** In place of all that was before; `undefined` where the entries follow what the reader knows. */
  readonly snapshot: StoredSnapshot | undefined;
  readonly entries: readonly Entry[];
  readonly position: Position;
}

/** The position of who knows that nothing is stored of a sandbox. */
export const NOT_STORED: Position = -1;

/**
 * `behind`: others stored something that the writer has to look at first, or removed all of it (`tail` is `undefined`);
 * nothing of his was stored.
 */
export type Appended =
  | { readonly kind: 'appended'; readonly position: Position }
  | { readonly kind: 'behind'; readonly tail: Tail | undefined };

type Later<Value> = Value | Promise<Value>;

/** Nothing can be stored, or read, at the moment. The message is for people: it says what to do. */
export class StoreError extends StandinError {
  /** Seconds after which it is worth another try. */
  readonly retrySeconds: number;

  constructor(message: string, retrySeconds: number, cause?: unknown, hint?: string) {
    super('STORE_UNAVAILABLE', message, { cause, hint });
    this.retrySeconds = retrySeconds;
  }
}

/** Which description the states of a store were made under. */
export interface AboutStore {
  readonly title: string;
  /** Equal for equal descriptions with equal corrections. */
  readonly digest: string;
}

/**
 * Where what a mock remembers is stored beyond its own memory: one log of entries for each sandbox. Everything here
 * throws, or rejects with, a {@link StoreError} where the place does not answer or takes nothing; then nothing of the call
 * was stored, unless the error says that this is not known.
 */
export interface StateLog {
  /** For people: a folder, an address without its password. */
  readonly place: string;
  /** Do other processes write to it as well? */
  readonly isShared: boolean;
  /** `undefined` for a store that is new. */
  about(): Later<AboutStore | undefined>;
  describe(about: AboutStore): Later<void>;
  /** The sandboxes that are stored, `default` among them. */
  ids(): Later<readonly string[]>;
  /** What was stored of a sandbox after a position; `undefined` where nothing is stored of it. */
  read(id: string, after: Position): Later<Tail | undefined>;
  /** Begins a sandbox, in place of one that there may be. @returns the position of who knows the snapshot */
  begin(id: string, snapshot: StoredSnapshot): Later<Position>;
  /**
   * Stores entries behind the one that the writer knows as the last; none of them asks whether he knows all.
   *
   * @param beginning - the sandbox without the entries, where the writer knows that it is not stored: it begins so
   */
  append(id: string, after: Position, entries: readonly Entry[], beginning?: StoredSnapshot): Later<Appended>;
  remove(id: string): Later<void>;
  /**
   * When what was appended of a sandbox will outlast the end of the machine, as far as that was promised.
   *
   * @returns `undefined` where there is nothing to wait for
   */
  settled(id: string): Promise<void> | undefined;
  /**
   * Writes what was appended at once, where it is not written yet.
   *
   * @throws StoreError where it cannot be
   */
  flush?(id: string): void;
  /** Called where what was appended could not be written after all: what it did has to be taken back. */
  onRefused?: ((id: string) => void) | undefined;
  /** Should the entries of a sandbox become one snapshot? */
  isLong(id: string): boolean;
  /** Puts a snapshot in the place of the entries up to a position. Others may append meanwhile. */
  compact(id: string, position: Position, snapshot: StoredSnapshot): Promise<void>;
  /** What keeps it from storing or from being read now; `undefined` while all is well. */
  trouble(): string | undefined;
  close(): Promise<void>;
}
