import { setImmediate } from 'node:timers';

/**
 * Does work once the caller has had its turn: what it sends next is on its way by then, and the work is done in the time
 * that is waited for the answer. Two turns, because undici writes a request in the turn after it was handed over.
 *
 * @returns rejects with what the work throws; nobody has to wait for it
 */
export function meanwhile<Result>(work: () => Result): Promise<Result> {
  const result = new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(resolve));
  }).then(work);
  // Who waits for it is told all the same.
  result.catch(() => undefined);
  return result;
}
