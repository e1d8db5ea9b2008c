// Runs measurements and compares their figures with the last record, docs/measured/figures.json.
//
//   npm run measure                          all in full, one after the other (hours)
//   npm run measure -- mutants corpus        these alone
//   npm run measure -- --list                what there is, with its commands
//   npm run measure -- --write mutants       writes its documents and the record as well
//   npm run measure -- --stale               those whose code has changed since they were recorded
//   npm run measure -- --sample corpus       a small part of it, another one with each commit
//   npm run measure -- --except slow-tests   all but these
//   npm run measure -- --sample --seed TEXT  the samples of an earlier run, which printed its seed
//
// Exits 1 if a measurement fails.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as record from './figures';
import { type Measurement, MEASUREMENTS } from './measurements';
import { writeFormatted } from '../support/write-formatted';

async function main(): Promise<number> {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: flag,
      stale: flag,
      sample: flag,
      write: flag,
      seed: { type: 'string' },
      except: { type: 'string', multiple: true },
    },
  });
  const left = new Set(chooseMeasurements(values.except ?? []).map(({ name }) => name));
  const chosen = chooseMeasurements(positionals).filter(({ name }) => values.except === undefined || !left.has(name));
  if (values.list) return print(chosen.map(describe).join('\n'));
  if (values.stale) {
    const lines = record.listStale(chosen, record.readRecord());
    return print(lines.length === 0 ? 'Nothing has changed since it was measured.' : lines.join('\n'));
  }
  if (values.sample && values.write) throw new Error('A sample is no record: leave out --sample or --write');
  if (values.sample) return runSamples(chosen, values.seed ?? readSeed());
  return runInFull(chosen, values.write);
}

function chooseMeasurements(names: readonly string[]): readonly Measurement[] {
  const isChosenBy = (name: string, chosen: string): boolean => name === chosen || name.startsWith(`${chosen}/`);
  const unknown = names.find((name) => !MEASUREMENTS.some((each) => isChosenBy(each.name, name)));
  if (unknown !== undefined)
    throw new Error(`No measurement is called "${unknown}": ${MEASUREMENTS.map(({ name }) => name).join(', ')}`);
  return MEASUREMENTS.filter(({ name }) => names.length === 0 || names.some((chosen) => isChosenBy(name, chosen)));
}

function describe({ name, about, command, sample, documents }: Measurement): string {
  const lines = [`${name}: ${about}`, `  full:      ${command}`];
  if (sample !== undefined) lines.push(`  sample:    ${sample}`);
  if (documents.length > 0) lines.push(`  documents: ${documents.join(', ')}`);
  return lines.join('\n');
}

/** Returns a seed for each commit. Where git knows all commits it begins with their number, and all items get their turn. */
function readSeed(): string {
  const commit = record.git('rev-parse', '--short=8', 'HEAD');
  return record.git('rev-parse', '--is-shallow-repository') === 'true'
    ? commit
    : `${record.git('rev-list', '--count', 'HEAD')}-${commit}`;
}

async function runSamples(chosen: readonly Measurement[], seed: string): Promise<number> {
  if (!/^[\w.-]+$/.test(seed)) throw new Error('--seed takes letters, digits, dots and hyphens');
  const names = chosen.filter(({ sample }) => sample !== undefined).map(({ name }) => name);
  print(`Seed of the samples: ${seed} (again: npm run measure -- --sample --seed ${seed} ${names.join(' ')})`);
  const failed: string[] = [];
  for (const { name, sample } of chosen) {
    if (sample === undefined) continue;
    const { isGood } = await run(name, sample.replaceAll('SEED', seed));
    if (!isGood) failed.push(name);
  }
  return summarize(failed);
}

async function runInFull(chosen: readonly Measurement[], writes: boolean): Promise<number> {
  const changes: record.Change[] = [];
  const failed: string[] = [];
  for (const measurement of chosen) {
    const { name, command, write } = measurement;
    const { isGood, figures } = await run(name, writes && write !== undefined ? `${command} ${write}` : command);
    if (!isGood || figures === undefined) failed.push(name);
    if (figures === undefined) continue;
    changes.push(...record.findChanges(measurement, record.readRecord()[name]?.figures ?? {}, figures));
    const result = { commit: record.git('rev-parse', '--short=8', 'HEAD'), date: today(), figures };
    if (writes && isGood) writeRecord(measurement, result);
  }
  print(`\n${record.formatChanges(changes)}`);
  return summarize(failed);
}

/** Writes the result of one measurement to docs/measured/figures.json, and its commit to the pages that it wrote. */
function writeRecord({ name, documents, write }: Measurement, result: record.Recorded): void {
  const { RECORD, readRecord, DOCS, nameCommit } = record;
  const all = Object.entries({ ...readRecord(), [name]: result }).sort(([left], [right]) => (left < right ? -1 : 1));
  writeFormatted(RECORD, JSON.stringify(Object.fromEntries(all)));
  for (const page of documents.filter((file) => file.endsWith('.md'))) {
    const file = join(DOCS, page);
    if (write === undefined) print(`People write docs/measured/${page}: change it, and the commit below its title.`);
    else writeFileSync(file, nameCommit(readFileSync(file, 'utf8'), result));
  }
}

const today = (): string => new Date().toISOString().slice(0, 10);

function summarize(failed: readonly string[]): number {
  if (seconds.length > 1) print(`\nTook: ${seconds.join(', ')}`);
  if (failed.length > 0) print(`Failed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

/** What each measurement took, in seconds. */
const seconds: string[] = [];

/** Runs a command, passes its output on, and reads the figures in it. */
async function run(name: string, command: string): Promise<{ isGood: boolean; figures: record.Figures | undefined }> {
  print(`\n== ${name}: ${command}`);
  const startedAt = Date.now();
  const child = spawn('bash', ['-c', command], { cwd: record.ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  seconds.push(`${name} ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
  return { isGood: code === 0, figures: record.readFigures(output) };
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

main().then(
  (exitCode) => (process.exitCode = exitCode),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
