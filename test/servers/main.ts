// Tries mode own at real servers, each started here with rows of other people on it.
//
//   npm run servers             a table; ends with 1 where something is held back, wrongly alarmed, left or harmed
//   npm run servers -- --write  writes docs/measured/servers.md as well
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

const SERVERS: readonly ServerCase[] = [powerdns, alertmanager, etcd];
const DOCUMENT = join(__dirname, '..', '..', 'docs', 'measured', 'servers.md');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  fetchDescription('powerdns.local.json');
  const trials = await tryAll();
  process.stdout.write(`${tableOf(trials)}\n`);
  for (const { name, falseAlarms, left, harmed, told, keptLedger } of trials) {
    for (const text of falseAlarms) process.stdout.write(`${name}: false alarm: ${text}\n`);
    for (const text of left) process.stdout.write(`${name}: left behind: ${text}\n`);
    for (const text of harmed) process.stdout.write(`${name}: not as it was: ${text}\n`);
    if (keptLedger) process.stdout.write(`${name}: the ledger is still there\n`);
    for (const text of told) process.stdout.write(`${name}: told as left behind: ${text}\n`);
  }
  if (values.write) {
    const options = await resolveConfig(DOCUMENT);
    writeFileSync(DOCUMENT, await format(documentOf(trials), { ...options, filepath: DOCUMENT }));
  }
  process.exitCode = trials.some(isBad) ? 1 : 0;
}

async function tryAll(): Promise<Trial[]> {
  const trials: Trial[] = [];
  const line = createProgressLine('servers');
  for (const [done, server] of SERVERS.entries()) {
    line?.show({ doing: `${done}/${SERVERS.length} servers`, failed: trials.filter(isBad).length, name: server.name });
    const missing = missingOf(server);
    if (missing.length === 0) {
      trials.push(await tryServer(server, false), await tryServer(server, true));
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

function isBad({ heldBack, falseAlarms, left, harmed, told, keptLedger }: Trial): boolean {
  return keptLedger || heldBack + falseAlarms.length + left.length + harmed.length + told.length > 0;
}

void main();
