import { getEventListeners } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createUndiciTransport, type UndiciTransportOptions } from '../../src/network/undici-transport';
import type { HttpRequest, HttpResponse } from '../../src/core/http/message';
import { rawAnswer, startRaw, type RawHandler } from './raw-server';
import { startPeer } from '../runner/peer';

const OPTIONS: UndiciTransportOptions = { timeoutMs: 20_000 };
const text = ({ body }: HttpResponse): string => new TextDecoder().decode(body as Uint8Array | undefined);

function request(method: string, target: string, rawHeaders: readonly string[] = [], body = ''): HttpRequest {
  return { method, target, headers: {}, rawHeaders, body: new TextEncoder().encode(body) };
}

async function send(url: string, what: HttpRequest, options = OPTIONS): Promise<HttpResponse> {
  const transport = createUndiciTransport(url, options);
  try {
    return await transport.send(what);
  } finally {
    await transport.close();
  }
}

/** What is sent at once to whoever asks, part by part, before the connection is ended. */
function says(...parts: (string | Buffer)[]): RawHandler {
  return (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };
}

async function sendRaw(...parts: (string | Buffer)[]): Promise<HttpResponse> {
  const server = await startRaw(says(...parts));
  try {
    return await send(server.url, request('GET', '/'));
  } finally {
    await server.close();
  }
}

test('white space around the value of a header is no part of it', async () => {
  const { headers } = await sendRaw('HTTP/1.1 200 OK\r\nETag: \t "a" \t\r\nContent-Length: 2\r\n\r\nok');
  expect(headers.slice(0, 2)).toEqual(['ETag', '"a"']);
});

test('a request arrives as it was given: target, body, and two lines of one name', async () => {
  const peer = await startPeer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, url, rawHeaders } = incoming;
      outgoing.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
    });
  });
  const headers = ['Authorization', 'Bearer a', 'Authorization', 'Bearer b'];
  const response = await send(peer.url, request('PATCH', '/a/../b?c=%2F&d', headers, 'ë'));
  await peer.close();
  const arrived = JSON.parse(text(response)) as { rawHeaders: string[] };
  expect(arrived).toMatchObject({ method: 'PATCH', url: '/a/../b?c=%2F&d', body: 'ë' });
  expect(arrived.rawHeaders.filter((part) => part.startsWith('Bearer'))).toEqual(['Bearer a', 'Bearer b']);
});

test('an answer is given back with its lines; a redirect is an answer', async () => {
  const peer = await startPeer((_, outgoing) => {
    outgoing.writeHead(307, ['Location', '/elsewhere', 'X-A', '1', 'x-a', '2']);
    outgoing.end();
  });
  const response = await send(peer.url, request('GET', '/'));
  await peer.close();
  expect(response).toMatchObject({ status: 307, body: undefined });
  expect(response.headers.slice(0, 6)).toEqual(['Location', '/elsewhere', 'X-A', '1', 'x-a', '2']);
});

test('what was compressed without being asked for is unpacked', async () => {
  const peer = await startPeer((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Encoding': 'gzip' });
    outgoing.end(gzipSync('{"a":1}'));
  });
  const response = await send(peer.url, request('GET', '/'));
  await peer.close();
  expect(text(response)).toBe('{"a":1}');
});

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test.each([
  { interim: 'a 103', parts: ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', OK] },
  { interim: 'a 100 that nobody asked for', parts: [CONTINUE, OK] },
  { interim: 'a 100 in the same packet', parts: [CONTINUE + OK] },
  {
    interim: 'two 100 with headers, and a 102',
    parts: [CONTINUE, 'HTTP/1.1 100 X\r\nA: b\r\n\r\nHTTP/1.1 102 X\r\n\r\n' + OK],
  },
])('$interim is passed over', async ({ parts }) => {
  const response = await sendRaw(...parts);
  expect({ status: response.status, text: text(response) }).toEqual({ status: 200, text: 'ok' });
});

test('a 100 that comes byte by byte is passed over, on a connection that is used again, too', async () => {
  const server = await startRaw((socket) => {
    const bytes = CONTINUE + OK;
    const next = (index: number): void => {
      if (index === bytes.length) return;
      socket.write(bytes[index]!);
      setImmediate(next, index + 1);
    };
    next(0);
  });
  const transport = createUndiciTransport(server.url, OPTIONS);
  const first = await transport.send(request('GET', '/'));
  const second = await transport.send(request('POST', '/', [], 'x'));
  await transport.close();
  await server.close();
  expect([text(first), text(second)]).toEqual(['ok', 'ok']);
});

test('what looks like a 100 in a body stays in it', async () => {
  const response = await sendRaw(`HTTP/1.1 200 OK\r\nContent-Length: ${CONTINUE.length}\r\n\r\n`, CONTINUE);
  expect(text(response)).toBe(CONTINUE);
});

test.each([204, 304])('a %d that names a length is an answer without a body', async (status) => {
  const response = await sendRaw(`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\n`);
  expect(response).toEqual({ status, headers: ['Content-Length', '5'], body: undefined });
});

describe('what is no whole answer', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const raw = (handler: RawHandler) => async (): Promise<string> => {
    const server = await startRaw(handler);
    closers.push(() => server.close());
    return server.url;
  };
  const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
  const gzip = 'Content-Encoding: gzip';
  const again = (socket: Parameters<RawHandler>[0], piece: string | Buffer): void => {
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => {
      clearInterval(timer);
    });
  };

  const never = raw(() => undefined);
  const endless = raw((socket) => socket.write(head('Content-Length: 50') + '{'));
  const dribble = raw((socket) => {
    socket.write(head('Content-Length: 100000'));
    again(socket, ' ');
  });
  const slowHead = raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-A: ');
    again(socket, 'a');
  });
  const onlyInterim = (bytes: string): (() => Promise<string>) =>
    raw((socket) => {
      again(socket, bytes);
    });

  const BROKEN: readonly { what: string; url: () => Promise<string>; code: string; message?: RegExp }[] = [
    { what: 'a connection that is reset', url: raw((socket) => socket.resetAndDestroy()), code: 'CONNECTION' },
    { what: 'a connection that is closed', url: raw((socket) => socket.end()), code: 'CONNECTION' },
    { what: 'fewer bytes than announced', url: raw(says(head('Content-Length: 50'), '{"a":1}')), code: 'CONNECTION' },
    {
      what: 'chunks without the last one',
      url: raw(says(head('Transfer-Encoding: chunked'), '3\r\nabc\r\n')),
      code: 'CONNECTION',
    },
    {
      what: 'chunks without the last one, before a connection was to be closed anyway',
      url: raw(says(head('Transfer-Encoding: chunked', 'Connection: close'), '3\r\nabc\r\n')),
      code: 'CONNECTION',
    },
    {
      what: 'a reset in the middle',
      url: raw((socket) => {
        socket.write(head('Content-Length: 50') + '{', () => socket.resetAndDestroy());
      }),
      code: 'CONNECTION',
    },
    { what: 'more bytes than will be read', url: raw(says(rawAnswer(200, Buffer.alloc(2000)))), code: 'RESPONSE' },
    {
      what: 'more bytes than will be unpacked',
      url: raw(says(rawAnswer(200, gzipSync(Buffer.alloc(100_000)), gzip))),
      code: 'RESPONSE',
    },
    {
      what: 'a gzip that is none',
      url: raw(says(rawAnswer(200, '{"a":1}', gzip))),
      code: 'RESPONSE',
      message: /decoded/,
    },
    {
      what: 'a gzip that was cut off',
      url: raw(says(rawAnswer(200, gzipSync('{"a":"bcd"}').subarray(0, 15), gzip))),
      code: 'RESPONSE',
    },
    { what: 'an unknown coding', url: raw(says(rawAnswer(200, 'x', 'Content-Encoding: zip'))), code: 'RESPONSE' },
    { what: 'another protocol', url: raw(says('220 mail.example.com ESMTP\r\n')), code: 'RESPONSE' },
    { what: 'a status that is none', url: raw(says('HTTP/1.1 two OK\r\n\r\n')), code: 'RESPONSE' },
    { what: 'a header without a name', url: raw(says(head(': x'))), code: 'RESPONSE' },
    { what: 'a space before the colon', url: raw(says(head('Content-Length : 0'))), code: 'RESPONSE' },
    {
      what: 'two lengths',
      url: raw(says(head('Content-Length: 2', 'Content-Length: 3'), 'abc')),
      code: 'CONNECTION',
      message: /Content-Length/,
    },
    { what: 'a chunk of no size', url: raw(says(head('Transfer-Encoding: chunked'), 'z\r\n')), code: 'RESPONSE' },
    {
      what: 'endless headers',
      url: raw(says(head(`X-A: ${'a'.repeat(50_000)}`))),
      code: 'RESPONSE',
      message: /headers/,
    },
    {
      what: 'a 100 with endless headers',
      url: raw((socket) => socket.write(`HTTP/1.1 100 X\r\nA: ${'a'.repeat(50_000)}`)),
      code: 'RESPONSE',
      message: /headers/,
    },
    {
      what: 'a bare 101',
      url: raw((socket) => socket.write('HTTP/1.1 101 X\r\n\r\n')),
      code: 'RESPONSE',
      message: /101/,
    },
    {
      what: 'a 101 to another protocol',
      url: raw((socket) => socket.write('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\n')),
      code: 'RESPONSE',
      message: /101/,
    },
  ];

  test.each(BROKEN)('$what is TRANSPORT_BROKEN_$code', async ({ url, code, message = /./ }) => {
    const sent = send(await url(), request('GET', '/'), { timeoutMs: 20_000, maxBodyBytes: 1000 });
    await expect(sent).rejects.toMatchObject({
      name: 'TransportError',
      code: `TRANSPORT_BROKEN_${code}`,
      message: expect.stringMatching(message) as string,
    });
  });

  test.each<{ what: string; url: () => Promise<string> }>([
    { what: 'no word at all', url: never },
    { what: 'a body that never ends', url: endless },
    { what: 'a body that comes byte by byte', url: dribble },
    { what: 'a head that comes byte by byte', url: slowHead },
    { what: 'nothing but 100', url: onlyInterim(CONTINUE) },
    { what: 'nothing but 103', url: onlyInterim('HTTP/1.1 103 X\r\n\r\n') },
  ])('$what ends with the time', async ({ url }) => {
    const sent = send(await url(), request('GET', '/'), { timeoutMs: 200 });
    await expect(sent).rejects.toMatchObject({ name: 'TransportError', code: 'TRANSPORT_TIMEOUT' });
  });

  test.each([
    { what: 'a port where nothing listens', url: () => Promise.resolve('http://127.0.0.1:1'), hint: /Nothing listens/ },
    { what: 'a name that nobody has', url: () => Promise.resolve('http://nobody.invalid'), hint: /host name/ },
    { what: 'TLS where nobody answers', url: async () => (await never()).replace('http', 'https'), hint: /respond/ },
    {
      what: 'TLS where there is none',
      url: async () => (await raw(() => undefined)()).replace('http', 'https'),
      hint: /TLS|respond/,
    },
  ])('$what cannot be reached', async ({ url, hint }) => {
    const sent = send(await url(), request('GET', '/'), { timeoutMs: 500 });
    await expect(sent).rejects.toMatchObject({
      code: 'TRANSPORT_UNREACHABLE',
      hint: expect.stringMatching(hint) as string,
    });
  });

  test('a request that HTTP does not have is the fault of the contract', async () => {
    const sent = send('http://127.0.0.1:1', request('GET', '/', ['X-Name', '\u0100']));
    await expect(sent).rejects.toMatchObject({ name: 'ContractError', code: 'CONTRACT_INVALID' });
  });

  test('a first connection that is closed may be one for TLS; a later one is not', async () => {
    const server = await startRaw((socket, _, number) => {
      if (number === 1) socket.write(OK);
      else socket.end();
    });
    const transport = createUndiciTransport(server.url, OPTIONS);
    const hint = async (): Promise<string> =>
      transport.send(request('GET', '/')).then(
        ({ status }) => String(status),
        (error: unknown) => String((error as { hint?: string }).hint),
      );
    const hints = [await hint(), await hint(), await hint()];
    await transport.close();
    await server.close();
    expect(hints).toEqual([expect.stringMatching(/Is it https/), '200', expect.not.stringMatching(/https/) as string]);
  });

  test('an alert of TLS in answer to plain HTTP gives a hint', async () => {
    const url = await raw((socket) => socket.write(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x46])))();
    await expect(send(url, request('GET', '/'))).rejects.toMatchObject({
      code: 'TRANSPORT_BROKEN_RESPONSE',
      hint: expect.stringMatching(/speaks TLS/) as string,
    });
  });

  test('a signal that outlives the request is left as it was', async () => {
    const server = await startRaw((socket) => socket.write(OK));
    const transport = createUndiciTransport(server.url, OPTIONS);
    const { signal } = new AbortController();
    await transport.send(request('GET', '/'), { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await transport.close();
    await server.close();
  });

  test('a connection that is still being made holds up nobody, and is given up at the end', async () => {
    let gone: () => void;
    const isGone = new Promise<void>((resolve) => (gone = resolve));
    const server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .on('close', () => {
          gone();
        })
        .resume(),
    );
    const isThere = new Promise((resolve) => server.once('connection', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = createUndiciTransport(url, { timeoutMs: 600_000 });
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = transport.send(request('GET', '/'), { signal });
    await isThere;
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
    const later = transport.send(request('GET', '/'), { signal });
    await expect(later).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
    await transport.close();
    await isGone;
    server.close();
  });

  test('the one who asked can end it at any time', async () => {
    const transport = createUndiciTransport(await endless(), OPTIONS);
    const controller = new AbortController();
    const waiting = transport.send(request('GET', '/'), { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
    const later = transport.send(request('GET', '/'), { signal: controller.signal });
    await expect(later).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
    await transport.close();
  });
});

describe('connections', () => {
  test('are used again, one request at a time', async () => {
    const connections: number[] = [];
    const server = await startRaw((socket, _, __, connection) => {
      connections.push(connection);
      setImmediate(() => socket.write(OK));
    });
    const transport = createUndiciTransport(server.url, OPTIONS);
    await transport.send(request('GET', '/1'));
    // undici looks at a connection once more before it uses it again.
    await new Promise(setImmediate);
    await transport.send(request('GET', '/2'));
    await new Promise(setImmediate);
    expect(connections).toEqual([0, 0]);
    await Promise.all([transport.send(request('GET', '/3')), transport.send(request('GET', '/4'))]);
    expect(connections.slice(2).sort()).toEqual([0, 1]);
    await transport.send(request('GET', '/5'), { isFresh: true });
    expect(connections.at(-1)).toBe(2);
    await transport.close();
    await server.close();
  });

  test('that brought more bytes than an answer has are not used again', async () => {
    const server = await startRaw((socket) => socket.write(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`));
    const transport = createUndiciTransport(server.url, OPTIONS);
    const answers = [await transport.send(request('GET', '/1')), await transport.send(request('GET', '/2'))];
    await transport.close();
    await server.close();
    expect(answers.map(text)).toEqual(['ok', 'ok']);
  });
});
