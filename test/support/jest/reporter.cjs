const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const ROOT = join(__dirname, '..', '..', '..');
/** The processor time of each test file when it last ran, for the order of files and for `npm run test:changed`. */
const COSTS = join(ROOT, 'node_modules', '.cache', 'standin', 'test-costs.json');

function readCosts() {
  try {
    return JSON.parse(readFileSync(COSTS, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Keeps what each test file cost and whether it failed, and writes it to the file that `STANDIN_TEST_REPORT` names:
 * `{ files: [{ file, cpuMs, failed }] }`. `scripts/test.mjs` decides by it which files run again.
 */
module.exports = class CostReporter {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
    this.files = [];
  }

  onTestResult(test, result) {
    this.files.push({
      file: relative(ROOT, test.path),
      cpuMs: result.cpuMs ?? 0,
      failed: result.numFailingTests > 0 || result.testExecError !== undefined || result.failureMessage !== null,
    });
  }

  onRunComplete() {
    // A run of some tests of a file says nothing about its cost.
    if (!this.globalConfig.testNamePattern) {
      const costs = readCosts();
      for (const { file, cpuMs, failed } of this.files) if (!failed) costs[file] = cpuMs;
      mkdirSync(dirname(COSTS), { recursive: true });
      writeFileSync(COSTS, JSON.stringify(costs));
    }
    const path = process.env.STANDIN_TEST_REPORT;
    if (path) writeFileSync(path, JSON.stringify({ files: this.files }));
  }
};

module.exports.readCosts = readCosts;
