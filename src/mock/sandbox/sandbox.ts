import type { Warning } from '../../checks/request/warnings';
import type { HttpResponse, RequestHead } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import type { CredentialLocations } from '../../security/credential-locations';
import { IssuedCredentials } from '../../security/issued-credentials';
import { FaultScopes } from '../faults/fault-scopes';
import { ForcedResponses } from '../faults/forced-response-queue';
import { RandomStream } from '../faults/fault';
import { takeBackChanges } from '../state/draft';
import { LiveState, type State } from '../state/state';
import { AnswerCounts } from './status-counts';
import type { SettableClock } from './clock';
import { MAIN_ID } from './sandbox-selection';
import { Journal } from './journal';
import type { JournalEntry, JournalSize, RequestCounter } from './journal-entry';
import { type LastChange, UndoHistory } from './undo-history';
import { type Limiter, type RateLimit, RateLimiter } from './rate-limiter';

interface SandboxParts {
  /** `undefined` for the one of requests that name none. */
  readonly id: string | undefined;
  readonly state: State;
  readonly clock: SettableClock;
  readonly seed: string;
  readonly rateLimit: RateLimit | undefined;
  readonly journal?: JournalSize;
  /** Forced on operations in every sandbox. */
  readonly forcedOnAll: ForcedResponses;
  /** Where requests carry what the journal does not show. */
  readonly secrets?: CredentialLocations | undefined;
  readonly counter: RequestCounter;
}

/**
 * One world of its own: what is stored, with its keys and its replays of idempotency keys; what was asked; what time it
 * is; who asked how often; the course of chance, and what
 * goes wrong.
 */
export class Sandbox {
  readonly id: string | undefined;
  readonly clock: SettableClock;
  readonly random: RandomStream;
  readonly journal: Journal;
  readonly history: UndoHistory;
  readonly limiter: RateLimiter | undefined;
  readonly snapshots = new Map<string, State>();
  readonly faults: FaultScopes;
  /** Since it came to be; a reset leaves them. */
  readonly answers = new AnswerCounts();
  /** Credentials that were given out here. */
  readonly issued = new IssuedCredentials();
  live: LiveState;

  constructor({ id, state, clock, seed, rateLimit, journal, forcedOnAll, secrets, counter }: SandboxParts) {
    this.id = id;
    this.clock = clock;
    this.live = new LiveState(state);
    this.journal = new Journal(journal, secrets, counter);
    this.faults = new FaultScopes(new ForcedResponses(id ?? MAIN_ID, forcedOnAll));
    this.history = new UndoHistory(this.journal);
    this.limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit);
    this.random = new RandomStream(id === undefined ? seed : `${seed}\n${id}`);
  }

  /** The state as it is: a value that later requests do not change. */
  snapshot(): State {
    return this.live.snapshot();
  }

  restore(state: State): void {
    this.live = new LiveState(state);
  }

  /** Takes back what changed the state last. @returns what that was; `undefined` where there is nothing to take back */
  undo(): LastChange | undefined {
    const change = this.history.last();
    if (change === undefined) return undefined;
    if (change.by === 'hand') this.restore(change.before);
    else takeBackChanges(this.live, change.changes);
    this.history.remove(change);
    return change;
  }

  /** As if nothing had happened in it yet; the snapshots stay. */
  reset(state: State): void {
    this.restore(state);
    this.journal.clear();
    this.limiter?.reset();
    this.clock.reset();
    this.random.reset();
    this.faults.clear();
    this.issued.clear();
  }
}

const PENDING_SIZE: JournalSize = { entries: 1000, textBytes: 4 * 1024 * 1024, bodyBytes: 4096 };

/**
 * What is known of sandboxes that exist in name only, because nothing was written in them yet: their requests, and how
 * often they asked. All share one journal and one limiter of fixed size, so that ids cost nothing until they are used.
 */
export class PendingSandboxes {
  readonly journal: Journal;
  /** Of requests that belong to none of the sandboxes that are kept. */
  readonly answers = new AnswerCounts();
  /** Whose item it is, by the number of the entry, and what was answered. */
  private readonly owners = new Map<number, PendingAnswer>();
  private readonly limiter: RateLimiter | undefined;
  private count = 0;

  constructor(rateLimit: RateLimit | undefined, secrets: CredentialLocations | undefined, counter: RequestCounter) {
    this.journal = new Journal(PENDING_SIZE, secrets, counter);
    this.limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit);
  }

  /** The limiter as one of them sees it. */
  limiterOf(id: string): Limiter | undefined {
    const { limiter } = this;
    return limiter === undefined ? undefined : { take: (key, nowMs) => limiter.take(prefixOf(id) + key, nowMs) };
  }

  record(
    id: string,
    head: RequestHead,
    operation: string | undefined,
    response: RecordedResponse,
    nowMs: number,
  ): void {
    const { body, response: sent, problem, warnings, startedMs } = response;
    this.journal.add(head, body, operation, sent, problem, [], nowMs, warnings, undefined, startedMs);
    this.count += 1;
    this.owners.set(this.count, { id, operation, status: sent.status });
    this.owners.delete(this.count - PENDING_SIZE.entries);
  }

  ownerOf(number: number): string | undefined {
    return this.owners.get(number)?.id;
  }

  /** Oldest first, counted from 1. */
  entriesOf(id: string): JournalEntry[] {
    return this.journal
      .entries()
      .filter(({ number }) => this.owners.get(number)?.id === id)
      .map((entry, index) => ({ ...entry, number: index + 1 }));
  }

  /** Of those that are remembered of one. */
  answersOf(id: string): AnswerCounts {
    const answers = new AnswerCounts();
    for (const { id: owner, operation, status } of this.owners.values())
      if (owner === id) answers.note(operation, status);
    return answers;
  }

  forgetEntries(id: string): void {
    for (const [number, owner] of this.owners) if (owner.id === id) this.owners.delete(number);
  }

  forget(id: string): void {
    this.forgetEntries(id);
    this.limiter?.forget(prefixOf(id));
  }

  /** What was noted of one goes over to the sandbox that it became. */
  moveTo(sandbox: Sandbox, id: string): void {
    for (const number of this.journal.remembered())
      if (this.ownerOf(number) === id) sandbox.journal.put(this.journal.requestOf(number));
    const answers = this.answersOf(id);
    sandbox.answers.add(answers);
    this.answers.add(answers, -1);
    if (sandbox.limiter !== undefined) this.limiter?.moveTo(sandbox.limiter, prefixOf(id));
    this.forget(id);
  }
}

interface PendingAnswer {
  readonly id: string;
  readonly operation: string | undefined;
  readonly status: number;
}

/** An answered request, beside its head. */
export interface RecordedResponse {
  readonly body: Uint8Array | undefined;
  readonly response: HttpResponse;
  readonly problem: Problem | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  /** When the request came, by `performance.now()`. */
  readonly startedMs?: number | undefined;
}

/** No id holds a line end. */
function prefixOf(id: string): string {
  return `${id}\n`;
}
