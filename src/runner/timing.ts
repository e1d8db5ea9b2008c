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
