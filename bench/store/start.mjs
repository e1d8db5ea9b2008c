// How long a mock takes to go on with a hundred thousand rows, after a clean end and after kill -9.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { headers, jsonHeaders } from '../commands.mjs';
import { exchange } from '../exchange.mjs';
import { writeFixture } from '../fixture.mjs';
import { findFreePort, startServer, timeFirstAnswer } from '../server-process.mjs';

const ROWS = 100_000;
const STARTS = 9;
const median = (numbers) => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];

export async function measureStart({ bin, folder, print, goal }) {
  const place = path.join(folder, 'start');
  const command = (port) => [
    process.execPath,
    bin,
    'mock',
    '--port',
    String(port),
    '--log',
    'silent',
    '--store',
    `file:${place}`,
  ];
  const first = await startServer({ label: 'standin mock', command: command(0) });
  // A pet and its stock are two rows.
  const body = readFileSync(writeFixture(folder, ROWS / 2).file, 'utf8');
  const load = { method: 'PUT', path: '/__standin/state', headers: jsonHeaders, body };
  const loaded = await exchange(first.port, load, { timeoutMs: 60_000 });
  if (loaded.status !== 204) throw new Error(`the rows were not loaded: ${loaded.status} ${loaded.body.slice(0, 300)}`);
  // The log becomes a snapshot meanwhile.
  await sleep(3000);
  for (let count = 0; count < 500; count++) {
    const request = { method: 'POST', path: '/pets', headers: jsonHeaders, body: '{"name":"Rex","categoryId":1}' };
    await exchange(first.port, request);
  }
  // The whole group, by SIGKILL.
  await first.stop();
  const times = [];
  for (let start = 0; start < STARTS; start++) {
    const port = await findFreePort();
    const request = { path: `/pets/${ROWS / 2 + 500}`, headers };
    const started = await timeFirstAnswer({ label: 'standin mock', command: command(port), port, request });
    times.push(started.ms);
    await started.stop();
  }
  const empty = [];
  for (let start = 0; start < STARTS; start++) {
    const port = await findFreePort();
    const plain = [process.execPath, bin, 'mock', '--port', String(port), '--log', 'silent'];
    const started = await timeFirstAnswer({
      label: 'standin mock',
      command: plain,
      port,
      request: { path: '/pets/1', headers },
    });
    empty.push(started.ms);
    await started.stop();
  }
  print(`        start without a store: ${Math.round(median(empty))} ms`);
  const ms = median(times);
  return goal(
    `start with ${ROWS} rows after kill -9, median of ${STARTS}`,
    `${Math.round(ms)} ms`,
    ms < 1000,
    'under 1000',
  );
}
