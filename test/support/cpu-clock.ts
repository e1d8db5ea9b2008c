/** A computation whose cost is known: what every test here does most, JSON read and written. */
const REFERENCE = JSON.stringify(
  Array.from({ length: 2000 }, (_, index) => ({ id: index, name: `item ${index}`, tags: ['a', 'b'] })),
);
/** The milliseconds that it takes where the bounds of the tests were set, with nothing else running. */
const REFERENCE_MS = 1.5;
const REPEATED = 7;

function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** How many times slower than that this machine computes now: a processor's two halves slow each other. */
function slowdown(): number {
  const runs = Array.from({ length: REPEATED }, () => {
    const before = process.cpuUsage();
    JSON.stringify(JSON.parse(REFERENCE));
    return cpuMs(before);
  });
  return Math.max(1, Math.min(...runs) / REFERENCE_MS);
}

/**
 * A clock that goes on while this process computes, and stands still while others have the machine: what must not take
 * for ever is held against it. It goes as slowly as the machine computes at the time, measured by a computation beside
 * it, and so says the same on a busy machine.
 *
 * @returns tells the milliseconds since the call, in all threads of the process
 */
export function cpuClock(): () => number {
  const slowBefore = slowdown();
  const before = process.cpuUsage();
  return () => cpuMs(before) / Math.max(slowBefore, slowdown());
}

/**
 * What an action costs, without the garbage of others that is collected meanwhile.
 *
 * @returns the least milliseconds of three times, as {@link cpuClock} tells them
 */
export async function leastSpentMs(act: () => PromiseLike<unknown>): Promise<number> {
  const spent: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    const spentMs = cpuClock();
    await act();
    spent.push(spentMs());
  }
  return Math.min(...spent);
}
