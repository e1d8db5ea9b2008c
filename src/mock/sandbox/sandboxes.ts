import type { CredentialLocations } from '../../security/credential-locations';
import { Journal } from './journal';
import type { JournalEntry, JournalSize, RequestCounter } from './journal-entry';
import type { Limiter } from './rate-limiter';
import { PendingSandboxes, Sandbox } from './sandbox';
import { AnswerCounts } from './status-counts';
import type { SandboxStore } from './sandbox-store';
import { ForcedResponses } from '../faults/forced-response-queue';
import type { State } from '../state/state';
import type { JournalOfSandboxes, SandboxesParts, SandboxFacts } from './sandbox-facts';
import { MAIN_ID } from './sandbox-selection';

interface MaterialisedSandbox {
  readonly sandbox: Sandbox;
  readonly createdMs: number;
  usedMs: number;
}

const NO_SECRETS: CredentialLocations = { headers: new Set(), query: new Set(), cookies: new Set() };

/** Ids whose sandbox had to go are known for as long as so many others have not followed. */
const MAX_GONE = 10_000;
/** Smaller than that of the main sandbox: there may be a thousand of them. */
const JOURNAL: JournalSize = { entries: 250, textBytes: 128 * 1024, bodyBytes: 4096 };

/**
 * The sandboxes of a mock. Each begins as the baseline, and comes to be with its first write: until then it is a name
 * that requests carry, and is stored nowhere.
 */
export class Sandboxes {
  /** Of requests that name none. */
  readonly main: Sandbox;
  /** Forced on operations in every sandbox that forces nothing of its own on them. */
  readonly forcedOnAll = new ForcedResponses('*');
  /** What sandboxes begin with, and what a reset goes back to. */
  baseline: State;
  /** Is it another one than the description and the fixtures give? */
  hasOwnBaseline = false;
  /** Where what becomes of them is stored; `undefined` where they are lost with the process. */
  store: SandboxStore | undefined;
  /** Of the requests of all of them. */
  readonly counter: RequestCounter = { last: 0 };
  private readonly parts: SandboxesParts;
  /** Shared with every journal. */
  private readonly secrets: { readonly [Name in keyof CredentialLocations]: Set<string> } | undefined;
  private readonly pending: PendingSandboxes;
  /** By id; the one that was used last stands last. */
  private readonly kept = new Map<string, MaterialisedSandbox>();
  private readonly gone = new Set<string>();
  /** Of the sandboxes that are not there any more. */
  private readonly earlierAnswers = new AnswerCounts();

  constructor(parts: SandboxesParts) {
    const { baseline: state, clock, seed, rateLimit } = parts;
    const { headers, query, cookies } = parts.secrets ?? NO_SECRETS;
    const known = { headers: new Set(headers), query: new Set(query), cookies: new Set(cookies) };
    const secrets = parts.secrets === undefined ? undefined : known;
    this.secrets = secrets;
    this.parts = { ...parts, secrets };
    this.baseline = state;
    const { counter, forcedOnAll } = this;
    this.main = new Sandbox({ id: undefined, state, clock, seed, rateLimit, secrets, counter, forcedOnAll });
    this.pending = new PendingSandboxes(rateLimit, secrets, counter);
  }

  /**
   * The sandbox of a request.
   *
   * @returns one that was not kept yet, and has to be with its first change ({@link materialise}); `undefined` for one that had
   *   to make room
   */
  enter(id: string): Sandbox | undefined {
    const stored = this.find(id);
    if (stored !== undefined) return stored;
    return this.gone.has(id) ? undefined : this.make(id, this.baseline);
  }

  /** A sandbox that was kept and is not over; this counts as a use. */
  find(id: string): Sandbox | undefined {
    const entry = this.kept.get(id);
    if (entry === undefined) return undefined;
    const nowMs = this.main.clock.now();
    if (this.isIdle(entry, nowMs)) {
      this.evict(id);
      return undefined;
    }
    entry.usedMs = nowMs;
    this.kept.delete(id);
    this.kept.set(id, entry);
    return entry.sandbox;
  }

  wasEvicted(id: string): boolean {
    return this.gone.has(id);
  }

  isMaterialised(sandbox: Sandbox): boolean {
    return sandbox.id === undefined || this.kept.get(sandbox.id)?.sandbox === sandbox;
  }

  /** From now on it is there, and others may have to go for it. */
  materialise(sandbox: Sandbox): Sandbox {
    const { id } = sandbox;
    if (id === undefined || this.isMaterialised(sandbox)) return sandbox;
    const nowMs = this.main.clock.now();
    for (const [other, entry] of this.kept) {
      if (this.kept.size < this.parts.limits.count && !this.isIdle(entry, nowMs)) break;
      this.evict(other);
    }
    this.gone.delete(id);
    this.kept.set(id, { sandbox, createdMs: nowMs, usedMs: nowMs });
    this.pending.moveTo(sandbox, id);
    return sandbox;
  }

  /** The sandbox of an id, kept if it was not; one that had to go begins anew. */
  obtain(id: string): Sandbox {
    return this.find(id) ?? this.materialise(this.make(id, this.baseline));
  }

  setBaseline(state: State): void {
    // What is still to be sent is sent once, and not by each sandbox that begins so.
    this.baseline = { ...state, outbox: undefined };
    this.hasOwnBaseline = true;
  }

  /** A new sandbox with a state, in place of one that there may be. */
  create(id: string, state: State): Sandbox {
    this.remove(id);
    const sandbox = this.make(id, state);
    this.store?.begin(sandbox);
    return this.materialise(sandbox);
  }

  /** One that was stored earlier goes on. */
  revive(id: string, state: State): Sandbox {
    return this.materialise(this.make(id, state));
  }

  remove(id: string): boolean {
    this.pending.forget(id);
    this.gone.delete(id);
    const isThere = this.drop(id);
    if (isThere) this.store?.end(id);
    return isThere;
  }

  /** One that is kept; this is no use of it. */
  peek(id: string): Sandbox | undefined {
    return this.kept.get(id)?.sandbox;
  }

  /** One that was never stored, or that others removed. */
  forget(id: string): void {
    this.pending.forget(id);
    this.drop(id);
  }

  removeAll(): void {
    for (const id of [...this.kept.keys()]) this.remove(id);
    this.gone.clear();
  }

  /** As if nothing had happened in it yet. */
  reset(id: string): void {
    const sandbox = id === MAIN_ID ? this.main : this.find(id);
    if (sandbox === undefined) this.remove(id);
    else sandbox.reset(this.baseline);
    this.tellCleared(id, sandbox);
  }

  /** What stands in it; the baseline while nothing was written. */
  stateOf(id: string): State {
    return this.find(id)?.snapshot() ?? this.baseline;
  }

  /** What the journals have to hide from now on as well: another description names other keys. */
  hide({ headers, query, cookies }: CredentialLocations): void {
    for (const name of cookies) this.secrets?.cookies.add(name);
    for (const name of headers) this.secrets?.headers.add(name);
    for (const name of query) this.secrets?.query.add(name);
  }

  /** The main sandbox first, then the others, the one that was used last at the end. */
  all(): Sandbox[] {
    return [this.main, ...[...this.kept.values()].map(({ sandbox }) => sandbox)];
  }

  list(): SandboxFacts[] {
    for (const [id, entry] of this.kept) {
      if (!this.isIdle(entry, this.main.clock.now())) break;
      this.evict(id);
    }
    return [...this.kept].map(([id, { sandbox, createdMs, usedMs }]) => ({
      id,
      createdAt: new Date(createdMs).toISOString(),
      lastUsedAt: new Date(usedMs).toISOString(),
      items: sandbox.live.size,
      snapshots: [...sandbox.snapshots.keys()],
    }));
  }

  /** Those of all sandboxes, also of those that exist in name only. */
  journals(): JournalOfSandboxes[] {
    return [
      { journal: this.main.journal, ownerOf: () => MAIN_ID },
      { journal: this.pending.journal, ownerOf: (number) => this.pending.ownerOf(number) },
      ...[...this.kept].map(([id, { sandbox }]) => ({ journal: sandbox.journal, ownerOf: () => id })),
    ];
  }

  journalOf(id: string): JournalEntry[] {
    return this.find(id)?.journal.entries() ?? this.pending.entriesOf(id);
  }

  clearJournal(id: string): void {
    const sandbox = id === MAIN_ID ? this.main : this.find(id);
    sandbox?.journal.clear();
    this.pending.forgetEntries(id);
    this.tellCleared(id, sandbox);
  }

  /** An empty one that hides what those of the sandboxes hide. */
  newJournal(size: JournalSize): Journal {
    return new Journal(size, this.secrets);
  }

  limiterOf(sandbox: Sandbox): Limiter | undefined {
    const { id, limiter } = sandbox;
    return id === undefined || this.isMaterialised(sandbox) ? limiter : this.pending.limiterOf(id);
  }

  /** Counts what an operation answered, also where the sandbox is not kept. */
  countAnswer(sandbox: Sandbox, operation: string | undefined, status: number): void {
    (this.isMaterialised(sandbox) ? sandbox : this.pending).answers.note(operation, status);
  }

  /**
   * How often operations answered what: since the start, or since the sandbox came to be. No reset and no reload of the
   * description changes them.
   *
   * @param id - `MAIN_ID` for the main one; left out, all of them
   */
  answers(id?: string): AnswerCounts {
    if (id !== undefined) {
      const sandbox = id === MAIN_ID ? this.main : this.kept.get(id)?.sandbox;
      return sandbox?.answers ?? this.pending.answersOf(id);
    }
    const all = new AnswerCounts();
    for (const { answers } of [...this.all(), this.pending]) all.add(answers);
    all.add(this.earlierAnswers);
    return all;
  }

  /** Notes a request in a sandbox that was not kept, at least not when the request began. */
  recordPending(...given: Parameters<PendingSandboxes['record']>): void {
    const [id, head, operation, { body, response, problem, warnings, startedMs }, nowMs] = given;
    const journal = this.kept.get(id)?.sandbox.journal;
    if (journal === undefined) this.pending.record(...given);
    else journal.add(head, body, operation, response, problem, [], nowMs, warnings, undefined, startedMs);
  }

  /** To those who serve them as well, behind what they are told of the requests before. */
  private tellCleared(id: string, sandbox = this.main): void {
    const { rounds } = this.store ?? {};
    rounds?.whenStored(sandbox, () => rounds.requests?.cleared(id));
  }

  private make(id: string, state: State): Sandbox {
    const { parts, counter, forcedOnAll } = this;
    const { clock, seed, rateLimit, secrets } = parts;
    const own = { id, state, clock: clock.fork(), journal: JOURNAL };
    return new Sandbox({ ...own, seed, rateLimit, secrets, counter, forcedOnAll });
  }

  private drop(id: string): boolean {
    const entry = this.kept.get(id);
    if (entry !== undefined) this.earlierAnswers.add(entry.sandbox.answers);
    return this.kept.delete(id);
  }

  /** Others know what became of one that is shared: it goes by the time that they see. */
  private isIdle({ usedMs }: MaterialisedSandbox, nowMs: number): boolean {
    return this.store?.rounds === undefined && nowMs - usedMs >= this.parts.limits.idleMs;
  }

  private evict(id: string): void {
    this.drop(id);
    this.store?.evict(id);
    // It is not gone where it is shared: it is read again when it is asked for.
    if (this.store?.rounds !== undefined) return;
    this.gone.delete(id);
    this.gone.add(id);
    const [oldest] = this.gone;
    if (this.gone.size > MAX_GONE && oldest !== undefined) this.gone.delete(oldest);
  }
}
