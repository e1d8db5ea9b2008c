// Tries mode own at real servers, each started here with rows of other people on it.
//
//   npm run servers             a table; ends with 1 where something is held back, wrongly alarmed, left or harmed
//   npm run servers -- --write  writes docs/measured/servers.md as well
//   npm run servers -- --only alertmanager --times 20
//                               one of them, again and again, for what happens seldom
//   npm run servers -- --seeds 10
//                               without a contract alone, each time with another seed
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { createProgressLine } from '../../src/cli/terminal/progress-line';
import { alertmanager } from './alertmanager';
import { etcd } from './etcd';
import { powerdns } from './powerdns';
import { fetchDescription } from './published-description';
import type { ServerCase } from './server';
import { documentOf, tableOf } from './table';
import { tryRecorded } from './try-recorded';
import { missingOf, tryServer, type Trial } from './try-server';

const ALL: readonly ServerCase[] = [powerdns, alertmanager, etcd];
const DOCUMENT = join(__dirname, '..', '..', 'docs', 'measured', 'servers.md');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
      times: { type: 'string', default: '1' },
      seeds: { type: 'string' },
    },
  });
  const { only } = values;
  const servers = ALL.filter(({ name }) => only === undefined || name.toLowerCase() === only);
  if (servers.length === 0) throw new Error(`--only ${only ?? ''}: one of ${ALL.map(({ name }) => name).join(', ')}`);
  fetchDescription('powerdns.local.json');
  const seeds = values.seeds === undefined ? undefined : Number(values.seeds);
  const trials = await tryAll(Array.from({ length: Number(values.times) }, () => servers).flat(), seeds);
  process.stdout.write(`${tableOf(trials)}\n`);
  for (const trial of trials.filter(isBad)) process.stdout.write(toldOf(trial));
  if (values.write) {
    const options = await resolveConfig(DOCUMENT);
    writeFileSync(DOCUMENT, await format(documentOf(trials), { ...options, filepath: DOCUMENT }));
  }
  process.exitCode = trials.some(isBad) ? 1 : 0;
}

/** @param seeds - how many are tried, without a contract alone */
async function tryAll(servers: readonly ServerCase[], seeds: number | undefined): Promise<Trial[]> {
  const trials: Trial[] = [];
  const line = createProgressLine('servers');
  for (const [done, server] of servers.entries()) {
    line?.show({ doing: `${done}/${servers.length} servers`, failed: trials.filter(isBad).length, name: server.name });
    const missing = missingOf(server);
    if (missing.length === 0 && seeds !== undefined) {
      for (let seed = 1; seed <= seeds; seed += 1) trials.push(await tryServer(server, 'without a contract', seed));
    } else if (missing.length === 0) {
      for (const manner of ['own', 'remote', 'without a contract'] as const)
        trials.push(await tryServer(server, manner));
      trials.push(...(await trySession(server)));
    } else
      process.stdout.write(
        `skipped ${server.name}: ${missing.join(', ')} missing; install ${server.packages.join(' ')}\n`,
      );
  }
  line?.end();
  return trials;
}

async function trySession(server: ServerCase): Promise<Trial[]> {
  const { session } = server;
  if (session === undefined) return [];
  const missing = missingOf(session);
  if (missing.length === 0) return tryRecorded(server, session);
  process.stdout.write(`skipped what is recorded of ${server.name}: ${missing.join(', ')} missing\n`);
  return [];
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
