import { startServer, type TestServer } from '../support/server';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ auth: 'off' });
});
afterAll(() => server.close());

test('the journal keeps the beginning of a body, not the body', async () => {
  const body = JSON.stringify({ name: 'Long', note: 'x'.repeat(500_000) });
  await fetch(`${server.url}/categories`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const [entry] = server.app.journal();
  expect(entry?.requestBody).toHaveLength(4096);
  expect(body.startsWith(entry?.requestBody ?? '?')).toBe(true);
});

test('what an idempotency key was used with is kept as a digest', async () => {
  const body = JSON.stringify({ name: 'Keyed', note: 'y'.repeat(500_000) });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
  await fetch(`${server.url}/categories`, { method: 'POST', headers, body });
  const [replay] = server.mock.engine.snapshot().replays.values();
  expect(replay?.payload.length).toBeLessThan(100);
});
