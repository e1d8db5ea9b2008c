const { readFileSync } = require('node:fs');

/** The kernel counts the time of processes in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Processor time of this process with all its threads, and of the processes that it started and that have ended.
 *
 * Elsewhere than on Linux, child processes are not counted.
 *
 * @returns milliseconds
 */
exports.readProcessorTime = () => {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1000;
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The second field is the name of the command in parentheses, and may hold spaces: count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // proc_pid_stat(5): cutime and cstime are fields 16 and 17; the first one here is field 3.
    return own + (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
  } catch {
    return own;
  }
};

/** A computation whose cost is known: JSON read and written, which is what tests do most. */
const REFERENCE = JSON.stringify(
  Array.from({ length: 400 }, (_, index) => ({ id: index, name: `item ${index}`, tags: ['a', 'b'] })),
);
/** The milliseconds that it takes on the processor that the budgets of the tests are given for. */
const REFERENCE_MS = 0.3;
const REPEATED = 3;

/**
 * How many times slower this machine computes now than the one that the budgets are given for. Two threads that share a
 * processor slow each other by up to two.
 *
 * @returns at least 1
 */
exports.measureSlowness = () => {
  const times = Array.from({ length: REPEATED }, () => {
    const before = process.cpuUsage();
    JSON.stringify(JSON.parse(REFERENCE));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, times.sort((one, other) => one - other)[1] / REFERENCE_MS);
};
