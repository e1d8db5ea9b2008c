// Which defects are caught, and whether there are false alarms.
//
//   npm run measure -- mutants               the bundled contracts at both servers; its table has the other measurements
//   node --import tsx test/mutants/kill-rate/main.ts, with
//     AU-16 HD-07                            these defects alone
//     --at second                            at one of the servers: mock, second
//     --api lending                          of another API than the Petstore: lending, clinic; with --contracts generated alone
//     --sample 20 --seed TEXT                20 of all defects at both servers, and 4 conforming servers
//     --contracts recorded                   by the contract of one recorded session, beside the bundled ones
//     --contracts generated                  by what is generated from the description alone
//     --contracts bare                       by contracts that expect nothing of the responses
//     --contracts everything                 by the bundled contracts, by what is generated, and in lock-step
//     --conforming --seeds 10                conforming servers alone, ten times, each time with another seed
//     --lock-step                            with a mock beside each server that the answers are compared with
//     --trigger one-in-ten                   defects that show at times; all for each trigger
//     --write                                writes docs/measured/kill-rate.md, kill-rate-NAME.md or kill-rate-NAME-API.md, and kill-rate.json
//     --check                                exits 1 if something is missed, alarmed or misplaced that kill-rate.json does not list
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgressLine } from '../../../src/cli/terminal/progress-line';
import { pickSample } from '../../support/sample';
import { APIS, type AnyApi, type ApiName } from '../apis';
import type { Alteration, AnyDefect } from '../defect';
import { type Trigger, TRIGGERS } from '../trigger';
import { ASKED, type Asked, type AskedName, prepare } from './asked';
import { measureDefect, measureVariant, type Measurement } from './measure';
import { formatKillRate, formatTriggers, misplacedOf, missedOf, type KillRate, type OfTrigger } from './table';
import type { TargetName } from './targets';
import { writeFormatted } from '../../support/write-formatted';

const DOCS = join(__dirname, '..', '..', '..', 'docs', 'measured');
const RECORD = join(DOCS, 'kill-rate.json');
/** So much of what the bundled contracts catch has to be caught without them. */
const GOALS = { recorded: 0.6, bare: 0, generated: 0.85, everything: 0.98 } as const;

interface Recorded {
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
  /** Defects whose first finding is at another kind of resource than the one that went wrong; of bundled contracts alone. */
  readonly misplaced?: readonly string[];
}

type RecordName = AskedName | `generated-${ApiName}`;
type KillRateRecord = Readonly<Partial<Record<RecordName, Recorded>>>;

interface Choice {
  readonly name: AskedName;
  readonly apiName: ApiName;
  /** What the result is written as: the contracts, and the API if it is not the Petstore. */
  readonly record: RecordName;
  readonly api: AnyApi;
  readonly targets: readonly TargetName[];
  readonly triggers: readonly Trigger[];
  /** All where none is named. */
  readonly ids: readonly string[];
  /** How many defects; `undefined` for all. */
  readonly sample: number | undefined;
  readonly seed: string;
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
      api: { type: 'string', default: 'petstore' },
      contracts: { type: 'string', default: 'bundled' },
      trigger: { type: 'string', default: 'always' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '' },
    },
  });
  const { write: writes, check: checks, at, contracts, trigger, conforming, sample } = values;
  if ((ids.length > 0 || conforming || sample !== undefined) && writes)
    throw new Error(
      'A record of a few defects would drop all others: leave out names, --conforming, --sample or --write',
    );
  const name = oneOf('--contracts', contracts, ASKED);
  const apiName = oneOf('--api', values.api, Object.keys(APIS) as ApiName[]);
  if (apiName !== 'petstore' && name !== 'generated')
    throw new Error(`--api ${apiName} has --contracts generated alone`);
  const api = APIS[apiName];
  const all = Object.keys(api.targets) as TargetName[];
  return {
    name,
    apiName,
    api,
    record: apiName === 'petstore' ? name : `generated-${apiName}`,
    targets: at === undefined ? all : [oneOf('--at', at, all)],
    triggers: trigger === 'all' ? TRIGGERS : [oneOf('--trigger', trigger, TRIGGERS)],
    ids,
    conforming,
    seeds: Math.max(1, Number(values.seeds)),
    lockStep: values['lock-step'],
    sample: sample === undefined ? undefined : Number(sample),
    seed: values.seed,
    writes,
    checks,
  };
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
    return tell(measured, choice);
  } finally {
    asked.remove();
  }
}

async function measure(choice: Choice, asked: Asked): Promise<OfTrigger[]> {
  const { api, triggers, seeds } = choice;
  const { conforming, broken } = chooseServers(choice);
  const report = reporter(conforming.length * seeds + broken.length * triggers.length);
  const lawful: Measurement[] = [];
  for (const { target, variant } of conforming)
    for (let seed = 1; seed <= seeds; seed += 1)
      lawful.push(report(await measureVariant(api, variant, target, asked, seed), false));
  const alarmed = await alarmsOf(choice, asked, lawful);
  const measured: OfTrigger[] = [];
  for (const trigger of triggers) {
    const defects: KillRate['defects'][number][] = [];
    for (const { target, defect } of broken)
      defects.push({ ...report(await measureDefect(api, defect, target, asked, trigger, alarmed), true), defect });
    measured.push({ trigger, rate: { defects, lawful } });
  }
  return measured;
}

/** The steps that find something at a server without a defect: known ones, or some of this run. */
async function alarmsOf(
  { api, record, targets }: Choice,
  asked: Asked,
  lawful: readonly Measurement[],
): Promise<readonly string[]> {
  const bare = lawful.filter(({ id }) => id === 'no defect');
  const isKnown = readRecord()[record]?.alarms.includes('no defect') === true;
  const more = isKnown && bare.length === 0 ? targets : [];
  for (const target of more) bare.push(await measureVariant(api, undefined, target, asked));
  return bare.flatMap(({ alarmed = [] }) => alarmed);
}

/** How many defects a sample has for each conforming server in it: about as many as there are of all. */
const DEFECTS_PER_VARIANT = 5;

interface Servers {
  /** Without a variant: the server as it is. */
  readonly conforming: readonly { readonly target: TargetName; readonly variant: Alteration | undefined }[];
  readonly broken: readonly { readonly target: TargetName; readonly defect: AnyDefect }[];
}

/** Returns the servers that are measured. A sample takes each variant and each defect at one of the two servers at a time. */
function chooseServers({ api, ids, targets, sample, seed, conforming: isConforming }: Choice): Servers {
  const isWanted = ({ id }: { readonly id: string }): boolean => ids.length === 0 || ids.includes(id);
  const variants = [...(ids.length === 0 ? [undefined] : []), ...api.variants.filter(isWanted)];
  const defects = isConforming ? [] : api.defects.filter(isWanted);
  const conforming = targets.flatMap((target) => variants.map((variant) => ({ target, variant })));
  const broken = targets.flatMap((target) => defects.map((defect) => ({ target, defect })));
  if (sample === undefined) return { conforming, broken };
  return {
    conforming: pickSample(conforming, Math.ceil(sample / DEFECTS_PER_VARIANT), seed),
    broken: pickSample(broken, sample, seed),
  };
}

/** Prints the result, and writes or checks it where that is wanted. @returns the exit code */
function tell(measured: readonly OfTrigger[], choice: Choice): number {
  const rate = measured[0]?.rate ?? { defects: [], lawful: [] };
  process.stdout.write(`\n${formatKillRate(rate, choice.api)}`);
  if (measured.length > 1) process.stdout.write(`\n${formatTriggers(measured)}`);
  process.stdout.write(`figures ${JSON.stringify(figuresOf(measured))}\n`);
  const isBelowGoal = tellBeside(measured, choice);
  const { record, writes, checks } = choice;
  if (writes) writeRecord(rate, record);
  const isWorse = checks && compare(rate, record);
  return isWorse || (checks && isBelowGoal) ? 1 : 0;
}

/** Prints and writes what has the bundled contracts of the Petstore to be compared with, or nothing. @returns whether it is too little */
function tellBeside(measured: readonly OfTrigger[], choice: Choice): boolean {
  const { name, apiName, writes } = choice;
  if (name !== 'bundled' && apiName === 'petstore') return besideBundled(measured, name, choice);
  if (writes) writeAlone(measured[0]?.rate ?? { defects: [], lawful: [] }, choice);
  return false;
}

function figuresOf(measured: readonly OfTrigger[]): Record<string, number> {
  const { defects, lawful } = measured[0]?.rate ?? { defects: [], lawful: [] };
  const all = measured.flatMap(({ rate }) => rate.defects);
  return {
    defects: defects.length,
    'defects caught': count(defects),
    'conforming runs': lawful.length,
    'false alarms': count(lawful),
    ...(measured.length > 1 ? { 'with triggers': all.length, 'with triggers, caught': count(all) } : {}),
  };
}

const count = (of: readonly Measurement[]): number => of.filter(({ isCaught }) => isCaught).length;

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

/** Prints how much is caught of what the bundled contracts catch. @returns whether all defects were tried and it is too little */
function besideBundled(measured: readonly OfTrigger[], name: keyof typeof GOALS, choice: Choice): boolean {
  const rate = measured[0]?.rate ?? { defects: [], lawful: [] };
  const missed = readRecord().bundled?.missed ?? [];
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
  if (choice.writes) writeBeside(choice, name, lines.join(' '), measured);
  return both.length > 0 && choice.sample === undefined && choice.ids.length === 0 && share < goal;
}

function writeBeside(choice: Choice, name: keyof typeof GOALS, figures: string, measured: readonly OfTrigger[]): void {
  const title = {
    recorded: 'one recorded session',
    bare: 'requests without expectations',
    generated: 'generated interactions',
    everything: 'everything together',
  }[name];
  const { targets } = choice;
  const command = `npm run measure -- mutants-${name} --write`;
  const where = targets.length === 1 ? `the ${targets.join('')} of the two servers` : 'the same two servers';
  const inCi =
    ' CI measures a sample with each commit. It fails for a defect that was caught when this page was written, and for any false alarm.';
  const head = `# Which defects ${title} catch${name === 'recorded' ? 'es' : ''}\n\nPrinted by \`${command}\`. ${WORDS[name]} ([kill-rate.md](kill-rate.md)), at the same defects and ${where}.${inCi}\n\n${figures}\n\n`;
  const triggers = measured.length > 1 ? `${formatTriggers(measured)}\n` : '';
  const file = join(DOCS, `kill-rate-${name}.md`);
  const [first] = measured;
  const table = first === undefined ? '' : formatKillRate(first.rate, choice.api);
  writeFormatted(file, head + triggers + table);
}

function readRecord(): KillRateRecord {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as KillRateRecord;
}

function recordOf(rate: KillRate, name: RecordName): Recorded {
  const alarms = [...new Set(rate.lawful.filter(({ isCaught }) => isCaught).map(({ id }) => id))];
  return { missed: missedOf(rate), alarms, ...(name === 'bundled' ? { misplaced: misplacedOf(rate) } : {}) };
}

function writeRecord(rate: KillRate, name: RecordName): void {
  writeFormatted(RECORD, JSON.stringify({ ...readRecord(), [name]: recordOf(rate, name) }));
}

/** Writes the page of what is compared with nothing. */
function writeAlone(rate: KillRate, { record, apiName, api }: Choice): void {
  const isBundled = record === 'bundled';
  const head = isBundled ? BUNDLED_HEAD : otherHead(apiName);
  writeFormatted(join(DOCS, isBundled ? 'kill-rate.md' : `kill-rate-${record}.md`), head + formatKillRate(rate, api));
}

const BUNDLED_HEAD =
  '# Which defects are caught\n\nPrinted by `npm run measure -- mutants --write`. Each defect of the catalogue in `test/mutants` is put in front of two servers that conform: the mock, and a second Petstore in `test/second-petstore` that shares no code with it. A run of all bundled contracts has to find it; the figure is the number of requests until it did. CI fails when one more is missed, when one more first finding names another kind of thing than the one that the defect is at, or when a run at a server that conforms raises an alarm; each run of it looks at another sample of them.\n\nWhoever wrote the contracts knew this list: the figure says that nothing on it slips through any more, not that as much of what is not on it would be found. Contracts of your own catch what they look at.\n\n';

const otherHead = (api: ApiName): string =>
  `# Which defects generated interactions catch at the ${api} API\n\nPrinted by \`npm run measure -- mutants-generated/${api} --write\`. As in [kill-rate-generated.md](kill-rate-generated.md), what \`standin verify\` makes of the description alone is run, here at another API than the Petstore: its description, server and catalogue are in \`test/mutants/${api}\`. The defects were written from the description and the RFCs before anybody looked at what is found. CI measures a sample with each commit, and fails for a defect that was caught when this page was written, and for any alarm at a server that conforms which is not on this page.\n\n`;

/** Prints what is worse than in the record. @returns whether anything is */
function compare(rate: KillRate, name: RecordName): boolean {
  const recorded = readRecord()[name];
  if (recorded === undefined) return false;
  const now = recordOf(rate, name);
  const worse = Object.entries(WORSE).flatMap(([kind, words]) => {
    const before = recorded[kind as keyof Recorded] ?? [];
    const ids = (now[kind as keyof Recorded] ?? []).filter((id) => !before.includes(id));
    return ids.length === 0 ? [] : [`${words}: ${ids.join(', ')}\n`];
  });
  process.stderr.write(worse.join(''));
  return worse.length > 0;
}

const WORSE: Readonly<Record<keyof Recorded, string>> = {
  missed: 'Missed now, and caught before',
  alarms: 'False alarms that were none before',
  misplaced: 'Found now at another kind of resource than the one that went wrong, and not before',
};

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
