import type { Clock } from '../../mock/context';

/** A clock that can be set; it runs on from where it was set. */
export interface SettableClock extends Clock {
  /** @param epochMs - the time it shows from now on; `undefined` for the real time */
  set(epochMs: number | undefined): void;
}

export function createClock(startMs?: number): SettableClock {
  let offset = startMs === undefined ? 0 : startMs - Date.now();
  return {
    now: () => Date.now() + offset,
    set(epochMs) {
      offset = epochMs === undefined ? 0 : epochMs - Date.now();
    },
  };
}
