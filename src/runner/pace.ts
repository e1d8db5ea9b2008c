import type { Timing } from './timing';

/** A budget of requests. */
export interface Pace {
  /** Settles when the next request may go, or at once when the signal is aborted. Turns come in the order of asking. */
  take(signal?: AbortSignal): Promise<void>;
}

/**
 * A token bucket that holds one token: requests are spread evenly, and a pause is no credit for a burst after it, so
 * that no second ever sees more than the budget and one.
 *
 * @param ratePerSecond - requests per second, above 0; `undefined` for no limit
 */
export function createPace(ratePerSecond: number | undefined, timing: Timing): Pace {
  if (ratePerSecond === undefined) return { take: () => Promise.resolve() };
  const intervalMs = 1000 / ratePerSecond;
  let nextMs = -Infinity;
  return {
    async take(signal) {
      const now = timing.now();
      const turnMs = Math.max(now, nextMs);
      nextMs = turnMs + intervalMs;
      if (turnMs > now) await timing.sleep(turnMs - now, signal);
    },
  };
}
