import { SettableClock } from '../../mock/settable-clock';

/** @param startMs - the time it shows at first, in epoch milliseconds; the real time when left out */
export function createClock(startMs?: number): SettableClock {
  return new SettableClock({ now: () => Date.now() }, startMs === undefined ? 0 : startMs - Date.now());
}
