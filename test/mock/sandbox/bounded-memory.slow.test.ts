import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startServer, type TestServer } from '../../support/server';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ auth: 'off' });
});
afterAll(() => server.close());

test('the journal keeps the beginning of a body, not the body', async () => {
  const body = JSON.stringify({ name: 'Long', note: 'x'.repeat(500_000) });
  await fetch(`${server.url}/categories`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const [entry] = server.app.journal();
  expect(entry?.requestBody).toHaveLength(16 * 1024);
  expect(body.startsWith(entry?.requestBody ?? '?')).toBe(true);
});

test('what an idempotency key was used with is kept as a digest', async () => {
  const body = JSON.stringify({ name: 'Keyed', note: 'y'.repeat(500_000) });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
  await fetch(`${server.url}/categories`, { method: 'POST', headers, body });
  const [replay] = server.mock.engine.sandboxes.main.snapshot().replays.values();
  expect(replay?.payload.length).toBeLessThan(100);
});

describe('sandboxes', () => {
  test('a thousand of them, each with a write, take little; those that come then take their place', async () => {
    const { engine } = server.mock;
    const send = (id: string): void => {
      const body = Buffer.from('{"name":"Small"}');
      const headers = { host: 'x', 'content-type': 'application/json', 'x-standin-sandbox': id };
      const rawHeaders = Object.entries(headers).flat();
      void engine.handle({ method: 'POST', target: '/categories', headers, rawHeaders, body });
    };
    for (let index = 0; index < 50; index++) send(`warm-${index}`);
    const before = await usedBytes();
    for (let index = 0; index < 1000; index++) send(`s-${index}`);
    const full = await usedBytes();
    for (let index = 0; index < 3000; index++) send(`t-${index}`);
    const after = await usedBytes();
    expect(engine.sandboxes.list()).toHaveLength(1000);
    expect((full - before) / 1000).toBeLessThan(80_000);
    expect(after - full).toBeLessThan(5_000_000);
  });

  test('ids that only read are kept nowhere', () => {
    const { engine } = server.mock;
    engine.sandboxes.removeAll();
    for (let index = 0; index < 5000; index++) {
      const headers = { host: 'x', 'x-standin-sandbox': `r-${index}` };
      void engine.handle({
        method: 'GET',
        target: '/pets',
        headers,
        rawHeaders: Object.entries(headers).flat(),
        body: Buffer.alloc(0),
      });
    }
    expect(engine.sandboxes.list()).toEqual([]);
    expect(engine.sandboxes.journalOf('r-0')).toEqual([]);
    expect(engine.sandboxes.journalOf('r-4999')).toHaveLength(1);
  });
});

/** Heap and buffers, without what is garbage. */
async function usedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
