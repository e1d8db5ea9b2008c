import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { CleanExchange, RecordedExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { emptyApi } from '../../../src/traffic/secrets/exchange-operation';
import { createSecretVault, type SecretVault } from '../../../src/traffic/secrets/secret-vault';
import { loadText, thrownBy } from '../../openapi/load-text';
import { ENCODINGS } from './encodings';
import { recorded } from './recorded';
import { anyCharacter } from '../../support/any-character';

const API = loadText(`openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
servers: [{ url: https://shop.example/v1 }]
paths:
  /users:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                name: { type: string }
                phrase: { type: string, format: password }
                vault: { type: object, writeOnly: true }
                seats: { type: integer, writeOnly: true }
      responses: { '201': { description: new } }
  /resets/{resetToken}:
    parameters: [{ name: resetToken, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: fine } } }
  /customers/{ref}/cards:
    parameters: [{ name: ref, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: fine } } }
components:
  securitySchemes:
    door: { type: apiKey, in: query, name: door }
    lock: { type: apiKey, in: header, name: X-Lock }
security: [{ door: [] }]
`).api;

const vaultOf = (more: Partial<Parameters<typeof createSecretVault>[0]> = {}): SecretVault =>
  createSecretVault({ api: emptyApi(), ...more });

const requestText = (exchange: CleanExchange): string =>
  exchange.request.body?.kind === 'text' ? exchange.request.body.text : '';

/** All that would be written of an exchange. */
const written = (exchange: RecordedExchange): string =>
  [
    ...[exchange.source, exchange.origin, exchange.name, exchange.request.target],
    ...[...exchange.request.headers, ...(exchange.response?.headers ?? []), ...exchange.notes],
    ...[exchange.request.body, exchange.response?.body].map((body) => JSON.stringify(body)),
  ].join('\n');

const SECRET = 'q9.Xk"2/üv7+Zr';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const RANDOM = '9fX2kLq8Zr4TvB7nWm3YpD5s';
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA'.repeat(4)}\n-----END RSA PRIVATE KEY-----`;

describe('places that are known to hold secrets', () => {
  test.each([
    ['Authorization', { headers: ['Authorization', `Bearer ${RANDOM}`] }, 'Bearer ~secret.access_token~', 'credential'],
    [
      'Basic',
      { headers: ['Authorization', 'Basic YW5uOmh1bnRlcjI='] },
      'Basic ~secret.basic_credentials~',
      'credential',
    ],
    [
      'another scheme',
      { headers: ['authorization', 'Digest a="b"'] },
      'Digest ~secret.digest_credentials~',
      'credential',
    ],
    ['no scheme', { headers: ['Authorization', 'abc123'] }, '~secret.authorization~', 'credential'],
    ['a header', { headers: ['X-Api-Key', 'abc123'] }, '~secret.api_key~', 'credential'],
    ['a token against forged requests', { headers: ['X-XSRF-Token', 'abc123'] }, '~secret.xsrf_token~', 'parameter'],
    ['a declared header', { headers: ['X-Lock', 'abc'] }, '~secret.lock~', 'credential'],
    [
      'cookies',
      { headers: ['Cookie', 'sid=s%3Aabc; __Host-id="d ef"'] },
      'sid=~secret.sid~; __Host-id="~secret.id~"',
      'cookie',
    ],
    ['a query', { target: '/a?x=1&api_key=q%22+1' }, '/a?x=1&api_key=~secret.api_key~', 'parameter'],
    ['a declared query', { target: '/a?door=abc' }, '/a?door=~secret.door~', 'credential'],
    ['a signature', { target: '/a?X-Amz-Signature=00ff' }, '/a?X-Amz-Signature=~secret.amz_signature~', 'parameter'],
    ['a path', { target: '/v1/resets/abc-d?x=1' }, '/v1/resets/~secret.reset_token~?x=1', 'value'],
    ['a session in a path', { target: '/a;jsessionid=12ab/b' }, '/a;jsessionid=~secret.jsessionid~/b', 'value'],
    ['JSON', { body: { user: { password: 'abc' } } }, '{"user":{"password":"~secret.password~"}}', 'property'],
    ['JSON, a number', { body: { pin: 1234 } }, '{"pin":"~secret.pin~"}', 'property'],
    [
      'a patch',
      { body: [{ op: 'add', path: '/password', value: 'a' }] },
      '[{"op":"add","path":"/password","value":"~secret.password~"}]',
      'property',
    ],
    [
      'a pair',
      { body: { env: [{ name: 'API_TOKEN', value: 'a' }] } },
      '{"env":[{"name":"API_TOKEN","value":"~secret.api_token~"}]}',
      'property',
    ],
    [
      'JSON in JSON',
      { body: { text: '{"password":"abc"}' } },
      '{"text":"{\\"password\\":\\"~secret.password~\\"}"}',
      'property',
    ],
    [
      'lines of JSON',
      { body: '{"a":1}\n{"token":"abc"}\n', type: 'application/x-ndjson' },
      '{"a":1}\n{"token":"~secret.token~"}\n',
      'property',
    ],
    [
      'events',
      { body: 'event: x\ndata: {"token":"abc"}\n\n', type: 'text/event-stream' },
      'event: x\ndata: {"token":"~secret.token~"}\n\n',
      'property',
    ],
    [
      'a form',
      { body: 'a=b&user%5Bpassword%5D=q+1', type: 'application/x-www-form-urlencoded' },
      'a=b&user%5Bpassword%5D=~secret.password~',
      'property',
    ],
    ['a form that nobody calls so', { body: 'a=b&password=q', type: '' }, 'a=b&password=~secret.password~', 'property'],
    [
      'XML',
      { body: '<u a="b"><password>a&amp;b</password></u>', type: 'application/xml' },
      '<u a="b"><password>~secret.password~</password></u>',
      'property',
    ],
    [
      'a page',
      { body: '<input name="csrf_token" value="abc">', type: 'text/html' },
      '<input name="csrf_token" value="~secret.csrf_token~">',
      'property',
    ],
    [
      'text',
      { body: 'login with token=abc; ok', type: 'text/plain' },
      'login with token=~secret.token~; ok',
      'property',
    ],
    [
      'parts',
      {
        body: '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nabc\r\n--x--',
        type: 'multipart/form-data; boundary=x',
      },
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n~secret.password~\r\n--x--',
      'property',
    ],
  ])('%s', (_, sent, shown, kind) => {
    const vault = vaultOf({ api: API });
    const exchange = vault.clean(recorded(sent));
    const texts = [exchange.request.target, ...exchange.request.headers, requestText(exchange)];
    expect(texts).toContain(shown);
    expect(vault.uses()[0]?.kind).toBe(kind);
    expect(vault.clean(exchange)).toEqual(exchange);
  });
});

test('what the description declares is a secret whatever it is called, each text and number of it by itself', () => {
  const vault = vaultOf({ api: API });
  const body = '{ "name" : "ann",\n "phrase":"abc", "vault": {"1": ["x", 2, true], "a": {}}, "seats": 5, "n": 1.50 }';
  const exchange = vault.clean(recorded({ method: 'POST', target: '/v1/users', body }));
  expect(requestText(exchange)).toBe(
    '{ "name" : "ann",\n "phrase":"~secret.phrase~", "vault": {"1": ["~secret.vault~", "~secret.vault_2~", true], "a": {}}, "seats": "~secret.seats~", "n": 1.50 }',
  );
  expect(vault.uses().map(({ where }) => where)).toContain('the property phrase of POST /users');
});

test('what cannot be read and may hold a declared secret is left out, and says why', () => {
  const cut = recorded({ method: 'POST', target: '/v1/users', body: '{"phrase":"hunter2', type: 'application/json' });
  expect(vaultOf({ api: API }).clean(cut).request.body).toEqual({
    kind: 'omitted',
    reason: expect.stringContaining('cannot be read'),
    bytes: 18,
  });
  const table = recorded({ body: 'name,password\nann,hunter2', type: 'text/csv' });
  expect(vaultOf().clean(table).request.body?.kind).toBe('omitted');
});

test('what the user names is a secret: headers of both directions, and places in bodies', () => {
  const vault = vaultOf({ secretHeaders: ['x-tenant'], secretPointers: ['/items/*/ref', '/keys', '/a~1b'] });
  const exchange = vault.clean(
    recorded(
      {
        headers: ['X-Tenant', 'north'],
        body: { items: [{ ref: 'a', id: 1 }, { ref: 7 }], keys: { x: ['b'] }, 'a/b': 'c' },
      },
      { headers: ['x-tenant', 'south'], body: { ref: 'free' } },
    ),
  );
  expect(exchange.request.headers).toContain('~secret.tenant~');
  expect(exchange.response?.headers).toContain('~secret.tenant_2~');
  expect(requestText(exchange)).toBe(
    '{"items":[{"ref":"~secret.ref~","id":1},{"ref":"~secret.ref_2~"}],"keys":{"x":["~secret.x~"]},"a/b":"~secret.a_b~"}',
  );
  expect(written(exchange)).toContain('free');
  expect(thrownBy(() => vaultOf({ secretPointers: ['token'] }))).toMatchObject({ code: 'CONFIG_INVALID' });
});

test.each([
  ['a JSON Web Token', JWT],
  ['a key with a prefix', 'sk_live_51HyKGaLzK2bcdEFghIjkl'],
  ['a private key', PEM],
  ['what is random', RANDOM],
  ['hexadecimal digits', '9f86d081884c7d659a2feaa0c55ad015'],
  ['the user of an address', 'postgres://ann:hunter2@db.example/shop'],
  ['a key in an address', 'https://x.example/hook?api_key=hunter2'],
  ['credentials', 'Basic YW5uOmh1bnRlcjI='],
])('%s is a secret wherever it stands', (_, value) => {
  const exchange = vaultOf().clean(recorded({ body: { note: value } }));
  expect(requestText(exchange)).toMatch(/~secret\.\w+~/);
  for (const part of [value, 'hunter2', 'YW5uOmh1bnRlcjI']) expect(written(exchange)).not.toContain(part);
});

test('a value that a response gave is found in every later place and encoding, under one name', () => {
  const vault = vaultOf();
  vault.clean(recorded({ method: 'POST', target: '/login' }, { body: { access_token: SECRET } }));
  for (const [form, encode] of Object.entries(ENCODINGS)) {
    const text = encode(SECRET);
    const places = [
      recorded({ target: `/a/${encodeURIComponent(text)}?b=${encodeURIComponent(text)}` }),
      recorded({ headers: ['X-Other', `a ${text}`, text, 'x'] }),
      recorded({ body: { a: [text], [text]: 1 } }),
      recorded({ body: `a=${encodeURIComponent(text)}`, type: 'application/x-www-form-urlencoded' }),
      recorded({ body: `<a>${text}</a>`, type: 'application/xml' }),
      recorded(
        {},
        { headers: ['Location', `https://b.example/?to=${encodeURIComponent(text)}#x`, 'Set-Cookie', `z=${text}`] },
      ),
      recorded({}, {}, { source: text, name: text, notes: [text] }),
    ];
    for (const place of places) {
      const clean = vault.clean(place);
      expect([form, vault.scan(written(clean))]).toEqual([form, []]);
      // As the value of a cookie its base64 is a secret of its own.
      expect(written(clean)).toMatch(/~secret\.(?:access_token|z(?:_\d)?)~/);
      expect(vault.clean(clean)).toEqual(clean);
      if (clean.request.headers.includes('application/json'))
        expect(() => void JSON.parse(requestText(clean))).not.toThrow();
    }
  }
  const bearer = vault.clean(recorded({ headers: ['Authorization', 'Bearer q9.Xk"2/üv7+Zr'] }));
  expect(bearer.request.headers).toEqual(['Authorization', 'Bearer ~secret.access_token~']);
});

test('what stands in a part of an exchange that was read before is replaced as well', () => {
  const clean = vaultOf().clean(
    recorded({ target: `/a?t=${RANDOM.slice(0, 10)}` }, { body: { token: RANDOM.slice(0, 10) } }),
  );
  expect(clean.request.target).toBe('/a?t=~secret.token~');
});

test('a password of basic credentials is known by itself, and told of only where it stood', () => {
  const vault = vaultOf();
  vault.clean(recorded({ headers: ['Authorization', 'Basic YW5uOmh1bnRlcjI='] }));
  expect(vault.uses().map(({ name }) => name)).toEqual(['basic_credentials']);
  const clean = vault.clean(recorded({}, { body: { message: 'hunter2 is wrong' } }));
  expect(written(clean)).toContain('~secret.password~ is wrong');
  expect(vault.uses()[1]).toEqual({
    name: 'password',
    kind: 'credential',
    where: 'the password in the header Authorization of GET /things',
  });
});

test.each(['abc', 'password', '1234567', 'dark-mode'])('%p is replaced at its own place alone', (value) => {
  const vault = vaultOf();
  const clean = vault.clean(recorded({ body: { password: value, mode: value, password2: value } }));
  expect(requestText(clean)).toBe(`{"password":"~secret.password~","mode":"${value}","password2":"~secret.password~"}`);
  expect(vault.scan(`password: ${value}`)).toEqual([]);
});

test('bytes stay bytes unless a secret stands in them', () => {
  const vault = vaultOf();
  const bytes = (text: string): RecordedExchange =>
    recorded({}, { body: Buffer.from(`\0\xff${text}`, 'latin1'), type: 'image/png' });
  const image = bytes('nothing');
  expect(vault.clean(image)).toEqual({ ...image, secrets: 'replaced' });
  vault.clean(recorded({ body: { token: 'k9/"x.Ab3' } }));
  expect(vault.clean(bytes('k9/"x.Ab3')).response?.body).toMatchObject({ kind: 'omitted', bytes: 11 });
  expect(vault.clean(bytes(Buffer.from(':k9/"x.Ab3').toString('base64'))).response?.body).toMatchObject({
    kind: 'omitted',
  });
  expect(vault.clean(bytes(JWT)).response?.body).toMatchObject({ kind: 'omitted' });
  const parts = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--x\r\n\r\n\xff\0',
    'latin1',
  );
  const upload = vault.clean(recorded({ body: parts, type: 'multipart/form-data; boundary=x' }));
  expect(upload.request.body).toMatchObject({
    kind: 'omitted',
    reason: expect.stringContaining('a part of it is a secret'),
  });
  expect(vault.scan('hunter2')).toMatchObject([{ name: 'password' }]);
});

test('names are those of the places, numbered, and hold no part of a value', () => {
  const vault = vaultOf();
  const tokens = { [RANDOM]: RANDOM, 'Ключ пароль': JWT, token: 'abc1', data: { token: 'abc2' } };
  vault.clean(recorded({ body: tokens, headers: ['Cookie', `${RANDOM}=1x; token_2=x`] }));
  expect(vault.uses().map(({ name }) => name)).toEqual([
    'secret',
    'token_2',
    'secret_2',
    'secret_3',
    'token',
    'token_3',
  ]);
  expect(JSON.stringify(vault.uses())).not.toContain(RANDOM.slice(0, 8));
});

test('what a rejection says of a password is not one', () => {
  const body = { errors: { password: ['must have 8 characters at least'] } };
  expect(written(vaultOf().clean(recorded({}, { status: 422, body })))).toContain('must have 8 characters at least');
  expect(written(vaultOf().clean(recorded({}, { status: 200, body })))).not.toContain('must have 8 characters');
});

test.each([
  ['ids', { id: RANDOM, bookId: RANDOM, uuid: RANDOM, requestid: RANDOM, ref: RANDOM, customer: RANDOM }],
  [
    'well-known forms of ids',
    { a: '0b5e5a7e-8f33-4b6b-9b54-7e0f1c3d5a77', b: '01ARZ3NDEKTSV4RRFFQ69G5FAV', c: '507f1f77bcf86cd799439011' },
  ],
  ['digests', { sha256: RANDOM, md5: RANDOM, integrity: `sha512-${RANDOM}`, file_hash: RANDOM, eTag: RANDOM }],
  ['places in a list', { next: RANDOM, cursor: RANDOM, nextPageToken: RANDOM, continuation: RANDOM, after: RANDOM }],
  [
    'dates and addresses',
    { at: '2024-01-31T10:20:30.123456Z', to: 'https://x.example/a/b?c=d', path: '/a/b/c/d/e/f/g/h/i/j/k' },
  ],
  [
    'contents',
    { image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf', data: RANDOM.repeat(100), avatarUrl: `/x/${RANDOM}` },
  ],
  [
    'words',
    { text: 'thisIsALongNameOfAMethodThatNobodyWouldCallASecret', type: 'PAYMENT_METHOD_NOT_AVAILABLE_ANYMORE' },
  ],
  ['counts', { max_tokens: 5, tokens: 12, token: true, password: null, secret: '' }],
])('no secrets: %s', (_, body) => {
  const exchange = recorded({ body });
  const vault = vaultOf({ api: API });
  expect(vault.clean(exchange)).toEqual({ ...exchange, secrets: 'replaced' });
  expect(vault.uses()).toEqual([]);
});

test('no secrets: what a path has, and what headers hold that everybody sends', () => {
  const exchange = recorded(
    {
      target: `/things/${RANDOM}/a?cursor=${JWT.slice(0, 36)}`,
      headers: ['If-None-Match', RANDOM, 'Sec-WebSocket-Key', `${RANDOM}==`],
    },
    {
      headers: [
        ...['ETag', `W/"${RANDOM}"`, 'X-Request-Id', RANDOM, 'Content-MD5', RANDOM, 'Location', `/things/${RANDOM}`],
        ...['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'X-Amz-Cf-Id', RANDOM],
      ],
      body: { anything: RANDOM },
    },
  );
  expect(vaultOf().clean(exchange)).toEqual({ ...exchange, secrets: 'replaced' });
});

test('a file that holds a secret is rejected, with the place and the name and nothing of the value', () => {
  const vault = vaultOf();
  vault.clean(recorded({ body: { token: SECRET } }));
  const text = `a: 1\nb: x\nc: ${encodeURIComponent(SECRET)}\n`;
  expect(vault.scan(text)).toEqual([{ name: 'token', form: 'percent-encoded', offset: 13, line: 3 }]);
  const error = thrownBy(() => {
    vault.assertClean('shop.yaml', text);
  });
  expect(error).toMatchObject({
    code: 'SECRET_NOT_REPLACED',
    message: 'shop.yaml:3 would hold the secret token, percent-encoded: nothing was written',
  });
  expect(`${error.message}${error.hint ?? ''}`).not.toContain('q9.Xk');
  expect(() => {
    vault.assertClean('shop.yaml', 'c: ~secret.token~');
  }).not.toThrow();
});

test('a recording that was clean is read again: nothing changes, and its names are taken', () => {
  const first = vaultOf();
  const sent = recorded({
    headers: ['Authorization', `Bearer ${RANDOM}`, 'Cookie', 'a=bc'],
    target: '/x?api_key=ab',
    body: { token: JWT, a: RANDOM },
  });
  const clean = first.clean(sent);
  const second = vaultOf({ secretHeaders: ['x-new'] });
  expect(second.clean(clean)).toEqual(clean);
  expect(second.uses().toSorted(byName)).toEqual(first.uses().toSorted(byName));
  second.knowMarks('~secret.new~');
  expect(second.clean(recorded({ headers: ['X-New', 'v'] })).request.headers).toContain('~secret.new_2~');
});

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1;

test('whatever is sent, no secret is left, and cleaning what is clean changes nothing', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 6, maxLength: 20 }),
    fc.string({ unit: anyCharacter, minLength: 6, maxLength: 20 }),
    fc.stringMatching(/^[.*+?^${}()|[\]\\%&"'/<>~a-z0-9 ;=,:-]{6,20}$/),
    fc.constantFrom('~secret.a~', 'x~secret.token~y', '{"a":1}', '~secret', 'secret.token'),
  );
  fc.assert(
    fc.property(value, fc.constantFrom(...Object.values(ENCODINGS)), fc.jsonValue(), (secret, encode, other) => {
      fc.pre(secret.isWellFormed() && secret.trim() === secret && !secret.includes('\0'));
      const vault = vaultOf();
      const text = encode(secret);
      const exchanges = [
        recorded({ body: { password: secret, other } }, { body: { echo: [text, { [text]: text }], other } }),
        recorded({
          target: `/a/${encodeURIComponent(text)}`,
          body: `x=${encodeURIComponent(text)}`,
          type: 'application/x-www-form-urlencoded',
        }),
        recorded({ body: `a ${text} b`, type: 'text/plain' }),
      ];
      for (const exchange of exchanges) {
        const clean = vault.clean(exchange);
        for (const each of [clean.request.target, requestText(clean), JSON.stringify(clean.response)])
          expect(vault.scan(each)).toEqual([]);
        expect(vault.clean(clean)).toEqual(clean);
      }
    }),
  );
});

describe('a file that is compressed', () => {
  const cleaned = (file: Uint8Array) => {
    const vault = createSecretVault({ api: emptyApi() });
    vault.clean(recorded({ method: 'POST', target: '/login', body: { password: 'hunter2-SuperSecret' } }));
    return vault.clean(recorded({ method: 'POST', body: file, type: 'application/octet-stream' })).request.body;
  };
  const part = (content: Uint8Array): Buffer =>
    Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n'),
      content,
      Buffer.from('\r\n--b--'),
    ]);

  test('is left out where a secret is in it, be it the body or a part of it', () => {
    const packed = gzipSync('line one\nmy password is hunter2-SuperSecret\n');
    expect(cleaned(packed)?.kind).toBe('omitted');
    expect(cleaned(part(packed))?.kind).toBe('omitted');
  });

  test('stays where none is, where it is cut, and where it only looks like one', () => {
    for (const bytes of [
      gzipSync('nothing'),
      gzipSync('x'.repeat(100)).subarray(0, 15),
      Buffer.from([0x1f, 0x8b, 8, 1]),
    ])
      expect(cleaned(bytes)?.kind).toBe('bytes');
  });
});

test.each(['application/x-www-form-urlencoded', 'text/plain', 'text/plain;charset=UTF-8', 'application/octet-stream'])(
  'JSON that is called %s hides no password',
  (type) => {
    const text = JSON.stringify({
      user: 'ada',
      password: 'hunter2 & sons=7',
      list: [{ pin_code: 1, api_key: 'k-77' }],
    });
    const { request } = vaultOf().clean({
      source: '1',
      startedAt: undefined,
      endedAt: undefined,
      origin: 'https://shop.example',
      request: { method: 'POST', target: '/login', headers: ['Content-Type', type], body: { kind: 'text', text } },
      response: undefined,
      notes: [],
    });
    expect(JSON.stringify(request)).not.toMatch(/hunter2|sons=7|k-77/);
    expect(request.body).toMatchObject({ kind: 'text', text: expect.stringContaining('"user":"ada"') });
  },
);
