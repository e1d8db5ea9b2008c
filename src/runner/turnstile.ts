/** Lets so many through at a time. */
export interface Turnstile {
  /** @returns what to call when done, once; `undefined` when the signal was aborted while waiting */
  enter(signal?: AbortSignal): Promise<(() => void) | undefined>;
}

const OPEN: Turnstile = { enter: () => Promise.resolve(() => undefined) };

/**
 * A counting semaphore; who came first goes first.
 *
 * @param places - a whole number above 0; `undefined` for no limit
 */
export function createTurnstile(places: number | undefined): Turnstile {
  if (places === undefined) return OPEN;
  let free = places;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  return {
    enter: (signal) =>
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
