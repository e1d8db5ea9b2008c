/** What `npm test` may cost, in milliseconds of processor time: all files together, and each file. */
const MAX_TOTAL_MS = 330_000;
const MAX_FILE_MS = 3000;
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
 * @param {{ hasBudget: boolean }} options - do the bounds on processor time hold?
 * @returns {{ passed: boolean; lines: string[] }} the lines say what is broken, unstable or over budget
 */
function judgeRun(files, runAlone, { hasBudget }) {
  const failed = files.filter((each) => each.failed).map(({ file }) => file);
  const again = failed.length > MAX_REPEATED ? [] : failed;
  const unstable = again.filter((file) => runAlone(file).passed);
  const broken = failed.filter((file) => !unstable.includes(file));
  const overBudget = hasBudget ? findOverBudget(files, failed, runAlone) : [];
  return {
    passed: broken.length === 0 && overBudget.length === 0 && unstable.length <= MAX_UNSTABLE,
    lines: [
      ...overBudget.map((text) => `over budget: ${text} of processor time`),
      ...broken.map((file) => `failed: ${file}`),
      ...unstable.map(
        (file) => `unstable: ${file} (it failed, and passed alone: a defect of its own, see CONTRIBUTING.md)`,
      ),
    ],
  };
}

/** A busy machine can make a file dearer than it is: alone, it shows its cost. */
function findOverBudget(files, failed, runAlone) {
  const total = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const dear = files
    .filter(({ file, cpuMs }) => cpuMs > MAX_FILE_MS && !failed.includes(file))
    .map(({ file }) => ({ file, cpuMs: runAlone(file).cpuMs }))
    .filter(({ cpuMs }) => cpuMs > MAX_FILE_MS)
    .map(({ file, cpuMs }) => `${file} costs ${seconds(cpuMs)} instead of ${seconds(MAX_FILE_MS)}`);
  return total > MAX_TOTAL_MS
    ? [...dear, `all test files cost ${seconds(total)} instead of ${seconds(MAX_TOTAL_MS)}`]
    : dear;
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
