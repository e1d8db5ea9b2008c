// Which defects the bundled contracts catch, and whether they raise false alarms.
//
//   npm run mutants                   measures all, prints the table
//   npm run mutants -- --write        writes docs/measured/kill-rate.md and docs/measured/kill-rate.json as well
//   npm run mutants -- --check        exits 1 when something is missed or alarmed that was not when they were written
//   npm run mutants -- AU-16 HD-07    these alone
//   npm run mutants -- --contracts recorded            by the contract of one recorded session, beside the bundled ones
//   npm run mutants -- --contracts recorded --write    writes docs/measured/kill-rate-recorded.md and its figures
//   npm run mutants -- --contracts generated           by what is generated from the description alone
//   npm run mutants -- --contracts recorded --check    at the second server alone: exits 1 below the floor, and for alarms
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createProgressLine } from '../../../src/cli/terminal/progress-line';
import { DEFECTS } from '../catalogue/index';
import { VARIANTS } from '../variants/index';
import { measureDefect, measureVariant, type Measurement } from './measure';
import { generatedContracts } from './generated';
import { type RecordedContract, recordedContract } from './recorded';
import { formatKillRate, missedOf, type KillRate } from './table';
import type { TargetName } from './targets';

const DOCS = join(__dirname, '..', '..', '..', 'docs', 'measured');
const RECORD = join(DOCS, 'kill-rate.json');
const NAMES: readonly TargetName[] = ['mock', 'second'];
/** So much of what the bundled contracts catch one recorded session has to catch. */
const FLOOR = 0.6;

interface Recorded {
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
}

async function main(args: readonly string[]): Promise<number> {
  const recorded = await otherContracts(args);
  try {
    return await measure(args, recorded?.file);
  } finally {
    recorded?.remove();
  }
}

async function measure(args: readonly string[], contracts: string | undefined): Promise<number> {
  // In CI the bundled contracts have been measured at both; what is derived is the same for both.
  const names = contracts !== undefined && args.includes('--check') ? NAMES.slice(1) : NAMES;
  const ids = args.filter((arg) => !arg.startsWith('--') && arg !== 'recorded' && arg !== 'generated');
  if (ids.length > 0 && args.includes('--write')) {
    throw new Error('A record of a few defects would drop all others: leave out their names, or --write');
  }
  const isWanted = ({ id }: { readonly id: string }): boolean => ids.length === 0 || ids.includes(id);
  const defects: KillRate['defects'][number][] = [];
  const lawful: Measurement[] = [];
  const variants = [...(ids.length === 0 ? [undefined] : []), ...VARIANTS.filter(isWanted)];
  const wanted = DEFECTS.filter(isWanted);
  const report = reporter(names.length * (variants.length + wanted.length));
  for (const name of names) {
    for (const variant of variants) lawful.push(report(await measureVariant(variant, name, contracts), false));
    for (const defect of wanted)
      defects.push({ ...report(await measureDefect(defect, name, contracts), true), defect });
  }
  const rate = { defects, lawful };
  process.stdout.write(`\n${formatKillRate(rate)}`);
  if (contracts !== undefined) return besideBundled(rate, args);
  if (args.includes('--write')) await write(rate);
  return args.includes('--check') ? compare(rate) : 0;
}

/** What is run in place of the bundled contracts; `undefined` where those are. */
async function otherContracts(args: readonly string[]): Promise<RecordedContract | undefined> {
  if (!args.includes('--contracts')) return undefined;
  if (args.includes('recorded')) return recordedContract();
  if (!args.includes('generated')) throw new Error('--contracts takes recorded or generated');
  if (args.includes('--write') || args.includes('--check')) throw new Error('Of generated ones nothing is kept yet');
  return generatedContracts();
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

/** Prints how many a recorded contract catches of what the bundled ones catch. @returns the exit code */
async function besideBundled(rate: KillRate, args: readonly string[]): Promise<number> {
  const { missed } = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded;
  const both = rate.defects.filter(({ id }) => !missed.includes(id));
  const caught = both.filter(({ isCaught }) => isCaught).length;
  const share = caught / Math.max(1, both.length);
  const alarms = rate.lawful.filter(({ isCaught }) => isCaught).length;
  const lines = [
    `Bundled contracts, written by hand: **${both.length} of ${rate.defects.length}**.`,
    `One recorded session: **${caught}**, which is **${(share * 100).toFixed(1)} %** of theirs (goal: ${FLOOR * 100} %).`,
    `False alarms of the recorded one: **${alarms}** in ${rate.lawful.length} runs at servers that conform.`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  if (args.includes('--write')) await writeRecorded(lines.join(' '), rate);
  return args.includes('--check') && (share < FLOOR || alarms > 0) ? 1 : 0;
}

async function writeRecorded(figures: string, rate: KillRate): Promise<void> {
  const head = `# Which defects one recorded session catches\n\nPrinted by \`npm run mutants -- --contracts recorded --write\`. A client of the API (\`test/traffic/round-trip\`) is used for what would be two minutes at the mock, through \`standin record\`; the contract that is made of it, as it is, is run in place of the bundled ones ([kill-rate.md](kill-rate.md)), at the same defects and the same two servers. CI measures it at the second server alone, and fails below the goal and for any false alarm.\n\n${figures}\n\n`;
  const file = join(DOCS, 'kill-rate-recorded.md');
  const options = await resolveConfig(file);
  writeFileSync(file, await format(head + formatKillRate(rate), { ...options, parser: 'markdown' }));
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
