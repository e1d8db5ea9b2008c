import request from 'supertest';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import { formatStandinError } from '../../src/core/errors/standin-error';
import { tryLine } from '../../src/cli/actions/banner';
import { basicAuthorization } from '../../src/core/http/authorization';
import { loadText, thrownBy } from '../openapi/load-text';
import { readTokens } from '../../src/formats/tokens';
import { readSource } from '../../src/openapi/read/read-source';
import { tokensOf } from '../../src/files/load-mock-files';
import { partsOfText, serveText } from '../support/serve-text';

const OPERATION = (security: string): string =>
  `get: { security: ${security}, responses: { '204': { description: ok } } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Vault, version: 1.0.0 }
paths:
  /header: { ${OPERATION('[{ header: [] }]')} }
  /query: { ${OPERATION('[{ query: [] }]')} }
  /cookie: { ${OPERATION('[{ cookie: [] }]')} }
  /legacy: { ${OPERATION('[{ legacy: [] }]')} }
  /bearer: { ${OPERATION('[{ bearer: [] }]')} }
  /basic: { ${OPERATION('[{ basic: [] }]')} }
  /digest: { ${OPERATION('[{ digest: [] }]')} }
  /scoped: { ${OPERATION('[{ oauth: [read, write] }]')} }
  /oidc: { ${OPERATION('[{ oidc: [read] }]')} }
  /both: { ${OPERATION('[{ header: [], basic: [] }]')} }
  /either: { ${OPERATION('[{ bearer: [] }, { header: [] }]')} }
  /optional: { ${OPERATION('[{}, { bearer: [] }]')} }
  /open: { ${OPERATION('[]')} }
  /inherited: { get: { responses: { '204': { description: ok } } } }
security: [{ header: [] }]
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Vault-Key }
    query: { type: apiKey, in: query, name: vault key }
    cookie: { type: apiKey, in: cookie, name: vault }
    legacy: { type: apiKey, in: header, name: Authorization }
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: Basic }
    digest: { type: http, scheme: digest }
    oauth:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: 'https://example.com', scopes: { read: Read, write: Write } } }
    oidc: { type: openIdConnect, openIdConnectUrl: 'https://example.com' }
`;

const TOKENS = {
  standin: 'tokens/1',
  tokens: {
    reader: { key: 'reader-key', scopes: ['read'] },
    writer: { key: 'writer-key', scopes: ['read', 'write'], principal: 'Ann' },
    owner: { key: 'owner-key', scopes: ['*'] },
    late: { key: 'late-key', scopes: ['read', 'write'], expires: '2031-01-01T00:00:00Z' },
    user: { username: 'ann', password: 'p:ss' },
  },
} as const;

type Headers = Record<string, string>;
const bearer = (key: string): Headers => ({ Authorization: `Bearer ${key}` });
const basic = (user: string, password: string): Headers => ({ Authorization: basicAuthorization(user, password) });

async function call(path: string, headers: Headers, options: CreateMockServerOptions = {}): Promise<request.Response> {
  return request(await serveText(DOCUMENT, { auth: 'keys', ...options }))
    .get(path)
    .set(headers);
}

describe('the key is good for every scheme', () => {
  test.each<[string, Headers]>([
    ['/header', { 'x-vault-key': 'test-key' }],
    ['/query?vault%20key=test-key', {}],
    ['/query?vault+key=test-key', {}],
    ['/cookie', { Cookie: 'a=b; vault=test-key' }],
    ['/legacy', { Authorization: 'test-key' }],
    ['/legacy', bearer('test-key')],
    ['/legacy', { Authorization: 'Token token=test-key' }],
    ['/legacy', { Authorization: 'Token token="test-key", nonce="n"' }],
    ['/legacy', { Authorization: 'key=test-key' }],
    ['/bearer', bearer('test-key')],
    ['/basic', basic('anybody', 'test-key')],
    ['/basic', basic('test-key', '')],
    ['/digest', { Authorization: 'Digest username="a"' }],
    ['/scoped', bearer('test-key')],
    ['/oidc', bearer('test-key')],
    ['/both', { 'X-Vault-Key': 'test-key', ...basic('a', 'test-key') }],
    ['/either', bearer('test-key')],
    ['/either', { 'X-Vault-Key': 'test-key' }],
    ['/optional', {}],
    ['/optional', bearer('wrong')],
    ['/open', {}],
    ['/inherited', { 'X-Vault-Key': 'test-key' }],
  ])('%s with %j', async (path, headers) => {
    expect((await call(path, headers)).status).toBe(204);
  });
});

const HEADER = 'ApiKey realm="Vault", in="header", name="X-Vault-Key"';
const BASIC = 'Basic realm="Vault", charset="UTF-8"';

describe('what is not good is refused', () => {
  test.each<[string, Headers, string, string]>([
    ['/header', {}, 'missing_api_key', HEADER],
    ['/header', { 'X-Vault-Key': 'wrong' }, 'invalid_api_key', HEADER],
    ['/header?X-Vault-Key=test-key', {}, 'missing_api_key', HEADER],
    ['/query', {}, 'missing_api_key', 'ApiKey realm="Vault", in="query", name="vault key"'],
    ['/query?vault%20key=', {}, 'missing_api_key', 'ApiKey realm="Vault", in="query", name="vault key"'],
    [
      '/query?vault%20key=test-key&vault%20key=test-key',
      {},
      'malformed_authorization',
      'ApiKey realm="Vault", in="query", name="vault key"',
    ],
    ['/cookie', { Cookie: 'vault=wrong' }, 'invalid_api_key', 'ApiKey realm="Vault", in="cookie", name="vault"'],
    ['/basic', {}, 'missing_api_key', BASIC],
    ['/basic', basic('a', 'wrong'), 'invalid_api_key', BASIC],
    ['/basic', { Authorization: 'Basic !' }, 'malformed_authorization', BASIC],
    ['/basic', { Authorization: 'Basic YQ==' }, 'malformed_authorization', BASIC],
    ['/basic', bearer('test-key'), 'malformed_authorization', BASIC],
    ['/digest', bearer('test-key'), 'malformed_authorization', 'Digest realm="Vault"'],
    ['/scoped', bearer('wrong'), 'invalid_api_key', 'Bearer realm="Vault", error="invalid_token"'],
    ['/both', { 'X-Vault-Key': 'test-key' }, 'missing_api_key', BASIC],
    ['/both', basic('a', 'test-key'), 'missing_api_key', HEADER],
    ['/either', {}, 'missing_api_key', `Bearer realm="Vault", ${HEADER}`],
    ['/either', { 'X-Vault-Key': 'wrong' }, 'invalid_api_key', `Bearer realm="Vault", ${HEADER}`],
    ['/inherited', {}, 'missing_api_key', HEADER],
  ])('%s with %j: %s', async (path, headers, code, challenge) => {
    const response = await call(path, headers);
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ code });
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(response.text).not.toContain('wrong');
  });

  it('names each alternative where nothing was sent, and those alone that are enough', async () => {
    const either = await call('/either', {});
    expect((either.body as { detail: string }).detail).toBe(
      'The header Authorization is missing; send "Authorization: Bearer <API_KEY>", or "X-Vault-Key: <API_KEY>"',
    );
    expect((await call('/either', { 'X-Vault-Key': 'wrong' })).body).toMatchObject({
      detail: 'The API key is not known',
    });
    expect((await call('/both', {})).text).not.toContain(', or ');
  });

  it('takes every well-formed credential with auth any, and asks for none with auth off', async () => {
    const any = { auth: 'any' } as const;
    expect((await call('/header', { 'X-Vault-Key': 'x' }, any)).status).toBe(204);
    expect((await call('/basic', basic('a', 'x'), any)).status).toBe(204);
    expect((await call('/scoped', bearer('x'), any)).status).toBe(204);
    expect((await call('/both', basic('a', 'x'), any)).status).toBe(401);
    expect((await call('/both', {}, { auth: 'off' })).status).toBe(204);
  });
});

describe('a tokens file', () => {
  test.each<[string, Headers, number, string | undefined]>([
    ['/scoped', bearer('writer-key'), 204, undefined],
    ['/scoped', bearer('owner-key'), 204, undefined],
    ['/scoped', bearer('reader-key'), 403, 'insufficient_scope'],
    ['/oidc', bearer('reader-key'), 204, undefined],
    ['/bearer', bearer('reader-key'), 204, undefined],
    ['/bearer', bearer('test-key'), 401, 'invalid_api_key'],
    ['/basic', basic('ann', 'p:ss'), 204, undefined],
    ['/basic', basic('ann', 'wrong'), 401, 'invalid_api_key'],
    ['/scoped', bearer('late-key'), 204, undefined],
  ])('%s with %j is %s %s', async (path, headers, status, code) => {
    const response = await call(path, headers, { tokens: TOKENS, clock: new Date('2030-12-31T00:00:00Z') });
    expect({ status: response.status, code: (response.body as { code?: string }).code }).toStrictEqual({
      status,
      code,
    });
  });

  it('names the scopes that an operation asks for', async () => {
    const { headers, body } = await call('/scoped', bearer('reader-key'), { tokens: TOKENS });
    expect(headers['www-authenticate']).toBe('Bearer realm="Vault", error="insufficient_scope", scope="read write"');
    expect(body).toMatchObject({ detail: 'The scope write is missing; this operation asks for read write' });
  });

  it('lets tokens end by the clock of the mock', async () => {
    const app = await serveText(DOCUMENT, { tokens: TOKENS, clock: new Date('2030-12-31T00:00:00Z') });
    const get = (): request.Test => request(app).get('/scoped').set(bearer('late-key'));
    await get().expect(204);
    app.setClock(new Date('2031-01-01T00:00:00Z'));
    const { headers, body } = await get().expect(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="Vault", error="invalid_token"');
    expect(body).toMatchObject({ code: 'invalid_api_key', detail: 'The API key has expired' });
  });

  it('is beside keys that are given', async () => {
    expect((await call('/scoped', bearer('one'), { tokens: TOKENS, apiKeys: ['one'] })).status).toBe(204);
  });

  test.each([
    ['standin: tokens/2\ntokens: {}', '"standin" must be "tokens/1", got the string "tokens/2"'],
    ['standin: tokens/1', 'The property "tokens" is missing'],
    ['standin: tokens/1\ntokens: { a: { key: s3cret, scope: [x] } }', 'Unknown key "scope"'],
    [
      'standin: tokens/1\ntokens: { a: { scopes: [x] } }',
      'A token must have either a key, or a username and a password',
    ],
    [
      'standin: tokens/1\ntokens: { a: { key: s3cret, password: s3cret } }',
      'either a key, or a username and a password',
    ],
    [
      'standin: tokens/1\ntokens: { a: { key: "s3cret s" } }',
      '"key" must be a string of visible ASCII characters without spaces',
    ],
    [
      'standin: tokens/1\ntokens: { a: { username: "s3:cret", password: x } }',
      '"username" must be a string without a colon',
    ],
    ['standin: tokens/1\ntokens: { a: { key: s3cret }, b: { key: s3cret } }', '"b" has the credentials of "a"'],
    [
      'standin: tokens/1\ntokens: { a: { key: s3cret, expires: tomorrow } }',
      '"expires" must be a date-time such as 2031-01-01T00:00:00Z, got the string "tomorrow"',
    ],
    ['standin: tokens/1\ntokens: { a: { key: s3cret, scopes: ["a b"] } }', 'An item of "scopes" must be a scope'],
  ])('%j is refused, and shows no secret', (text, message) => {
    const shown = formatStandinError(thrownBy(() => tokensOf(readSource(text, 'tokens.yaml'))));
    expect(shown).toContain(message);
    expect(shown).toContain('tokens.yaml:');
    expect(shown).not.toContain('s3cret');
  });

  it('suggests the name that was meant', () => {
    const findings: { hint?: string | undefined }[] = [];
    readTokens(readSource('standin: tokens/1\ntokens: { a: { key: a, scopse: [] } }', 't.yaml'), findings as never[]);
    expect(findings.map(({ hint }) => hint)).toStrictEqual(['Did you mean "scopes"?']);
  });
});

it('keeps keys out of the journal and the log', async () => {
  const seen: string[] = [];
  const { app } = await partsOfText(DOCUMENT, {}, { onResponse: ({ target }) => seen.push(target) });
  await request(app).get('/query?vault%20key=s3cret&a=b').set('X-Vault-Key', 's3cret').set('Cookie', 'vault=s3cret');
  expect(JSON.stringify(app.journal())).not.toContain('s3cret');
  expect(app.journal()[0]?.target).toBe('/query?vault%20key=[redacted]&a=b');
  expect(seen).toStrictEqual(['/query?vault%20key=[redacted]&a=b']);
});

test.each([
  ['/header', '-H "X-Vault-Key: test-key" http://h/header'],
  ['/query', '"http://h/query?vault%20key=test-key"'],
  ['/cookie', '-b "vault=test-key" http://h/cookie'],
  ['/basic', '-u user:test-key http://h/basic'],
  ['/scoped', '-H "Authorization: Bearer test-key" http://h/scoped'],
  ['/both', '-H "X-Vault-Key: test-key" -u user:test-key http://h/both'],
  ['/optional', 'http://h/optional'],
])('the first request to try for %s is curl -s %s', (path, command) => {
  const { api } = loadText(DOCUMENT);
  const alone = { ...api, operations: api.operations.filter((operation) => operation.path === path) };
  expect(tryLine(alone, 'http://h', 'test-key')).toBe(`curl -s ${command}`);
});

it('gives a header once where two schemes that ask for it are required together', () => {
  const together = `
openapi: 3.1.0
info: { title: Calendar, version: '1' }
security: [{ first: [], second: [] }]
paths: { /days: { get: { responses: { '204': { description: Done } } } } }
components:
  securitySchemes:
    first: { type: oauth2, flows: { implicit: { authorizationUrl: 'https://a.test/', scopes: {} } } }
    second: { type: http, scheme: bearer }
`;
  const line = tryLine(loadText(together).api, 'http://h', 'test-key');
  expect(line).toBe('curl -s -H "Authorization: Bearer test-key" http://h/days');
});
