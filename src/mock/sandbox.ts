import type { CredentialPlaces } from '../openapi/credential-places';
import { FaultBook } from './faults/fault-book';
import { IssuedCredentials } from './issued-credentials';
import { Journal, type JournalSize } from './journal';
import type { RateLimit } from './options';
import { RandomStream } from './random-stream';
import { RateLimiter } from './rate-limiter';
import type { SettableClock } from './settable-clock';
import { LiveState, type State } from './state';

/** What a sandbox is made from. */
export interface SandboxParts {
  /** `undefined` for the one of requests that name none. */
  readonly id: string | undefined;
  readonly state: State;
  readonly clock: SettableClock;
  readonly seed: string;
  readonly rateLimit: RateLimit | undefined;
  readonly journal?: JournalSize;
  /** Where requests carry what the journal does not show. */
  readonly secrets?: CredentialPlaces | undefined;
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
  readonly limiter: RateLimiter | undefined;
  /** By name. */
  readonly snapshots = new Map<string, State>();
  readonly faults = new FaultBook();
  /** Credentials that were given out here. */
  readonly issued = new IssuedCredentials();
  live: LiveState;

  constructor({ id, state, clock, seed, rateLimit, journal, secrets }: SandboxParts) {
    this.id = id;
    this.clock = clock;
    this.live = new LiveState(state);
    this.journal = new Journal(journal, secrets);
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
