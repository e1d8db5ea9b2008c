import type { HttpResponse } from '../http/message';

/** A response kept for an Idempotency-Key. */
export interface Replay {
  /** Digest of the body that it answered. */
  readonly payload: string;
  readonly response: HttpResponse;
  /** Epoch milliseconds of the mock's clock. */
  readonly storedAt: number;
}

/** How long a response is kept, in milliseconds of the mock's clock. */
export const REPLAY_MS = 24 * 60 * 60 * 1000;
/** Oldest first out, so that a client that makes up a key for each request cannot fill the memory. */
const MAX_REPLAYS = 10_000;

/** Keeps a response in place of an earlier one of its key, and forgets what is over. */
export function keepReplay(replays: Map<string, Replay>, key: string, replay: Replay): void {
  // Taken out first: a key that is set again would keep its old place.
  replays.delete(key);
  replays.set(key, replay);
  // Oldest first: what is over is at the beginning.
  for (const [oldest, { storedAt }] of replays) {
    if (replays.size <= MAX_REPLAYS && replay.storedAt - storedAt < REPLAY_MS) break;
    replays.delete(oldest);
  }
}
