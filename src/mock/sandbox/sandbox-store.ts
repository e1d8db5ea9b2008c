import { entryBetween, type Entry, goneOf, isEmptyEntry } from '../state/entry';
import type { Position, StateLog, StoredSnapshot } from '../state/state-log';
import type { State } from '../state/state';
import type { Sandbox } from './sandbox';
import { MAIN_ID } from './sandbox-selection';
import type { SharedRequests } from './shared-requests';
import { exportState } from './state-export';

/** A whole sandbox as it is stored: what the description makes anew is left out. */
export function snapshotOf(sandbox: Sandbox, state = sandbox.snapshot()): StoredSnapshot {
  const { nextKeys, nonconforming, outbox, replays } = state;
  return {
    rows: exportState({ ...state, seeds: undefined }),
    rest: {
      nextKeys: [...nextKeys],
      ...sandbox.issued.all(),
      gone: goneOf(state),
      ...(nonconforming === undefined ? {} : { nonconforming: [...nonconforming] }),
      ...(replays.size === 0 ? {} : { replays: [...replays] }),
      ...(outbox === undefined ? {} : { outbox: [...outbox] }),
    },
  };
}

/** What several processes that serve the same sandboxes do in turn. */
export interface Rounds {
  /** What all processes know of the requests of all; `undefined` where each knows its own alone. */
  readonly requests: SharedRequests | undefined;
  /** Does something in a sandbox as it is everywhere, and gives what that gave when it is stored. @throws StoreError */
  run<Result>(id: string, step: () => Result | Promise<Result>): Promise<Result>;
  /** Calls back when the round that is under way is stored, once however often it was begun again; at once where there is none. */
  whenStored(sandbox: Sandbox, act: () => void): void;
  /** Waits for sandboxes that were begun and removed. @throws StoreError */
  flush(): Promise<void>;
}

/** Where what becomes of the sandboxes of a mock is stored. */
export interface SandboxStore {
  readonly log: StateLog;
  /** Where other processes serve the same sandboxes: everything is done in rounds. */
  readonly rounds: Rounds | undefined;
  /** Stores what was done to a sandbox just now. @throws StoreError; the caller then takes the change back */
  commit(sandbox: Sandbox, entry: Entry): void;
  /** Stores what became of a sandbox since it was as it was before, whatever did it. @throws StoreError */
  note(sandbox: Sandbox, before: State): void;
  /** Stores a sandbox as it is, in place of what there may be under its id. @throws StoreError */
  begin(sandbox: Sandbox): void;
  /** It was removed. */
  end(id: string): void;
  /** It had to make room here. */
  evict(id: string): void;
  /** When what was stored of a sandbox outlasts the machine; `undefined` where nothing has to be waited for. */
  settled(sandbox: Sandbox): Promise<void> | undefined;
  close(sandboxes: Iterable<Sandbox>): Promise<void>;
}

/** Writes into a log that no other process writes to. A sandbox is stored from its first change on. */
export class LocalStore implements SandboxStore {
  readonly log: StateLog;
  readonly rounds = undefined;
  private readonly positions = new Map<string, Position>();
  /** Those that become a snapshot when this turn is over. */
  private readonly long = new Set<string>();

  /** @param takeBack - makes a sandbox what is stored of it: what could not be written is not done. @returns its position */
  constructor(log: StateLog, takeBack: (id: string) => Position) {
    this.log = log;
    log.onRefused = (id) => {
      this.positions.set(id, takeBack(id));
    };
  }

  /** A sandbox was read from the log up to a position. */
  know(id: string, position: Position): void {
    this.positions.set(id, position);
  }

  commit(sandbox: Sandbox, entry: Entry): void {
    const id = sandbox.id ?? MAIN_ID;
    if (!this.positions.has(id)) this.begin(sandbox);
    // One that begins is stored as it is, and what the entry says of it again: of replies that are kept later it knows more.
    const position = this.positions.get(id) ?? 0;
    if (isEmptyEntry(entry)) return;
    void this.log.append(id, position, [entry]);
    this.positions.set(id, position + 1);
    if (this.log.isLong(id)) this.shorten(id, sandbox);
  }

  /**
   * Behind the entries of this turn, which are written first: a snapshot of what could not be written after all would tell of it, and
   * whoever waits for the turn would not be told.
   */
  private shorten(id: string, sandbox: Sandbox): void {
    if (this.long.has(id)) return;
    this.long.add(id);
    setImmediate(() => {
      this.long.delete(id);
      const position = this.positions.get(id);
      if (position !== undefined && this.log.isLong(id)) void this.log.compact(id, position, snapshotOf(sandbox));
    });
  }

  note(sandbox: Sandbox, before: State): void {
    this.commit(sandbox, { ...entryBetween(before, sandbox.snapshot()), ...sandbox.issued.takeChanges() });
    // Who did it is not waiting for anything.
    this.log.flush?.(sandbox.id ?? MAIN_ID);
  }

  begin(sandbox: Sandbox): void {
    const id = sandbox.id ?? MAIN_ID;
    void this.log.begin(id, snapshotOf(sandbox));
    this.positions.set(id, 0);
  }

  end(id: string): void {
    if (this.positions.delete(id)) void this.log.remove(id);
  }

  evict(id: string): void {
    this.end(id);
  }

  settled(sandbox: Sandbox): Promise<void> | undefined {
    return this.log.settled(sandbox.id ?? MAIN_ID);
  }

  /** Makes one readable snapshot of each sandbox, and ends. */
  async close(sandboxes: Iterable<Sandbox>): Promise<void> {
    for (const sandbox of sandboxes) {
      const id = sandbox.id ?? MAIN_ID;
      const position = this.positions.get(id);
      if (position !== undefined && position > 0) await this.log.compact(id, position, snapshotOf(sandbox));
    }
    await this.log.close();
  }
}
