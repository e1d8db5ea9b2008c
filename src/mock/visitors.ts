import type { HttpResponse, RequestHead } from '../http/message';
import type { Problem } from '../checks/problem';
import type { Warning } from '../checks/warnings';
import type { CredentialPlaces } from '../openapi/credential-places';
import { Journal, type JournalEntry } from './journal';
import type { RateLimit } from './options';
import type { Limiter } from './context';
import { RateLimiter } from './rate-limiter';
import type { Sandbox } from './sandbox';

/**
 * What is known of sandboxes that exist in name only, because nothing was written in them yet: their requests, and how
 * often they asked. All share one journal and one limiter of fixed size, so that ids cost nothing until they are used.
 */
export class Visitors {
  private readonly journal: Journal;
  /** Whose row it is, by the number of the entry. */
  private readonly owners = new Map<number, string>();
  private readonly limiter: RateLimiter | undefined;
  private count = 0;

  constructor(rateLimit: RateLimit | undefined, secrets?: CredentialPlaces) {
    this.journal = new Journal(Journal.USUAL_SIZE, secrets);
    this.limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit);
  }

  /** The limiter as one of them sees it. */
  limiterOf(id: string): Limiter | undefined {
    const { limiter } = this;
    return limiter === undefined ? undefined : { take: (key, nowMs) => limiter.take(prefixOf(id) + key, nowMs) };
  }

  note(id: string, head: RequestHead, operation: string | undefined, answer: Answer, nowMs: number): void {
    this.journal.add(head, answer.body, operation, answer.response, answer.problem, [], nowMs, answer.warnings);
    this.count += 1;
    this.owners.set(this.count, id);
    this.owners.delete(this.count - Journal.USUAL_SIZE.entries);
  }

  /** Oldest first, counted from 1. */
  entriesOf(id: string): JournalEntry[] {
    return this.journal
      .entries()
      .filter(({ number }) => this.owners.get(number) === id)
      .map((entry, index) => ({ ...entry, number: index + 1 }));
  }

  forgetEntries(id: string): void {
    for (const [number, owner] of this.owners) if (owner === id) this.owners.delete(number);
  }

  forget(id: string): void {
    this.forgetEntries(id);
    this.limiter?.forget(prefixOf(id));
  }

  /** What was noted of one goes over to the sandbox that it became. */
  moveTo(sandbox: Sandbox, id: string): void {
    for (const [number, owner] of this.owners) if (owner === id) sandbox.journal.take(this.journal, number);
    if (sandbox.limiter !== undefined) this.limiter?.moveTo(sandbox.limiter, prefixOf(id));
    this.forget(id);
  }
}

/** An answered request, beside its head. */
export interface Answer {
  readonly body: Uint8Array | undefined;
  readonly response: HttpResponse;
  readonly problem: Problem | undefined;
  readonly warnings?: readonly Warning[] | undefined;
}

/** No id holds a line end. */
function prefixOf(id: string): string {
  return `${id}\n`;
}
