// Which defects are caught, and whether there are false alarms.
//
//   npm run mutants                          measures the bundled contracts at both servers, prints the table
//   npm run mutants -- --write               writes docs/measured/kill-rate.md and docs/measured/kill-rate.json as well
//   npm run mutants -- --check               exits 1 when something is missed, alarmed or misplaced that was not when they were written
//   npm run mutants -- AU-16 HD-07           these alone
//   npm run mutants -- --at second           at one of the servers: mock, second
//   npm run mutants -- --sample 4            every fourth defect
//   npm run mutants -- --sample 3 --offset commits    every third, with each commit another third of them
//   npm run mutants -- --contracts recorded  by the contract of one recorded session, beside the bundled ones
//   npm run mutants -- --contracts generated      by what is generated from the description alone
//   npm run mutants -- --contracts bare           by contracts that expect nothing of the responses
//   npm run mutants -- --contracts everything     by the bundled contracts, by what is generated, and in lock-step
//   npm run mutants -- --conforming --seeds 10    servers without a defect alone, ten times, each time with another seed
//   npm run mutants -- --lock-step           with a mock beside each server that the answers are compared with
//   npm run mutants -- --contracts generated --trigger one-in-ten    defects that show at times; all for each trigger
//   npm run mutants -- --contracts recorded --write    writes docs/measured/kill-rate-recorded.md; of others likewise
//   npm run mutants -- --contracts recorded --check    at the second server alone: exits 1 below the goal, and for alarms
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { createProgressLine } from '../../../src/cli/terminal/progress-line';
import { DEFECTS } from '../catalogue/index';
import { type Trigger, TRIGGERS } from '../trigger';
import { VARIANTS } from '../variants/index';
import { ASKED, type Asked, type AskedName, prepare } from './asked';
import { measureDefect, measureVariant, type Measurement } from './measure';
import { formatKillRate, formatTriggers, misplacedOf, missedOf, type KillRate, type OfTrigger } from './table';
import { TARGETS, type TargetName } from './targets';

const DOCS = join(__dirname, '..', '..', '..', 'docs', 'measured');
const RECORD = join(DOCS, 'kill-rate.json');
/** So much of what the bundled contracts catch has to be caught without them. */
const GOALS = { recorded: 0.6, bare: 0, generated: 0.85, everything: 0.98 } as const;

interface Recorded {
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
  /** Defects whose first finding is at another kind of thing than the one that went wrong. */
  readonly misplaced: readonly string[];
}

interface Choice {
  readonly name: AskedName;
  readonly targets: readonly TargetName[];
  readonly triggers: readonly Trigger[];
  /** All where none is named. */
  readonly ids: readonly string[];
  /** Of so many defects one. */
  readonly sample: number;
  /** Which of them. */
  readonly offset: number;
  /** No defects. */
  readonly conforming: boolean;
  /** How often each server without a defect is asked, each time with another seed. */
  readonly seeds: number;
  readonly lockStep: boolean;
  readonly writes: boolean;
  readonly checks: boolean;
}

function readChoice(args: readonly string[]): Choice {
  const { values, positionals: ids } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'lock-step': { type: 'boolean', default: false },
      conforming: { type: 'boolean', default: false },
      seeds: { type: 'string', default: '1' },
      at: { type: 'string' },
      contracts: { type: 'string', default: 'bundled' },
      trigger: { type: 'string', default: 'always' },
      sample: { type: 'string', default: '1' },
      offset: { type: 'string', default: '0' },
    },
  });
  const { write: writes, check: checks, at, contracts, trigger, conforming } = values;
  if ((ids.length > 0 || conforming) && writes)
    throw new Error('A record of a few defects would drop all others: leave out their names, --conforming, or --write');
  const name = oneOf('--contracts', contracts, ASKED);
  const all = Object.keys(TARGETS) as TargetName[];
  // In CI the bundled contracts have been measured at both; what is derived is the same for both.
  const usual = name !== 'bundled' && checks ? all.slice(1) : all;
  return {
    name,
    targets: at === undefined ? usual : [oneOf('--at', at, all)],
    triggers: trigger === 'all' ? TRIGGERS : [oneOf('--trigger', trigger, TRIGGERS)],
    ids,
    conforming,
    seeds: Math.max(1, Number(values.seeds)),
    lockStep: values['lock-step'],
    sample: Math.max(1, Number(values.sample)),
    offset: values.offset === 'commits' ? commits() : Number(values.offset),
    writes,
    checks,
  };
}

/** How many commits there are up to here. */
function commits(): number {
  return Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }));
}

function oneOf<Word extends string>(flag: string, value: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw new Error(`${flag} takes one of ${words.join(', ')}`);
  return word;
}

async function main(args: readonly string[]): Promise<number> {
  const choice = readChoice(args);
  const asked = await prepare(choice.name, choice.lockStep);
  try {
    const measured = await measure(choice, asked);
    return await tell(measured, choice);
  } finally {
    asked.remove();
  }
}

async function measure(
  { ids, targets, triggers, sample, offset, conforming, seeds }: Choice,
  asked: Asked,
): Promise<OfTrigger[]> {
  const isWanted = ({ id }: { readonly id: string }): boolean => ids.length === 0 || ids.includes(id);
  const variants = [...(ids.length === 0 ? [undefined] : []), ...VARIANTS.filter(isWanted)];
  const wanted = DEFECTS.filter(
    (defect, index) => !conforming && isWanted(defect) && index % sample === offset % sample,
  );
  const report = reporter(targets.length * (variants.length * seeds + wanted.length * triggers.length));
  const lawful: Measurement[] = [];
  for (const name of targets)
    for (const variant of variants)
      for (let seed = 1; seed <= seeds; seed += 1)
        lawful.push(report(await measureVariant(variant, name, asked, seed), false));
  const measured: OfTrigger[] = [];
  for (const trigger of triggers) {
    const defects: KillRate['defects'][number][] = [];
    for (const name of targets)
      for (const defect of wanted)
        defects.push({ ...report(await measureDefect(defect, name, asked, trigger), true), defect });
    measured.push({ trigger, rate: { defects, lawful } });
  }
  return measured;
}

/** Prints what came of it, and writes it where that is wanted. @returns the exit code */
async function tell(measured: readonly OfTrigger[], choice: Choice): Promise<number> {
  const rate = measured[0]?.rate ?? { defects: [], lawful: [] };
  process.stdout.write(`\n${formatKillRate(rate)}`);
  if (measured.length > 1) process.stdout.write(`\n${formatTriggers(measured)}`);
  const { name, writes, checks } = choice;
  if (name !== 'bundled') return besideBundled(measured, name, choice);
  if (writes) await write(rate);
  return checks ? compare(rate) : 0;
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

const WORDS: Readonly<Record<keyof typeof GOALS, string>> = {
  recorded:
    'A client of the API (`test/traffic/round-trip`) is used for what would be two minutes at the mock, through `standin record`; the contract that is made of it, as it is, is run in place of the bundled ones',
  bare: 'The requests of the bundled contracts are sent, and nothing is expected of the responses but what the description says',
  generated:
    'No contract is named: what `standin verify` makes of the description alone is run in place of the bundled contracts',
  everything:
    'The bundled contracts are run, and what is generated of the description beside them; all answers are compared with those of a mock beside the server',
};

/** Prints how much is caught of what the bundled contracts catch. @returns the exit code */
async function besideBundled(
  measured: readonly OfTrigger[],
  name: keyof typeof GOALS,
  choice: Choice,
): Promise<number> {
  const { writes, checks } = choice;
  const rate = measured[0]?.rate ?? { defects: [], lawful: [] };
  const { missed } = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded;
  const both = rate.defects.filter(({ id }) => !missed.includes(id));
  const caught = both.filter(({ isCaught }) => isCaught).length;
  const share = caught / Math.max(1, both.length);
  const alarms = rate.lawful.filter(({ isCaught }) => isCaught).length;
  const goal = GOALS[name];
  const lines = [
    `Bundled contracts, written by hand: **${both.length} of ${rate.defects.length}**.`,
    `Here: **${caught}**, which is **${(share * 100).toFixed(1)} %** of theirs (goal: ${goal * 100} %).`,
    `False alarms: **${alarms}** in ${rate.lawful.length} runs at servers that conform.`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  if (writes) await writeBeside(choice, name, lines.join(' '), measured);
  return checks && (share < goal || alarms > 0) ? 1 : 0;
}

async function writeBeside(
  choice: Choice,
  name: keyof typeof GOALS,
  figures: string,
  measured: readonly OfTrigger[],
): Promise<void> {
  const title = {
    recorded: 'one recorded session',
    bare: 'requests without expectations',
    generated: 'generated interactions',
    everything: 'everything together',
  }[name];
  const { targets, sample } = choice;
  const flags = [
    ...(targets.length === 1 ? [`--at ${targets.join('')} `] : []),
    ...(sample > 1 ? [`--sample ${sample} `] : []),
    ...(measured.length > 1 ? ['--trigger all '] : []),
  ].join('');
  const which = sample > 1 ? `one in ${sample} of the same defects` : 'the same defects';
  const where = targets.length === 1 ? `the ${targets.join('')} of the two servers` : 'the same two servers';
  const inCi =
    name === 'recorded' || name === 'generated'
      ? ' CI measures it at the second server alone, and fails below the goal and for any false alarm.'
      : '';
  const head = `# Which defects ${title} catch${name === 'recorded' ? 'es' : ''}\n\nPrinted by \`npm run mutants -- --contracts ${name} ${flags}--write\`. ${WORDS[name]} ([kill-rate.md](kill-rate.md)), at ${which} and ${where}.${inCi}\n\n${figures}\n\n`;
  const triggers = measured.length > 1 ? `${formatTriggers(measured)}\n` : '';
  const file = join(DOCS, `kill-rate-${name}.md`);
  const options = await resolveConfig(file);
  const [first] = measured;
  const table = first === undefined ? '' : formatKillRate(first.rate);
  writeFileSync(file, await format(head + triggers + table, { ...options, parser: 'markdown' }));
}

function recordOf(rate: KillRate): Recorded {
  const alarms = [...new Set(rate.lawful.filter(({ isCaught }) => isCaught).map(({ id }) => id))];
  return { missed: missedOf(rate), alarms, misplaced: misplacedOf(rate) };
}

async function write(rate: KillRate): Promise<void> {
  const head =
    '# Which defects are caught\n\nPrinted by `npm run mutants -- --write`. Each defect of the catalogue in `test/mutants` is put in front of two servers that conform: the mock, and a second Petstore in `test/second-petstore` that shares no code with it. A run of all bundled contracts has to find it; the figure is the number of requests until it did. CI fails when one more is missed, when one more first finding names another kind of thing than the one that the defect is at, or when a run at a server that conforms raises an alarm; each run of it looks at another third of them.\n\nWhoever wrote the contracts knew this list: the figure says that nothing on it slips through any more, not that as much of what is not on it would be found. Contracts of your own catch what they look at.\n\n';
  const file = join(DOCS, 'kill-rate.md');
  const options = await resolveConfig(file);
  writeFileSync(file, await format(head + formatKillRate(rate), { ...options, parser: 'markdown' }));
  writeFileSync(RECORD, await format(JSON.stringify(recordOf(rate)), { ...options, parser: 'json' }));
}

function compare(rate: KillRate): number {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded;
  const now = recordOf(rate);
  const worse = Object.entries(WORSE).flatMap(([kind, words]) => {
    const ids = now[kind as keyof Recorded].filter((id) => !recorded[kind as keyof Recorded].includes(id));
    return ids.length === 0 ? [] : [`${words}: ${ids.join(', ')}\n`];
  });
  process.stderr.write(worse.join(''));
  return worse.length > 0 ? 1 : 0;
}

const WORSE: Readonly<Record<keyof Recorded, string>> = {
  missed: 'Missed now, and caught before',
  alarms: 'False alarms that were none before',
  misplaced: 'Found now at another kind of thing than the one that went wrong, and not before',
};

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
