/**
 * A clock that goes on while this process computes, and stands still while others have the machine: what must not take
 * for ever is held against it, and says the same on a busy machine.
 *
 * @returns tells the milliseconds since the call, in all threads of the process
 */
export function cpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
