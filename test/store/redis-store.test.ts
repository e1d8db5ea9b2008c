import request, { type Response } from 'supertest';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { type RedisServer, startRedis } from '../support/redis-server';
import { until } from '../support/until';
import { admin, KEY, names, post, startMock, withRedis } from './redis-mocks';

withRedis('mocks that share a Redis', () => {
  let redis: RedisServer;
  let count = 0;
  let store: string;
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

  const start = (options: CreateMockServerOptions = {}): Promise<MockServer> => startMock({ store, ...options });

  const pair = (options: CreateMockServerOptions = {}): Promise<MockServer[]> =>
    Promise.all([start(options), start(options)]);

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
    for (const app of [first, late])
      await until(async () => (await admin(app, 'get', '/ready')).status === 200, 'the mock is connected again');
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
    await until(async () => (await admin(app, 'get', '/ready')).status === 200, 'the mock is connected again');
    await post(app, 'after').expect(201);
    expect(await names(app)).toEqual(['Dog', 'Cat', 'before', 'after']);
    await own.stop();
  });

  test('a log that is long becomes a snapshot, and who was behind it catches up', async () => {
    const [first, second] = (await pair()) as [MockServer, MockServer];
    for (let id = 100; id < 1200; id++) first.putRow('/categories', { id, name: `category ${id}` });
    expect(await names(first)).toContain('category 150');
    const length = (): number => Number(redis.cli('xlen', `store-${count}:{default}:log`));
    await until(() => length() < 1100, 'the log becomes a snapshot');
    expect((await admin(second, 'get', '/state')).text).toBe((await admin(first, 'get', '/state')).text);
    const late = await start();
    expect((await admin(late, 'get', '/state')).text).toBe((await admin(first, 'get', '/state')).text);
  });
});
