/** The clock and the alarm of whatever waits; tests bring their own, so that nothing really waits. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Settles after so many milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** `setTimeout` takes no more: 2^31 - 1 ms, almost 25 days. */
const LONGEST_MS = 2_147_483_647;

export const REAL_TIMING: Timing = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.min(Math.max(milliseconds, 0), LONGEST_MS));
      signal?.addEventListener('abort', finish, { once: true });
    }),
};

interface RequestRateLimit {
  /** Settles when the next request may go, or at once when the signal is aborted. Turns come in the order of asking. */
  take(signal?: AbortSignal): Promise<void>;
}

/**
 * A token bucket that holds one token: requests are spread evenly, and a pause is not a credit for a burst after it, so
 * that no second ever sees more than the budget and one.
 *
 * @param ratePerSecond - requests per second, above 0; `undefined` for no limit
 */
export function createRequestRateLimit(ratePerSecond: number | undefined, timing: Timing): RequestRateLimit {
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

/** Lets so many through at a time. */
interface Semaphore {
  /** @returns what to call when done, once; `undefined` when the signal was aborted while waiting */
  acquire(signal?: AbortSignal): Promise<(() => void) | undefined>;
}

const UNLIMITED: Semaphore = { acquire: () => Promise.resolve(() => undefined) };

/**
 * A counting semaphore; who came first goes first.
 *
 * @param places - a whole number above 0; `undefined` for no limit
 */
export function createSemaphore(places: number | undefined): Semaphore {
  if (places === undefined) return UNLIMITED;
  let free = places;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  return {
    acquire: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve(undefined);
          return;
        }
        if (free > 0) {
          free -= 1;
          resolve(leave);
          return;
        }
        const stop = (): void => {
          waiting.delete(proceed);
          resolve(undefined);
        };
        const proceed = (): void => {
          waiting.delete(proceed);
          signal?.removeEventListener('abort', stop);
          resolve(leave);
        };
        waiting.add(proceed);
        signal?.addEventListener('abort', stop, { once: true });
      }),
  };
}

/**
 * Does work on every item, a few at a time, in their order.
 *
 * @param limit - how many at a time, at least 1
 * @returns what came of each, in the order of the items, however they ended
 * @throws the first error of the work, when nothing of it is going on any more; no further item is begun after one
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** What several have to be ready for before any of them goes on. */
export interface Gate {
  /** Settles when all that are still expected have come. */
  arrive(): Promise<void>;
  /** Ends the waiting for one that may not have come, and never will. */
  leave(): void;
}

/** @returns for each of so many its way through one gate */
export function createGate(count: number): Gate[] {
  let awaited = count;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return Array.from({ length: count }, (): Gate => {
    let isCounted = false;
    const leave = (): void => {
      if (!isCounted) awaited -= 1;
      isCounted = true;
      if (awaited === 0) open();
    };
    return {
      arrive: () => {
        leave();
        return opened;
      },
      leave,
    };
  });
}
