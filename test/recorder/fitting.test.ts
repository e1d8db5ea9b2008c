import { readAuthorities } from '../../src/network/certificates';
import { certificatePath, startRaw, startRawTls } from '../network/raw-server';
import { exchange } from '../support/wire';
import { closeAll, closeLater, record, serve, textOf, values } from './recorder';

afterEach(closeAll);

test('addresses of the target lead to the proxy, others stay; the recording has those of the target', async () => {
  let lines: Readonly<Record<string, string>> = {};
  const target = await serve((_, response) => {
    response.writeHead(302, lines).end();
  });
  const recorder = await record(target.url);
  lines = {
    Location: `${target.url}/a?b#c`,
    'Content-Location': '/relative',
    Refresh: `0; url="${target.url}/r"`,
    Link: `<${target.url}/2>; rel="next", <https://other.example/>; rel="help", </3>; rel=last`,
    'X-Other': `${target.url}/kept`,
  };
  const response = await fetch(recorder.url, { redirect: 'manual' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    location: `${recorder.url}/a?b#c`,
    'content-location': '/relative',
    refresh: `0; url="${recorder.url}/r"`,
    link: `<${recorder.url}/2>; rel="next", <https://other.example/>; rel="help", </3>; rel=last`,
    'x-other': `${target.url}/kept`,
  });
  const { response: recorded } = await recorder.exchange(0);
  expect(values(recorded?.headers ?? [], 'location')).toEqual([lines['Location']]);
});

test('a client is led to the name that it called the proxy by', async () => {
  const target = await serve((_, response) => {
    response.writeHead(301, { Location: `//127.0.0.1:${target.port}/x` }).end();
  });
  const recorder = await record(target.url);
  const response = await fetch(`http://localhost:${recorder.port}/`, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe(`http://localhost:${recorder.port}/x`);
});

test('a redirect to another server is told once, with how to record that where it is the same host', async () => {
  const target = await serve((request, response) => {
    response.writeHead(302, { Location: request.url === '/' ? 'https://127.0.0.1/' : 'https://login.example/' }).end();
  });
  const recorder = await record(target.url);
  for (const path of ['/', '/', '/login']) await fetch(recorder.url + path, { redirect: 'manual' });
  expect(recorder.notices).toEqual([
    'GET / redirects to https://127.0.0.1, where nothing is recorded; to record it, start with --target https://127.0.0.1',
    'GET /login redirects to https://login.example, where nothing is recorded',
  ]);
});

test.each([
  ['a=1; Domain=api.example; Path=/v1; HttpOnly', 'a=1; Path=/v1; HttpOnly'],
  ['a=1; Secure; SameSite=None; Max-Age=3', 'a=1; Max-Age=3'],
  ['a=1; SECURE; samesite=Lax', 'a=1; samesite=Lax'],
  ['a=1; Secure; Partitioned', 'a=1'],
  ['__Host-a=1; Secure; Path=/', '__Host-a=1; Secure; Path=/'],
  ['a="x=y"; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'a="x=y"; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
])('the cookie %s is set as %s', async (sent, expected) => {
  const target = await serve((_, response) => {
    response.setHeader('Set-Cookie', [sent, 'b=2']).end();
  });
  const recorder = await record(target.url);
  expect((await fetch(recorder.url)).headers.getSetCookie()).toEqual([expected, 'b=2']);
  const { response } = await recorder.exchange(0);
  expect(values(response?.headers ?? [], 'set-cookie')).toEqual([sent, 'b=2']);
});

test('a page that the proxy itself gave is one of the target to the target', async () => {
  const seen: (string | undefined)[] = [];
  const target = await serve(({ headers }, response) => {
    seen.push(headers.origin, headers.referer);
    response.end();
  });
  const recorder = await record(target.url);
  const headers = { Origin: recorder.url, Referer: `${recorder.url}/page?x` };
  const response = await fetch(recorder.url, { headers });
  await fetch(recorder.url, { headers: { Origin: 'http://localhost:1', Referer: 'http://localhost:1/' } });
  expect(seen).toEqual([target.url, `${target.url}/page?x`, 'http://localhost:1', 'http://localhost:1/']);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

const PREFLIGHT = {
  method: 'OPTIONS',
  headers: {
    Origin: 'http://localhost:5173',
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'authorization, x-one',
  },
};

test('pages of this machine may read what a target lets nobody read, and who records is told once', async () => {
  const target = await serve((_, response) => {
    response.writeHead(405, { 'X-Total': '3' }).end('no');
  });
  const recorder = await record(target.url);
  const preflight = await fetch(recorder.url, PREFLIGHT);
  expect([preflight.status, Object.fromEntries(preflight.headers)]).toEqual([
    204,
    expect.objectContaining({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization, x-one',
      'x-standin-recorder': 'preflight',
    }),
  ]);
  const response = await fetch(recorder.url, { headers: { Origin: 'http://localhost:5173' } });
  expect(response.status).toBe(405);
  expect(response.headers.get('access-control-expose-headers')).toContain('X-Total');
  const [asked, read] = [await recorder.exchange(0), await recorder.exchange(1)];
  expect([asked.response?.status, asked.notes]).toEqual([
    405,
    ['a preflight that the target does not allow other origins by: the recorder answered it'],
  ]);
  expect(read.response?.headers.join()).not.toMatch(/access-control/i);
  expect(recorder.notices).toEqual([expect.stringContaining('sends no Access-Control headers')]);
});

test('what a target itself says of other origins stays', async () => {
  const target = await serve((_, response) => {
    response.writeHead(200, { 'Access-Control-Allow-Origin': 'https://app.example' }).end();
  });
  const recorder = await record(target.url);
  const response = await fetch(recorder.url, PREFLIGHT);
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example']);
  expect(recorder.notices).toEqual([]);
});

test.each([
  ['https://app.example', undefined, null, null],
  ['https://app.example', ['https://app.example'], 'https://app.example', 'true'],
  ['https://app.example', ['*'], '*', null],
  ['http://localhost:5173', [], null, null],
])('a page of %s, with %p allowed, is told %s', async (origin, corsOrigins, allowed, credentials) => {
  const target = await serve((_, response) => {
    response.end();
  });
  const recorder = await record(target.url, { corsOrigins });
  const { headers } = await fetch(recorder.url, { headers: { Origin: origin } });
  expect(headers.get('access-control-allow-origin')).toBe(allowed);
  expect(headers.get('access-control-allow-credentials')).toBe(credentials);
});

test('an https target is reached with its authority, and not without', async () => {
  const target = await startRawTls('localhost', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  closeLater(() => target.close());
  const trusting = await record(target.url, { authorities: readAuthorities(certificatePath('authority.pem')) });
  const careless = await record(target.url, { isInsecure: true });
  const strict = await record(target.url);
  expect((await fetch(trusting.url)).status).toBe(200);
  expect((await fetch(careless.url)).status).toBe(200);
  expect((await fetch(strict.url)).status).toBe(502);
  expect((await strict.exchange(0)).notes.join()).toMatch(/no response came: unable to verify/);
  expect((await trusting.exchange(0)).origin).toBe(target.url);
});

test('an HTML page in the place of an API is told once, and not where a browser asks for one', async () => {
  const target = await serve((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<h1>Sign in</h1>');
  });
  const recorder = await record(target.url);
  await fetch(`${recorder.url}/page`, { headers: { Accept: 'text/html,*/*' } });
  expect(recorder.notices).toEqual([]);
  for (const path of ['/pets', '/pets/1'])
    await fetch(recorder.url + path, { headers: { Accept: 'application/json' } });
  expect(recorder.notices).toEqual([
    `GET /pets was answered 200 with an HTML page: is ${target.url} the API itself, and not a page or a login before it?`,
  ]);
  expect(textOf((await recorder.exchange(1)).response?.body)).toBe('<h1>Sign in</h1>');
});

test('an empty response is no page, whatever its type', async () => {
  const target = await serve((_, response) => {
    response.setHeader('Content-Type', 'text/html').end();
  });
  const recorder = await record(target.url);
  await fetch(`${recorder.url}/pets/1`, { method: 'DELETE' });
  await recorder.exchange(0);
  expect(recorder.notices).toEqual([]);
});

test('addresses of the target in a body are told once', async () => {
  const target = await serve((request, response) => {
    response.end(request.url === '/other' ? `${target.url}0/x` : `{"next":"${target.url}/2"}`);
  });
  const recorder = await record(target.url);
  for (const path of ['/other', '/list', '/list']) await fetch(recorder.url + path);
  expect(recorder.notices).toEqual([expect.stringContaining(`GET /list holds addresses of ${target.url} itself`)]);
});

test('a client that takes it for a forward proxy reaches the target, and no other host', async () => {
  const target = await startRaw((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  closeLater(() => target.close());
  const recorder = await record(target.url);
  const host = `127.0.0.1:${recorder.port}`;
  const own = await exchange(host, [`GET ${target.url}/a?b HTTP/1.1`, 'Host: x']);
  const other = await exchange(host, ['GET http://other.example/a HTTP/1.1', 'Host: other.example']);
  const tunnel = await exchange(host, ['CONNECT api.example:443 HTTP/1.1', 'Host: api.example']);
  expect([own.status, other.status, tunnel.status]).toEqual([200, 421, 405]);
  expect(target.heads[0]).toMatch(/^GET \/a\?b HTTP/);
  expect(other.text).toContain(`it records ${target.url} alone, and this is for http://other.example`);
  expect(tunnel.text).toContain(`point the client at ${recorder.url}`);
});
