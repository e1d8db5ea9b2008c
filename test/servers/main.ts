// Tries mode own at real servers, each started here with rows of other people on it.
//
//   npm run measure -- servers      a table; exits 1 where something is held back, wrongly alarmed, left or harmed
//   node --import tsx test/servers/main.ts, with
//     --write                       writes docs/measured/servers.md as well
//     --only alertmanager --times 20
//                                   one of them, again and again, for what happens seldom
//     --seeds 10                    without a contract alone, each time with another seed
//     --sample 3 --seed TEXT        three of all trials, chosen by the seed; nothing is installed from npm for it
//
// CROWDSEC names a folder with crowdsec and cscli, where these are not in /usr/bin.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgressLine } from '../../src/cli/terminal/progress-line';
import { pickSample } from '../support/sample';
import { alertmanager } from './alertmanager';
import { crowdsec } from './crowdsec';
import { etcd } from './etcd';
import { loopback } from './loopback';
import { platformatic } from './platformatic';
import { powerdns } from './powerdns';
import type { ServerCase } from './server';
import { documentOf, tableOf } from './table';
import { tryRecorded } from './try-recorded';
import { contractOf, type Manner, missingOf, tryServer, type Trial } from './try-server';
import { writeFormatted } from '../support/write-formatted';

const ALL: readonly ServerCase[] = [powerdns, alertmanager, etcd, platformatic, loopback, crowdsec];
const DOCUMENT = join(__dirname, '..', '..', 'docs', 'measured', 'servers.md');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
      times: { type: 'string', default: '1' },
      seeds: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '' },
    },
  });
  const { only, sample, seed } = values;
  const servers = ALL.filter(({ name }) => only === undefined || name.toLowerCase() === only);
  if (servers.length === 0) throw new Error(`--only ${only ?? ''}: one of ${ALL.map(({ name }) => name).join(', ')}`);
  // A sample takes what is there: an installation costs more than what is tried of it.
  if (sample === undefined) for (const { prepare } of servers) prepare?.();
  const seeds = values.seeds === undefined ? undefined : Number(values.seeds);
  const trials = await tryAll(Array.from({ length: Number(values.times) }, () => servers).flat(), {
    seeds,
    sample,
    seed,
  });
  process.stdout.write(`${tableOf(trials)}\n`);
  for (const trial of trials) process.stdout.write(calledOf(trial));
  process.stdout.write(`figures ${JSON.stringify(figuresOf(trials))}\n`);
  for (const trial of trials.filter(isBad)) process.stdout.write(toldOf(trial));
  if (values.write) {
    writeFormatted(DOCUMENT, documentOf(trials));
  }
  process.exitCode = trials.some(isBad) ? 1 : 0;
}

type Choice = { readonly seeds: number | undefined; readonly sample: string | undefined; readonly seed: string };

async function tryAll(servers: readonly ServerCase[], { seeds, sample, seed }: Choice): Promise<Trial[]> {
  const all = servers.flatMap((server) => listTrials(server, seeds));
  const chosen = sample === undefined ? all : pickSample(all, Number(sample), seed);
  const trials: Trial[] = [];
  const line = createProgressLine('servers');
  for (const [done, { name, run }] of chosen.entries()) {
    line?.show({ doing: `${done}/${chosen.length} trials`, failed: trials.filter(isBad).length, name });
    trials.push(...(await run()));
  }
  line?.end();
  return trials;
}

interface PlannedTrial {
  readonly name: string;
  readonly run: () => Promise<Trial[]>;
}

/** @param seeds - how many seeds are tried without a contract; `undefined`: every trial of the server with one seed */
function listTrials(server: ServerCase, seeds: number | undefined): PlannedTrial[] {
  const { name, session } = server;
  const missing = missingOf(server);
  if (missing.length > 0) {
    const help = server.packages.length > 0 ? `install ${server.packages.join(' ')}` : 'npm could not install it';
    process.stdout.write(`skipped ${name}: ${missing.join(', ')} missing; ${help}\n`);
    return [];
  }
  const planned = (manner: Manner, seed = 1): PlannedTrial => ({
    name: `${name}, ${manner}`,
    run: async () => [await tryServer(server, manner, seed)],
  });
  if (seeds !== undefined) return Array.from({ length: seeds }, (_, index) => planned('without a contract', index + 1));
  const withContract: Manner[] = contractOf(server) === undefined ? [] : ['own', 'remote'];
  const manners: Manner[] = [...withContract, 'without a contract', 'without a contract, mode full'];
  const trials = manners.map((manner) => planned(manner));
  if (session === undefined) return trials;
  const missingOfSession = missingOf(session);
  if (missingOfSession.length > 0) {
    process.stdout.write(`skipped what is recorded of ${name}: ${missingOfSession.join(', ')} missing\n`);
    return trials;
  }
  for (const isDescribed of [true, false])
    trials.push({ name: `${name}, recorded`, run: () => tryRecorded(server, session, isDescribed) });
  return trials;
}

function figuresOf(trials: readonly Trial[]): Record<string, number> {
  const sum = (read: (trial: Trial) => number): number => trials.reduce((total, trial) => total + read(trial), 0);
  return {
    trials: trials.length,
    'steps passed': sum(({ passed }) => passed),
    'right findings': sum(({ found }) => found.length),
    'false alarms': sum(({ falseAlarms }) => falseAlarms.length),
    'items left': sum(({ left }) => left.length),
    'items harmed': sum(({ harmed }) => harmed.length),
  };
}

/** Which operations were called where the runner chose them, and why the others were not. */
function calledOf({ name, version, operations }: Trial): string {
  if (operations === undefined) return '';
  const { total, callable, called, succeeded, uncalled } = operations;
  const lines = uncalled.map(({ operation, reason, isReachable }) =>
    isReachable ? `  not called: ${operation}: ${reason}\n` : `  out of reach: ${operation}: ${reason}\n`,
  );
  return `${name} ${version}: called ${called} of ${callable} callable operations, ${succeeded} with a success (${total} described)\n${lines.join('')}`;
}

function isBad({ heldBack, mayHoldBack, falseAlarms, left, harmed, told, keptLedger }: Trial): boolean {
  const held = mayHoldBack === true ? 0 : heldBack;
  return keptLedger || held + falseAlarms.length + left.length + harmed.length + told.length > 0;
}

/** What is wrong, a line each, and then what the run printed. */
function toldOf({ name, version, falseAlarms, left, harmed, told, keptLedger, printed }: Trial): string {
  const lines = [
    ...falseAlarms.map((text) => `false alarm: ${text}`),
    ...left.map((text) => `left behind: ${text}`),
    ...harmed.map((text) => `not as it was: ${text}`),
    ...(keptLedger ? ['the ledger is still there'] : []),
    ...told.map((text) => `told as left behind: ${text}`),
  ];
  return [...lines.map((text) => `${name} ${version}: ${text}\n`), printed, '\n'].join('');
}

void main();
