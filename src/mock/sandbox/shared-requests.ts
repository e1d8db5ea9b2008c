import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../state/state-log';
import type { Journal } from './journal';
import type { JournalEntry, JournalSize, RequestCounter } from './journal-entry';
import {
  type Heard,
  type HeardUpTo,
  type RequestStream,
  SHARED_JOURNAL,
  type TimedTold,
  type Told,
  type ToldBatch,
} from './request-stream';
import { type RememberedPlace, rememberedAfter, storedAt } from './remembered-requests';
import type { JournalOfSandboxes } from './sandbox-facts';

/** The requests of this process. */
interface OwnRequests {
  readonly counter: RequestCounter;
  journals(): readonly JournalOfSandboxes[];
  /** An empty one that hides what the others hide. */
  newJournal(size: JournalSize): Journal;
}

/** How often a process tells, while somebody looks, and how often it asks whether somebody does. */
const TELL_MS = 20;
const ASK_MS = 50;
/** Who looks waits for the others so long at the most, and asks again and again. */
const OTHERS_MS = 1000;
const AGAIN_MS = 10;
const MOST_AT_ONCE = 200;
/** How often who goes on looking says so. */
const WATCH_MS = 15_000;

/**
 * One journal of the requests of all processes that serve the same sandboxes. A request costs nothing more for it: each
 * process tells of those in its journals a moment later, and only while somebody looks.
 */
export class SharedRequests {
  /** Of the latest request that is known here. */
  last = 0;
  private readonly stream: RequestStream;
  private readonly own: OwnRequests;
  private readonly process = randomBytes(6).toString('hex');
  /** Up to which of its own requests this process told. */
  private toldUpTo = 0;
  /** Since when there is something to tell; `undefined` where nobody has to wait for it. */
  private sinceMs: number | undefined;
  private readonly queue: TimedTold[] = [];
  /** What is being told, until it is known to have come. */
  private readonly batches: ToldBatch[] = [];
  /** Up to when these have what was answered. */
  private gatheredMs = 0;
  private count = 0;
  private telling: Promise<void> | undefined;
  private isWatched = false;
  private watchedMs = -Infinity;
  private isClosing = false;
  private isClosed = false;
  private looking: Promise<void> | undefined;
  private known: HeardUpTo | undefined;
  private owedSinceMs: number | undefined;
  private journal: Journal;
  /** Whose request it is, by the number of its entry. */
  private readonly owners = new Map<number, string>();
  private readonly changes = new Set<string>();

  constructor(stream: RequestStream, own: OwnRequests) {
    this.stream = stream;
    this.own = own;
    this.journal = own.newJournal(SHARED_JOURNAL);
  }

  /** The same in all processes; `undefined` before anybody looked. */
  get instance(): string | undefined {
    return this.known?.instance;
  }

  /** How many of those that were told are not remembered. */
  get forgotten(): number {
    return this.journal.forgotten;
  }

  /** From now on this process tells, until it is closed. */
  async start(): Promise<void> {
    for (;;) {
      await sleep(this.isWatched ? TELL_MS : ASK_MS, undefined, { ref: false });
      if (this.isClosed) return;
      try {
        await this.tell();
      } catch (error) {
        // Told another time: requests are refused meanwhile, and health says why.
        if (!(error instanceof StoreError)) throw error;
      }
    }
  }

  /**
   * Something may have been answered: who looks from now on waits for what is not told.
   *
   * @param sinceMs - not before that, by `performance.now()`
   */
  answered(sinceMs: number): void {
    if (this.sinceMs === undefined && this.own.counter.last !== this.toldUpTo) this.owe(sinceMs);
  }

  /** The journal of a sandbox was emptied. */
  cleared(sandbox: string): void {
    this.note({ kind: 'cleared', sandbox });
  }

  /** Others than requests changed something. */
  changed(what: string): void {
    this.note({ kind: 'changed', what, process: this.process });
  }

  /** Now what was answered anywhere before this is known here. @throws StoreError */
  async catchUp(): Promise<void> {
    const begunMs = epochOf(performance.now());
    await this.watch();
    await this.tell();
    for (;;) {
      // One that began before does not count.
      while (this.looking !== undefined) await this.looking.catch(() => undefined);
      const isPatient = epochOf(performance.now()) - begunMs < OTHERS_MS;
      await this.hear(isPatient);
      if (!isPatient || (this.owedSinceMs ?? Infinity) > begunMs) return;
      await sleep(AGAIN_MS);
    }
  }

  /** Learns what was told so far. @throws StoreError */
  async look(): Promise<void> {
    if (performance.now() - this.watchedMs > WATCH_MS) await this.watch();
    await this.hear(true);
  }

  /** What others than requests changed at other processes since this was asked. */
  takeChanges(): string[] {
    const changes = [...this.changes];
    this.changes.clear();
    return changes;
  }

  journals(): readonly JournalOfSandboxes[] {
    return [{ journal: this.journal, ownerOf: (number) => this.owners.get(number) }];
  }

  /** Oldest first, counted from 1. */
  entriesOf(sandbox: string): JournalEntry[] {
    return this.journal
      .entries()
      .filter(({ number }) => this.owners.get(number) === sandbox)
      .map((entry, index) => ({ ...entry, number: index + 1 }));
  }

  /** Tells the rest of the requests, because somebody may look later. Gives up where the store does not answer. */
  async close(): Promise<void> {
    this.isClosing = true;
    try {
      // A call that is under way may know an older state, and one that failed before left its batch to be sent first.
      do await this.tell();
      while (this.hasMoreToTell());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    } finally {
      this.isClosed = true;
    }
  }

  private note(told: Told): void {
    this.queue.push({ ...told, atMs: epochOf(performance.now()) });
    if (this.queue.length > SHARED_JOURNAL.entries) this.queue.shift();
    if (this.sinceMs === undefined) this.owe(performance.now());
  }

  private owe(sinceMs: number): void {
    this.sinceMs = epochOf(sinceMs);
    this.stream.owe({ process: this.process, sinceMs: this.sinceMs }).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      // It is said again with the next request.
      this.sinceMs = undefined;
    });
  }

  private async watch(): Promise<void> {
    await this.stream.watch();
    this.isWatched = true;
    this.watchedMs = performance.now();
  }

  private async tell(): Promise<void> {
    await this.telling?.catch(() => undefined);
    this.telling ??= this.tellAll().finally(() => {
      this.telling = undefined;
    });
    await this.telling;
  }

  private hasMoreToTell(): boolean {
    return this.batches.length > 0 || this.queue.length > 0 || this.toldUpTo !== this.own.counter.last;
  }

  private async tellAll(): Promise<void> {
    const { counter } = this.own;
    if (!this.hasMoreToTell()) return;
    if (!this.isWatched && !this.isClosing)
      this.isWatched = await this.stream.owe({
        process: this.process,
        sinceMs: this.sinceMs ?? epochOf(performance.now()),
      });
    // The store may have been closed while this waited.
    if (!this.isWatched && !this.isClosing) {
      // Who looks later has no use for what was changed before; that entries are gone he has to know.
      this.queue.push(...this.queue.splice(0).filter(({ kind }) => kind === 'cleared'));
      return;
    }
    if (this.batches.length === 0) this.batches.push(...this.nextBatches());
    for (let [batch] = this.batches; batch !== undefined; [batch] = this.batches) {
      const isAll = this.queue.length === 0 && this.toldUpTo === counter.last;
      // With the last of them only what was answered since is owed.
      if (this.batches.length === 1) this.sinceMs = isAll ? undefined : this.gatheredMs;
      this.isWatched = await this.stream.tell(batch, this.sinceMs);
      this.batches.shift();
    }
  }

  private nextBatches(): ToldBatch[] {
    this.gatheredMs = epochOf(performance.now());
    const { counter } = this.own;
    const places = rememberedAfter(this.own.journals(), this.toldUpTo, undefined).slice(-SHARED_JOURNAL.entries);
    let lost = counter.last - this.toldUpTo - places.length;
    this.toldUpTo = counter.last;
    const told: TimedTold[] = [...this.queue.splice(0), ...places.map(timedRequest)];
    const batches: ToldBatch[] = [];
    do {
      this.count += 1;
      batches.push({ process: this.process, number: this.count, told: told.splice(0, MOST_AT_ONCE), lost });
      lost = 0;
    } while (told.length > 0);
    return batches;
  }

  private async hear(isPatient: boolean): Promise<void> {
    this.looking ??= this.stream
      .hear(this.known, isPatient)
      .then((heard) => {
        this.learn(heard);
      })
      .finally(() => {
        this.looking = undefined;
      });
    await this.looking;
  }

  private learn({ instance, cursor, isWhole, told, last, owedSinceMs }: Heard): void {
    this.owedSinceMs = owedSinceMs;
    if (isWhole) {
      this.journal = this.own.newJournal(SHARED_JOURNAL);
      this.owners.clear();
    }
    for (const each of told) {
      if (each.kind === 'request') {
        this.journal.put(each.stored);
        const { position } = this.journal;
        this.owners.set(position, each.sandbox);
        this.owners.delete(position - SHARED_JOURNAL.entries);
      } else if (each.kind === 'cleared') {
        for (const [number, owner] of this.owners) if (owner === each.sandbox) this.owners.delete(number);
      } else if (each.process !== this.process) this.changes.add(each.what);
    }
    this.known = { instance, cursor };
    this.last = last;
  }
}

/** Somebody may have set the clock of the machine since the process began. */
function epochOf(endedMs: number): number {
  return Date.now() + (endedMs - performance.now());
}

function timedRequest(place: RememberedPlace): TimedTold {
  const stored = storedAt(place);
  return { kind: 'request', sandbox: place.sandbox, stored, atMs: epochOf(stored.endedMs) };
}
