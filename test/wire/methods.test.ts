import { METHODS } from 'node:http';

import { aliveServer, errorOf, exchange, head, HOST, jsonRequest, refusal, request } from './exchange';

const server = aliveServer();

/** What petstore.md §3 lists. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '/pets': ['GET', 'POST'],
  '/pets/1': ['GET', 'PUT', 'DELETE'],
  '/categories': ['GET', 'POST'],
  '/categories/1': ['GET', 'PUT', 'DELETE'],
  '/store/orders': ['GET', 'POST'],
  '/store/orders/1': ['GET', 'PATCH', 'DELETE'],
  '/inventory': ['GET'],
  '/inventory/1': ['GET', 'PATCH'],
};
const ALLOW = Object.entries(ALLOWED).map(([path, methods]) => ({
  path,
  allow: [...methods, 'HEAD', 'OPTIONS'].sort(),
}));

function allowOf(response: { header(name: string): string | undefined }): string[] {
  return (response.header('Allow') ?? '').split(/, */).sort();
}

/** `/pets` is asked by all methods that Node reads; on the other paths TRACE stands for those that no path has. */
const ANY_PATH = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

test.each(ALLOW)('$path answers 405 with Allow to every other method', async ({ path, allow }) => {
  const before = server.stateText();
  for (const method of path === '/pets' ? METHODS : ANY_PATH) {
    if (allow.includes(method) || method === 'CONNECT') continue;
    const response = await exchange(server, request(`${method} ${path}`));
    expect([method, errorOf(response)]).toEqual([method, 'method_not_allowed 405']);
    expect(allowOf(response)).toEqual(allow);
  }
  expect(server.stateText()).toBe(before);
});

test('an unknown path is 404 for every method', async () => {
  for (const method of METHODS) {
    if (['CONNECT', 'HEAD'].includes(method)) continue;
    const response = await exchange(server, request(`${method} /nothing`));
    expect([method, errorOf(response)]).toEqual([method, 'route_not_found 404']);
  }
});

test.each(ALLOW)('OPTIONS $path names its methods, without a key', async ({ path, allow }) => {
  const response = await exchange(server, head(`OPTIONS ${path} HTTP/1.1`, HOST));
  expect([response.status, response.body, response.header('Content-Length')]).toEqual([204, '', undefined]);
  expect(allowOf(response)).toEqual(allow);
});

test('TRACE gives nothing back', async () => {
  const response = await exchange(server, request('TRACE /pets', ['Cookie: secret', 'X-A: secret']));
  expect(response.body).not.toContain('secret');
});

test('a method in a header or in the query is no method', async () => {
  const before = server.stateText();
  for (const line of ['X-HTTP-Method-Override: DELETE', 'X-HTTP-Method: DELETE', 'X-Method-Override: DELETE']) {
    expect((await exchange(server, request('GET /pets/1?_method=DELETE', [line]))).status).toBe(200);
  }
  expect(server.stateText()).toBe(before);
});

describe('HEAD (RFC 9110 §9.3.2)', () => {
  test.each([
    '/pets',
    '/pets?limit=1',
    '/pets/1',
    '/categories',
    '/categories/1',
    '/store/orders',
    '/store/orders/1',
    '/inventory',
    '/inventory/1',
    '/pets/99',
    '/pets/x',
    '/pets?limit=0',
    '/nothing',
  ])('%s has the headers of GET', async (target) => {
    const get = await exchange(server, request(`GET ${target}`));
    const headOf = await exchange(server, request(`HEAD ${target}`), { method: 'HEAD' });
    const comparable = ({ headers }: typeof get): string[] =>
      headers
        .filter(([name]) => !['Date', 'Content-Length'].includes(name))
        .map((pair) => pair.join(': '))
        .sort();
    expect([headOf.status, comparable(headOf)]).toEqual([get.status, comparable(get)]);
    expect([undefined, get.header('Content-Length')]).toContain(headOf.header('Content-Length'));
  });
});

describe('answers without a body (RFC 9110 §8.6, §15.4.5)', () => {
  test('204 has neither length nor type', async () => {
    const response = await exchange(
      server,
      jsonRequest('PUT /pets/2', '{"name":"Miso","categoryId":2}', ['Prefer: return=minimal']),
    );
    expect([response.status, response.header('Content-Length'), response.header('Content-Type')]).toEqual([
      204,
      undefined,
      undefined,
    ]);
    expect(response.header('Preference-Applied')).toBe('return=minimal');
  });

  test('201 without a body says that its length is 0', async () => {
    const response = await exchange(
      server,
      jsonRequest('POST /categories', '{"name":"Fox"}', ['Prefer: return=minimal']),
    );
    expect([response.status, response.body, response.header('Content-Type')]).toEqual([201, '', undefined]);
    expect(response.header('Location')).toMatch(/\/categories\/3$/);
  });

  test('304 repeats ETag, Date and Cache-Control of the 200', async () => {
    for (const target of ['/pets/1', '/categories/1', '/store/orders/1', '/inventory/1']) {
      const full = await exchange(server, request(`GET ${target}`));
      const etag = full.header('ETag') ?? '';
      for (const condition of [etag, `W/${etag}`, '*', `"x", ${etag}`, `"x" , , ${etag},`]) {
        const response = await exchange(server, request(`GET ${target}`, [`If-None-Match: ${condition}`]));
        expect([condition, response.status]).toEqual([condition, 304]);
        for (const name of ['ETag', 'Cache-Control', 'Vary', 'Deprecation', 'Sunset', 'Link']) {
          expect([name, response.header(name)]).toEqual([name, full.header(name)]);
        }
        expect(response.header('Date')).toBeDefined();
      }
    }
  });

  test.each(['"x"', 'x', '"', '', 'W/', '"a" "b"', '\xff', 'y'.repeat(8000)])(
    'If-None-Match: %s matches nothing',
    async (condition) => {
      const response = await exchange(server, request('GET /categories/1', [`If-None-Match: ${condition}`]));
      expect(response.status).toBe(200);
    },
  );

  test.each(['"x"', 'x', '"', 'W/"x"', '\xff', 'y'.repeat(8000)])('If-Match: %s matches nothing', async (condition) => {
    const code = await refusal(server, request('DELETE /categories/1', [`If-Match: ${condition}`]));
    expect(code).toBe('precondition_failed 412');
  });
});

describe('Accept (RFC 9110 §12.5.1; petstore.md §13)', () => {
  test.each([
    [],
    ['Accept:'],
    ['Accept: */*'],
    ['Accept: application/json'],
    ['Accept: application/*'],
    ['Accept: APPLICATION/JSON;q=0.001'],
    ['Accept: text/html, application/xhtml+xml, */*;q=0.8'],
    ['Accept: text/html', 'Accept: */*'],
    ['Accept: application/json; charset=utf-8'],
    ['Accept: ,,,'],
  ])('%j takes JSON', async (...lines) => {
    expect(
      (
        await exchange(
          server,
          request(
            'GET /pets',
            lines.filter((line) => line !== ''),
          ),
        )
      ).status,
    ).toBe(200);
  });

  test.each([
    'text/html',
    'application/json;q=0',
    'application/json;q=0, */*',
    '*/*;q=0',
    'text/*, image/png',
    'application/problem+json',
    'application/jsonx',
  ])('%s does not', async (accept) => {
    expect(await refusal(server, request('GET /pets', [`Accept: ${accept}`]))).toBe('not_acceptable 406');
  });

  test('a header of thousands of ranges is no burden', async () => {
    const accept = `Accept: ${Array.from({ length: 1500 }, (_, index) => `a/${index};q=0.1`).join(',')}`.slice(
      0,
      15_000,
    );
    expect((await exchange(server, request('GET /pets', [accept]))).status).toBe(406);
  });
});

describe('headers that hold anything', () => {
  const NAMES = [
    'Prefer',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Accept',
    'Content-Type',
    'Cookie',
    'Origin',
  ];
  const VALUES = [
    '',
    ',',
    '"',
    '\\',
    '=',
    ';;;',
    '\t',
    '\x80\xff',
    '"unclosed',
    'return=minimal; handling',
    'return="minimal"',
    'handling=strict, handling=strict',
    '__proto__=constructor',
    'a'.repeat(12_000),
    'a,'.repeat(6000),
    '"'.repeat(6001),
    ' ;'.repeat(6000),
    '(('.repeat(5000),
  ];

  test.each(NAMES)('%s', async (name) => {
    for (const value of VALUES) {
      for (const bytes of [
        request('GET /pets/1', [`${name}: ${value}`]),
        request('GET /inventory', [`${name}: ${value}`, `${name}: ${value.slice(0, 2000)}`]),
        jsonRequest('POST /store/orders', '{}', name === 'Content-Type' ? [] : [`${name}: ${value}`]),
      ]) {
        const response = await exchange(server, bytes);
        expect([name, value.slice(0, 20), response.status]).toEqual([name, value.slice(0, 20), expect.any(Number)]);
        expect([200, 201, 304, 400, 406, 431]).toContain(response.status);
        if (response.status >= 400) errorOf(response);
      }
    }
  });
});
