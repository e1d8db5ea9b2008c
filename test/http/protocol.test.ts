import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { BISCUIT, expectError, lastingHeaders, usePetstore, type Method } from '../support/petstore';
import { startServer, type TestServer } from '../support/server';
import { exchange, type WireResponse } from '../support/wire';
import { OPERATIONS } from '../support/description';

const shop = usePetstore();
const NOVA = { name: 'Nova', categoryId: 1 };

/** Methods of each path, as `Allow` should name them. */
const ALLOWED: ReadonlyMap<string, string[]> = new Map(
  [...new Set(OPERATIONS.map(({ path }) => path))].map((path) => {
    const methods = OPERATIONS.filter((each) => each.path === path).map(({ method }) => method.toUpperCase());
    return [path.replace(/\{\w+\}/, '1'), [...methods, 'HEAD', 'OPTIONS'].sort()];
  }),
);

function allow(response: Response): string[] {
  return (response.headers['allow'] ?? '').split(', ').sort();
}

describe('HEAD', () => {
  test.each([
    '/pets',
    '/pets?limit=1&sort=-id',
    '/pets/1',
    '/categories',
    '/categories/1',
    '/store/orders',
    '/store/orders/1',
    '/inventory',
    '/inventory/1',
    '/pets/99',
    '/pets/abc',
    '/pets?limit=0',
    '/nowhere',
  ])('%s has the status and headers of GET and no body', async (path) => {
    const got = await shop.get(path);
    const head = await shop.head(path).expect(got.status);
    expect(lastingHeaders(head)).toEqual(lastingHeaders(got));
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
    expect(head.body).toEqual({});
  });

  test('without a key is 401 with the challenge', async () => {
    const { headers } = await shop.head('/pets', { Authorization: undefined }).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="petstore"');
  });
});

describe('OPTIONS', () => {
  test.each([...ALLOWED])('%s names its methods, and needs no key', async (path, methods) => {
    const response = await shop.send('options', path, undefined, { Authorization: undefined });
    expect([200, 204]).toContain(response.status);
    expect(allow(response)).toEqual(methods);
  });

  test('of an unknown path is 404', async () => {
    expectError(await shop.send('options', '/nowhere'), 404, 'route_not_found');
  });
});

describe('a method that a path does not have', () => {
  test.each([...ALLOWED])('%s: 405 with Allow', async (path, methods) => {
    const others = (['get', 'post', 'put', 'patch', 'delete'] as Method[]).filter(
      (method) => !methods.includes(method.toUpperCase()),
    );
    for (const method of others) {
      const response = await shop.refuses(
        shop.send(method, path, method === 'get' ? undefined : {}),
        405,
        'method_not_allowed',
        method.toUpperCase(),
      );
      expect(allow(response)).toEqual(methods);
    }
  });
});

test.each([
  '/',
  '/pet',
  '/Pets',
  '/PETS/1',
  '/pets/',
  '/pets/1/',
  '/pets/1/photos',
  '//pets',
  '/pets//1',
  '/store',
  '/orders',
  '/store/order/1',
  '/inventory/1/2',
  '/v1/pets',
  '/pets/../categories',
  '/a/%2e%2e/pets',
  '/pets;v=1',
  '/pets.json',
  '/__proto__',
  '/constructor',
])('%s is no path', async (path) => {
  const answers = [await shop.get(path), await shop.get(path, { Authorization: undefined }), await shop.post(path, {})];
  for (const response of answers) expectError(response, 404, 'route_not_found');
});

test.each([
  ['/pets/', '/pets'],
  ['/pets/1/', '/pets/{petId}'],
  ['/store/orders/?limit=1', '/store/orders'],
])('the 404 of %s names the path without the slash', async (path, known) => {
  expectError(await shop.get(path), 404, 'route_not_found', `without a slash at the end it is ${known}`);
});

test.each(['/', '/pet/', '/pets//', '/nowhere'])('the 404 of %s has no such hint', async (path) => {
  expect((await shop.get(path).expect(404)).text).not.toContain('slash');
});

describe('Accept', () => {
  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'application/json;q=0.1',
    'text/html, application/json;q=0.5',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'application/json; charset=utf-8',
    '',
  ])('%s is served JSON', async (accept) => {
    const response = await shop.get('/pets/1', { Accept: accept }).expect(200, BISCUIT);
    expect(response.headers['content-type']).toBe('application/json');
  });

  test.each([
    'text/html',
    'application/xml',
    'image/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/json;q=0, */*',
    'text/*, application/json; q=0.0',
    'application/problem+json',
  ])('%s leaves JSON out: 406, with an Error in JSON all the same', async (accept) => {
    await shop.refuses(shop.get('/pets/1', { Accept: accept }), 406, 'not_acceptable', 'Accept', 'application/json');
    await shop.refuses(shop.get('/pets', { Accept: accept }), 406, 'not_acceptable');
    await shop.refuses(shop.post('/pets', NOVA, { Accept: accept }), 406, 'not_acceptable');
    await shop.refuses(shop.put('/pets/1', NOVA, { Accept: accept }), 406, 'not_acceptable');
  });
});

describe('Content-Encoding', () => {
  const text = JSON.stringify(NOVA);
  test.each([
    { coding: 'gzip', body: gzipSync(text) },
    { coding: 'GZIP', body: gzipSync(text) },
    { coding: 'x-gzip', body: gzipSync(text) },
    { coding: 'deflate', body: deflateSync(text) },
    { coding: 'br', body: brotliCompressSync(text) },
    { coding: 'identity', body: Buffer.from(text) },
    { coding: 'gzip, br', body: brotliCompressSync(gzipSync(text)) },
  ])('$coding is undone', async ({ coding, body }) => {
    const created = await shop.post('/pets', body, { 'Content-Encoding': coding }).expect(201);
    expect(created.body).toEqual({ id: 4, ...NOVA, status: 'available' });
  });

  test.each(['zstd', 'compress', 'gzip, zstd', 'x', 'gzip;q=1'])(
    '%s is 415, and says what is known',
    async (coding) => {
      const response = await shop.refuses(
        shop.post('/pets', NOVA, { 'Content-Encoding': coding }),
        415,
        'unsupported_content_encoding',
        'gzip',
      );
      expect(response.headers['accept-encoding']).toMatch(/gzip/);
    },
  );

  test('a body that is not in the coding it names is 400', async () => {
    const sent = { 'Content-Encoding': 'gzip' };
    await shop.refuses(shop.post('/pets', NOVA, sent), 400, 'bad_request', 'gzip');
    const cut = gzipSync(text).subarray(0, -6);
    await shop.refuses(shop.post('/pets', cut, sent), 400, 'bad_request', 'gzip');
  });

  test('a small body that unfolds to more than 1 MiB is 413', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    await shop.refuses(shop.post('/pets', bomb, { 'Content-Encoding': 'gzip' }), 413, 'body_too_large', '1048576');
  });
});

test('a request target of more than 8 KiB is 414', async () => {
  const path = (length: number): string => '/pets?name='.padEnd(length, 'a');
  await shop.get(path(8192)).expect(200);
  await shop.refuses(shop.get(path(8193)), 414, 'uri_too_long', '8192');
  await shop.refuses(shop.get(path(12_000), { Authorization: undefined }), 414, 'uri_too_long');
});

test('a body nested 64 deep is read, one deeper is not', async () => {
  const nested = (depth: number): string =>
    `{"name":"Nova","categoryId":1,"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  await shop.post('/pets', nested(64)).expect(201);
  await shop.refuses(shop.post('/pets', nested(65)), 400, 'invalid_json', '64');
});

describe('on a socket', () => {
  let served: TestServer;
  beforeAll(async () => {
    served = await startServer();
  });
  afterAll(async () => {
    await served.close();
  });

  function expectWireError({ status, headers, text }: WireResponse, wanted: number, code: string): void {
    const body = JSON.parse(text) as { message: string };
    expect({ status, body }).toEqual({
      status: wanted,
      body: { code, message: expect.any(String) as string, status: wanted },
    });
    expect(body.message).not.toBe('');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(headers).toHaveProperty('date');
  }

  const KEY = 'Authorization: Bearer test-key';

  test('HTTP/1.1 without Host, or with two, or a wrong one, is 400', async () => {
    expectWireError(await exchange(served.host, ['GET /pets HTTP/1.1', KEY]), 400, 'bad_request');
    const host = `Host: ${served.host}`;
    expectWireError(await exchange(served.host, ['GET /pets HTTP/1.1', host, host, KEY]), 400, 'bad_request');
    expectWireError(await exchange(served.host, ['GET /pets HTTP/1.1', 'Host: a b', KEY]), 400, 'bad_request');
  });

  test('two Authorization lines are malformed, even of one key', async () => {
    const response = await exchange(served.host, ['GET /pets HTTP/1.1', `Host: ${served.host}`, KEY, KEY]);
    expectWireError(response, 401, 'malformed_authorization');
    expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore"');
  });

  test('what is no HTTP is 400', async () => {
    expectWireError(await exchange(served.host, ['GET /pets']), 400, 'bad_request');
    expectWireError(await exchange(served.host, ['BREW /pets HTTP/1.1', `Host: ${served.host}`]), 400, 'bad_request');
    const framed = ['POST /pets HTTP/1.1', `Host: ${served.host}`, KEY, 'Content-Length: 1', 'Content-Length: 2'];
    expectWireError(await exchange(served.host, framed, '{}'), 400, 'bad_request');
  });

  test('a header section of more than 16 KiB is 431', async () => {
    const lines = ['GET /pets HTTP/1.1', `Host: ${served.host}`, KEY, `X-Filler: ${'x'.repeat(17_000)}`];
    expectWireError(await exchange(served.host, lines), 431, 'headers_too_large');
  });

  test('an expectation other than 100-continue is 417, before anything else', async () => {
    for (const path of ['/pets', '/nowhere']) {
      const lines = [`GET ${path} HTTP/1.1`, `Host: ${served.host}`, 'Expect: banana'];
      expectWireError(await exchange(served.host, lines), 417, 'expectation_failed');
    }
  });

  test('a chunked body is counted as it comes', async () => {
    const head = ['POST /pets HTTP/1.1', `Host: ${served.host}`, KEY, 'Content-Type: application/json'];
    const chunk = `${(1024 * 1024 + 1).toString(16)}\r\n${' '.repeat(1024 * 1024 + 1)}\r\n0\r\n\r\n`;
    expectWireError(await exchange(served.host, [...head, 'Transfer-Encoding: chunked'], chunk), 413, 'body_too_large');
    const text = JSON.stringify(NOVA);
    const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const created = await exchange(served.host, [...head, 'Transfer-Encoding: chunked'], chunked);
    expect(created.status).toBe(201);
  });

  test('a target in absolute form is that path', async () => {
    const lines = [`GET http://${served.host}/pets/1 HTTP/1.1`, `Host: ${served.host}`, KEY];
    const { status, text } = await exchange(served.host, lines);
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({ status: 200, body: BISCUIT });
  });

  test('OPTIONS * is answered', async () => {
    const { status, headers } = await exchange(served.host, ['OPTIONS * HTTP/1.1', `Host: ${served.host}`]);
    expect(status).toBe(204);
    expect(headers['allow']).toContain('GET');
  });
});
