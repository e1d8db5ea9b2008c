import { aliveServer, AUTHORIZATION, errorOf, exchange, head, HOST, refusal, request } from './exchange';

const server = aliveServer();

describe('paths (RFC 3986 §2.1, §3.3, §7.3)', () => {
  test.each([
    ['/pets/%00', 'invalid_parameter 400'],
    ['/pets/1%00', 'invalid_parameter 400'],
    ['/%00', 'invalid_parameter 400'],
    ['/pets/%zz', 'invalid_parameter 400'],
    ['/pets/%', 'invalid_parameter 400'],
    ['/pets/%e2%82', 'invalid_parameter 400'],
    ['/pets/%c0%af', 'invalid_parameter 400'],
    ['/pets/%ed%a0%80', 'invalid_parameter 400'],
    ['/pets/%2F1', 'invalid_parameter 400'],
    ['/pets/1%2F', 'invalid_parameter 400'],
    ['/pets/..%2f1', 'invalid_parameter 400'],
    ['/pets/%2e%2e', 'invalid_parameter 400'],
    ['/pets/..', 'invalid_parameter 400'],
    ['/pets/;petId=1', 'invalid_parameter 400'],
    ['/pets/__proto__', 'invalid_parameter 400'],
    ['/pets/constructor', 'invalid_parameter 400'],
    ['/pets/01', 'invalid_parameter 400'],
    ['/pets/+1', 'invalid_parameter 400'],
    ['/pets/1.0', 'invalid_parameter 400'],
    ['/pets/1e0', 'invalid_parameter 400'],
    ['/pets/-1', 'invalid_parameter 400'],
    ['/pets/-0', 'invalid_parameter 400'],
    ['/pets/0', 'invalid_parameter 400'],
    ['/pets/0x1', 'invalid_parameter 400'],
    ['/pets/1_0', 'invalid_parameter 400'],
    ['/pets/%201', 'invalid_parameter 400'],
    ['/pets/1%0a', 'invalid_parameter 400'],
    ['/pets/%D9%A1', 'invalid_parameter 400'],
    ['/pets/NaN', 'invalid_parameter 400'],
    ['/pets/9223372036854775808', 'invalid_parameter 400'],
    ['/pets/9223372036854775807', 'resource_not_found 404'],
    ['/pets/9007199254740993', 'resource_not_found 404'],
    [`/pets/${'9'.repeat(5000)}`, 'invalid_parameter 400'],
    ['/', 'route_not_found 404'],
    ['//', 'route_not_found 404'],
    ['//pets/1', 'route_not_found 404'],
    ['//pets', 'route_not_found 404'],
    ['/pets//1', 'route_not_found 404'],
    ['/pets/1/', 'route_not_found 404'],
    ['/a/../pets', 'route_not_found 404'],
    ['/./pets', 'route_not_found 404'],
    ['/pets/../categories', 'route_not_found 404'],
    ['/a/%2e%2e/pets', 'route_not_found 404'],
    ['/Pets', 'route_not_found 404'],
    ['/pets/1/toys', 'route_not_found 404'],
    ['/pets\\1', 'route_not_found 404'],
    ['/__proto__', 'route_not_found 404'],
    ['/constructor', 'route_not_found 404'],
    ['/toString/1', 'route_not_found 404'],
    ['/store/__proto__', 'route_not_found 404'],
    ['/__standinx', 'route_not_found 404'],
    ['/pets#1', 'bad_request 400'],
  ])('GET %s is %s', async (target, code) => {
    expect(await refusal(server, request(`GET ${target}`))).toBe(code);
  });

  test.each([
    ['raw UTF-8', 'GET /pets/é'],
    ['raw UTF-8 in the query', 'GET /pets?name=Zoé'],
    ['a byte of Latin-1', Buffer.from('GET /pets/\xe9', 'latin1')],
    ['DEL', 'GET /pets/\x7f'],
  ])('%s in the target is refused', async (_, start) => {
    const bytes = Buffer.concat([Buffer.from(start), Buffer.from(head(' HTTP/1.1', HOST, AUTHORIZATION))]);
    expect(await refusal(server, bytes)).toBe('bad_request 400');
  });

  test('percent sequences of other characters mean the characters', async () => {
    for (const target of ['/pets/%31', '/%70ets/1', '/%70%65ts/%31']) {
      expect((await exchange(server, request(`GET ${target}`))).body).toContain('"id":1,');
    }
  });

  test('a path without a key is told apart before the key is asked for', async () => {
    expect(await refusal(server, head('GET /nothing HTTP/1.1', HOST))).toBe('route_not_found 404');
    expect(await refusal(server, head('GET /pets HTTP/1.1', HOST))).toBe('missing_api_key 401');
  });
});

describe('queries (RFC 3986 §3.4; petstore.md §4, §13)', () => {
  test.each([
    '/pets?limit=%zz',
    '/pets?%zz=1',
    '/pets?name=%00',
    '/pets?limit=1&limit=2',
    '/pets?limit=',
    '/pets?limit',
    '/pets?limit=0',
    '/pets?limit=101',
    '/pets?limit=1.0',
    '/pets?limit=+1',
    '/pets?limit=%2B1',
    '/pets?limit=1e1',
    '/pets?limit=99999999999999999999',
    '/pets?id=',
    '/pets?id=1,,2',
    '/pets?id=1,a',
    '/pets?id=9223372036854775808',
    `/pets?id=${Array.from({ length: 101 }, (_, index) => index + 1).join(',')}`,
    '/pets?status=lost',
    '/pets?status=available,pending',
    '/pets?sort=age',
    '/pets?sort=',
    '/pets?sort=id&sort=name',
    '/pets?categoryId=one',
    '/store/orders?complete=yes',
    '/store/orders?complete=TRUE',
  ])('GET %s has no good parameter', async (target) => {
    expect(await refusal(server, request(`GET ${target}`))).toBe('invalid_parameter 400');
  });

  test.each(['%', 'x', 'e30.AAAA', 'a'.repeat(1024), 'W10.', '..', '__proto__'])(
    'the cursor %s is refused',
    async (cursor) => {
      const code = await refusal(server, request(`GET /pets?cursor=${cursor}`));
      expect(['invalid_cursor 400', 'invalid_parameter 400']).toContain(code);
    },
  );

  test.each([
    ['/pets?', 3],
    ['/pets?&&', 3],
    ['/pets?=', 3],
    ['/pets?colour=red&__proto__=1&constructor[prototype]=2', 3],
    ['/pets?a[b][c]=1|2', 3],
    ['/pets?status=available&status=pending', 2],
    ['/pets?status=sold', 1],
    ['/pets?id=1,3', 2],
    ['/pets?id=1%2C3', 2],
    ['/pets?id=1&id=3', 2],
    ['/pets?id=3,3,3', 1],
    ['/pets?id=9223372036854775807', 0],
    ['/pets?name=Bis%63uit', 1],
    ['/pets?name=Biscuit+', 0],
    ['/pets?%6eame=Biscuit', 1],
    ['/pets?name=__proto__', 0],
    ['/pets?name=', 0],
    ['/pets?/?//:@', 3],
  ])('GET %s finds %i', async (target, count) => {
    const response = await exchange(server, request(`GET ${target}`));
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toHaveLength(count);
    expect(response.header('X-Total-Count')).toBe(String(count));
  });
});

describe('forms of a target (RFC 9112 §3.2)', () => {
  test.each([
    'http://127.0.0.1/pets/1',
    'http://example.org/pets/1',
    'http://example.org:4010/pets/1?x=http://a',
    'HTTP://EXAMPLE.ORG/pets/1',
    'https://example.org/pets/1',
    'http://[::1]:80/pets/1',
  ])('GET %s is GET /pets/1', async (target) => {
    expect((await exchange(server, request(`GET ${target}`))).body).toContain('"id":1,');
  });

  test.each([
    ['http://example.org', 'route_not_found 404'],
    ['http://example.org?limit=1', 'route_not_found 404'],
    ['http://example.org//pets/1', 'route_not_found 404'],
    ['http://example.org/a/../pets', 'route_not_found 404'],
    ['http://', 'bad_request 400'],
    ['http:///pets', 'bad_request 400'],
    ['http://[/pets', 'bad_request 400'],
    ['http://[::1/pets', 'bad_request 400'],
    ['http://user:secret@example.org/pets', 'bad_request 400'],
    ['http://example.org:99999/pets', 'bad_request 400'],
    ['http://example.org:port/pets', 'bad_request 400'],
    ['http://exa%mple.org/pets', 'bad_request 400'],
    ['http:pets', 'bad_request 400'],
    ['ftp://example.org/pets', 'bad_request 400'],
    ['pets', 'bad_request 400'],
    ['example.org:80', 'bad_request 400'],
    ['?limit=1', 'bad_request 400'],
    ['*', 'bad_request 400'],
    ['*/pets', 'bad_request 400'],
  ])('GET %s is %s', async (target, code) => {
    expect(await refusal(server, request(`GET ${target}`))).toBe(code);
  });

  test('an absolute target with a host of its own keeps the field Host needed', async () => {
    expect(await refusal(server, head('GET http://example.org/pets HTTP/1.1', AUTHORIZATION))).toBe('bad_request 400');
  });

  test('OPTIONS * is about the server', async () => {
    const response = await exchange(server, head('OPTIONS * HTTP/1.1', HOST));
    expect([response.status, response.body]).toEqual([204, '']);
    expect(response.header('Allow')?.split(', ')).toEqual(expect.arrayContaining(['GET', 'HEAD', 'OPTIONS']));
    expect(response.header('Content-Length')).toBeUndefined();
  });

  test('CONNECT is not answered as by a proxy', async () => {
    const response = await exchange(server, head('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'));
    expect([405, 501]).toContain(response.status);
    errorOf(response);
    expect(response.header('Allow')).toMatch(/\bGET\b/);
  });
});
