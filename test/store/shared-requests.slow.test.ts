import request from 'supertest';
import type { RequestStream, TimedTold } from '../../src/mock/sandbox/request-stream';
import { SharedRequests } from '../../src/mock/sandbox/shared-requests';
import { createInProcessTransport } from '../../src/network/target';
import { EventListener } from '../support/event-listener';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server';
import { startServer, type TestServer } from '../support/server';
import { until } from '../support/until';

const NO_BODY = new Uint8Array();
const KEY = { Authorization: 'Bearer test-key' };

interface Line {
  readonly seq: number;
  readonly method: string;
  readonly target: string;
  readonly sandbox: string;
}

interface List {
  readonly requests: readonly Line[];
  readonly last: number;
  readonly dropped: number;
}

// Where there is none: apt-get install redis-server, or brew install redis.
const withRedis = hasRedis ? describe : describe.skip;

withRedis('the requests of mocks that share a Redis', () => {
  let redis: RedisServer;
  let count = 0;
  let first: TestServer;
  let second: TestServer;
  const open: { close(): unknown }[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });
  beforeEach(async () => {
    count += 1;
    first = await start();
    second = await start();
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  async function start(): Promise<TestServer> {
    const server = await startServer({ store: redis.address(`requests-${count}`) });
    open.push({ close: () => server.close() }, { close: () => server.app.closeStore() });
    return server;
  }

  const get = (server: TestServer, path: string, headers: Record<string, string> = {}): request.Test =>
    request(server.url)
      .get(path)
      .set({ ...KEY, ...headers });
  const look = async (server: TestServer, query = ''): Promise<List> =>
    (await request(server.url).get(`/__standin/requests${query}`).expect(200)).body as List;
  const linesOf = ({ requests }: List): string[] => requests.map(({ method, target }) => `${method} ${target}`);

  test('are one list, with the same numbers at each, whichever answered them', async () => {
    await get(first, '/pets/1').expect(200);
    await get(second, '/pets/2').expect(200);
    await request(first.url).post('/categories').set(KEY).send({ name: 'Fish' }).expect(201);
    const [one, other] = [await look(first), await look(second)];
    expect(linesOf(one)).toEqual(['GET /pets/1', 'GET /pets/2', 'POST /categories']);
    expect(other).toEqual(one);
    expect(one).toMatchObject({ last: 3, dropped: 0 });
    expect(one.requests.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(linesOf(await look(second, '?after=2'))).toEqual(['POST /categories']);
  });

  test('are shown whole by a mock that did not answer them, without what is secret', async () => {
    const text = JSON.stringify({ name: 'Żółw', note: 'ż'.repeat(3) });
    await request(first.url)
      .post('/categories')
      .set(KEY)
      .set('Content-Type', 'application/json')
      .send(text)
      .expect(201);
    const { requests } = await look(second);
    const query = `?seq=${requests[0]?.seq}`;
    // Texts to copy name the address that was asked.
    const [own, others] = await Promise.all(
      [first, second].map(async ({ url, port }) =>
        (await request(url).get(`/__standin/request${query}`).expect(200)).text.replaceAll(String(port), 'PORT'),
      ),
    );
    expect(others).toBe(
      own
        ?.replace(`"Host","127.0.0.1:PORT"`, `"Host","127.0.0.1:${first.port}"`)
        .replace('http://127.0.0.1:PORT/categories/3', `http://127.0.0.1:${first.port}/categories/3`),
    );
    const body: unknown = JSON.parse(others ?? '');
    expect(others).not.toContain('test-key');
    expect(body).toMatchObject({
      requestBody: { text, isCut: false },
      status: 201,
      changedItems: [{ collection: '/categories', before: null, after: { name: 'Żółw' } }],
    });
    const why = await request(second.url).get(`/__standin/why${query}`).expect(200);
    expect(JSON.stringify(why.body)).toContain('createCategory');
    expect((await request(second.url).get('/__standin/journal').expect(200)).body).toMatchObject([
      { number: 1, method: 'POST', status: 201, requestBody: text },
    ]);
  });

  test('are sent again with their secrets, by any of them', async () => {
    await get(first, '/pets/1').expect(200);
    const { seq = 0 } = (await look(second)).requests[0] ?? {};
    const sent = await request(second.url)
      .post('/__standin/send')
      .send({ method: 'GET', target: '/pets/2', headers: ['Authorization', '[redacted]'], like: seq })
      .expect(200);
    expect(sent.body).toMatchObject({ status: 200, seq: seq + 1 });
    expect(linesOf(await look(first))).toEqual(['GET /pets/1', 'GET /pets/2']);
  });

  test('become a contract at any of them', async () => {
    await get(first, '/pets/1').expect(200);
    await get(second, '/pets/404').expect(404);
    const { body } = await request(second.url).post('/__standin/contract').send({}).expect(200);
    expect(body).toMatchObject({ requests: 2, yaml: expect.stringContaining('petId: 404') as string });
  });

  test('are told to who listens, with what is changed by others than requests', async () => {
    const listener = new EventListener(second);
    open.push(listener);
    await listener.until(() => listener.named('hello').length === 1, 'hello');
    await get(first, '/pets/1').expect(200);
    await get(second, '/pets/2').expect(200);
    await listener.until(() => {
      return listener.named('requests').flatMap(({ data }) => data['requests']).length === 2;
    }, 'both requests');
    await request(first.url).put('/__standin/clock').send({ now: new Date().toISOString(), fixed: true }).expect(204);
    await listener.until(() => listener.named('change').length > 0, 'the clock');
    expect(listener.named('change')[0]?.data).toEqual({ what: 'clock' });
    const { id = '' } = listener.events.at(-1) ?? {};
    await get(second, '/pets/3').expect(200);
    // A page whose connection ends comes to another one.
    const next = new EventListener(first, '', [`Last-Event-ID: ${id}`]);
    open.push(next);
    await next.until(() => next.named('requests').length === 1, 'what it missed');
    expect(next.named('hello')[0]?.data).toEqual({ ...listener.named('hello')[0]?.data, last: 3 });
    expect((next.named('requests')[0]?.data as unknown as List).requests).toMatchObject([{ target: '/pets/3' }]);
  });

  test('of a sandbox are its own, and go with it and with a reset', async () => {
    const inA = { 'X-Standin-Sandbox': 'A' };
    await get(first, '/pets/1', inA).expect(200);
    await get(second, '/pets/2').expect(200);
    expect(linesOf(await look(second, '?sandbox=A'))).toEqual(['GET /pets/1']);
    await request(second.url).post('/__standin/reset').send({}).expect(204);
    expect(linesOf(await look(first))).toEqual(['GET /pets/1']);
    await request(second.url).delete('/__standin/journal?sandbox=A').expect(204);
    expect(linesOf(await look(first))).toEqual([]);
    await get(first, '/pets/3').expect(200);
    expect(await look(second)).toMatchObject({ last: 3, requests: [{ seq: 3 }] });
  });

  test('outlive the mock that answered them, and those that come late know them', async () => {
    await get(first, '/pets/1').expect(200);
    await first.app.closeStore();
    const late = await start();
    expect(linesOf(await look(late))).toEqual(['GET /pets/1']);
  });

  test('are told once, and all of them, where the Redis was cut off meanwhile', async () => {
    await get(first, '/pets/1').expect(200);
    redis.signal('SIGSTOP');
    await get(first, '/pets/2').expect(503);
    redis.signal('SIGCONT');
    await until(async () => (await get(first, '/pets/3')).status === 200, 'the Redis is back');
    // Closing writes every request that is not written yet.
    await first.app.closeStore();
    const targets = linesOf(await look(second));
    expect(targets.filter((line) => line === 'GET /pets/1')).toHaveLength(1);
    expect(targets.filter((line) => line === 'GET /pets/2')).toHaveLength(1);
    expect(targets).toContain('GET /pets/3');
  });

  test('make room for later ones, which is told', async () => {
    const rawHeaders = ['Authorization', KEY.Authorization];
    const asked = { method: 'GET', target: '/pets/1', headers: { authorization: KEY.Authorization }, rawHeaders };
    const transports = [first, second].map(({ mock }) => createInProcessTransport(mock.engine));
    for (let round = 0; round < 22; round++)
      await Promise.all(
        Array.from({ length: 50 }, () => transports.map((each) => each.send({ ...asked, body: NO_BODY }))).flat(),
      );
    // On a busy machine a process may tell some of them later than the others wait for it.
    await until(async () => (await look(second, '?newest=true&limit=10')).last === 2200, 'all requests are told');
    const list = await look(second, '?newest=true&limit=10');
    expect(list).toMatchObject({ last: 2200, dropped: 200 });
    expect(Number(redis.cli('xlen', `requests-${count}:{*}:log`))).toBe(2000);
    expect(await look(first, '?newest=true&limit=10')).toEqual(list);
  });

  test('of one process stay its own for the program in it', async () => {
    await get(first, '/pets/1').expect(200);
    await get(second, '/pets/2').expect(200);
    expect(second.app.journal()).toMatchObject([{ target: '/pets/2' }]);
  });
});

test('closing writes the requests that were answered, also while it is asked whether anybody reads them', async () => {
  const server = await startServer();
  const told: TimedTold[] = [];
  const questions: ((isWatched: boolean) => void)[] = [];
  const stream: RequestStream = {
    watch: () => Promise.resolve(),
    owe: () =>
      new Promise((resolve) => {
        questions.push(resolve);
      }),
    tell: (batch) => {
      told.push(...batch.told);
      return Promise.resolve(false);
    },
    hear: () => Promise.reject(new Error('nobody reads')),
  };
  const requests = new SharedRequests(stream, server.mock.engine.sandboxes);
  await request(server.url).get('/pets/1').set(KEY).expect(200);
  const started = requests.start();
  await until(() => questions.length > 0, 'the question whether anybody reads');
  const closed = requests.close();
  questions[0]?.(false);
  await closed;
  await started;
  expect(told).toMatchObject([{ kind: 'request', sandbox: 'default' }]);
  await server.close();
});
