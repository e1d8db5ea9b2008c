import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import request, { type Response } from 'supertest';
import { ConfigError } from '../../src/core/errors/standin-error';
import { createServerParts, type ServerHooks } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server';

// Where there is none: apt-get install redis-server, or brew install redis.
const withRedis = hasRedis ? describe : describe.skip;

const KEY = { Authorization: 'Bearer test-key' };

withRedis('mocks that share a Redis', () => {
  let redis: RedisServer;
  let count = 0;
  let store: string;
  const open = new Set<MockServer>();
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });
  beforeEach(() => {
    count += 1;
    store = redis.address(`store-${count}`);
  });
  afterEach(async () => {
    for (const app of open) await app.closeStore();
    open.clear();
  });

  async function start(options: CreateMockServerOptions = {}, hooks: ServerHooks = {}): Promise<MockServer> {
    const { app } = await createServerParts({ store, ...options }, hooks);
    open.add(app);
    return app;
  }

  const pair = (options: CreateMockServerOptions = {}): Promise<MockServer[]> =>
    Promise.all([start(options), start(options)]);

  const post = (app: MockServer, name: string, headers: Record<string, string> = {}): request.Test =>
    request(app)
      .post('/categories')
      .set({ ...KEY, ...headers })
      .send({ name });
  const names = async (app: MockServer, headers: Record<string, string> = {}): Promise<string[]> => {
    const { body } = await request(app)
      .get('/categories?limit=100')
      .set({ ...KEY, ...headers })
      .expect(200);
    return (body as { name: string }[]).map(({ name }) => name);
  };
  const admin = (
    app: MockServer,
    method: 'get' | 'put' | 'post' | 'delete',
    path: string,
    body?: object,
  ): request.Test => request(app)[method](`/__standin${path}`).set('Content-Type', 'application/json').send(body);

  test('are one service: each sees at once what the other one did, and no key is given out twice', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post(index % 2 === 0 ? first : second, `category ${index}`).expect(201)),
    );
    const ids = answers.map(({ body }) => (body as { id: number }).id);
    expect(ids.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 40 }, (_, index) => index + 3));
    expect(await names(first)).toEqual(await names(second));
    expect(await names(first)).toHaveLength(42);
  });

  test('lose no update: of changes with one ETag one succeeds', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    const { headers } = await request(first).get('/inventory/1').set(KEY).expect(200);
    const change = (app: MockServer, quantity: number): request.Test =>
      request(app)
        .patch('/inventory/1')
        .set({ ...KEY, 'If-Match': String(headers['etag']) })
        .send({ quantity });
    const statuses = (
      await Promise.all([1, 2, 3, 4, 5, 6].map((each) => change(each % 2 === 0 ? first : second, each)))
    ).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  test('sell what there is once, however many ask at both', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    const order = (app: MockServer): Promise<Response> =>
      request(app)
        .post('/store/orders')
        .set(KEY)
        .send({ petId: 1, quantity: 1 })
        .then((response) => response);
    const statuses = (
      await Promise.all(Array.from({ length: 12 }, (_, index) => order(index % 2 === 0 ? first : second)))
    ).map(({ status }) => status);
    // The fixture has three of them.
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect((await request(second).get('/inventory/1').set(KEY)).body).toMatchObject({ quantity: 0 });
  });

  test('answer a request that the other one answered by its Idempotency-Key', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    const order = (app: MockServer): request.Test =>
      request(app)
        .post('/store/orders')
        .set({ ...KEY, 'Idempotency-Key': '"one"' })
        .send({ petId: 1, quantity: 1 });
    const { body } = await order(first).expect(201);
    expect((await order(second).expect(201)).body).toEqual(body);
    expect((await request(first).get('/inventory/1').set(KEY)).body).toMatchObject({ quantity: 2 });
  });

  test('have the same sandboxes, whichever made or removed them', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    const inA = { 'X-Standin-Sandbox': 'A' };
    await post(first, 'in A', inA).expect(201);
    expect(await names(second, inA)).toContain('in A');
    expect(await names(second)).not.toContain('in A');
    await admin(second, 'delete', '/sandboxes?sandbox=A').expect(204);
    expect(await names(first, inA)).not.toContain('in A');
    await admin(first, 'post', '/sandboxes', { id: 'B' }).expect(201);
    await post(second, 'in B', { 'X-Standin-Sandbox': 'B' }).expect(201);
    expect(await names(first, { 'X-Standin-Sandbox': 'B' })).toContain('in B');
  });

  test('go by one clock, one rate limit, and the same faults and forced responses', async () => {
    const [first, second] = (await pair({ rateLimit: { requests: 5, seconds: 60 } })) as [MockServer, MockServer];
    await admin(first, 'put', '/clock', { now: '2031-01-01T00:00:00Z', fixed: true }).expect(204);
    const { body } = await admin(second, 'get', '/overview').expect(200);
    expect(body).toMatchObject({ clock: { kind: 'fixed', now: '2031-01-01T00:00:00.000Z' } });
    const asked = Array.from({ length: 8 }, (_, index) =>
      request(index % 2 === 0 ? first : second)
        .get('/categories')
        .set(KEY),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    await admin(second, 'put', '/clock', { now: '2031-01-01T01:00:00Z', fixed: true }).expect(204);
    await admin(first, 'put', '/faults', { faults: ['status:503;times=2'] }).expect(200);
    const failed = [second, first, second].map((app) => request(app).get('/categories').set(KEY));
    const seen = [];
    for (const each of failed) seen.push((await each).status);
    expect(seen).toEqual([503, 503, 200]);
    await admin(first, 'put', '/responses?sandbox=*', { operation: 'listCategories', status: 401, times: 1 }).expect(
      200,
    );
    expect(
      (
        await request(second)
          .get('/categories')
          .set({ ...KEY, 'X-Standin-Sandbox': 'x' })
      ).status,
    ).toBe(401);
    expect((await request(first).get('/categories').set(KEY)).status).toBe(200);
  });

  test('share resets, snapshots and the baseline', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    await post(first, 'kept').expect(201);
    await admin(first, 'post', '/snapshot', { name: 'before' }).expect(201);
    await post(second, 'more').expect(201);
    await admin(second, 'post', '/restore', { name: 'before' }).expect(204);
    expect(await names(first)).toEqual(['Dog', 'Cat', 'kept']);
    await admin(first, 'post', '/baseline').expect(204);
    await post(first, 'gone').expect(201);
    await admin(second, 'post', '/reset').expect(204);
    expect(await names(first)).toEqual(['Dog', 'Cat', 'kept']);
    expect(await names(second, { 'X-Standin-Sandbox': 'new' })).toEqual(['Dog', 'Cat', 'kept']);
  });

  test('that come later, or were cut off, catch up', async () => {
    const first = await start();
    for (let each = 0; each < 5; each++) await post(first, `early ${each}`).expect(201);
    const late = await start();
    expect(await names(late)).toEqual(await names(first));
    redis.cli('client', 'kill', 'type', 'normal');
    await post(first, 'after the cut').expect((response) => {
      expect([201, 503]).toContain(response.status);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await post(late, 'and on').expect(201);
    expect(await names(first)).toContain('and on');
  });

  test('what a program does to one is done in the other as well', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    first.putRow('/categories', { id: 77, name: 'by hand' });
    expect(await names(first)).toContain('by hand');
    expect(await names(second)).toContain('by hand');
    second.reset();
    await names(second);
    expect(await names(first)).toEqual(['Dog', 'Cat']);
  });

  test('answer 503 while it is away, lose nothing that was answered, and go on by themselves', async () => {
    const own = await startRedis();
    store = own.address('away');
    const app = await start();
    await post(app, 'before').expect(201);
    await own.stop();
    const { body, headers } = await post(app, 'meanwhile').expect(503);
    expect(headers['retry-after']).toBe('1');
    expect(body).toMatchObject({ status: 503, message: expect.stringContaining('is away') as string });
    await request(app).get('/categories').set(KEY).expect(503);
    await admin(app, 'get', '/ready').expect(503);
    expect((await admin(app, 'get', '/health').expect(200)).body).toMatchObject({ status: 'failing' });
    await own.restart();
    for (let tries = 0; tries < 60 && (await admin(app, 'get', '/ready')).status !== 200; tries++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await post(app, 'after').expect(201);
    expect(await names(app)).toEqual(['Dog', 'Cat', 'before', 'after']);
    await own.stop();
  }, 20_000);

  describe('refuse', () => {
    const refusal = async (options: CreateMockServerOptions): Promise<ConfigError> => {
      const error: unknown = await start(options).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ConfigError);
      return error as ConfigError;
    };

    test('one that is not there', async () => {
      const { code, message, hint } = await refusal({ store: 'redis://127.0.0.1:1/0' });
      expect([code, message]).toEqual([
        'STORE_UNUSABLE',
        expect.stringContaining('The store redis://127.0.0.1:1/0 cannot be used: connect ECONNREFUSED'),
      ]);
      expect(hint).toContain('Start it, or correct the address');
    });

    test('one behind another password, and never show it', async () => {
      const own = await startRedis('--requirepass', 'right');
      const error = await refusal({ store: `redis://:wrong@127.0.0.1:${own.port}/0` });
      expect(error.message).toContain('WRONGPASS');
      expect(error.message).not.toContain('wrong@');
      expect(error.hint).toContain('STANDIN_REDIS_PASSWORD');
      store = `redis://:right@127.0.0.1:${own.port}/0`;
      const app = await start();
      expect(JSON.stringify((await admin(app, 'get', '/health')).body)).not.toContain('right');
      await own.stop();
    });

    test('one that is too old, and say which it is', async () => {
      const info = 'redis_version:5.0.14\r\nrole:master\r\n';
      const old = createServer((socket) => {
        socket.on('data', (bytes) => {
          const asked = bytes.toString('latin1').split('*').slice(1);
          for (const each of asked)
            socket.write(/\r\nINFO\r\n/i.test(each) ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
        });
        socket.on('error', () => undefined);
      }).listen(0, '127.0.0.1');
      await once(old, 'listening');
      const { port } = old.address() as AddressInfo;
      const { message, hint } = await refusal({ store: `redis://127.0.0.1:${port}/0` });
      expect(message).toContain('it is Redis 5.0.14');
      expect(hint).toBe('Redis 6.2 or Valkey is needed.');
      old.close();
    });

    test('one whose user may not do what is needed', async () => {
      const own = await startRedis();
      own.cli('acl', 'setuser', 'reader', 'on', '>pw', '~*', '+@read', '+info', '+ping', '+client');
      own.cli('acl', 'setuser', 'mock', 'on', '>pw', '~shop:*', '+@all', '-@dangerous', '+info');
      const { message, hint } = await refusal({ store: `redis://reader:pw@127.0.0.1:${own.port}/0` });
      expect(message).toContain('NOPERM');
      expect(hint).toContain('The user needs the commands of streams, hashes, sets and scripts');
      store = `redis://mock:pw@127.0.0.1:${own.port}/0?name=shop`;
      await post(await start(), 'by a user of its own').expect(201);
      await own.stop();
    });

    test('one that is a replica', async () => {
      const own = await startRedis('--replicaof', '127.0.0.1', String(redis.port));
      expect((await refusal({ store: own.address('a') })).message).toContain('it is a replica, which takes no writes');
      await own.stop();
    });

    test('what it has no memory for, with 503, until there is some', async () => {
      const own = await startRedis();
      store = own.address('full');
      const app = await start();
      own.cli('config', 'set', 'maxmemory', '1');
      const { body } = await post(app, 'too much').expect(503);
      expect(body).toMatchObject({
        message: expect.stringContaining('make room there, or raise its maxmemory') as string,
      });
      own.cli('config', 'set', 'maxmemory', '0');
      await post(app, 'room').expect(201);
      expect(await names(app)).toEqual(['Dog', 'Cat', 'room']);
      await own.stop();
    });

    test('a store of another version, and of another API', async () => {
      redis.cli('set', `store-${count}:about`, '{"standin":"store/7","title":"x","digest":"y"}');
      expect((await refusal({})).message).toContain('it is of the version store/7, and this standin reads store/1');
      redis.cli('del', `store-${count}:about`);
      await post(await start(), 'one').expect(201);
      const description = {
        openapi: '3.0.3',
        info: { title: 'Notes', version: '1' },
        paths: { '/notes': { get: { responses: { 200: { description: 'all' } } } } },
      };
      expect((await refusal({ description })).message).toContain('is of another API: "Petstore API"');
    });
  });

  test('a log that is long becomes a snapshot, and who was behind it catches up', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    for (let round = 0; round < 12; round++)
      await Promise.all(Array.from({ length: 100 }, (_, each) => post(first, `${round} ${each}`).expect(201)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(Number(redis.cli('xlen', `store-${count}:{default}:log`))).toBeLessThan(1100);
    expect((await admin(second, 'get', '/state')).text).toBe((await admin(first, 'get', '/state')).text);
    const late = await start();
    expect((await admin(late, 'get', '/state')).text).toBe((await admin(first, 'get', '/state')).text);
  }, 60_000);
});
