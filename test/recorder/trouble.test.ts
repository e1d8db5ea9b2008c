import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startRaw } from '../network/raw-server';
import { closeAll, closeLater, record, serve, stop, textOf } from './recorder';

afterEach(closeAll);

test('a target that is down costs 502s that say so, and is reached again when it is back', async () => {
  const first = await serve((_, response) => {
    response.end('one');
  });
  const recorder = await record(first.url);
  expect(await (await fetch(recorder.url)).text()).toBe('one');
  await stop(first.server);
  const down = await fetch(`${recorder.url}/x`, { method: 'POST', body: 'kept' });
  expect([down.status, down.headers.get('content-type'), down.headers.get('x-standin-recorder')]).toEqual([
    502,
    'application/problem+json',
    'no-response',
  ]);
  expect(await down.json()).toMatchObject({
    status: 502,
    detail: expect.stringMatching(/^The recorder: connect ECONNREFUSED/),
  });
  await serve((_, response) => {
    response.end('two');
  }, first.port);
  expect(await (await fetch(recorder.url)).text()).toBe('two');
  expect(recorder.exchanges.map(({ response }) => response && textOf(response.body))).toEqual([
    'one',
    undefined,
    'two',
  ]);
  expect(recorder.exchanges[1]).toMatchObject({
    endedAt: undefined,
    request: { method: 'POST', body: { text: 'kept' } },
    notes: [expect.stringMatching(/^no response came: connect ECONNREFUSED/)],
  });
  expect(recorder.notices[0]).toMatch(
    /^POST \/x: connect ECONNREFUSED.*; the client got 502, and the recording goes on$/,
  );
});

test('a target that breaks off in the middle breaks the response off, and what came is kept', async () => {
  const target = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart');
  });
  closeLater(() => target.close());
  const recorder = await record(target.url);
  const response = await fetch(recorder.url);
  const reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('part');
  await target.close();
  await expect(reader.read()).rejects.toThrow();
  const exchange = await recorder.exchange(0);
  expect([exchange.response?.status, textOf(exchange.response?.body), exchange.endedAt, exchange.notes]).toEqual([
    200,
    'part',
    undefined,
    ['the target broke it off before the response was complete'],
  ]);
});

test('what is not HTTP is a 502, and the recording goes on', async () => {
  const target = await startRaw((socket, _head, number) => {
    socket.end(number === 0 ? 'SSH-2.0-x\r\n' : 'HTTP/1.1 204 OK\r\n\r\n');
  });
  closeLater(() => target.close());
  const recorder = await record(target.url);
  expect([(await fetch(recorder.url)).status, (await fetch(recorder.url)).status]).toEqual([502, 204]);
});

test('a client that aborts ends the request at the target, and is recorded with what had come', async () => {
  const aborted: string[] = [];
  const target = await serve((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) aborted.push(request.url ?? '');
    });
    if (request.url === '/body') response.writeHead(200, { 'Content-Type': 'text/plain' }).write('so far');
  });
  const recorder = await record(target.url);
  for (const path of ['/head', '/body']) {
    const controller = new AbortController();
    const asked = fetch(recorder.url + path, { signal: controller.signal });
    if (path === '/body') {
      const { body } = await asked;
      await body?.getReader().read();
    } else {
      await once(target.server, 'request');
    }
    controller.abort();
    await asked.catch(() => undefined);
    await recorder.exchange(path === '/head' ? 0 : 1);
  }
  while (aborted.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const [head, body] = recorder.exchanges;
  expect(aborted).toEqual(['/head', '/body']);
  expect([head?.response, head?.notes]).toEqual([undefined, ['the client aborted it']]);
  expect([textOf(body?.response?.body), body?.notes]).toEqual(['so far', ['the client aborted it']]);
});

test('an upload that is aborted is recorded as far as it came', async () => {
  const target = await serve(() => undefined);
  const recorder = await record(target.url);
  const socket = connect(recorder.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
  await once(target.server, 'request');
  socket.destroy();
  const { request, notes } = await recorder.exchange(0);
  expect([textOf(request.body), notes]).toEqual(['half', ['the client aborted it']]);
});

test('a response before the end of the upload reaches the client', async () => {
  const target = await serve((_, response) => {
    response.writeHead(413, { Connection: 'close' }).end('too much');
  });
  const recorder = await record(target.url);
  const socket = connect(recorder.port, '127.0.0.1');
  closeLater(() => {
    socket.destroy();
  });
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nfirst');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 [^]*too much/);
  expect((await recorder.exchange(0)).notes).toEqual([
    'the response came before the client had sent all of the request',
  ]);
});

/** Sends a handshake by bare bytes, and gives what comes until it matches. */
async function handshake(socket: Socket, lines: readonly string[], until: RegExp, body = ''): Promise<string> {
  let text = '';
  socket.write([...lines, '', body].join('\r\n'));
  while (!until.test(text)) text += String(((await once(socket, 'data')) as [Buffer])[0]);
  return text;
}

const HANDSHAKE = ['Host: h', 'Connection: keep-alive, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: abc'];

test('an upgrade passes through both ways, is recorded as such, and is told once', async () => {
  const target = await serve((_, response) => response.end());
  let received = '';
  target.server.on('upgrade', ({ headers }, socket: Socket, head: Buffer) => {
    received = `${String(headers.upgrade)} ${String(headers['sec-websocket-key'])} ${head.toString()}`;
    socket.write(
      'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
    );
    socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk.toString()}`));
    socket.on('end', () => socket.end('bye'));
  });
  const recorder = await record(target.url);
  const socket = connect({ port: recorder.port, host: '127.0.0.1', allowHalfOpen: true });
  const text = await handshake(socket, ['GET /chat HTTP/1.1', ...HANDSHAKE], /\r\n\r\n/);
  expect(text).toMatch(
    /^HTTP\/1\.1 101 Switching\r\nSec-WebSocket-Accept: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n$/,
  );
  socket.write('one');
  expect(String(((await once(socket, 'data')) as [Buffer])[0])).toBe('echo one');
  socket.end();
  let rest = '';
  socket.on('data', (chunk: Buffer) => (rest += chunk.toString()));
  await once(socket, 'end');
  expect([received, rest]).toEqual(['websocket abc ', 'bye']);
  const exchange = await recorder.exchange(0);
  expect([exchange.response?.status, exchange.notes]).toEqual([
    101,
    ['an upgrade to websocket: what came behind it is not recorded'],
  ]);
  expect(recorder.notices).toEqual([expect.stringContaining('GET /chat became a connection of websocket')]);
});

test('an upgrade that the target rejects is an exchange as any other', async () => {
  const target = await serve((_, response) => {
    response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"code":"no"}');
  });
  const recorder = await record(target.url);
  const socket = connect(recorder.port, '127.0.0.1');
  const text = await handshake(socket, ['GET /chat HTTP/1.1', ...HANDSHAKE], /no"}/);
  expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  await once(socket, 'close');
  const { response, notes } = await recorder.exchange(0);
  expect([response?.status, textOf(response?.body), notes]).toEqual([401, '{"code":"no"}', []]);
});

test('an upgrade at a target that is down is a 502', async () => {
  const target = await serve((_, response) => response.end());
  await stop(target.server);
  const recorder = await record(target.url);
  const socket = connect(recorder.port, '127.0.0.1');
  expect(await handshake(socket, ['GET / HTTP/1.1', ...HANDSHAKE], /}/)).toMatch(/^HTTP\/1\.1 502 Bad Gateway/);
});

test('a client that offers HTTP/2 is answered in HTTP/1.1, its body included', async () => {
  const target = await serve((request, response) => {
    response.setHeader('X-Upgrade', String(request.headers.upgrade));
    request.pipe(response);
  });
  const recorder = await record(target.url);
  const socket = connect(recorder.port, '127.0.0.1');
  closeLater(() => {
    socket.destroy();
  });
  const lines = [
    'POST / HTTP/1.1',
    'Host: h',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AA',
  ];
  const text = await handshake(socket, [...lines, 'Content-Length: 5'], /hello/, 'hello');
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Upgrade: undefined/);
  const { request } = await recorder.exchange(0);
  expect([textOf(request.body), request.headers.join()]).toEqual([
    'hello',
    expect.not.stringMatching(/upgrade|http2/i),
  ]);
  // The connection goes on.
  socket.write('GET /next HTTP/1.1\r\nHost: h\r\n\r\n');
  expect((await recorder.exchange(1)).request.target).toBe('/next');
});

test('two exchanges of one millisecond are kept apart, and a clock that goes back disorders nothing', async () => {
  const target = await serve((_, response) => response.end());
  const recorder = await record(target.url);
  await fetch(`${recorder.url}/0`);
  const { now } = Date;
  Date.now = () => now() - 3_600_000;
  try {
    for (const path of ['/1', '/2', '/3']) await fetch(recorder.url + path);
  } finally {
    Date.now = now;
  }
  const times = recorder.exchanges.flatMap(({ startedAt = 0, endedAt = 0 }) => [startedAt, endedAt]);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(new Set(times).size).toBe(8);
});

test('exchanges are numbered by when they began, whichever is done first', async () => {
  let answerFirst: (() => void) | undefined;
  const target = await serve((request, response) => {
    if (request.url === '/first') answerFirst = () => response.end();
    else response.end();
  });
  const recorder = await record(target.url);
  const first = fetch(`${recorder.url}/first`);
  await once(target.server, 'request');
  await fetch(`${recorder.url}/second`);
  answerFirst?.();
  await first;
  expect(recorder.exchanges.map(({ source, request }) => [source, request.target])).toEqual([
    ['2', '/second'],
    ['1', '/first'],
  ]);
});

test('an exchange that cannot be recorded is told, and the client gets its response', async () => {
  const target = await serve((_, response) => response.end('ok'));
  const recorder = await record(target.url, {
    onExchanges() {
      throw new Error('the disk is full');
    },
  });
  expect(await (await fetch(recorder.url)).text()).toBe('ok');
  expect(recorder.notices).toEqual(['Exchange 1 could not be recorded: the disk is full']);
});

test('of many at once, each is recorded before its client has the last byte', async () => {
  const target = await serve((request, response) => response.end(request.url));
  const recorder = await record(target.url);
  const paths = Array.from({ length: 40 }, (_, index) => `/things/${index}`);
  const isRecorded = await Promise.all(
    paths.map(async (path) => {
      const text = await (await fetch(recorder.url + path)).text();
      return recorder.exchanges.some(({ request }) => request.target === text);
    }),
  );
  expect(isRecorded).toEqual(paths.map(() => true));
  expect(recorder.exchanges).toHaveLength(paths.length);
});

test('at its end what is on its way comes to its end, and what has none is recorded as far as it came', async () => {
  let answer: (() => void) | undefined;
  const target = await serve((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    } else answer = () => response.end('late');
  });
  const recorder = await record(target.url);
  const events = httpRequest({ port: recorder.port, path: '/events' }).end();
  const [stream] = (await once(events, 'response')) as [IncomingMessage];
  stream.on('error', () => undefined);
  await once(stream, 'data');
  const late = fetch(`${recorder.url}/late`);
  await once(target.server, 'request');
  const closed = recorder.close();
  answer?.();
  expect(await (await late).text()).toBe('late');
  await closed;
  expect(
    recorder.exchanges.map(({ request, response, notes }) => [request.target, textOf(response?.body), notes]),
  ).toEqual([
    ['/events', 'data: 1\n\n', ['it was still going on when the recording was stopped']],
    ['/late', 'late', []],
  ]);
  await expect(fetch(recorder.url)).rejects.toThrow();
});

test('a port that is taken is said so', async () => {
  const target = await serve((_, response) => response.end());
  await expect(record(target.url, { port: target.port })).rejects.toMatchObject({ code: 'CONFIG_PORT_IN_USE' });
});
