// GETs and POSTs per second of 1, 2 and 4 mocks that share a Redis, each with a load generator of its own.
import { jsonHeaders } from '../commands.mjs';
import { chooseGenerator, load } from '../load.mjs';
import { startServer } from '../server-process.mjs';
import { hasRedis, startRedis } from './redis.mjs';

export async function measureScale({ bin, seconds, folder, print }) {
  if (!hasRedis) {
    print('left out, there is no redis-server: apt-get install redis-server');
    return true;
  }
  const redis = await startRedis(folder);
  const generator = chooseGenerator();
  const requests = {
    GET: { path: '/pets/1', headers: jsonHeaders },
    POST: { method: 'POST', path: '/categories', headers: jsonHeaders, body: '{"name":"Rex"}' },
  };
  const measure = async (label, count, flags) => {
    const mocks = [];
    for (let index = 0; index < count; index++) {
      const command = [process.execPath, bin, 'mock', '--port', '0', '--log', 'silent', ...flags];
      mocks.push(await startServer({ label: 'standin mock', command }));
    }
    for (const [name, request] of Object.entries(requests)) {
      const one = (server) => load({ generator, server, request, seconds, temporaryFolder: folder });
      await Promise.all(
        mocks.map((server) => load({ generator, server, request, seconds: 1, temporaryFolder: folder })),
      );
      const figures = await Promise.all(mocks.map(one));
      const sum = figures.reduce((total, { perSecond }) => total + perSecond, 0);
      const failed = figures.reduce((total, { failedAnswers }) => total + failedAnswers, 0);
      print(
        `        ${name}, ${label}: ${Math.round(sum)} requests/s together${failed > 0 ? `, ${failed} failed` : ''}`,
      );
    }
    for (const mock of mocks) await mock.stop();
  };
  try {
    await measure('one mock without a store', 1, []);
    for (const count of [1, 2, 4])
      await measure(`${count} sharing a Redis`, count, [
        '--store',
        `redis://127.0.0.1:${redis.port}/0?name=scale-${count}`,
      ]);
  } finally {
    await redis.stop();
  }
  return true;
}
