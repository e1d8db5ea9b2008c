// One commit beside a bare XADD, and one look for news beside a bare XLEN: the same connection, by turns.
import { createRequire } from 'node:module';
import { hasRedis, startRedis } from './redis.mjs';

const require = createRequire(import.meta.url);
const TURNS = 4000;
const median = (numbers) => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export async function measureLatency({ folder, print, goal }) {
  if (!hasRedis) {
    print('left out, there is no redis-server: apt-get install redis-server');
    return true;
  }
  const redis = await startRedis(folder);
  // The log as the mock uses it, without the mock.
  const { openRedisLog } = require('../../dist/src/store/redis-log.js');
  const { createClient } = require('../../dist/vendor/redis-client.js');
  const address = `redis://127.0.0.1:${redis.port}/0?name=latency`;
  const log = await openRedisLog({ address, idleMs: 3_600_000, mainId: 'default' });
  const client = createClient({ url: `redis://127.0.0.1:${redis.port}/0` });
  await client.connect();
  const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };
  const entry = { rows: [['/pets', 1, pet]], nextKeys: [['/pets', 2]] };
  const text = JSON.stringify(entry);
  let position = await log.begin('default', { rows: { standin: 'fixture/1', collections: {} }, rest: {} });
  const times = { commit: [], xadd: [], look: [], xlen: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    times.commit.push(
      await timed(async () => {
        const appended = await log.append('default', position, [entry]);
        if (appended.kind !== 'appended') throw new Error('somebody else writes');
        ({ position } = appended);
      }),
    );
    times.xadd.push(await timed(() => client.sendCommand(['XADD', 'bare', '*', 'e', text])));
    times.look.push(await timed(() => log.append('default', position, [])));
    times.xlen.push(await timed(() => client.sendCommand(['XLEN', 'bare'])));
  }
  await log.close();
  client.destroy();
  await redis.stop();
  const [commit, xadd, look, xlen] = ['commit', 'xadd', 'look', 'xlen'].map((name) => median(times[name].slice(500)));
  print(
    `        medians of ${TURNS - 500}: commit ${(commit * 1000).toFixed(0)} µs, XADD ${(xadd * 1000).toFixed(0)} µs, `,
  );
  print(`        look ${(look * 1000).toFixed(0)} µs, XLEN ${(xlen * 1000).toFixed(0)} µs`);
  const [write, read] = [commit / xadd, look / xlen];
  return [
    goal('one commit / a bare XADD', write.toFixed(2), write <= 1.5, 'at most 1.50'),
    goal('one look for news / a bare XLEN', read.toFixed(2), read <= 1.3, 'at most 1.30'),
  ].every(Boolean);
}
