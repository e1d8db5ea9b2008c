// The steps of CI: see `.ci/run`. Uses nothing but Node, because the packages are installed by one of the steps.
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const record = join(root, 'docs', 'measured', 'ci.md');

/**
 * Each step: name, lane, command, title. The lane `first` runs before the others. Then `tests` and `beside` run at the
 * same time, each one step after the other, because tests leave some of two processors free. No command in `beside`
 * builds: the tests use the build meanwhile.
 */
const STEPS = [
  ['tools', 'first', 'bash scripts/ci-tools.sh', 'programs that tests use beside Node'],
  ['build', 'first', 'npm install --no-audit --no-fund && npm run --silent build', 'install the packages and build'],
  ['test', 'tests', 'npm test', 'the tests, as the README says'],
  [
    'slow',
    'tests',
    'npm run --silent measure -- --sample slow-tests',
    'a sixth of the tests that npm test leaves out, another one with each commit',
  ],
  ['static', 'beside', 'npm run --silent check:static', 'format, lint, types'],
  ['package', 'beside', 'npm run --silent check:package', 'the package is packed, installed and started'],
  ['node', 'beside', 'bash scripts/test-on-node.sh 22 24', 'what depends on Node, on other versions of it'],
  [
    'laws',
    'beside',
    'npm run --silent laws -- --ci',
    'laws that any API obeys hold at mocks of the same thirty published descriptions',
  ],
  [
    'sample',
    'beside',
    'npm run --silent measure -- --sample --except slow-tests',
    'a sample of each measurement, another one with each commit',
  ],
].map(([name, lane, command, title]) => ({ name, lane, command, title }));

/** A step that hangs is ended, so that the run says which one it was. */
const MAX_STEP_MS = 30 * 60_000;
/** A cost that grew by more than this factor since the record is marked. */
const MARKED_GROWTH = 4 / 3;
const DEAREST_FILES = 10;

const say = (text = '') => process.stdout.write(`${text}\n`);
const folder = mkdtempSync(join(tmpdir(), 'standin-ci-'));
const children = new Set();
process.on('exit', () => {
  for (const child of children) endGroup(child);
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Runs a step. @returns whether it passed, its seconds, and its seconds of processor time with all its processes */
async function runStep({ name, command }, output) {
  const times = join(folder, `${name}.times`);
  // `times` of the shell prints the user and system time of its children in its second line: 1m2.345s 0m1.234s.
  const script = `(${command})\nresult=$?\ntimes >'${times}'\nexit $result`;
  const startedAt = Date.now();
  const child = spawn('bash', ['-c', script], {
    cwd: root,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, STANDIN_TEST_REPORT_FOLDER: folder },
  });
  children.add(child);
  const timer = setTimeout(() => {
    say(`${name} was ended after ${MAX_STEP_MS / 60_000} minutes`);
    endGroup(child);
  }, MAX_STEP_MS);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  endGroup(child);
  children.delete(child);
  return { name, passed: code === 0, wall: (Date.now() - startedAt) / 1000, cpu: readTimes(times) };
}

function readTimes(file) {
  if (!existsSync(file)) return 0;
  const [, children = ''] = readFileSync(file, 'utf8').split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, s]) => sum + 60 * minutes + Number(s), 0);
}

const title = ({ name, title }) => say(`\n== ${name}: ${title}`);
function fail({ name }) {
  say(`\nfailed: ${name} (alone: .ci/run ${name})`);
  process.exit(1);
}

/** Runs the steps of a lane, one after the other, until one fails or `isStopped`. */
async function runShown(steps, results, hasFailedBeside = () => undefined) {
  for (const step of steps) {
    title(step);
    const result = await runStep(step, 'inherit');
    results.push(result);
    if (!result.passed) return step;
    const beside = hasFailedBeside();
    if (beside !== undefined) return beside;
  }
  return undefined;
}

async function runBeside(steps, results) {
  for (const step of steps) {
    const log = join(folder, `${step.name}.log`);
    const output = createWriteStream(log);
    await new Promise((resolve) => output.on('open', resolve));
    const result = await runStep(step, output);
    output.end();
    results.push(result);
    if (!result.passed) return step;
  }
  return undefined;
}

function showLog({ name }, lines) {
  const text = readFileSync(join(folder, `${name}.log`), 'utf8').trimEnd();
  const all = text.split('\n').filter(Boolean);
  // A test that passed only when it ran again must not be overlooked.
  const unstable = all.slice(0, -lines).filter((line) => line.startsWith('unstable: '));
  say(lines === undefined ? text : [...unstable, ...all.slice(-lines)].join('\n'));
}

/** The costs of the last entry of the record: `{ step: { wall, cpu } }`. */
function readRecord() {
  if (!existsSync(record)) return {};
  const [entry = ''] = readFileSync(record, 'utf8').split(/^## /m).slice(1);
  const rows = [...entry.matchAll(/^\| ([\w ]+?) +\| +(\d+) \| +(\d+) \|/gm)];
  return Object.fromEntries(rows.map(([, name, wall, cpu]) => [name, { wall: Number(wall), cpu: Number(cpu) }]));
}

function withTotal(results, seconds) {
  const cpu = results.reduce((sum, result) => sum + result.cpu, 0);
  return [...results, { name: 'in all', wall: seconds, cpu }];
}

function showCosts(rows) {
  const before = readRecord();
  say('\nstep        seconds  processor time  recorded');
  for (const { name, wall, cpu, passed = true } of rows) {
    const known = before[name];
    const grew = known !== undefined && cpu > known.cpu * MARKED_GROWTH ? '  GREW by more than a third' : '';
    const recorded = known === undefined ? '' : `${known.wall} / ${known.cpu} s`;
    const cells = [name.padEnd(10), wall.toFixed(0).padStart(8), `${cpu.toFixed(0)} s`.padStart(15), recorded];
    say(`${cells.join('  ')}${grew}${passed ? '' : '  FAILED'}`);
  }
  const files = ['fast', 'slow'].flatMap((suite) => {
    const report = join(folder, `${suite}.json`);
    return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).files : [];
  });
  if (files.length === 0) return;
  say('\nThe dearest test files, in seconds of processor time:');
  for (const { file, cpuMs } of files.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, DEAREST_FILES))
    say(`  ${(cpuMs / 1000).toFixed(1).padStart(6)}  ${file}`);
}

/** Puts the costs of this run above those of earlier ones. */
function writeRecord(rows) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const [head, ...entries] = readFileSync(record, 'utf8').split(/^(?=## )/m);
  const lines = rows.map(({ name, wall, cpu }) => `| ${name} | ${wall.toFixed(0)} | ${cpu.toFixed(0)} |`);
  const table = ['| step | seconds | processor time |', '| --- | --: | --: |', ...lines].join('\n');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(record, `${head}## ${date}, commit ${commit}\n\n${table}\n\n${entries.join('')}`);
  spawnSync('npx', ['oxfmt', record], { cwd: root });
}

const given = process.argv.slice(2);
const writes = given.includes('--write');
const names = given.filter((each) => each !== '--write');
if (names.includes('--list')) {
  for (const { name } of STEPS) say(name);
  process.exit(0);
}
const unknown = names.find((name) => !STEPS.some((step) => step.name === name));
if (unknown !== undefined) {
  const known = STEPS.map(({ name }) => name).join(' ');
  process.stderr.write(`There is no step "${unknown}". The steps are: ${known}\n`);
  process.exit(2);
}

const startedAt = Date.now();
const results = [];
const inLane = (lane) => STEPS.filter((step) => step.lane === lane);
let failed;
if (names.length > 0) {
  const chosen = STEPS.filter(({ name }) => names.includes(name));
  // A machine that has no packages yet gets them; after changes, the step still runs what stands in the sources.
  if (chosen.some(({ lane }) => lane !== 'first')) {
    if (!existsSync(join(root, 'node_modules')))
      spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  }
  failed = await runShown(chosen, results);
} else {
  failed = await runShown(inLane('first'), results);
  if (failed === undefined) {
    let failedBeside;
    const beside = runBeside(inLane('beside'), results).then((step) => (failedBeside = step));
    failed = await runShown(inLane('tests'), results, () => failedBeside);
    if (failed === undefined) {
      failed = await beside;
    }
    const shown = failedBeside;
    if (shown !== undefined) {
      title(shown);
      showLog(shown);
    } else if (failed === undefined) {
      for (const step of inLane('beside')) {
        title(step);
        showLog(step, 40);
      }
    }
  }
}
const order = STEPS.map(({ name }) => name);
results.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
const rows = withTotal(results, (Date.now() - startedAt) / 1000);
showCosts(rows);
if (failed !== undefined) fail(failed);
if (writes && names.length === 0) writeRecord(rows);
