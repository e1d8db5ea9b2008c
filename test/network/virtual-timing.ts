import type { Timing } from '../../src/runner/transport/timing';

/** A clock that stands still but while somebody sleeps, and then jumps to the end of it. */
export interface VirtualTiming extends Timing {
  /** Every sleep that was asked for, in milliseconds. */
  readonly sleeps: number[];
}

export function virtualTiming(startMs = 0): VirtualTiming {
  let nowMs = startMs;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => nowMs,
    sleep(milliseconds, signal) {
      sleeps.push(milliseconds);
      if (signal?.aborted !== true) nowMs += milliseconds;
      return Promise.resolve();
    },
  };
}
