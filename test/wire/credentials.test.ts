import { aliveServer, errorOf, exchange, head, HOST, JSON_TYPE } from './exchange';

const server = aliveServer();

const CHALLENGE = 'Bearer realm="petstore"';

/** Sends `GET /pets` with these lines, and gives code, status and challenge of the refusal. */
async function refusal(...lines: readonly string[]): Promise<string[]> {
  const response = await exchange(server, head('GET /pets HTTP/1.1', HOST, ...lines));
  const message = (JSON.parse(response.body) as { message: string }).message;
  for (const line of lines) expect(message).not.toContain(line.replace(/^[^:]*:\s*(?:\S+\s+)?/, '') || message.trim());
  return [errorOf(response), response.header('WWW-Authenticate') ?? ''];
}

describe('credentials (RFC 6750 §2.1, §3; petstore.md §6)', () => {
  test.each([
    ['no line', []],
    ['a key in another header', ['X-API-Key: test-key']],
    ['a key for a proxy', ['Proxy-Authorization: Bearer test-key']],
    ['a key in a cookie', ['Cookie: Authorization=Bearer test-key']],
  ])('%s is a missing key', async (_, lines) => {
    expect(await refusal(...lines)).toEqual(['missing_api_key 401', CHALLENGE]);
  });

  test('a key in the query is a missing key', async () => {
    const response = await exchange(server, head('GET /pets?access_token=test-key HTTP/1.1', HOST));
    expect(errorOf(response)).toBe('missing_api_key 401');
  });

  test.each([
    ['an empty value', ['Authorization:']],
    ['the scheme alone', ['Authorization: Bearer']],
    ['the scheme and a space', ['Authorization: Bearer ']],
    ['the key alone', ['Authorization: test-key']],
    ['two spaces', ['Authorization: Bearer  test-key']],
    ['a tab', ['Authorization: Bearer\ttest-key']],
    ['a space and a tab', ['Authorization: Bearer \ttest-key']],
    ['a colon', ['Authorization: Bearer: test-key']],
    ['an equals sign', ['Authorization: Bearer=test-key']],
    ['quotes', ['Authorization: Bearer "test-key"']],
    ['two keys', ['Authorization: Bearer test-key test-key']],
    ['two keys with a comma', ['Authorization: Bearer test-key, Bearer test-key']],
    ['another scheme', ['Authorization: Basic dGVzdC1rZXk6']],
    ['a longer scheme', ['Authorization: Bearers test-key']],
    ['a parameter', ['Authorization: Bearer token=test-key']],
    ['a byte beyond ASCII', ['Authorization: Bearer test-k\xe9y']],
    ['a no-break space', ['Authorization: Bearer\xa0test-key']],
    ['two lines', ['Authorization: Bearer test-key', 'Authorization: Bearer test-key']],
    ['a bad line behind a good one', ['Authorization: Bearer test-key', 'authorization: Bearer other']],
    ['a good line behind a bad one', ['Authorization: Basic x', 'AUTHORIZATION: Bearer test-key']],
    ['an empty line behind a good one', ['Authorization: Bearer test-key', 'Authorization:']],
    [
      'a second line behind a thousand others',
      ['Authorization: Bearer test-key', ...Array.from({ length: 1100 }, () => 'a: b'), 'Authorization: Bearer other'],
    ],
  ])('%s is malformed', async (_, lines) => {
    const response = await exchange(server, head('GET /pets HTTP/1.1', HOST, ...lines));
    expect([errorOf(response), response.header('WWW-Authenticate')]).toEqual([
      'malformed_authorization 401',
      CHALLENGE,
    ]);
  });

  test.each([
    'other',
    'test-ke',
    'test-keyy',
    'TEST-KEY',
    'test-key=',
    'secret.~+/-_0==',
    'x'.repeat(8000),
    '__proto__',
  ])('the key %s is unknown', async (key) => {
    expect(await refusal(`Authorization: Bearer ${key}`)).toEqual([
      'invalid_api_key 401',
      `${CHALLENGE}, error="invalid_token"`,
    ]);
  });

  test.each([
    'Authorization: Bearer test-key',
    'authorization: bearer test-key',
    'AUTHORIZATION:BEARER test-key',
    'Authorization: bEaReR test-key',
    'Authorization: \t Bearer test-key \t ',
  ])('%j is good', async (line) => {
    expect((await exchange(server, head('GET /pets HTTP/1.1', HOST, line))).status).toBe(200);
  });

  test('a caller without a key learns nothing about the rest of the request', async () => {
    for (const [line, ...lines] of [
      ['GET /pets/99 HTTP/1.1'],
      ['GET /pets/x HTTP/1.1'],
      ['GET /pets?limit=0 HTTP/1.1', 'Accept: text/html'],
      ['POST /pets HTTP/1.1', 'Content-Type: text/plain', 'Content-Length: 0'],
      ['DELETE /pets/2 HTTP/1.1', 'If-Match: "x"'],
      ['PATCH /inventory/1 HTTP/1.1', JSON_TYPE, 'Content-Encoding: zstd', 'Content-Length: 9999999'],
    ]) {
      expect(errorOf(await exchange(server, head(line ?? '', HOST, ...lines)))).toBe('missing_api_key 401');
    }
  });

  test('the journal keeps no key', async () => {
    const lines = ['Authorization: Bearer hidden-1', 'Cookie: hidden-2', 'Proxy-Authorization: Basic hidden-3'];
    await exchange(server, head('GET /pets HTTP/1.1', HOST, ...lines));
    expect(JSON.stringify(server.app.journal()).includes('hidden-')).toBe(false);
  });
});
