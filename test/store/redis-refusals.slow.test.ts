import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ConfigError } from '../../src/core/errors/standin-error';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { type RedisServer, startRedis } from '../support/redis-server';
import { admin, names, post, startMock, withRedis } from './redis-mocks';

withRedis('a store that cannot be used is refused:', () => {
  let redis: RedisServer;
  let store: string;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });
  beforeEach(() => {
    store = redis.address('refused');
  });

  const start = (options: CreateMockServerOptions = {}): Promise<MockServer> => startMock({ store, ...options });
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
    redis.cli('set', 'refused:about', '{"standin":"store/7","title":"x","digest":"y"}');
    expect((await refusal({})).message).toContain('it is of the version store/7, and this standin reads store/1');
    redis.cli('del', 'refused:about');
    await post(await start(), 'one').expect(201);
    const description = {
      openapi: '3.0.3',
      info: { title: 'Notes', version: '1' },
      paths: { '/notes': { get: { responses: { 200: { description: 'all' } } } } },
    };
    expect((await refusal({ description })).message).toContain('is of another API: "Petstore API"');
  });
});
