import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server';
import { KEY, startServer, type TestServer } from '../support/server';
import { inBrowser } from './chromium';
import { launchWindow, whenLive, type WindowBrowser } from './window';

/** Sends each request to the next of several servers; a new connection each time, as the plainest balancer does. */
async function startBalancer(targets: readonly TestServer[]): Promise<Server> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const { port } = targets[turn % targets.length] ?? { port: 0 };
    const { method, url: path, rawHeaders: headers } = incoming;
    const passed = request({ port, host: '127.0.0.1', method, path, headers: [...headers], agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

// Where there is none: apt-get install redis-server, or brew install redis.
(hasRedis ? inBrowser : describe.skip)('the window of mocks behind a balancer', () => {
  let redis: RedisServer;
  let mocks: TestServer[];
  let balancer: Server;
  let window: WindowBrowser;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    [redis, window] = await Promise.all([startRedis(), launchWindow()]);
    const store = redis.address('window');
    mocks = [await startServer({ store }), await startServer({ store }), await startServer({ store })];
    balancer = await startBalancer(mocks);
    url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
    page = await window.open(url);
    await whenLive(page);
  });
  afterAll(async () => {
    await window.close();
    balancer.closeAllConnections();
    balancer.close();
    for (const mock of mocks) {
      await mock.app.closeStore();
      await mock.close();
    }
    await redis.stop();
  });

  test('shows what each of them answered, once and whole, whichever a request of the page comes to', async () => {
    const rows = page.locator('.grid-body').getByRole('row');
    for (const pet of [1, 2, 3, 4, 5, 6])
      await fetch(`${url}/pets/${pet}`, { headers: { Authorization: KEY } }).then((response) => response.text());
    await rows.filter({ hasText: '/pets/6' }).waitFor();
    const texts = await rows.allInnerTexts();
    expect(texts.map((text) => /\/pets\/\d/.exec(text)?.[0])).toEqual([6, 5, 4, 3, 2, 1].map((pet) => `/pets/${pet}`));
    for (const pet of [1, 2, 3]) {
      await rows.filter({ hasText: `/pets/${pet}` }).click();
      await page.locator('.split-details').getByText(`/pets/${pet}`).first().waitFor();
    }
    expect(mocks.flatMap(({ defects }) => defects)).toEqual([]);
  });
});
