// npm run measure -- clients-mocks: what is generated of a description is run at a mock of the same description. The mock
// does what that says, so that every finding is a false alarm, or a fault of the mock. Exits 1 where something is found or
// left behind.
//
//   node --import tsx test/clients/mocks.mjs, with
//     --seeds 10                 ten runs of each API, each with another seed (1)
//     --only docker              one of the APIs
//     --sample 2 --seed TEXT     two runs of all, chosen by the seed
//     --requests 500             at most so many requests of a run (5000)
//     --write                    writes docs/measured/generated-at-mocks.md as well
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pickSample } from '../support/sample.ts';
import { CLIENTS, here, install, root } from './apis.mjs';

const TABLE = join(root, 'docs/measured/generated-at-mocks.md');
const STANDIN = join(root, 'dist/bin/standin.js');
/** Of V8, for the run of checks: what GitHub's 1223 operations have to do with. */
const HEAP_MIB = 1024;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '' },
    requests: { type: 'string', default: '5000' },
    write: { type: 'boolean' },
  },
});
const ids = options.only ? options.only.split(',') : Object.keys(CLIENTS).filter((id) => !CLIENTS[id].isLeftOutOfMocks);
for (const id of ids) if (!CLIENTS[id]) throw new Error(`No API ${id}; there are ${Object.keys(CLIENTS).join(', ')}`);

/** Starts a mock; resolves to its address. */
function startMock(flags) {
  const mock = spawn(process.execPath, [STANDIN, 'mock', ...flags, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let told = '';
  const url = new Promise((resolve, reject) => {
    for (const stream of [mock.stdout, mock.stderr])
      stream.on('data', (chunk) => {
        // Behind the address comes a line for each operation.
        told = (told + chunk).slice(-100_000);
        const [, at] = /is mocked at (http:\S+)/.exec(told) ?? [];
        if (at) resolve(at);
      });
    mock.once('exit', () => reject(new Error(`The mock ended: ${told.slice(-2000)}`)));
  });
  return { mock, url };
}

/** Runs the checks of one seed at a fresh mock. */
async function run(id, seed) {
  const { spec, pack } = CLIENTS[id];
  const flags = [join(here, 'node_modules', spec), '--lenient', ...(pack ? ['--pack', pack] : [])];
  const { mock, url } = startMock(flags);
  const folder = mkdtempSync(join(tmpdir(), 'standin-mocks-'));
  try {
    const report = join(folder, 'result.json');
    const [description, ...more] = flags;
    const about = ['--base-url', await url, '--spec', description, ...more, '--generate', '--seed', String(seed)];
    const written = ['--report', `json=${report}`, '--ledger', join(folder, 'ledger.ndjson')];
    const began = performance.now();
    const checks = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MIB}`, STANDIN, 'verify', ...about, '--max-requests', options.requests, ...written],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let errors = '';
    checks.stderr.on('data', (chunk) => {
      errors = (errors + chunk).slice(-2000);
    });
    const [status] = await once(checks, 'exit');
    if (!existsSync(report)) throw new Error(`standin verify of ${id} ended with ${status}: ${errors}`);
    return { id, seed, ms: performance.now() - began, ...figuresOf(JSON.parse(readFileSync(report, 'utf8'))) };
  } finally {
    mock.removeAllListeners('exit');
    mock.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf({ contracts, causes, leftBehind, outcome }) {
  const kinds = contracts.flatMap(({ steps }) => steps.map(({ verdict }) => verdict.kind));
  const of = (kind) => kinds.filter((each) => each === kind).length;
  return {
    passed: of('pass'),
    skipped: of('skipped'),
    outcome,
    alarms: causes.map(
      ({ check, message, operations: about }) => `${check}: ${message} (${about.slice(0, 3).join(', ')})`,
    ),
    left: leftBehind.filter(({ isAccepted }) => !isAccepted).map(({ url, reason }) => `${url}: ${reason}`),
  };
}

function rowOf(id, runs) {
  const sum = (what) => runs.reduce((all, each) => all + each[what].length, 0);
  const range = (what) => {
    const sorted = runs.map(what).sort((left, right) => left - right);
    const [least, most] = [sorted[0], sorted.at(-1)];
    return least === most ? String(least) : `${least} to ${most}`;
  };
  const seconds = range(({ ms }) => Math.round(ms / 1000));
  return `| ${id} | ${runs.length} | ${range(({ passed }) => passed)} | ${sum('alarms')} | ${sum('left')} | ${seconds} s |`;
}

install();
const seeds = Array.from({ length: Number(options.seeds) }, (_, index) => index + 1);
const every = ids.flatMap((id) => seeds.map((seed) => ({ id, seed })));
const byId = new Map();
for (const { id, seed } of options.sample ? pickSample(every, Number(options.sample), options.seed) : every) {
  const ran = await run(id, seed);
  byId.set(id, [...(byId.get(id) ?? []), ran]);
  console.error(
    `${id} seed ${seed}: ${ran.outcome}, ${ran.passed} passed, ${ran.skipped} skipped, ${Math.round(ran.ms / 1000)} s`,
  );
  for (const text of ran.alarms) console.error(`  false alarm: ${text.slice(0, 300)}`);
  for (const text of ran.left) console.error(`  left behind: ${text.slice(0, 300)}`);
}
const table = `| Mock of | Seeds | Steps that passed | False alarms | Things left behind | Time of a run |
| --- | --- | --- | --- | --- | --- |
${[...byId].map(([id, runs]) => rowOf(id, runs)).join('\n')}`;
console.log(`\n${table}`);
const all = [...byId.values()].flat();
const sumOf = (what) => all.reduce((sum, each) => sum + each[what].length, 0);
const [alarms, left] = [sumOf('alarms'), sumOf('left')];
console.log(`figures ${JSON.stringify({ runs: all.length, 'false alarms': alarms, 'items left behind': left })}`);
process.exitCode = alarms + left > 0 ? 1 : 0;
if (options.write) {
  const text = `# Generated checks at mocks of other APIs

Written by \`npm run measure -- clients-mocks --write\`, with ${options.seeds} seeds: what \`standin verify --generate\` makes of each description is run at a mock of the same description, which does what it says; a finding there is a false alarm, or a fault of the mock. Each run sends at most ${options.requests} requests, with a heap of at most ${HEAP_MIB} MiB. The descriptions are those of [clients.md](clients.md), the packs those that mocks choose by their titles.

${table}

The mock of bitbucket is left out (\`--only bitbucket\` runs it): each of the seeds 1 to 3 has 16 findings, on 2026-11-29 at commit 7464adfb. None of them has been looked into.
`;
  writeFileSync(TABLE, text);
  execFileSync('npx', ['oxfmt', TABLE], { stdio: 'inherit' });
}
