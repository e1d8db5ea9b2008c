import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { killAll, serve, type Served } from '../cli/standin-process';
import { hasRedis, startRedis } from '../support/redis-server';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';
import { PAYMENTS } from './payments';
import { type Receiver, startReceiver } from './receiver';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  killAll();
  await receiver.close();
});

const folder = temporaryFolder();
const description = folder.write('payments.json', JSON.stringify(PAYMENTS));

/** A mock in a process of its own. */
const start = (store: string): Promise<Served> =>
  serve([description, '--auth', 'off', '--state', 'empty', '--store', store]);

async function send({ url }: Served, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
}
const ids = (): Set<unknown> => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));

test('a mock that is killed sends what was not taken when it is started again', async () => {
  const store = `file:${folder.file('store')}`;
  const first = await start(store);
  receiver.answer(503);
  await send(first, 'POST', '/webhooks', { url: receiver.url });
  for (let count = 0; count < 5; count++) await send(first, 'POST', '/payments', { amount: 5, status: 'pending' });
  for (let id = 1; id <= 5; id++) await send(first, 'PUT', `/payments/${id}`, { amount: 5, status: 'completed' });
  await receiver.until(5);
  await first.stop('SIGKILL');
  expect(ids().size).toBe(5);
  receiver.answer(204);
  const before = receiver.received.length;
  await start(store);
  await receiver.until(before + 5);
  expect(ids().size).toBe(5);
});

// Where there is none: apt-get install redis-server, or brew install redis.
const withRedis = hasRedis ? test : test.skip;

withRedis(
  'of several mocks one sends a message, and another one where that is gone',
  async () => {
    const redis = await startRedis();
    try {
      const address = redis.address('events');
      const [first, second] = [await start(address), await start(address)];
      await send(first, 'POST', '/webhooks', { url: receiver.url });
      for (const [index, mock] of [first, second, first, second].entries()) {
        await send(mock, 'POST', '/payments', { amount: 5, status: 'pending' });
        await send(mock === first ? second : first, 'PUT', `/payments/${index + 1}`, {
          amount: 5,
          status: 'completed',
        });
      }
      await receiver.until(4);
      const firstIds = [...ids()];
      expect(firstIds).toHaveLength(4);
      receiver.answer(503);
      await send(first, 'POST', '/payments', { amount: 5, status: 'completed' });
      await receiver.until(5);
      await first.stop('SIGKILL');
      const before = receiver.received.length;
      receiver.answer(204);
      // The other mock takes the message over when it has heard nothing of the first one for half a minute.
      await until(() => receiver.received.length > before, 'the other mock sends the message');
      expect(ids().size).toBe(5);
      // What is sent twice comes before a later message.
      await send(second, 'POST', '/payments', { amount: 5, status: 'completed' });
      await receiver.until(before + 2);
      expect(receiver.received).toHaveLength(before + 2);
      expect(ids().size).toBe(6);
      const allIds = receiver.received.map(({ headers }) => headers['webhook-id']);
      for (const id of firstIds) expect(allIds.filter((each) => each === id)).toHaveLength(1);
    } finally {
      killAll();
      await redis.stop();
    }
  },
  120_000,
);

withRedis('a message is sent when another mock could go on with it, and not before', async () => {
  const redis = await startRedis();
  let isHeld = false;
  let release = (): void => undefined;
  // In front of Redis: what notes a message is held back until it is released.
  const between = createTcpServer((near) => {
    const far = connect(redis.port, '127.0.0.1')
      .on('data', (bytes) => near.write(bytes))
      .on('error', () => near.destroy());
    near
      .on('data', (bytes) => {
        if (isHeld || !bytes.includes('"outbox"')) far.write(bytes);
        else {
          isHeld = true;
          near.pause();
          release = () => {
            far.write(bytes);
            near.resume();
          };
        }
      })
      .on('error', () => far.destroy())
      .on('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  try {
    const mock = await start(`redis://127.0.0.1:${(between.address() as AddressInfo).port}/0?name=held`);
    await send(mock, 'POST', '/webhooks', { url: `${receiver.url}/hook` });
    await send(mock, 'POST', '/payments', { amount: 5, status: 'completed' });
    await until(() => isHeld, 'the note of the message');
    // Were it on its way already, it would come before these.
    for (let count = 0; count < 20; count++) await fetch(`${receiver.url}/other`, { method: 'POST' });
    expect(receiver.received.map(({ path }) => path)).not.toContain('/hook');
    release();
    await until(() => receiver.received.some(({ path }) => path === '/hook'), 'the message');
  } finally {
    killAll();
    between.close();
    await redis.stop();
  }
});

test('a receiver that does not answer is given up after ten seconds, and tried again', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const mock = await start(`file:${folder.file('slow')}`);
    await send(mock, 'POST', '/webhooks', { url });
    await send(mock, 'POST', '/payments', { amount: 5, status: 'completed' });
    const tries = async (): Promise<unknown[]> => {
      const { deliveries } = (await (await fetch(`${mock.url}/__standin/deliveries`)).json()) as {
        deliveries: { attempts: unknown[] }[];
      };
      return deliveries[0]?.attempts ?? [];
    };
    await until(async () => (await tries()).length > 0, 'the end of the first try');
    expect(await tries()).toEqual([expect.objectContaining({ error: expect.stringMatching(/timeout/i) as string })]);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
