// Which defects the bundled contracts catch, and whether they raise false alarms.
//
//   npm run mutants                   measures all, prints the table
//   npm run mutants -- --write        writes docs/measured/kill-rate.md and docs/measured/kill-rate.json as well
//   npm run mutants -- --check        exits 1 when something is missed or alarmed that was not when they were written
//   npm run mutants -- AU-16 HD-07    these alone
//   npm run mutants -- --contracts recorded   by the contract of one recorded session, beside the bundled ones
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createProgressLine } from '../../../src/cli/terminal/progress-line';
import { DEFECTS } from '../catalogue/index';
import { VARIANTS } from '../variants/index';
import { measureDefect, measureVariant, type Measurement } from './measure';
import { recordedContract } from './recorded';
import { formatKillRate, missedOf, type KillRate } from './table';
import type { TargetName } from './targets';

const DOCS = join(__dirname, '..', '..', '..', 'docs', 'measured');
const RECORD = join(DOCS, 'kill-rate.json');
const NAMES: readonly TargetName[] = ['mock', 'second'];

interface Recorded {
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
}

async function main(args: readonly string[]): Promise<number> {
  const contracts = await contractsOf(args);
  const ids = args.filter((arg) => !arg.startsWith('--') && arg !== 'recorded');
  if (ids.length > 0 && args.includes('--write')) {
    throw new Error('A record of a few defects would drop all others: leave out their names, or --write');
  }
  const isWanted = ({ id }: { readonly id: string }): boolean => ids.length === 0 || ids.includes(id);
  const defects: KillRate['defects'][number][] = [];
  const lawful: Measurement[] = [];
  const variants = [...(ids.length === 0 ? [undefined] : []), ...VARIANTS.filter(isWanted)];
  const wanted = DEFECTS.filter(isWanted);
  const report = reporter(NAMES.length * (variants.length + wanted.length));
  for (const name of NAMES) {
    for (const variant of variants) lawful.push(report(await measureVariant(variant, name, contracts), false));
    for (const defect of wanted)
      defects.push({ ...report(await measureDefect(defect, name, contracts), true), defect });
  }
  const rate = { defects, lawful };
  process.stdout.write(`\n${formatKillRate(rate)}`);
  if (contracts !== undefined) process.stdout.write(`\n${besideBundled(rate)}\n`);
  if (args.includes('--write')) await write(rate);
  return args.includes('--check') ? compare(rate) : 0;
}

/** @returns the file of a contract that is run in place of the bundled ones; `undefined` for those */
async function contractsOf(args: readonly string[]): Promise<string | undefined> {
  if (!args.includes('--contracts')) return undefined;
  if (!args.includes('recorded') || args.includes('--write') || args.includes('--check'))
    throw new Error('--contracts takes the word recorded, and its figures are printed alone');
  return recordedContract();
}

/** Prints a line for each measurement, and under them how many of all there are. */
function reporter(total: number): (measurement: Measurement, isDefect: boolean) => Measurement {
  const line = createProgressLine('mutants');
  let [done, failed] = [0, 0];
  return (measurement, isDefect) => {
    const { id, target, isCaught, requests, ms, by } = measurement;
    const word = isDefect ? (isCaught ? 'caught' : 'MISSED') : isCaught ? 'ALARM' : 'silent';
    process.stderr.write(`${word}  ${target.padEnd(6)} ${id}  ${requests} requests, ${Math.round(ms)} ms, ${by}\n`);
    done += 1;
    failed += isDefect === isCaught ? 0 : 1;
    line?.show({ doing: `${done}/${total} servers`, failed, pace: { done, left: total - done } });
    if (done === total) line?.end();
    return measurement;
  };
}

/** How many a recorded contract catches of what the bundled ones catch. */
function besideBundled({ defects }: KillRate): string {
  const { missed } = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded;
  const both = defects.filter(({ id }) => !missed.includes(id));
  const caught = both.filter(({ isCaught }) => isCaught).length;
  const percent = ((caught / Math.max(1, both.length)) * 100).toFixed(1);
  return `One recorded session catches ${caught} of the ${both.length} that the bundled contracts catch: ${percent} %.`;
}

const alarmsOf = ({ lawful }: KillRate): string[] => [
  ...new Set(lawful.filter(({ isCaught }) => isCaught).map(({ id }) => id)),
];

async function write(rate: KillRate): Promise<void> {
  const head =
    '# Which defects are caught\n\nPrinted by `npm run mutants -- --write`. Each defect of the catalogue in `test/mutants` is put in front of two servers that conform: the mock, and a second Petstore in `test/second-petstore` that shares no code with it. A run of all bundled contracts has to find it; the figure is the number of requests until it did. CI fails when one more is missed, or when a run at a server that conforms raises an alarm.\n\nWhoever wrote the contracts knew this list: the figure says that nothing on it slips through any more, not that as much of what is not on it would be found. Contracts of your own catch what they look at.\n\n';
  const file = join(DOCS, 'kill-rate.md');
  const options = await resolveConfig(file);
  writeFileSync(file, await format(head + formatKillRate(rate), { ...options, parser: 'markdown' }));
  writeFileSync(RECORD, `${JSON.stringify({ missed: missedOf(rate), alarms: alarmsOf(rate) }, null, 2)}\n`);
}

function compare(rate: KillRate): number {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded;
  const worse = missedOf(rate).filter((id) => !recorded.missed.includes(id));
  const louder = alarmsOf(rate).filter((id) => !recorded.alarms.includes(id));
  if (worse.length > 0) process.stderr.write(`Missed now, and caught before: ${worse.join(', ')}\n`);
  if (louder.length > 0) process.stderr.write(`False alarms that were none before: ${louder.join(', ')}\n`);
  return worse.length + louder.length > 0 ? 1 : 0;
}

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
