import { connect, type Socket } from 'node:net';
import { readAuthorities } from '../../src/network/certificates';
import { chooseProxy, type Environment } from '../../src/network/connections';
import { createUndiciTransport } from '../../src/network/undici-transport';
import type { HttpRequest } from '../../src/core/http/message';
import { certificatePath, jsonAnswer, startRaw, startRawTls, type RawHandler, type RawServer } from './raw-server';

const KEY = 'key-of-the-target';
const TWICE = ['Authorization', `Bearer ${KEY}`, 'Authorization', 'Bearer second'];

function request(rawHeaders: readonly string[] = TWICE): HttpRequest {
  return { method: 'GET', target: '/things?a=1', headers: {}, rawHeaders, body: new Uint8Array(0) };
}

/** A proxy: forwards nothing itself where the URL is plain, and makes a tunnel to wherever CONNECT says. */
async function startProxy(
  refusal?: number,
  start: (handler: RawHandler) => Promise<RawServer> = startRaw,
): Promise<RawServer & { readonly bytes: () => string }> {
  let bytes = '';
  const server = await start((socket, head) => {
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const port = Number(/^CONNECT 127\.0\.0\.1:(\d+)/.exec(head)?.[1]);
    if (Number.isNaN(port)) socket.write(jsonAnswer(200, { head }));
    else openTunnel(socket, port);
  });
  const openTunnel = (socket: Socket, port: number): void => {
    socket.removeAllListeners('data');
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')));
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  };
  return { ...server, bytes: () => bytes };
}

const withUser = (url: string): string => url.replace('http://', 'http://user:pass%20word@');
const BASIC = `Basic ${Buffer.from('user:pass word').toString('base64')}`;

test('a proxy gets plain requests with their whole URL, every line of them, and credentials of its own', async () => {
  const proxy = await startProxy();
  const transport = createUndiciTransport('http://things.example:81', {
    timeoutMs: 50_000,
    proxy: chooseProxy('http://things.example:81', withUser(proxy.url), {}),
  });
  const response = await transport.send(request());
  await transport.close();
  await proxy.close();
  expect(response.status).toBe(200);
  const lines = (proxy.heads[0] ?? '').split('\r\n');
  expect(lines[0]).toBe('GET http://things.example:81/things?a=1 HTTP/1.1');
  expect(lines.filter((line) => /^host:/i.test(line))).toEqual(['host: things.example:81']);
  expect(lines.filter((line) => line.startsWith('Authorization'))).toHaveLength(2);
  expect(lines).toContain(`Proxy-Authorization: ${BASIC}`);
});

test('a proxy makes a tunnel to a https target: it sees no key, and the target sees no credentials of the proxy', async () => {
  const proxy = await startProxy();
  const target = await startRawTls('localhost', (socket) => socket.write(jsonAnswer(200, { ok: true })));
  const transport = createUndiciTransport(target.url, {
    timeoutMs: 50_000,
    proxy: chooseProxy(target.url, withUser(proxy.url), {}),
    authorities: readAuthorities(certificatePath('authority.pem')),
  });
  const { status } = await transport.send(request());
  await transport.close();
  await Promise.all([proxy.close(), target.close()]);
  expect(status).toBe(200);
  expect(proxy.heads).toHaveLength(1);
  expect(proxy.heads[0]).toMatch(/^CONNECT 127\.0\.0\.1:\d+ HTTP\/1\.1/);
  expect(proxy.heads[0]).toContain(`proxy-authorization: ${BASIC}`);
  expect(proxy.bytes().length).toBeGreaterThan(100);
  expect(`${proxy.heads[0] ?? ''}${proxy.bytes()}`).not.toContain(KEY);
  expect(target.heads[0]).toContain(`Authorization: Bearer ${KEY}\r\nAuthorization: Bearer second`);
  expect(target.heads[0]).not.toMatch(/proxy/i);
});

test('a proxy may be spoken to over TLS itself, under the name in its own URL', async () => {
  const proxy = await startProxy(undefined, (handler) => startRawTls('localhost', handler));
  const target = await startRawTls('localhost', (socket) => socket.write(jsonAnswer(200, { ok: true })));
  const statuses: number[] = [];
  for (const origin of [target.url, 'http://things.example']) {
    const transport = createUndiciTransport(origin, {
      timeoutMs: 50_000,
      proxy: chooseProxy(origin, proxy.url.replace('127.0.0.1', 'localhost'), {}),
      authorities: readAuthorities(certificatePath('authority.pem')),
    });
    statuses.push((await transport.send(request())).status);
    await transport.close();
  }
  await Promise.all([proxy.close(), target.close()]);
  expect(statuses).toEqual([200, 200]);
  expect(proxy.heads.map((head) => head.split(' ')[0])).toEqual(['CONNECT', 'GET']);
  expect(target.heads).toHaveLength(1);
});

test.each([
  { target: 'https://things.example', status: 407, hint: /user and a password/ },
  { target: 'https://things.example', status: 403, hint: /NO_PROXY/ },
  { target: 'http://things.example', status: 407, hint: /user and a password/ },
])('a proxy that answers $status in place of $target is named without its credentials', async (row) => {
  const proxy = await startProxy(row.status);
  const transport = createUndiciTransport(row.target, {
    timeoutMs: 50_000,
    proxy: chooseProxy(row.target, withUser(proxy.url), {}),
  });
  const failure = await transport.send(request()).catch((error: unknown) => error);
  await transport.close();
  await proxy.close();
  expect(failure).toMatchObject({
    code: 'TRANSPORT_UNREACHABLE',
    message: `The proxy ${proxy.url} returned ${row.status}`,
    hint: expect.stringMatching(row.hint) as string,
  });
  expect(JSON.stringify([failure, String(failure)])).not.toMatch(/pass%20|pass word|dXNlcj/);
});

test.each(['https://things.example', 'http://things.example'])(
  'a proxy that is not there is what keeps %s from being reached',
  async (target) => {
    const proxy = chooseProxy(target, 'http://user:secret@127.0.0.1:1', {});
    const transport = createUndiciTransport(target, { timeoutMs: 50_000, proxy });
    const failure = await transport.send(request()).catch((error: unknown) => error);
    await transport.close();
    expect(failure).toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
    expect(String(failure)).toContain('through the proxy http://127.0.0.1:1: ECONNREFUSED');
  },
);

test('a proxy that takes the connection and says nothing is what keeps the target from being reached', async () => {
  const proxy = await startRaw(() => undefined);
  const target = 'https://things.example';
  const transport = createUndiciTransport(target, { timeoutMs: 100, proxy: chooseProxy(target, proxy.url, {}) });
  await expect(transport.send(request())).rejects.toMatchObject({
    code: 'TRANSPORT_UNREACHABLE',
    hint: `Does the proxy ${proxy.url} respond?`,
  });
  await transport.close();
  await proxy.close();
});

test('a certificate is judged through a tunnel as well', async () => {
  const proxy = await startProxy();
  const target = await startRawTls('self-signed', (socket) => socket.write(jsonAnswer(200, {})));
  const transport = createUndiciTransport(target.url, {
    timeoutMs: 50_000,
    proxy: chooseProxy(target.url, proxy.url, {}),
  });
  await expect(transport.send(request())).rejects.toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
  await transport.close();
  await Promise.all([proxy.close(), target.close()]);
  expect(target.heads).toEqual([]);
});

describe('the proxy', () => {
  const BOTH: Environment = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:2' };
  const chosen = (target: string, environment: Environment, named?: string): string | undefined =>
    chooseProxy(target, named, environment)?.origin;

  test.each<{ target: string; environment: Environment; named?: string; proxy: string | undefined }>([
    { target: 'https://a.example', environment: {}, proxy: undefined },
    { target: 'https://a.example', environment: BOTH, proxy: 'http://secure:1' },
    { target: 'http://a.example', environment: BOTH, proxy: 'http://plain:2' },
    { target: 'http://a.example', environment: { HTTPS_PROXY: 'http://secure:1' }, proxy: undefined },
    { target: 'http://a.example', environment: { ...BOTH, http_proxy: 'lower:3' }, proxy: 'http://lower:3' },
    { target: 'http://a.example', environment: { ...BOTH, http_proxy: '' }, proxy: 'http://plain:2' },
    { target: 'http://a.example', environment: BOTH, named: 'https://named:4', proxy: 'https://named:4' },
    { target: 'http://127.0.0.1:80', environment: BOTH, proxy: undefined },
    { target: 'http://localhost:80', environment: BOTH, proxy: undefined },
    { target: 'http://127.0.0.1:80', environment: {}, named: 'http://named:4', proxy: 'http://named:4' },
    { target: 'http://a.example', environment: { ...BOTH, NO_PROXY: 'b.example,a.example' }, proxy: undefined },
    { target: 'http://x.a.example', environment: { ...BOTH, NO_PROXY: 'a.example' }, proxy: undefined },
    { target: 'http://x.a.example', environment: { ...BOTH, NO_PROXY: '*.A.example' }, proxy: undefined },
    { target: 'http://xa.example', environment: { ...BOTH, NO_PROXY: '.a.example a' }, proxy: 'http://plain:2' },
    { target: 'http://a.example', environment: { ...BOTH, NO_PROXY: '*' }, proxy: undefined },
    { target: 'http://a.example', environment: { ...BOTH, NO_PROXY: 'a.example:80' }, proxy: undefined },
    { target: 'https://a.example', environment: { ...BOTH, NO_PROXY: 'a.example:80' }, proxy: 'http://secure:1' },
    { target: 'http://[2001:db8::1]', environment: { ...BOTH, NO_PROXY: '2001:db8::1' }, proxy: undefined },
    { target: 'http://[2001:db8::1]', environment: { ...BOTH, NO_PROXY: '[2001:db8::1]:80' }, proxy: undefined },
    { target: 'http://1.10.0.0', environment: { ...BOTH, NO_PROXY: '10.0.0' }, proxy: 'http://plain:2' },
    { target: 'http://a.example', environment: { ...BOTH, NO_PROXY: '*', no_proxy: 'b' }, proxy: 'http://plain:2' },
    { target: 'http://a.example', environment: BOTH, named: 'http://n:1', proxy: 'http://n:1' },
  ])('for $target with $environment and --proxy $named is $proxy', ({ target, environment, named, proxy }) => {
    expect(chosen(target, environment, named)).toBe(proxy);
  });

  test.each([
    { named: 'socks5://user:secret@proxy:1', message: /--proxy is not an http or https URL/ },
    { named: 'http://user:secret@', message: /--proxy is not an http or https URL/ },
    { named: 'http://user:secret%@proxy:1', message: /percent-encoded/ },
  ])('cannot be $named, and the message does not repeat it', ({ named, message }) => {
    let failure: unknown;
    try {
      chooseProxy('http://a.example', named, {});
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) as string });
    expect(String(failure)).not.toContain('secret');
  });
});
