import type { State } from '../../../src/mock/state/state';
import { serverOfTests } from '../../support/server';

const server = serverOfTests({ auth: 'off' });

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
  function send(id: string, method: 'GET' | 'POST', target: string, body = ''): void {
    const headers = { host: 'x', 'content-type': 'application/json', 'x-standin-sandbox': id };
    const rawHeaders = Object.entries(headers).flat();
    void server.mock.engine.handle({ method, target, headers, rawHeaders, body: Buffer.from(body) });
  }
  const write = (id: string): void => {
    send(id, 'POST', '/categories', '{"name":"Small"}');
  };

  test('of a thousand sandboxes each holds only what it changed, and later ones take their places', () => {
    const { sandboxes } = server.mock.engine;
    for (let index = 0; index < 1000; index++) write(`s-${index}`);
    const { baseline } = sandboxes;
    const firstItem = (collections: State['collections']): unknown =>
      [...(collections.get('/categories')?.entries() ?? [])][0]?.[1];
    const facts = sandboxes
      .all()
      .slice(1)
      .map(({ live, journal }) => {
        const { collections } = live.snapshot();
        return {
          changed: [...collections.keys()].filter((name) => collections.get(name) !== baseline.collections.get(name)),
          sharesItems: firstItem(collections) === firstItem(baseline.collections),
          entries: journal.remembered().length,
          isSmall: journal.reservedBytes < 64 * 1024,
        };
      });
    const expected = { changed: ['/categories'], sharesItems: true, entries: 1, isSmall: true };
    expect(facts).toHaveLength(1000);
    expect(new Set(facts.map((fact) => JSON.stringify(fact)))).toEqual(new Set([JSON.stringify(expected)]));
    for (let index = 0; index < 1100; index++) write(`t-${index}`);
    expect(sandboxes.list().map(({ id }) => id)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `t-${index + 100}`),
    );
    // The main one, the sandboxes without a write, and the thousand.
    expect(sandboxes.journals()).toHaveLength(1002);
  });

  test('the ids of the last ten thousand removed sandboxes are known', () => {
    const { sandboxes } = server.mock.engine;
    sandboxes.removeAll();
    for (let index = 0; index < 11_001; index++) sandboxes.obtain(`g-${index}`);
    expect([0, 1, 10_000, 10_001].map((index) => sandboxes.wasEvicted(`g-${index}`))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    sandboxes.removeAll();
  });

  test('a journal reserves no more than its size, however many requests come', () => {
    const { sandboxes } = server.mock.engine;
    const body = JSON.stringify({ name: 'Long', note: 'x'.repeat(4000) });
    for (let index = 0; index < 60; index++) send('j', 'POST', '/categories', body);
    const { journal } = sandboxes.peek('j')!;
    expect(journal.forgotten).toBeGreaterThan(0);
    const reserved = journal.reservedBytes;
    expect(reserved).toBeLessThan(160 * 1024);
    for (let index = 0; index < 300; index++) send('j', 'POST', '/categories', body);
    expect(journal.reservedBytes).toBe(reserved);
    sandboxes.removeAll();
  });

  test('ids that only read are kept nowhere', () => {
    const { sandboxes } = server.mock.engine;
    for (let index = 0; index < 1001; index++) send(`r-${index}`, 'GET', '/pets');
    expect(sandboxes.list()).toEqual([]);
    expect(sandboxes.journalOf('r-0')).toEqual([]);
    expect(sandboxes.journalOf('r-1000')).toHaveLength(1);
  });
});
