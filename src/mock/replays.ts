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
/** Nor by what each answer repeats of its body. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** What all bodies of a map have together; maps are changed here alone. */
const lengths = new WeakMap<ReadonlyMap<string, Replay>, number>();

function bodyOf(replay: Replay | undefined): number {
  return replay?.response.body?.length ?? 0;
}

function lengthOf(replays: ReadonlyMap<string, Replay>): number {
  let length = lengths.get(replays);
  if (length === undefined) {
    length = 0;
    for (const replay of replays.values()) length += bodyOf(replay);
  }
  return length;
}

/** Keeps a response in place of an earlier one of its key, and forgets what is over. */
export function keepReplay(replays: Map<string, Replay>, key: string, replay: Replay): void {
  let length = lengthOf(replays) + bodyOf(replay) - bodyOf(replays.get(key));
  // Taken out first: a key that is set again would keep its old place.
  replays.delete(key);
  replays.set(key, replay);
  // Oldest first: what is over is at the beginning.
  for (const [oldest, kept] of replays) {
    const isWithin = replays.size <= MAX_REPLAYS && length <= MAX_LENGTH;
    if ((isWithin && replay.storedAt - kept.storedAt < REPLAY_MS) || oldest === key) break;
    length -= bodyOf(kept);
    replays.delete(oldest);
  }
  lengths.set(replays, length);
}
