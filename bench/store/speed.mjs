// Requests per second with each way of storing, by turns beside the mock that forgets.
import path from 'node:path';
import { jsonHeaders } from '../commands.mjs';
import { exchange } from '../exchange.mjs';
import { chooseGenerator } from '../load.mjs';
import { choosePinning } from '../machine.mjs';
import { runRounds } from '../rounds.mjs';
import { startServer } from '../server-process.mjs';

const median = (numbers) => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];

/** What each round's figure of one is of the same round's figure of the other; the median of them. */
function ratioOf(rows, label, over) {
  const [own, other] = [label, over].map((name) => rows.find((row) => row.label === name).rounds);
  return median(own.map(({ perSecond }, round) => perSecond / other[round].perSecond));
}

export async function measureSpeed({ rounds, seconds, bin, beside, folder, log, print, goal }) {
  const kinds = [
    ...(beside === undefined ? [] : [{ label: 'before', bin: beside, flags: [] }]),
    { label: 'memory', bin, flags: [] },
    { label: 'interval', bin, flags: ['--store', `file:${path.join(folder, 'interval')}`] },
    { label: 'always', bin, flags: ['--store', `file:${path.join(folder, 'always')}`, '--store-sync', 'always'] },
  ];
  const servers = [];
  try {
    for (const { label, bin: file, flags } of kinds) {
      const command = [process.execPath, file, 'mock', '--port', '0', '--log', 'silent', ...flags];
      servers.push(await startServer({ label, command }));
    }
    const pinning = choosePinning(true);
    const settings = {
      rounds,
      seconds,
      warmUpSeconds: 1,
      repeats: 1,
      generator: chooseGenerator(),
      pinning,
      temporaryFolder: folder,
      log,
    };
    const reset = (server) => async () => {
      const { status } = await exchange(server.port, {
        method: 'POST',
        path: '/__standin/reset',
        headers: jsonHeaders,
        body: '{}',
      });
      if (status !== 204) throw new Error(`the reset got ${status}`);
    };
    const status = (wanted) => (answer) => {
      if (answer.status !== wanted) throw new Error(`got ${answer.status}: ${answer.body.slice(0, 200)}`);
    };
    const results = {};
    for (const [name, request, wanted] of [
      ['POST', { method: 'POST', path: '/pets', headers: jsonHeaders, body: '{"name":"Rex","categoryId":1}' }, 201],
      ['GET', { path: '/pets/1', headers: jsonHeaders }, 200],
    ]) {
      const contestants = servers.map((server) => ({ server, request, check: status(wanted), reset: reset(server) }));
      const rows = await runRounds(contestants, settings);
      for (const { label, rounds: figures, invalid } of rows)
        print(
          `${name} ${label}: ${invalid ?? `${Math.round(median(figures.map(({ perSecond }) => perSecond)))} requests/s`}`,
        );
      results[name] = rows;
    }
    const rated = (name, label, over) => ratioOf(results[name], label, over);
    const share = rated('POST', 'interval', 'memory');
    const isMet = [goal('POST, a folder / memory', share.toFixed(2), share >= 0.8, 'at least 0.80')];
    print(`        POST, a folder with --store-sync always / memory: ${rated('POST', 'always', 'memory').toFixed(2)}`);
    print(`        GET, a folder / memory: ${rated('GET', 'interval', 'memory').toFixed(2)}`);
    if (beside !== undefined) {
      for (const name of ['POST', 'GET']) {
        const kept = rated(name, 'memory', 'before');
        isMet.push(goal(`${name}, memory / memory before`, kept.toFixed(3), kept >= 0.98, 'at least 0.98'));
      }
    }
    return isMet.every(Boolean);
  } finally {
    for (const server of servers) await server.stop();
  }
}
