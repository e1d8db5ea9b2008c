import { startServer, type TestServer } from '../support/server';
import {
  aliveServer,
  ADMIN_MEMBERS,
  AUTHORIZATION,
  errorOf,
  exchange,
  head,
  HOST,
  JSON_TYPE,
  jsonRequest,
  request,
} from './exchange';
import type { RawResponse } from './raw-connection';

const PAGE = 'http://page.example';
const ORIGIN = `Origin: ${PAGE}`;

const server = aliveServer();

function preflight(path: string, method: string, fields = 'authorization,content-type'): string {
  return head(
    `OPTIONS ${path} HTTP/1.1`,
    HOST,
    ORIGIN,
    `Access-Control-Request-Method: ${method}`,
    `Access-Control-Request-Headers: ${fields}`,
  );
}

function listOf(response: RawResponse, name: string): string[] {
  const value = response.header(name) ?? '';
  return value.split(',').map((part) => part.trim().toLowerCase());
}

describe('preflights (Fetch §4.8)', () => {
  test.each([
    ['/pets', 'POST'],
    ['/pets/1', 'PUT'],
    ['/pets/1', 'DELETE'],
    ['/pets/99', 'PUT'],
    ['/store/orders/1', 'PATCH'],
    ['/inventory/1', 'PATCH'],
    ['/categories', 'GET'],
  ])('%s %s may follow, without a key and without a change', async (path, method) => {
    const before = server.stateText();
    const fields = 'authorization,content-type,idempotency-key,if-match,if-none-match,prefer,x-anything';
    const response = await exchange(server, preflight(path, method, fields));
    expect(response.status).toBeGreaterThanOrEqual(200);
    expect(response.status).toBeLessThan(300);
    expect(['*', PAGE]).toContain(response.header('Access-Control-Allow-Origin'));
    expect(listOf(response, 'Access-Control-Allow-Methods')).toContain(method.toLowerCase());
    // A star would not cover Authorization.
    expect(listOf(response, 'Access-Control-Allow-Headers')).toEqual(expect.arrayContaining(fields.split(',')));
    expect(listOf(response, 'Vary')).toContain('access-control-request-headers');
    expect(Number(response.header('Access-Control-Max-Age'))).toBeLessThanOrEqual(60);
    expect(response.header('Access-Control-Allow-Credentials')).toBeUndefined();
    expect(server.stateText()).toBe(before);
  });

  test('one for an unknown path gets 204 or 404', async () => {
    const response = await exchange(server, preflight('/nothing', 'GET'));
    expect([204, 404]).toContain(response.status);
    if (response.status === 404) errorOf(response);
  });

  test('one from a private network is like any other', async () => {
    const bytes = preflight('/pets', 'POST').replace(
      ORIGIN,
      `${ORIGIN}\r\nAccess-Control-Request-Private-Network: true`,
    );
    const response = await exchange(server, bytes);
    expect(response.header('Access-Control-Allow-Private-Network')).toBeUndefined();
  });

  test('an OPTIONS that is none still has Allow', async () => {
    for (const lines of [[ORIGIN], ['Access-Control-Request-Method: POST']]) {
      const response = await exchange(server, head('OPTIONS /pets HTTP/1.1', HOST, ...lines));
      expect(response.status).toBe(204);
      expect(listOf(response, 'Allow')).toEqual(expect.arrayContaining(['get', 'post', 'head', 'options']));
    }
  });

  test('requested headers that could not be headers do no harm', async () => {
    for (const fields of ['', ',', '*', 'a'.repeat(10_000), 'a b', '"', '\xff', '__proto__']) {
      expect((await exchange(server, preflight('/pets', 'POST', fields))).status).toBeLessThan(500);
    }
  });
});

describe('answers to pages (Fetch §3.2)', () => {
  const EXPOSED = [
    'Location',
    'Link',
    'ETag',
    'Deprecation',
    'Sunset',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'WWW-Authenticate',
    'Preference-Applied',
    'X-Total-Count',
  ];

  const requests: readonly (readonly [number, string | Buffer])[] = [
    [200, request('GET /pets', [ORIGIN])],
    [201, jsonRequest('POST /categories', '{"name":"Fox"}', [ORIGIN])],
    [204, request('DELETE /categories/3', [ORIGIN])],
    [400, jsonRequest('POST /categories', '{', [ORIGIN])],
    [400, request('GET /pets/%00', [ORIGIN])],
    [400, head('GET /pets HTTP/1.1', HOST, HOST, AUTHORIZATION, ORIGIN)],
    [401, head('GET /pets HTTP/1.1', HOST, ORIGIN)],
    [404, request('GET /pets/99', [ORIGIN])],
    [404, request('GET /nothing', [ORIGIN])],
    [405, request('DELETE /pets', [ORIGIN])],
    [406, request('GET /pets', [ORIGIN, 'Accept: text/html'])],
    [409, request('DELETE /pets/2', [ORIGIN])],
    [412, request('DELETE /pets/1', [ORIGIN, 'If-Match: "x"'])],
    [413, head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, ORIGIN, JSON_TYPE, 'Content-Length: 9999999')],
    [414, request(`GET /pets?name=${'a'.repeat(9000)}`, [ORIGIN])],
    [415, jsonRequest('POST /pets', '{}', [ORIGIN, 'Content-Encoding: zstd'])],
    [417, request('GET /pets', [ORIGIN, 'Expect: banana'])],
    [422, jsonRequest('POST /pets', '{"name":"Nova","categoryId":99}', [ORIGIN])],
  ];

  test.each(requests)('%i can be read', async (status, bytes) => {
    const response = await exchange(server, bytes);
    expect([response.status, response.header('Access-Control-Allow-Origin')]).toEqual([status, '*']);
    const exposed = listOf(response, 'Access-Control-Expose-Headers');
    expect(exposed).toEqual(expect.arrayContaining(EXPOSED.map((name) => name.toLowerCase())));
    expect(exposed).not.toContain('*');
    if (status >= 400) errorOf(response);
  });

  test.each([
    [431, request('GET /pets', [ORIGIN, `X-A: ${'a'.repeat(17_000)}`])],
    [400, `GET /pets HTTP/1.1\n${ORIGIN}\n\n`],
  ])('%i can be read although the request could not', async (status, bytes) => {
    const response = await exchange(server, bytes);
    expect([response.status, response.header('Access-Control-Allow-Origin')]).toEqual([status, '*']);
  });

  test('a page without an origin of its own may call too', async () => {
    const response = await exchange(server, request('GET /pets', ['Origin: null']));
    expect([response.status, response.header('Access-Control-Allow-Origin')]).toEqual([200, '*']);
  });
});

describe('with origins named', () => {
  let strict: TestServer;
  beforeAll(async () => {
    strict = await startServer({ corsOrigins: [PAGE, 'http://other.example'] });
  });
  afterAll(async () => {
    await strict.close();
  });

  test('one of them is named back', async () => {
    for (const bytes of [
      request('GET /pets', [ORIGIN]),
      request('GET /pets/99', [ORIGIN]),
      preflight('/pets', 'POST'),
    ]) {
      const response = await exchange(strict, bytes);
      expect(response.header('Access-Control-Allow-Origin')).toBe(PAGE);
      expect(listOf(response, 'Vary')).toContain('origin');
    }
  });

  test.each([
    'http://evil.example',
    'http://page.example.evil.example',
    'https://page.example',
    'null',
    'http://page.example:81',
  ])('%s is not', async (origin) => {
    for (const bytes of [
      request('GET /pets', [`Origin: ${origin}`]),
      preflight('/pets', 'POST').replace(ORIGIN, `Origin: ${origin}`),
    ]) {
      const response = await exchange(strict, bytes);
      expect(response.header('Access-Control-Allow-Origin')).toBeUndefined();
      // A cache must not hand this answer to a page of a good origin.
      expect(listOf(response, 'Vary')).toContain('origin');
    }
  });

  test('an answer to no page says that it would be another one to a page (Fetch §3.2.6)', async () => {
    const response = await exchange(strict, request('GET /categories/1'));
    expect(listOf(response, 'Vary')).toContain('origin');
  });

  test('none named, none answered', async () => {
    const closed = await startServer({ corsOrigins: [] });
    try {
      for (const bytes of [request('GET /pets', [ORIGIN]), preflight('/pets', 'POST'), 'GARBAGE\r\n\r\n']) {
        const names = (await exchange(closed, bytes)).headers.map(([name]) => name.toLowerCase());
        expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    } finally {
      await closed.close();
    }
  });
});

describe('the admin routes answer no page (standards §10)', () => {
  const STATE = '/__standin/state';

  test.each([
    ['a simple request', head(`GET ${STATE} HTTP/1.1`, HOST, ORIGIN)],
    ['a preflight', preflight(STATE, 'PUT')],
    ['a form', head('POST /__standin/reset HTTP/1.1', HOST, ORIGIN, 'Content-Type: text/plain', 'Content-Length: 0')],
    ['a page without an origin of its own', head(`GET ${STATE} HTTP/1.1`, HOST, 'Origin: null')],
    ['a name that leads to this machine', head(`GET ${STATE} HTTP/1.1`, 'Host: page.example')],
    ['a name that looks like this machine', head(`GET ${STATE} HTTP/1.1`, 'Host: 127.0.0.1.page.example')],
    ['a name that ends like this machine', head(`GET ${STATE} HTTP/1.1`, 'Host: notlocalhost')],
    ['an absolute target', head(`GET http://127.0.0.1${STATE} HTTP/1.1`, 'Host: page.example')],
  ])('%s is refused', async (_, bytes) => {
    const before = server.stateText();
    const response = await exchange(server, bytes);
    expect(errorOf(response, ADMIN_MEMBERS)).toBe('forbidden 403');
    expect(response.headers.filter(([name]) => /^access-control-/i.test(name))).toEqual([]);
    expect(server.stateText()).toBe(before);
  });

  test('a form of a page that hides its origin is refused for its type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const bytes = head('POST /__standin/reset HTTP/1.1', HOST, `Content-Type: ${type}`, 'Content-Length: 0');
      expect(errorOf(await exchange(server, bytes), ADMIN_MEMBERS)).toBe('missing_content_type 400');
    }
  });

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST:80', 'sub.localhost', '[::1]:4010', '127.9.9.9'])(
    'a program of this machine that calls it %s is answered',
    async (host) => {
      expect((await exchange(server, head(`GET ${STATE} HTTP/1.1`, `Host: ${host}`))).status).toBe(200);
    },
  );

  test.each([
    ['no host', head(`GET ${STATE} HTTP/1.1`)],
    ['an unknown expectation', head(`GET ${STATE} HTTP/1.1`, HOST, 'Expect: banana')],
    ['a long target', head(`GET /__standin/${'a'.repeat(9000)} HTTP/1.1`, HOST)],
  ])('a message with %s is refused in the shape of the API', async (_, bytes) => {
    expect(errorOf(await exchange(server, bytes))).toMatch(/ 4\d\d$/);
  });

  test.each([
    ['a bad percent sequence', head('GET /__standin/%zz HTTP/1.1', HOST)],
    ['NUL', head('GET /__standin/%00 HTTP/1.1', HOST)],
    ['a name that every object has', head('GET /__standin/constructor HTTP/1.1', HOST)],
    ['no JSON', `${head(`PUT ${STATE} HTTP/1.1`, HOST, JSON_TYPE, 'Content-Length: 1')}{`],
    ['no state', `${head(`PUT ${STATE} HTTP/1.1`, HOST, JSON_TYPE, 'Content-Length: 2')}{}`],
    ['no UTF-8', `${head(`PUT ${STATE} HTTP/1.1`, HOST, JSON_TYPE, 'Content-Length: 3')}"\xff"`],
    ['another method', head(`DELETE ${STATE} HTTP/1.1`, HOST, JSON_TYPE)],
  ])('a request with %s is refused', async (_, bytes) => {
    const before = server.stateText();
    const code = errorOf(await exchange(server, bytes), ADMIN_MEMBERS);
    expect(code).toMatch(/ 4\d\d$/);
    expect(server.stateText()).toBe(before);
  });
});
