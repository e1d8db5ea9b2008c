import type { Entry } from '../../src/mock/state/entry';
import {
  type AboutStore,
  type Appended,
  NOT_STORED,
  type Position,
  type StateLog,
  type StoredSnapshot,
  type Tail,
} from '../../src/mock/state/state-log';

interface Stored {
  snapshot: StoredSnapshot;
  /** Position of the snapshot. */
  at: Position;
  entries: readonly Entry[];
}

/** A log in the memory of this process, which several mocks of it can share: the plainest thing that a log can be. */
export class MemoryLog implements StateLog {
  readonly place = 'memory';
  readonly isShared = true;
  private readonly stored = new Map<string, Stored>();
  private known: AboutStore | undefined;
  private next = 1;

  about(): AboutStore | undefined {
    return this.known;
  }

  describe(about: AboutStore): void {
    this.known = about;
  }

  ids(): readonly string[] {
    return [...this.stored.keys()].sort();
  }

  read(id: string, after: Position): Tail | undefined {
    const stored = this.stored.get(id);
    if (stored === undefined) return undefined;
    const { snapshot, at, entries } = stored;
    const position = at + entries.length;
    if (after < at || after > position) return { snapshot, entries, position };
    return { snapshot: undefined, entries: entries.slice(after - at), position };
  }

  begin(id: string, snapshot: StoredSnapshot): Position {
    // No position is ever used again, not even where the sandbox was removed.
    this.next += 1_000_000;
    this.stored.set(id, { snapshot, at: this.next, entries: [] });
    return this.next;
  }

  append(id: string, after: Position, entries: readonly Entry[], beginning?: StoredSnapshot): Appended {
    let position = after;
    if (!this.stored.has(id) && after === NOT_STORED && beginning !== undefined) position = this.begin(id, beginning);
    const stored = this.stored.get(id);
    if (stored === undefined || position !== stored.at + stored.entries.length)
      return { kind: 'behind', tail: this.read(id, after) };
    stored.entries = [...stored.entries, ...entries];
    return { kind: 'appended', position: position + entries.length };
  }

  remove(id: string): void {
    this.stored.delete(id);
  }

  settled(): undefined {
    return undefined;
  }

  isLong(): boolean {
    return false;
  }

  compact(id: string, position: Position, snapshot: StoredSnapshot): Promise<void> {
    const stored = this.stored.get(id);
    if (stored !== undefined && position > stored.at) {
      stored.entries = stored.entries.slice(position - stored.at);
      Object.assign(stored, { snapshot, at: position });
    }
    return Promise.resolve();
  }

  trouble(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
