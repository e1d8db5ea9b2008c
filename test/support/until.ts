import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** What is being waited for. */
const waits = new Set<{ readonly what: string }>();

// After a test whose time is over, this ends its waits and says what they were for.
if (typeof afterEach === 'function')
  afterEach(() => {
    const [...left] = waits;
    waits.clear();
    if (left.length > 0) throw new Error(`Still waiting for: ${left.map(({ what }) => what).join('; ')}`);
  });

/**
 * Waits until a condition holds, and returns its value. There is no limit but the time limit of the test.
 *
 * @param condition - asked every few milliseconds; it holds when its value is truthy
 * @param what - what is waited for, for the error message
 */
export async function until<Value>(condition: () => Value | Promise<Value>, what: string): Promise<Value> {
  const wait = { what };
  waits.add(wait);
  try {
    for (;;) {
      const value = await condition();
      if (value) return value;
      await sleep(POLL_MS);
      if (!waits.has(wait)) throw new Error(`Gave up waiting for: ${what}`);
    }
  } finally {
    waits.delete(wait);
  }
}
