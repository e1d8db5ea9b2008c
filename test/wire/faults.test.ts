import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createServerParts } from '../../src/library/create-mock-server';
import { startRealTimer } from '../../src/server/response-delivery';
import { startServer, type TestServer } from '../support/server';
import { until } from '../support/until';
import { request } from './exchange';
import { ManualTimers } from './manual-timers';
import { RawConnection } from './raw-connection';

const timers = new ManualTimers();
let server: TestServer;
let mounted: Server;
beforeAll(async () => {
  server = await startServer({}, 0, { startTimer: timers.start });
  const { app } = await createServerParts({}, { startTimer: timers.start });
  const outer = express().use('/api', app);
  mounted = createServer(outer);
  await new Promise<void>((resolve) => mounted.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await server.close();
  mounted.closeAllConnections();
  await new Promise((resolve) => mounted.close(resolve));
});
afterEach(() => {
  expect(server.defects).toEqual([]);
});

const asking = (fault: string): string[] => [`X-Standin-Fault: ${fault}`];

/** Everything that comes until the connection ends. */
async function bytesOf(port: number, bytes: Buffer): Promise<string> {
  const connection = await RawConnection.open(port);
  connection.send(bytes);
  const received = await connection.ended();
  connection.close();
  return received;
}

describe.each([
  { where: 'on a port of its own', port: () => server.port, base: '' },
  { where: 'mounted in another app', port: () => (mounted.address() as AddressInfo).port, base: '/api' },
])('$where', ({ port, base }) => {
  test('reset ends the connection before the first byte', async () => {
    expect(await bytesOf(port(), request(`GET ${base}/pets`, asking('reset')))).toBe('');
  });

  test('truncate announces the whole, and sends half', async () => {
    const received = await bytesOf(port(), request(`GET ${base}/pets/1`, asking('truncate')));
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body).toHaveLength(Math.floor(length / 2));
    expect(head).toContain('X-Standin-Fault: truncate');
  });

  /** Asks on another connection, and waits for the response: what was on its way before has arrived then. */
  async function exchangeElsewhere(): Promise<void> {
    const connection = await RawConnection.open(port());
    connection.send(request(`GET ${base}/pets/3`));
    expect((await connection.next()).status).toBe(200);
    connection.close();
  }

  test('latency delays the response; the responses behind it keep their order', async () => {
    const connection = await RawConnection.open(port());
    connection.send(
      Buffer.concat([request(`GET ${base}/pets/1`, asking('latency:150ms')), request(`GET ${base}/pets/2`)]),
    );
    await timers.running(1);
    expect(timers.durations()).toEqual([150]);
    await exchangeElsewhere();
    expect(connection.unread()).toBe('');
    timers.endFirst();
    const [first, second] = [await connection.next(), await connection.next()];
    expect([first, second].map(({ body }) => (JSON.parse(body) as { id: number }).id)).toEqual([1, 2]);
    expect(first.header('X-Standin-Fault')).toBe('latency:150ms');
    connection.close();
  });

  test('dribble sends the body in pieces with pauses between them', async () => {
    const connection = await RawConnection.open(port());
    connection.send(request(`GET ${base}/pets/1`, asking('dribble:20/30ms')));
    await timers.running(1);
    const received = (): [head: string, body: string] => {
      const [head = '', body = ''] = connection.unread().split('\r\n\r\n');
      return [head, body];
    };
    await until(() => received()[1].length >= 20, 'the first piece');
    const length = Number(/content-length: (\d+)/i.exec(received()[0])?.[1]);
    for (let size = 20; size < length; size += 20) {
      await until(() => received()[1].length >= size, `${size} bytes`);
      await exchangeElsewhere();
      expect(received()[1]).toHaveLength(size);
      expect(timers.durations()).toEqual([30]);
      timers.endFirst();
    }
    expect(JSON.parse((await connection.next()).body)).toMatchObject({ id: 1 });
    expect(timers.durations()).toEqual([]);
    connection.close();
  });
});

test('behind a reset nothing is done any more', async () => {
  const before = server.stateText();
  const post = (fault: string[]): Buffer =>
    request('POST /categories', ['Content-Type: application/json', ...fault], '{"name":"Fish"}');
  expect(await bytesOf(server.port, Buffer.concat([post(asking('status:503, reset')), post([])]))).toBe('');
  expect(server.stateText()).toBe(before);
});

test('commit-then-fail does what was asked, and ends the connection', async () => {
  const count = (): number => (JSON.parse(server.stateText()) as Stored).collections['/categories']?.length ?? 0;
  const before = count();
  const headers = ['Content-Type: application/json', ...asking('commit-then-fail')];
  expect(await bytesOf(server.port, request('POST /categories', headers, '{"name":"Fish"}'))).toBe('');
  expect(count()).toBe(before + 1);
});

test('of two requests in flight only one gets a fault that happens once', async () => {
  const other = await startServer();
  const put = { method: 'PUT', headers: { 'Content-Type': 'application/json' } };
  await fetch(`http://127.0.0.1:${other.port}/__standin/faults`, { ...put, body: '{"faults":["truncate;times=1"]}' });
  const [head = '', body = ''] = request('POST /categories', ['Content-Type: application/json'], '{"name":"Fish"}')
    .toString()
    .split('\r\n\r\n');
  const connections = await Promise.all([RawConnection.open(other.port), RawConnection.open(other.port)]);
  // Both heads are read before either body comes: the answer to each says so.
  for (const connection of connections) {
    connection.send(`${head}\r\nExpect: 100-continue\r\n\r\n`);
    await connection.next();
  }
  const [first, second] = connections;
  first.send(body);
  expect(await first.ended()).toContain('X-Standin-Fault: truncate;times=1');
  second.send(body);
  const answer = await second.next();
  expect(answer.status).toBe(201);
  expect(answer.header('X-Standin-Fault')).toBeUndefined();
  for (const connection of connections) connection.close();
  await other.close();
});

test.each(['latency:50s', 'dribble:1/500ms'])('%s of pipelined requests ends with their connection', async (fault) => {
  const connection = await RawConnection.open(server.port);
  connection.send(Buffer.concat([1, 2, 3].map(() => request('GET /pets', asking(fault)))));
  await timers.running(3);
  connection.reset();
  // The first one ends with it. Node 20 does not tell the others, which wait for it, that the connection is closed: their
  // timers run on. Node 24 does.
  await until(() => timers.durations().length <= 2, 'the first timer to end');
  for (let left = timers.durations().length; left > 0; left--) timers.endFirst();
  expect(timers.durations()).toEqual([]);
});

test('the timer of a delay does not keep the process alive', () => {
  const countTimers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = countTimers();
  const cancel = startRealTimer(50_000, () => undefined);
  expect(countTimers()).toBe(before);
  cancel();
});

test('a delayed response does not keep the server from closing', async () => {
  const other = await startServer({}, 0, { startTimer: timers.start });
  const connection = await RawConnection.open(other.port);
  connection.send(request('GET /pets', asking('latency:60s')));
  await timers.running(1);
  connection.reset();
  await other.close();
  await timers.running(0);
});

interface Stored {
  readonly collections: Readonly<Record<string, readonly unknown[]>>;
}
