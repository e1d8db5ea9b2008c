// Runs the tests: `npm test`, `npm run test:slow` and `npm run test:changed`.
//
//   node scripts/test.mjs fast [ARGUMENTS OF JEST]
//   node scripts/test.mjs slow [ARGUMENTS OF JEST]
//   node scripts/test.mjs any [ARGUMENTS OF JEST]    files of both kinds
//   node scripts/test.mjs changed                    what the change of this work tree can break nearby
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { findAffectedTests, listChangedFiles } = require('../test/support/jest/affected.cjs');
const { describeCosts, judgeRun } = require('../test/support/jest/judge-run.cjs');
const { choosePropertySeed, PROPERTY_SEED_VARIABLE } = require('../test/support/jest/property-seed.cjs');
const { readCosts } = require('../test/support/jest/reporter.cjs');

/** What the further files of `npm run test:changed` may cost together: some 30 seconds on two processors. */
const MAX_CHANGED_MS = 60_000;
/**
 * There is a worker for each processor: a thread of its own for the garbage of each only takes turns with them, and costs
 * a tenth of all processor time.
 */
const NODE_FLAGS = ['--single-threaded-gc', '--max-semi-space-size=32'];
/** A file that does a fixed amount of work, and what it costs alone on the machine that the budget was set on. */
const YARDSTICK = { file: 'test/project/yardstick.test.ts', cpuMs: 1350 };
/** What is assumed of a file that never ran here. */
const UNKNOWN_COST_MS = 1000;

const [suite = 'fast', ...given] = process.argv.slice(2);
// A file that failed runs again with the same seed, or a counterexample would look like chance.
process.env[PROPERTY_SEED_VARIABLE] = String(choosePropertySeed());
const CONFIGS = { slow: 'jest.slow.config.cjs', any: 'jest.config.cjs' };
const config = CONFIGS[suite] ?? 'jest.fast.config.cjs';
const say = (text) => process.stderr.write(`${text}\n`);

/** Runs jest. @returns its exit code, and of each test file what it cost and whether it failed */
function runJest(parameters) {
  const folder = mkdtempSync(join(tmpdir(), 'standin-report-'));
  const report = join(folder, 'report.json');
  const jest = [...NODE_FLAGS, 'node_modules/jest/bin/jest.js', '--config', config, ...parameters];
  try {
    const { status } = spawnSync(process.execPath, jest, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, STANDIN_TEST_REPORT: report },
    });
    return { status: status ?? 1, files: JSON.parse(readFileSync(report, 'utf8')).files };
  } catch {
    // jest ended before it reported anything: what it printed says why.
    return { status: 1, files: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runAlone(file) {
  say(`\n${file} runs once more, alone:`);
  const { status, files } = runJest(['--runInBand', '--runTestsByPath', file]);
  return { passed: status === 0, cpuMs: files[0]?.cpuMs ?? Infinity };
}

/** The tests near the change, the nearest first; of those further away as many as the time allows. */
function chooseChanged() {
  const costs = readCosts();
  const affected = [...findAffectedTests(listChangedFiles(findBranchPoint()))]
    .filter(([file]) => !file.includes('.slow.'))
    .sort(([, one], [, other]) => one - other);
  let costMs = 0;
  const chosen = affected.filter(([file, distance]) => {
    costMs += costs[file] ?? UNKNOWN_COST_MS;
    return distance < 2 || costMs <= MAX_CHANGED_MS;
  });
  const left = affected.length - chosen.length;
  if (left > 0) say(`Left to npm test: ${left} test files that import the change through another file.`);
  return chosen.map(([file]) => file);
}

/** @returns the commit where this branch left `main`; undefined on `main` itself */
function findBranchPoint() {
  const git = (...parameters) => spawnSync('git', parameters, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const base = git('merge-base', 'HEAD', 'main');
  return base === '' || base === git('rev-parse', 'HEAD') ? undefined : base;
}

const parameters = [...given];
if (suite === 'changed') {
  const files = chooseChanged();
  if (files.length === 0) {
    say('No test file is near what changed. npm test runs all of them.');
    process.exit(0);
  }
  parameters.push('--runTestsByPath', ...files);
}

const { status, files } = runJest(parameters);
// CI shows the dearest files of all suites at its end.
const kept = process.env.STANDIN_TEST_REPORT_FOLDER;
if (kept) writeFileSync(join(kept, `${suite}.json`), JSON.stringify({ files }));

const isWhole = given.length === 0 && suite !== 'changed';
const verdict = judgeRun(files, runAlone, {
  hasBudget: isWhole && suite === 'fast',
  measureSlowness: () => runAlone(YARDSTICK.file).cpuMs / YARDSTICK.cpuMs,
});
say('');
if (isWhole) for (const line of describeCosts(files, 10)) say(line);
if (isWhole && suite === 'fast') {
  const slow = readdirSync(join(root, 'test'), { recursive: true }).filter((name) => name.endsWith('.slow.test.ts'));
  say(`Not run: ${slow.length} slow test files. Run them with: npm run test:slow`);
}
for (const line of verdict.lines) say(line);
// jest can fail without a file that failed: a wrong argument, or no test at all.
const hasFailedFile = files.some(({ failed }) => failed);
process.exit(verdict.passed && (status === 0 || hasFailedFile) ? 0 : 1);
