import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Agent, Client, interceptors, Pool, request } from 'undici';
import { serverOfTests, startServer } from '../support/server';

const server = serverOfTests();
beforeEach(() => {
  server.app.reset();
});
afterEach(() => {
  expect(server.defects).toEqual([]);
});

const KEY = { authorization: 'Bearer test-key' };
const JSON_TYPE = { ...KEY, 'content-type': 'application/json' };

test('a client that pipelines gets each answer for its own request', async () => {
  const client = new Client(server.url, { pipelining: 10 });
  const targets = ['/pets/1', '/pets/99', '/categories/2', '/nothing', '/inventory/3', '/store/orders/2', '/pets/%zz'];
  const all = Array.from({ length: 10 }, () => targets).flat();
  const bodies = await Promise.all(
    all.map(async (path) => {
      const { body } = await client.request({ path, method: 'GET', headers: KEY });
      return (await body.json()) as Record<string, unknown>;
    }),
  );
  const shown = bodies.map((body) => body['code'] ?? body['name'] ?? body['petId']);
  const expected = ['Biscuit', 'resource_not_found', 'Cat', 'route_not_found', 3, 3, 'invalid_parameter'];
  expect(shown).toEqual(Array.from({ length: 10 }, () => expected).flat());
  await client.close();
});

test('a pool of connections makes as many pets as it asked for', async () => {
  const pool = new Pool(server.url, { connections: 8, pipelining: 4 });
  const ids = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const { statusCode, body } = await pool.request({
        path: '/pets',
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ name: `Pet ${index}`, categoryId: 1 }),
      });
      expect(statusCode).toBe(201);
      return ((await body.json()) as { id: number }).id;
    }),
  );
  expect([...ids].sort((left, right) => left - right)).toEqual(Array.from({ length: 80 }, (_, index) => index + 4));
  await pool.close();
});

test('a cache asks whether what it keeps is still right', async () => {
  const agent = new Agent().compose(interceptors.cache({ methods: ['GET', 'HEAD'] }));
  const read = async (): Promise<unknown> => {
    const { body } = await request(`${server.url}/categories/1`, { headers: KEY, dispatcher: agent });
    return body.json();
  };
  const first = await read();
  expect(await read()).toEqual(first);
  const body = JSON.stringify({ name: 'Hound' });
  const put = await request(`${server.url}/categories/1`, { method: 'PUT', headers: JSON_TYPE, body });
  await put.body.dump();
  // What was stored must not outlive the change.
  expect(await read()).toEqual({ id: 1, name: 'Hound' });
  await agent.close();
});

test('a client that is told to come back later does, and is served', async () => {
  const limited = await startServer({ rateLimit: { requests: 2, seconds: 2 } });
  const agent = new Agent().compose(interceptors.retry({ maxRetries: 3, statusCodes: [429] }));
  try {
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { statusCode, body } = await request(`${limited.url}/pets`, { headers: KEY, dispatcher: agent });
      await body.dump();
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([200, 200, 200]);
    const refused = limited.app.journal().filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
  } finally {
    await agent.close();
    await limited.close();
  }
});

test('a tunnel and an upgrade are refused, and the connection is given up', async () => {
  const client = new Client(server.url);
  const { statusCode, socket } = await client.connect({ path: 'example.org:443' });
  expect([405, 501]).toContain(statusCode);
  socket.destroy();
  await client.destroy();

  const other = new Client(server.url);
  await expect(other.upgrade({ path: '/pets', protocol: 'websocket', headers: KEY })).rejects.toThrow();
  await other.destroy();
  const { statusCode: status, body } = await request(`${server.url}/pets`, { headers: KEY });
  await body.dump();
  expect(status).toBe(200);
});

test('a client that is destroyed in the middle of a body changes nothing', async () => {
  const before = server.stateText();
  const client = new Client(server.url);
  const connected = once(client, 'connect');
  const body = new Readable({ read: () => undefined });
  body.push('{"name":"Nova",');
  const answer = client.request({ path: '/pets', method: 'POST', headers: JSON_TYPE, body });
  const failed = expect(answer).rejects.toThrow();
  await connected;
  await client.destroy();
  await failed;
  const { body: rest } = await request(`${server.url}/pets`, { headers: KEY });
  await rest.dump();
  expect(server.stateText()).toBe(before);
});
