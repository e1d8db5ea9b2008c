import type { Clock } from '../../mock/context';

/** A clock that can be set; it runs on from where it was set. */
export interface SettableClock extends Clock {
  /** @param epochMs - the time it shows from now on; `undefined` for the real time */
  set(epochMs: number | undefined): void;
  /** Back to the time it would show had it never been set. */
  reset(): void;
}

export function createClock(startMs?: number): SettableClock {
  const initial = startMs === undefined ? 0 : startMs - Date.now();
  let offset = initial;
  return {
    now: () => Date.now() + offset,
    set(epochMs) {
      offset = epochMs === undefined ? 0 : epochMs - Date.now();
    },
    reset() {
      offset = initial;
    },
  };
}
