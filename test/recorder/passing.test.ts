import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startRaw } from '../network/raw-server';
import { closeAll, closeLater, record, serve, stop, textOf, values } from './recorder';

afterEach(closeAll);

/** Sends bytes and reads until the other side closes. */
async function exchangeRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('header lines pass with their case, order and repetitions, those of a connection do not, both ways', async () => {
  const target = await startRaw((socket) => {
    socket.write(
      'HTTP/1.1 200 Fine So\r\nX-Two: a\r\nx-one: b\r\nX-Two: c\r\nDate: D\r\nConnection: X-Hop\r\nX-Hop: 1\r\nContent-Length: 2\r\n\r\nhi',
    );
  });
  closeLater(() => target.close());
  const recorder = await record(target.url);
  const answer = await exchangeRaw(
    recorder.port,
    'GET /a/../b?x=%7e&y=<"> HTTP/1.1\r\nHost: here:1\r\nX-MiXed: 1\r\nX-B: 2\r\nx-mixed: 3\r\nCookie: a=1\r\nConnection: close, X-Own\r\nX-Own: 1\r\n\r\n',
  );
  const host = target.url.slice('http://'.length);
  expect(target.heads[0]?.split('\r\n')).toEqual([
    'GET /a/../b?x=%7e&y=<"> HTTP/1.1',
    `Host: ${host}`,
    'X-MiXed: 1',
    'X-MiXed: 3',
    'X-B: 2',
    'Cookie: a=1',
    'Connection: keep-alive',
  ]);
  expect(answer).toBe(
    'HTTP/1.1 200 Fine So\r\nX-Two: a\r\nx-one: b\r\nX-Two: c\r\nDate: D\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
  );
  const { request, response } = await recorder.exchange(0);
  expect(request).toEqual({
    method: 'GET',
    target: '/a/../b?x=%7e&y=<">',
    headers: ['Host', host, 'X-MiXed', '1', 'X-B', '2', 'x-mixed', '3', 'Cookie', 'a=1'],
    body: undefined,
  });
  expect(response?.headers.slice(0, 6)).toEqual(['X-Two', 'a', 'x-one', 'b', 'X-Two', 'c']);
});

test.each(['/', '/?', '//twice//', '*', '/a?b=1?c=2&&', '/%2F%zz'])('the target %s passes as it is', async (path) => {
  const target = await serve((request, response) => {
    response.end(request.url);
  });
  const recorder = await record(target.url);
  const method = path === '*' ? 'OPTIONS' : 'GET';
  const answer = await exchangeRaw(recorder.port, `${method} ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(path);
  expect((await recorder.exchange(0)).request.target).toBe(path);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('a body in %s passes as it came, and is recorded decoded', async (coding, compress) => {
  const bytes = compress(Buffer.from('{"name":"Nova"}'));
  const target = await serve((_, response) => {
    response.setHeader('Content-Encoding', coding).setHeader('Content-Type', 'application/json').end(bytes);
  });
  const recorder = await record(target.url);
  const got = httpRequest({ port: recorder.port, path: '/', headers: { 'Accept-Encoding': 'gzip, br' } }).end();
  const [response] = (await once(got, 'response')) as [IncomingMessage];
  expect(await read(response)).toEqual(bytes);
  const exchange = await recorder.exchange(0);
  expect(textOf(exchange.response?.body)).toBe('{"name":"Nova"}');
});

test('only codings that the recording can undo are asked for, and the client is recorded as it asked', async () => {
  const target = await serve((request, response) => {
    response.end(request.headers['accept-encoding']);
  });
  const recorder = await record(target.url);
  const headers = { 'Accept-Encoding': 'zstd, br;q=0.9, gzip' };
  const got = httpRequest({ port: recorder.port, headers }).end();
  const [response] = (await once(got, 'response')) as [IncomingMessage];
  expect((await read(response)).toString()).toBe('br;q=0.9, gzip');
  expect(values((await recorder.exchange(0)).request.headers, 'accept-encoding')).toEqual(['zstd, br;q=0.9, gzip']);
});

test('binary bodies pass both ways byte for byte, in chunks and with a length', async () => {
  const sent = randomBytes(100_000);
  const target = await serve((request, response) => {
    response.setHeader('Content-Type', 'image/png');
    request.pipe(response);
  });
  const recorder = await record(target.url);
  for (const headers of [{ 'Content-Length': sent.length }, { 'Transfer-Encoding': 'chunked' }]) {
    const put = httpRequest({ port: recorder.port, method: 'PUT', headers });
    put.end(sent);
    const [response] = (await once(put, 'response')) as [IncomingMessage];
    expect((await read(response)).equals(sent)).toBe(true);
  }
  for (const index of [0, 1]) {
    const { request, response } = await recorder.exchange(index);
    expect([request.body, response?.body]).toEqual(Array(2).fill({ kind: 'bytes', base64: sent.toString('base64') }));
  }
});

test.each(['DELETE', 'GET', 'OPTIONS', 'PATCH'])('a %s with a body in chunks keeps it', async (method) => {
  const target = await serve((request, response) => {
    request.pipe(response);
  });
  const recorder = await record(target.url);
  const answer = await exchangeRaw(
    recorder.port,
    `${method} / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  );
  expect(answer).toMatch(/\r\n5\r\nhello\r\n0\r\n\r\n$/);
  expect(textOf((await recorder.exchange(0)).request.body)).toBe('hello');
});

test('trailers pass both ways', async () => {
  const target = await serve((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { Trailer: 'X-Sum' });
      response.write('body');
      response.addTrailers({ 'X-Sum': String(request.trailers['x-check']) });
      response.end();
    });
  });
  const recorder = await record(target.url);
  const answer = await exchangeRaw(
    recorder.port,
    'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTrailer: X-Check\r\nConnection: close\r\n\r\n1\r\na\r\n0\r\nX-Check: 7\r\n\r\n',
  );
  expect(answer).toMatch(/0\r\nX-Sum: 7\r\n\r\n$/);
});

test.each([
  ['HEAD', 200, 'Content-Length: 120'],
  ['GET', 204, undefined],
  ['GET', 304, 'Content-Length: 33'],
])('a %s with %i has its head and no body', async (method, status, line) => {
  const target = await startRaw((socket) => {
    socket.write(`HTTP/1.1 ${status} X\r\nETag: "1"\r\n${line === undefined ? '' : `${line}\r\n`}\r\n`);
  });
  closeLater(() => target.close());
  const recorder = await record(target.url);
  const answer = await exchangeRaw(recorder.port, `${method} / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  expect(answer).toContain('ETag: "1"');
  if (line !== undefined) expect(answer).toContain(line);
  expect(answer).toMatch(/\r\n\r\n$/);
  expect((await recorder.exchange(0)).response).toMatchObject({ status, body: undefined });
});

test('4xx and 5xx are recorded as any other response', async () => {
  const target = await serve((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'Content-Type': 'application/json' }).end('{"code":"x"}');
  });
  const recorder = await record(target.url);
  for (const status of [404, 500]) expect((await fetch(`${recorder.url}/${status}`)).status).toBe(status);
  expect(recorder.exchanges.map(({ response }) => [response?.status, textOf(response?.body)])).toEqual([
    [404, '{"code":"x"}'],
    [500, '{"code":"x"}'],
  ]);
});

test('a connection is used again on both sides', async () => {
  let connections = 0;
  const target = await serve((_, response) => {
    response.end('ok');
  });
  target.server.on('connection', () => (connections += 1));
  const recorder = await record(target.url);
  const socket = connect(recorder.port, '127.0.0.1');
  closeLater(() => {
    socket.destroy();
  });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  for (let count = 1; count <= 5; count++) {
    socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    while (text.split('\r\n\r\nok').length <= count) await once(socket, 'data');
  }
  expect(connections).toBe(1);
  expect(recorder.exchanges).toHaveLength(5);
});

test('a client of HTTP/1.0 gets a body that ends with the connection', async () => {
  const target = await serve((_, response) => {
    response.write('a');
    response.end('b');
  });
  const recorder = await record(target.url);
  const answer = await exchangeRaw(recorder.port, 'GET / HTTP/1.0\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nab$/);
  expect(answer).not.toMatch(/chunked/i);
});

test('a large body is passed on no faster than the client reads it, and recorded with its size', async () => {
  const piece = randomBytes(1024 * 1024);
  const count = 60;
  let sent = 0;
  const target = await serve((_, response) => {
    let left = count;
    const write = (): void => {
      while (left > 0) {
        left -= 1;
        sent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', write);
          return;
        }
      }
      response.end();
    };
    write();
  });
  const recorder = await record(target.url);
  let mostHeld = 0;
  const hash = createHash('sha256');
  const got = httpRequest({ port: recorder.port }).end();
  const [response] = (await once(got, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    hash.update(chunk as Buffer);
    // Time for the recorder to read on: it would take the whole body if nothing held it back.
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    mostHeld = Math.max(mostHeld, sent - bytes);
  }
  const expected = createHash('sha256');
  for (let index = 0; index < count; index++) expected.update(piece);
  expect([bytes, hash.digest('hex')]).toEqual([count * piece.length, expected.digest('hex')]);
  expect(mostHeld).toBeLessThan((count * piece.length) / 2);
  expect((await recorder.exchange(0)).response?.body).toEqual({
    kind: 'omitted',
    reason: 'it has more than 8388608 bytes',
    bytes: count * piece.length,
  });
});

test('events reach the client as they come, and are recorded at the end', async () => {
  let send: ((text: string) => void) | undefined;
  let end: (() => void) | undefined;
  const target = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    send = (text) => response.write(text);
    end = () => response.end();
  });
  const recorder = await record(target.url);
  const got = httpRequest({ port: recorder.port }).end();
  const [response] = (await once(got, 'response')) as [IncomingMessage];
  for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
    send?.(text);
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.toString()).toBe(text);
  }
  expect(recorder.exchanges).toHaveLength(0);
  end?.();
  expect(textOf((await recorder.exchange(0)).response?.body)).toBe('data: 1\n\ndata: 2\n\n');
});

test('the leave to send a body is that of the target', async () => {
  const target = await serve(() => undefined);
  target.server.on('checkContinue', (request, response) => {
    if (request.url === '/no') response.writeHead(417).end();
    else {
      response.writeContinue();
      request.pipe(response);
    }
  });
  const recorder = await record(target.url);
  const post = httpRequest({
    port: recorder.port,
    method: 'POST',
    headers: { Expect: '100-continue', 'Content-Length': 4 },
  });
  post.flushHeaders();
  await once(post, 'continue');
  post.end('body');
  const [response] = (await once(post, 'response')) as [IncomingMessage];
  expect((await read(response)).toString()).toBe('body');
  const rejected = await exchangeRaw(
    recorder.port,
    'POST /no HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\n',
  );
  expect(rejected).toMatch(/^HTTP\/1\.1 417 /);
});

test('an idle connection that the target has closed costs a client nothing', async () => {
  const target = await serve((_, response) => {
    response.end('ok');
  });
  // Closed without a word in advance, in the moment at which it is used again.
  target.server.on('connection', (socket) => {
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      if (requests > 1) socket.resetAndDestroy();
    });
  });
  const recorder = await record(target.url);
  for (let count = 0; count < 3; count++) expect((await fetch(`${recorder.url}/`)).status).toBe(200);
  expect(recorder.exchanges.map(({ response }) => response?.status)).toEqual([200, 200, 200]);
  await stop(target.server);
});

describe('a target whose URL has a path', () => {
  const paths = (path: string): Promise<[string, string, readonly string[]]> =>
    startPathServer().then(async ({ recorder }) => {
      const shown = await (await fetch(recorder.url + path, { redirect: 'follow' })).text();
      return [shown, (await recorder.exchange(0)).request.target, recorder.notices];
    });

  async function startPathServer() {
    const target = await serve((request, response) => {
      response.setHeader('Set-Cookie', 'sid=1; Path=/api/v2; HttpOnly');
      if (request.url === '/api/v2/old') response.writeHead(302, { Location: '/login' });
      response.end(request.url);
    });
    return { target, recorder: await record(target.url, { basePath: '/api/v2' }) };
  }

  test.each([
    ['/pets?a=b', '/api/v2/pets?a=b', 1],
    ['/api/v2/pets?a=b', '/api/v2/pets?a=b', 0],
    ['/api/v2', '/api/v2', 0],
    ['/api/v20/pets', '/api/v2/api/v20/pets', 1],
    ['/', '/api/v2/', 1],
  ])('%s is sent and recorded as %s', async (asked, expected, notices) => {
    const [shown, recorded, told] = await paths(asked);
    expect([shown, recorded, told.length]).toEqual([expected, expected, notices]);
  });

  test('what is sent elsewhere is told once, without its query', async () => {
    const { recorder, target } = await startPathServer();
    for (const path of ['/pets?api_key=hush', '/dogs']) await fetch(recorder.url + path);
    expect(recorder.notices).toEqual([
      `GET /pets was sent to ${target.url}/api/v2/pets: requests outside /api/v2 are sent below it. To record other paths of the host, start with --target ${target.url}`,
    ]);
  });

  test('a redirect to another path of the host is followed there', async () => {
    const [shown] = await paths('/old');
    expect(shown).toBe('/login');
  });

  test('a cookie comes back to a client that leaves the path out', async () => {
    const { recorder } = await startPathServer();
    const cookies = await Promise.all(
      ['/pets', '/api/v2/pets'].map(async (path) => (await fetch(recorder.url + path)).headers.get('set-cookie')),
    );
    expect(cookies).toEqual(['sid=1; Path=/; HttpOnly', 'sid=1; Path=/api/v2; HttpOnly']);
  });

  test('a whole URL of the target is meant as it is', async () => {
    const { recorder, target } = await startPathServer();
    const answer = await exchangeRaw(
      recorder.port,
      `GET ${target.url}/login HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('/login');
  });
});
