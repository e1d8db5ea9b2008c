// Speed and size of the mock next to bare node:http, plain Express and Prism, in one run on one machine.
//
//   npm run bench                         everything, about 10 minutes
//   npm run bench -- --quick --only get   a glance
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultBin, defaultSpec } from './commands.mjs';
import { chooseGenerator, connections } from './load.mjs';
import { choosePinning, describeMachine } from './machine.mjs';
import { findPrism, version as prismVersion } from './prism-install.mjs';
import { measureHostile } from './hostile.mjs';
import { everyGoalMet, makeReport, renderMarkdown, renderText } from './report.mjs';
import { measureWindow } from './window.mjs';
import { measureGet, measureList, measureOperations, measurePost, measureStart } from './scenarios.mjs';

const usage = `usage: node bench/run.mjs [options]

  --only NAME          get, post, list, operations, start, hostile or window; may be repeated
  --quick              2 rounds of 1 s: a glance, no figures to publish
  --rounds N           rounds of load (5)
  --seconds N          seconds of a load (4)
  --warm-up N          seconds of warm-up before each load (2)
  --repeats N          repeat a load that other processes disturbed up to N times, keep the quietest (2)
  --starts N           timed starts (15)
  --generator NAME     wrk or autocannon (wrk where it is installed)
  --no-pin             do not pin server and generator to a core each
  --no-prism           leave Prism out
  --json FILE          write all figures
  --markdown FILE      write the tables for docs/measured/performance.md
  --assert             exit 1 unless every goal is met
  --beside FILE        dist/bin/standin.js of another state, whose start and memory window compares
  --bin FILE           the command line of the mock (dist/bin/standin.js)
  --spec FILE          the API description (spec/petstore.yaml)

Exit code: 0 the run worked, 1 --assert and a goal is not met, 2 the run did not work.
`;

const measures = {
  get: measureGet,
  post: measurePost,
  list: measureList,
  operations: measureOperations,
  start: measureStart,
  hostile: measureHostile,
  window: measureWindow,
};

const log = (text) => process.stderr.write(`${text}\n`);

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: flag,
      rounds: text,
      seconds: text,
      'warm-up': text,
      repeats: text,
      starts: text,
      generator: text,
      'no-pin': flag,
      'no-prism': flag,
      json: text,
      markdown: text,
      assert: flag,
      beside: text,
      bin: { type: 'string', default: defaultBin },
      spec: { type: 'string', default: defaultSpec },
      help: flag,
    },
  });
  const only = values.only.flatMap((names) => names.split(','));
  for (const name of only) {
    if (!Object.hasOwn(measures, name))
      throw new Error(`--only takes ${Object.keys(measures).join(', ')}, not ${name}`);
  }
  if (values.generator !== undefined && !['wrk', 'autocannon'].includes(values.generator)) {
    throw new Error(`--generator takes wrk or autocannon, not ${values.generator}`);
  }
  return { ...values, only: only.length > 0 ? only : Object.keys(measures) };
}

/** A whole number; wrk counts in whole seconds. */
function count(options, name, usual, least = 1) {
  if (options[name] === undefined) return usual;
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number from ${least}, not ${options[name]}`);
  return value;
}

async function run(options) {
  for (const file of [options.bin, options.spec]) {
    if (!existsSync(file)) throw new Error(`${file} is missing; run npm run build first`);
  }
  const { quick } = options;
  const effort = {
    rounds: count(options, 'rounds', quick ? 2 : 5),
    seconds: count(options, 'seconds', quick ? 1 : 4),
    warmUpSeconds: count(options, 'warm-up', quick ? 1 : 2),
    repeats: count(options, 'repeats', quick ? 0 : 2, 0),
    starts: count(options, 'starts', quick ? 4 : 15),
  };
  const generator = chooseGenerator(options.generator);
  const pinning = choosePinning(!options['no-pin']);
  const wantsPrism =
    !options['no-prism'] && options.only.some((name) => !['list', 'operations', 'hostile', 'window'].includes(name));
  const prism = wantsPrism ? findPrism(log) : { version: prismVersion, reason: 'not asked for' };
  if (wantsPrism && prism.reason) log(`Prism could not be installed: ${prism.reason}\nThe rest runs without it.`);

  const temporaryFolder = mkdtempSync(path.join(os.tmpdir(), 'standin-bench-'));
  process.on('exit', () => rmSync(temporaryFolder, { recursive: true, force: true }));

  const { beside, bin, spec } = options;
  const memoryRuns = Math.min(effort.starts, quick ? 2 : 5);
  const settings = { ...effort, memoryRuns, beside, bin, spec, generator, pinning, prism, temporaryFolder, log };
  const sections = [];
  for (const name of Object.keys(measures).filter((known) => options.only.includes(known))) {
    log(`measuring ${name}`);
    sections.push(...(await measures[name](settings)));
  }
  const machine = describeMachine();
  return makeReport({ sections, machine, generator, connections, pinning, prism, settings: { ...effort, memoryRuns } });
}

/** Medians by what was measured, for npm run measure. */
function figuresOf({ sections, goals }) {
  const rows = sections.flatMap(({ title, unit, rows: of }) =>
    of.filter(({ invalid }) => !invalid).map(({ label, median }) => [`${title}, ${label} (${unit})`, round(median)]),
  );
  return { ...Object.fromEntries(rows), goals: goals.length, 'goals met': goals.filter(isMet).length };
}

const round = (figure) => Number(figure.toPrecision(3));
const isMet = ({ verdict }) => verdict === 'met';

try {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(usage);
  } else {
    const report = await run(options);
    process.stdout.write(`\n${renderText(report)}`);
    process.stdout.write(`figures ${JSON.stringify(figuresOf(report))}\n`);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (options.markdown) writeFileSync(options.markdown, renderMarkdown(report));
    process.exitCode = options.assert && !everyGoalMet(report) ? 1 : 0;
  }
} catch (error) {
  log(`bench: ${error.message}`);
  process.exitCode = 2;
}
