import { setTimeout as sleep } from 'node:timers/promises';
import { PendingWork } from '../../core/time/pending-work';
import { type Entry, entryBetween, isEmptyEntry } from '../state/entry';
import { NOT_STORED, type Position, StoreError } from '../state/state-log';
import type { State } from '../state/state';
import { LocalCopies, type Moment, type SharedContext } from './local-copies';
import type { Sandbox } from './sandbox';
import { MAIN_ID } from './sandbox-selection';
import type { Rounds, SandboxStore } from './sandbox-store';
import type { SharedParts } from './shared-parts';
import type { SharedLog } from './request-stream';
import { SharedRequests } from './shared-requests';

/** So many requests are answered by one commit. */
const MOST_IN_ROUND = 256;
/** From then on a process that others were faster than waits a little, so that not all of them collide again. */
const PATIENT_ROUNDS = 3;
const MOST_WAIT_MS = 20;

interface Waiting {
  readonly step: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One sandbox as this process knows it. */
interface Room {
  /** Up to where the log was read; `undefined` where nothing is known of it. */
  position: Position | undefined;
  readonly waiting: Waiting[];
  isBusy: boolean;
  /** What the steps of the round that is under way did; `undefined` while none is played. */
  entries: Entry[] | undefined;
  /** To be done when that is stored: what nobody may see before. */
  later: (() => void)[];
}

/** Tells who waits what became of his step. */
type Outcome = () => void;

/**
 * Makes the sandboxes of several processes one. Requests of one sandbox are answered in rounds: all that wait are done on the
 * state as it is known here, and what they did is appended to the log if nobody else was faster; else it is taken back,
 * what the others did is done here too, and the round begins again. Nothing is answered before that. A round of nothing
 * but reads asks only whether it knew all, so that every response is one that a single process could have given at a
 * moment between its request and its arrival.
 */
export class SharedStore implements SandboxStore, Rounds {
  readonly log: SharedLog;
  readonly rounds = this;
  readonly requests: SharedRequests | undefined;
  private readonly copies: LocalCopies;
  private readonly rooms = new Map<string, Room>();
  /** What was begun and removed beside the rounds. */
  private readonly beside = new Set<Promise<unknown>>();
  /** Everything that waits for the log. */
  private readonly inHand = new PendingWork();

  constructor(log: SharedLog, context: SharedContext) {
    this.log = log;
    this.copies = new LocalCopies(context);
    const { sandboxes } = context;
    this.requests = log.requests && new SharedRequests(log.requests, sandboxes);
  }

  run<Result>(id: string, step: () => Result | Promise<Result>): Promise<Result> {
    const room = this.roomOf(id);
    const outcome = new Promise<Result>((resolve, reject) => {
      room.waiting.push({ step, resolve: resolve as Waiting['resolve'], reject });
      if (room.isBusy) return;
      room.isBusy = true;
      // What arrives in one turn of the event loop is answered by one round.
      setImmediate(() => void this.work(id, room));
    });
    return this.inHand.track(outcome);
  }

  commit(sandbox: Sandbox, entry: Entry): void {
    if (isEmptyEntry(entry)) return;
    const id = sandbox.id ?? MAIN_ID;
    const { entries } = this.roomOf(id);
    if (entries !== undefined) entries.push(entry);
    // A program did it, between two rounds: it is done again in the next one, on what there is then.
    else
      this.keep(
        this.run(id, () => {
          this.redo(id, entry);
        }),
      );
  }

  note(sandbox: Sandbox, before: State): void {
    this.commit(sandbox, { ...entryBetween(before, sandbox.snapshot()), ...sandbox.issued.takeChanges() });
  }

  begin(sandbox: Sandbox): void {
    const id = sandbox.id ?? MAIN_ID;
    const room = this.roomOf(id);
    room.position = undefined;
    const begun = Promise.resolve(this.log.begin(id, this.copies.snapshotOf(sandbox)));
    this.keep(
      begun.then((position) => {
        room.position = position;
      }),
    );
  }

  end(id: string): void {
    this.roomOf(id).position = undefined;
    this.keep(Promise.resolve(this.log.remove(id)));
    this.requests?.cleared(id);
  }

  /** Only this process forgets it. */
  evict(id: string): void {
    this.roomOf(id).position = undefined;
  }

  settled(): undefined {
    return undefined;
  }

  whenStored(sandbox: Sandbox, act: () => void): void {
    const room = this.rooms.get(sandbox.id ?? MAIN_ID);
    if (room?.entries === undefined) this.answer([act]);
    else room.later.push(act);
  }

  private answer(acts: readonly (() => void)[]): void {
    const sinceMs = performance.now();
    for (const act of acts) act();
    this.requests?.answered(sinceMs);
  }

  async flush(): Promise<void> {
    await Promise.all(this.beside);
  }

  async close(): Promise<void> {
    await this.inHand.idle();
    await this.requests?.close();
    await this.log.close();
  }

  /** Who asked for it is told by {@link flush}; a program by the next request. */
  private keep(work: Promise<unknown>): void {
    const done = this.inHand.track(work.finally(() => this.beside.delete(done)));
    this.beside.add(done);
    done.catch(() => undefined);
  }

  private redo(id: string, entry: Entry): void {
    const sandbox = this.copies.of(id);
    if (sandbox === undefined) return;
    this.copies.apply(sandbox, [entry]);
    this.roomOf(id).entries?.push(entry);
  }

  private roomOf(id: string): Room {
    let room = this.rooms.get(id);
    if (room === undefined) {
      room = { position: undefined, waiting: [], isBusy: false, entries: undefined, later: [] };
      this.rooms.set(id, room);
    }
    return room;
  }

  private async work(id: string, room: Room): Promise<void> {
    while (room.waiting.length > 0) {
      const batch = room.waiting.splice(0, MOST_IN_ROUND);
      try {
        await (id === MAIN_ID ? this.round(id, room, batch) : this.roundBesideMain(id, room, batch));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    room.isBusy = false;
    if (this.copies.of(id) === undefined) this.rooms.delete(id);
  }

  /** What is forced in all sandboxes, and what they begin with, is the main one's: it is read first, and told afterwards. */
  private async roundBesideMain(id: string, room: Room, batch: readonly Waiting[]): Promise<void> {
    const { forcedOnAll } = this.copies;
    await this.run(MAIN_ID, () => undefined);
    const before = forcedOnAll.isEmpty ? undefined : JSON.stringify(forcedOnAll.save());
    await this.round(id, room, batch);
    if (before === undefined) return;
    const now = forcedOnAll.save();
    if (JSON.stringify(now) === before) return;
    await this.run(MAIN_ID, () => {
      this.roomOf(MAIN_ID).entries?.push({ parts: { forcedOnAll: now } satisfies SharedParts });
    });
  }

  private async round(id: string, room: Room, batch: readonly Waiting[]): Promise<void> {
    const isKnown = room.position === NOT_STORED || (room.position !== undefined && this.copies.of(id) !== undefined);
    if (!isKnown) room.position = this.copies.catchUp(id, await this.log.read(id, 0));
    for (let tries = 0; ; tries++) {
      if (tries > PATIENT_ROUNDS) await sleep(Math.random() * Math.min(MOST_WAIT_MS, tries));
      const before = this.copies.remember(id);
      const outcomes = await this.play(id, room, batch, before);
      const entries = room.entries ?? [];
      room.entries = undefined;
      // A read of what was read a moment ago, for this very round, needs no second look.
      const isDone = (tries > 0 && entries.length === 0) || (await this.isStored(id, room, before, entries));
      if (!isDone) continue;
      this.answer(room.later.splice(0));
      for (const settle of outcomes) settle();
      return;
    }
  }

  /** Stores what a round did. @returns false where others were faster: it is taken back, and theirs is done here instead */
  private async isStored(id: string, room: Room, before: Moment, entries: readonly Entry[]): Promise<boolean> {
    const position = room.position ?? NOT_STORED;
    const isBegun = entries.length > 0 || id === MAIN_ID;
    const beginning = isBegun && position === NOT_STORED ? this.copies.snapshotAt(id, before) : undefined;
    try {
      const appended = await this.log.append(id, position, entries, beginning);
      if (appended.kind === 'appended') {
        room.position = appended.position;
        this.shorten(id, appended.position);
        return true;
      }
      // Nothing is stored of it, as was known.
      if (appended.tail === undefined && position === NOT_STORED && entries.length === 0) return true;
      this.copies.goBack(id, before);
      room.position = this.copies.catchUp(id, appended.tail);
      return false;
    } catch (error) {
      // Where it is not known whether it was stored, the next round finds it among what others did.
      this.copies.goBack(id, before);
      throw error;
    }
  }

  /** Each step sees what those before it did. */
  private async play(id: string, room: Room, batch: readonly Waiting[], before: Moment): Promise<Outcome[]> {
    room.entries = [];
    room.later = [];
    const outcomes: Outcome[] = [];
    for (const { step, resolve, reject } of batch) {
      try {
        const made = step();
        const result: unknown = made instanceof Promise ? await made : made;
        outcomes.push(() => {
          resolve(result);
        });
      } catch (error) {
        outcomes.push(() => {
          reject(error);
        });
      }
    }
    const parts = this.copies.partsSince(id, before);
    if (parts !== undefined) room.entries.push({ parts });
    return outcomes;
  }

  private shorten(id: string, position: Position): void {
    const sandbox = this.copies.of(id);
    if (sandbox === undefined || !this.log.isLong(id)) return;
    Promise.resolve(this.log.compact(id, position, this.copies.snapshotOf(sandbox))).catch((error: unknown) => {
      // The log stays long, and another commit tries again.
      if (!(error instanceof StoreError)) throw error;
    });
  }
}
