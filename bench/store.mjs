// What storing costs, and what it keeps: speed beside the mock that forgets, kill -9 in the middle of the work, starts.
//
//   npm run bench:store                             everything (alone on the machine)
//   npm run bench:store -- --only speed --beside FILE   with dist/bin/standin.js of another state beside it
//   npm run bench:store -- --only kills --times 20
//   node --import tsx bench/store.mjs --only replicas,kills --sample 2 --seed TEXT    two of the parts of replicas
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultBin } from './commands.mjs';
import { describeMachine } from './machine.mjs';
import { measureKills } from './store/kills.mjs';
import { measureLatency } from './store/latency.mjs';
import { measureReplicas } from './store/replicas.mjs';
import { measureScale } from './store/scale.mjs';
import { measureSpeed } from './store/speed.mjs';
import { measureStart } from './store/start.mjs';

const measures = {
  speed: measureSpeed,
  kills: measureKills,
  start: measureStart,
  replicas: measureReplicas,
  latency: measureLatency,
  scale: measureScale,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    times: { type: 'string', default: '200' },
    beside: { type: 'string' },
    bin: { type: 'string', default: defaultBin },
    assert: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '' },
  },
});
const names = values.only === undefined ? Object.keys(measures) : values.only.split(',');
const unknown = names.find((name) => !Object.hasOwn(measures, name));
if (unknown !== undefined) {
  process.stderr.write(`bench: --only takes ${Object.keys(measures).join(', ')}, not ${unknown}\n`);
  process.exit(2);
}

const folder = mkdtempSync(path.join(tmpdir(), 'standin-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const log = (text) => process.stderr.write(`${text}\n`);
const print = (text) => process.stdout.write(`${text}\n`);

const goals = { goals: 0, 'goals met': 0 };

/** One line for a figure and its goal. @returns whether it is met */
function goal(what, figure, isMet, words) {
  goals.goals += 1;
  goals['goals met'] += isMet ? 1 : 0;
  print(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${figure} (goal ${words})`);
  return isMet;
}

const settings = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  times: Number(values.times),
  bin: values.bin,
  beside: values.beside,
  folder,
  log,
  print,
  goal,
  chooseParts: await partChooser(values),
};

/** Returns a function that picks a sample of parts where one is asked for; only then the sources of the tests are loaded. */
async function partChooser({ sample, seed }) {
  if (sample === undefined) return (parts) => parts;
  const { pickSample } = await import('../test/support/sample.ts');
  return (parts) => pickSample(parts, Number(sample), seed);
}

const { node, cpu, cores } = describeMachine();
print(`Node ${node ?? process.version}, ${cpu ?? ''}, ${cores ?? ''} cores`);
let areMet = true;
for (const name of names) {
  log(`measuring ${name}`);
  areMet = (await measures[name](settings)) && areMet;
}
print(`figures ${JSON.stringify(goals)}`);
process.exit(values.assert === true && !areMet ? 1 : 0);
