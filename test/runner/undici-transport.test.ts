import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createUndiciTransport, type UndiciTransportOptions } from '../../src/adapters/node/undici-transport';
import type { HttpRequest, HttpResponse } from '../../src/http/message';
import { startPeer } from './peer';

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

/** Writes the same bytes to whoever connects and asks. */
async function startRaw(...bytes: (string | Buffer)[]): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      for (const part of bytes) socket.write(part);
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function sendRaw(...bytes: (string | Buffer)[]): Promise<HttpResponse> {
  const { url, server } = await startRaw(...bytes);
  try {
    return await send(url, request('GET', '/'));
  } finally {
    server.close();
  }
}

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

test('interim answers are passed over', async () => {
  const response = await sendRaw(
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  );
  expect({ status: response.status, text: text(response) }).toEqual({ status: 200, text: 'ok' });
});

test.each([204, 304])('a %d that names a length is an answer without a body', async (status) => {
  const response = await sendRaw(`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\n`);
  expect(response).toEqual({ status, headers: ['Content-Length', '5'], body: undefined });
});

describe('what is no whole answer', () => {
  const reset = (): Promise<string> => withPeer((_, outgoing) => outgoing.socket?.destroy());
  const endless = (): Promise<string> => withPeer((_, outgoing) => outgoing.write('{'));
  const silent = (): Promise<string> => withPeer(() => undefined);
  const huge = (): Promise<string> => withPeer((_, outgoing) => outgoing.end(Buffer.alloc(2000)));
  const bomb = (): Promise<string> =>
    withPeer((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Encoding': 'gzip' });
      outgoing.end(gzipSync(Buffer.alloc(100_000)));
    });
  const liar = (): Promise<string> =>
    withPeer((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Encoding': 'gzip' });
      outgoing.end('{"a":1}');
    });
  const short = async (): Promise<string> => withRaw('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"a":1}');
  const other = async (): Promise<string> => withRaw('220 mail.example.com ESMTP\r\n');

  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function withPeer(listener: Parameters<typeof startPeer>[0]): Promise<string> {
    const peer = await startPeer(listener);
    closers.push(() => peer.close());
    return peer.url;
  }

  async function withRaw(bytes: string): Promise<string> {
    const { url, server } = await startRaw(bytes);
    closers.push(() => server.close());
    return url;
  }

  test.each<{ what: string; url: () => Promise<string>; code: string; timeoutMs?: number }>([
    { what: 'a connection that breaks', url: reset, code: 'TRANSPORT_BROKEN_RESPONSE' },
    { what: 'a body that never ends', url: endless, code: 'TRANSPORT_TIMEOUT', timeoutMs: 200 },
    { what: 'no word at all', url: silent, code: 'TRANSPORT_TIMEOUT', timeoutMs: 200 },
    { what: 'more bytes than will be read', url: huge, code: 'TRANSPORT_BROKEN_RESPONSE' },
    { what: 'more bytes than will be unpacked', url: bomb, code: 'TRANSPORT_BROKEN_RESPONSE' },
    { what: 'a gzip that is none', url: liar, code: 'TRANSPORT_BROKEN_RESPONSE' },
    { what: 'fewer bytes than announced', url: short, code: 'TRANSPORT_BROKEN_RESPONSE' },
    { what: 'another protocol', url: other, code: 'TRANSPORT_BROKEN_RESPONSE' },
  ])('$what is $code', async ({ url, code, timeoutMs = 20_000 }) => {
    const sent = send(await url(), request('GET', '/'), { timeoutMs, maxBodyBytes: 1000 });
    await expect(sent).rejects.toMatchObject({ name: 'TransportError', code });
  });

  test.each([
    { what: 'a port where nothing listens', url: () => Promise.resolve('http://127.0.0.1:1'), hint: /Nothing listens/ },
    { what: 'a name that nobody has', url: () => Promise.resolve('http://nobody.invalid'), hint: /host name/ },
    { what: 'TLS where there is none', url: async () => (await silent()).replace('http', 'https'), hint: /TLS|answer/ },
  ])('$what cannot be reached', async ({ url, hint }) => {
    const sent = send(await url(), request('GET', '/'), { timeoutMs: 5000 });
    await expect(sent).rejects.toMatchObject({
      code: 'TRANSPORT_UNREACHABLE',
      hint: expect.stringMatching(hint) as string,
    });
  });

  test('a request that HTTP does not have is the fault of the contract', async () => {
    const sent = send('http://127.0.0.1:1', request('GET', '/', ['X-Name', '\u0100']));
    await expect(sent).rejects.toMatchObject({ name: 'ContractError', code: 'CONTRACT_INVALID' });
  });
});
