import { connect } from 'node:net';
import { type AdminEvent, EventListener } from '../support/event-listener';
import { createInProcessTransport } from '../../src/network/target';
import { startServer, type TestServer } from '../support/server';
import { until } from '../support/until';

/** Everything that fake timers replace, but for `setTimeout`. */
const ALL_BUT_TIMEOUTS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

let server: TestServer;
const open: EventListener[] = [];
beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  for (const each of open.splice(0)) each.close();
  await server.close();
});

async function listen(query?: string, headers?: readonly string[]): Promise<EventListener> {
  const listener = new EventListener(server, query, headers);
  open.push(listener);
  await listener.until(() => listener.head !== '', 'the head');
  return listener;
}

async function ask(
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<number> {
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json', ...init.headers };
  return (await fetch(`${server.url}${path}`, { ...init, headers })).status;
}

/** Lets the mock answer requests without a socket. */
async function answerInProcess(count: number, target = '/pets/1'): Promise<void> {
  const transport = createInProcessTransport(server.mock.engine);
  const headers = { authorization: 'Bearer test-key' };
  const rawHeaders = Object.entries(headers).flat();
  for (let index = 0; index < count; index++)
    await transport.send({ method: 'GET', target, headers, rawHeaders, body: new Uint8Array() });
}

/** Is there room for one more listener? It does not stay. */
async function canListen(): Promise<boolean> {
  const listener = await listen();
  listener.close();
  return listener.status === 200;
}

const seqs = (events: readonly AdminEvent[]): unknown[] =>
  events.flatMap(({ data }) => (data['requests'] as { seq: number }[]).map(({ seq }) => seq));

test('who listens is greeted, and told of each request in its order', async () => {
  await ask('/pets');
  const listener = await listen();
  expect(listener.status).toBe(200);
  expect(listener.head).toMatch(/content-type: text\/event-stream/i);
  expect(listener.head).toMatch(/x-content-type-options: nosniff/i);
  await listener.until(() => listener.events.length > 0, 'hello');
  const [hello] = listener.events;
  expect(hello).toMatchObject({
    name: 'hello',
    data: { last: 1, instance: expect.stringMatching(/^[0-9a-f]+$/) as string },
  });
  await ask('/pets/1');
  await ask('/pets/2', { headers: { 'X-Standin-Sandbox': 'a' } });
  await listener.until(() => seqs(listener.named('requests')).length >= 2, 'requests');
  expect(seqs(listener.named('requests'))).toEqual([2, 3]);
  expect(listener.named('requests').at(-1)?.id).toBe(`${String(hello?.data['instance'])}-3`);
});

test('who comes back is told what it missed; of another start of the mock everything', async () => {
  for (let index = 0; index < 3; index++) await ask('/pets');
  const first = await listen();
  await first.until(() => first.events.length > 0, 'hello');
  const instance = String(first.events[0]?.data['instance']);
  first.close();
  const back = await listen('', [`Last-Event-ID: ${instance}-1`]);
  await back.until(() => back.named('requests').length > 0, 'what was missed');
  expect(seqs(back.named('requests'))).toEqual([2, 3]);
  const other = await listen('', ['Last-Event-ID: 0123456789ab-2']);
  await other.until(() => other.named('requests').length > 0, 'everything');
  expect(seqs(other.named('requests'))).toEqual([1, 2, 3]);
  const odd = await listen('', ['Last-Event-ID: something']);
  await odd.until(() => odd.events.length > 0, 'hello');
  expect(odd.named('requests')).toEqual([]);
});

test('what is too much for one message is counted, and one sandbox can be heard alone', async () => {
  await answerInProcess(510);
  await ask('/pets/1', { headers: { 'X-Standin-Sandbox': 'a' } });
  const all = await listen('', ['Last-Event-ID: 0123456789ab-2']);
  await all.until(() => all.named('requests').length > 0, 'requests');
  expect(all.named('requests')[0]?.data).toMatchObject({ dropped: 411, last: 511 });
  expect(seqs(all.named('requests'))).toHaveLength(100);
  const one = await listen('?sandbox=a', ['Last-Event-ID: 0123456789ab-2']);
  await one.until(() => one.named('requests').length > 0, 'requests of a');
  expect(one.named('requests')[0]?.data).toMatchObject({ dropped: 0, requests: [{ seq: 511, sandbox: 'a' }] });
});

test('changes by others than requests are told, by routes and by programs', async () => {
  const listener = await listen();
  const told = (): unknown[] => listener.named('change').map(({ data }) => data['what']);
  await ask('/__standin/clock', { method: 'PUT', body: '{"now":null}' });
  server.app.setFaults('latency:1ms');
  server.app.sandbox('a').putRow('/categories', { id: 9, name: 'Fish' });
  await listener.until(() => told().length >= 3, 'changes');
  expect(told().toSorted()).toEqual(['clock', 'faults', 'state']);
  await ask('/__standin/restore', { method: 'POST', body: '{"name":"nothing"}' });
  server.app.sandbox('a').fork('b').remove();
  await listener.until(() => told().length > 3, 'the fork');
  expect(told().slice(3)).toEqual(['sandboxes']);
});

test('twenty may listen; the next one is told why it cannot', async () => {
  for (let index = 0; index < 20; index++) await listen();
  const late = await fetch(`${server.url}/__standin/events`);
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({
    code: 'too_many_listeners',
    message: expect.stringContaining('20') as string,
  });
  open.pop()?.close();
  await until(canListen, 'room for one more listener');
});

test('the server can be closed while somebody listens', async () => {
  const listener = await listen();
  // The time that open requests have to end stands still, so that only the end of the events ends the server.
  jest.useFakeTimers({ doNotFake: [...ALL_BUT_TIMEOUTS] });
  try {
    await server.close();
  } finally {
    jest.useRealTimers();
  }
  await listener.until(() => listener.isClosed, 'the end');
  server = await startServer();
});

test('who does not read is given up, and who only asks for the head gets no events', async () => {
  const deaf = await listen();
  deaf.pause();
  for (let index = 0; index < 19; index++) await listen('?sandbox=quiet');
  expect(await canListen()).toBe(false);
  // There is room when the deaf listener was given up.
  await until(async () => {
    await answerInProcess(100, `/pets?name=${'x'.repeat(7000)}`);
    return canListen();
  }, 'the end of the listener that does not read');
  const head = await fetch(`${server.url}/__standin/events`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(server.defects).toEqual([]);
});

/** Asks for events behind another request of the same connection, and is gone before it gets them. */
async function leaveBehind(...requests: readonly (readonly string[])[]): Promise<void> {
  const socket = connect(server.port, '127.0.0.1').once('error', () => undefined);
  const host = `Host: ${server.host}`;
  const text = requests.map(([line = '', ...headers]) => [line, host, ...headers, '', ''].join('\r\n')).join('');
  await new Promise<void>((resolve) => {
    socket.write(text, () => {
      resolve();
    });
  });
  // The server has read these requests when it answers one that came later.
  await ask('/pets/1');
  socket.destroy();
}

const EVENTS = ['GET /__standin/events HTTP/1.1'];
const LATE = 'X-Standin-Fault: latency:40ms';

test.each([
  ['of other events', [EVENTS, ...Array.from({ length: 25 }, () => EVENTS)]],
  [
    'that is late',
    [['GET /pets HTTP/1.1', 'Authorization: Bearer test-key', LATE], ...Array.from({ length: 25 }, () => EVENTS)],
  ],
])('events behind a request %s are not begun for a client that is gone', async (_, requests) => {
  await leaveBehind(...requests);
  // A request that is late as long, and began later, is answered after the first one.
  const [name = '', value = ''] = LATE.split(': ');
  await ask('/pets', { headers: { [name]: value } });
  for (let index = 0; index < 20; index++) expect((await listen()).status).toBe(200);
  expect(server.defects).toEqual([]);
});
