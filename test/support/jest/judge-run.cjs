/** What `npm test` may cost on the machine of the budget, in milliseconds of processor time: all files, and each file. */
const MAX_TOTAL_MS = 330_000;
const MAX_FILE_MS = 3000;
/** The same file costs so many times as much in one run as in another, on the same machine: that much over the bound is told, and fails nothing. */
const NOISE = 1.25;
/** More failures than these are no chance: they do not run again. */
const MAX_REPEATED = 5;
/** One unstable file is reported; more of them fail the run. */
const MAX_UNSTABLE = 1;

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Decides what a run of jest means. Files that failed, or that cost too much, run once more, alone.
 *
 * @param {readonly { file: string; cpuMs: number; failed: boolean }[]} files - what each test file did
 * @param {(file: string) => { passed: boolean; cpuMs: number }} runAlone
 * @param {{ hasBudget: boolean; measureSlowness: () => number }} options - do the bounds on processor time hold? How many
 *   times as long as the machine of the budget does this one need for the same work? Asked only where a bound is passed.
 * @returns {{ passed: boolean; lines: string[] }} the lines say what is broken, unstable or over budget
 */
function judgeRun(files, runAlone, { hasBudget, measureSlowness }) {
  const failed = files.filter((each) => each.failed).map(({ file }) => file);
  const again = failed.length > MAX_REPEATED ? [] : failed;
  const unstable = again.filter((file) => runAlone(file).passed);
  const broken = failed.filter((file) => !unstable.includes(file));
  const overBudget = hasBudget ? findOverBudget(files, failed, runAlone, measureSlowness) : [];
  const isTooDear = overBudget.some(({ isNoise }) => !isNoise);
  return {
    passed: broken.length === 0 && !isTooDear && unstable.length <= MAX_UNSTABLE,
    lines: [
      ...overBudget.map(({ text, isNoise }) => `${isNoise ? 'near' : 'over'} budget: ${text} of processor time`),
      ...broken.map((file) => `failed: ${file}`),
      ...unstable.map(
        (file) => `unstable: ${file} (it failed, and passed alone: a defect of its own, see CONTRIBUTING.md)`,
      ),
    ],
  };
}

/**
 * A busy or slow machine can make a file dearer than it is. Costs are divided by how slow the machine is, and a file that
 * is far above its bound is measured again, alone.
 */
function findOverBudget(files, failed, runAlone, measureSlowness) {
  const total = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const dear = files.filter(({ file, cpuMs }) => cpuMs > MAX_FILE_MS && !failed.includes(file));
  if (total <= MAX_TOTAL_MS && dear.length === 0) return [];
  const slowness = Math.max(1, measureSlowness());
  return [
    ...dear.map(({ file, cpuMs }) => {
      const cost = cpuMs / slowness;
      const again = isFarAbove(cost, MAX_FILE_MS) ? measureAgain(file, runAlone, measureSlowness) : cost;
      return toExcess(`${file} costs`, Math.min(cost, again), MAX_FILE_MS);
    }),
    toExcess('all test files cost', total / slowness, MAX_TOTAL_MS),
  ].filter(({ cost, max }) => cost > max);
}

/** A machine that others use changes while a file runs: its slowness is measured before and after, and a second time. */
function measureAgain(file, runAlone, measureSlowness) {
  const measure = () => {
    const before = measureSlowness();
    const { cpuMs } = runAlone(file);
    return cpuMs / Math.max(1, before, measureSlowness());
  };
  const first = measure();
  return isFarAbove(first, MAX_FILE_MS) ? Math.min(first, measure()) : first;
}

const isFarAbove = (cost, max) => cost > max * NOISE;

function toExcess(what, cost, max) {
  return { cost, max, text: `${what} ${seconds(cost)} instead of ${seconds(max)}`, isNoise: !isFarAbove(cost, max) };
}

/** The dearest test files, one line each. */
function describeCosts(files, count) {
  const total = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const dearest = files.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, count);
  return [
    `Processor time of the test files: ${seconds(total)}. The dearest:`,
    ...dearest.map(({ file, cpuMs }) => `${seconds(cpuMs).padStart(8)}  ${file}`),
  ];
}

module.exports = { describeCosts, judgeRun };
