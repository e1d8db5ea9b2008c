import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postman } from '../../../src/traffic/readers/postman';
import { lines, readWith, type Reading, told } from './read';

interface Part {
  readonly [name: string]: unknown;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const BASE = { key: 'baseUrl', value: 'http://api.example/v1/' };

const collection = (item: readonly unknown[], more: Part = {}): string =>
  JSON.stringify({ info: { name: 'Test', schema: SCHEMA }, item, variable: [BASE], ...more });

const read = (item: readonly unknown[], more: Part = {}, given = {}): Promise<Reading> =>
  readWith(postman, collection(item, more), given);

const THINGS = { raw: '{{baseUrl}}/things', host: ['{{baseUrl}}'], path: ['things'] };

/** A request of the collection; `changes` are those of the request. */
const call = (changes: Part = {}, name = 'call'): Part => ({
  name,
  request: { method: 'GET', url: THINGS, ...changes },
});

async function requestOf(changes: Part, more: Part = {}): Promise<Reading['exchanges'][number]['request']> {
  const { exchanges } = await read([call(changes)], more);
  expect(exchanges).toHaveLength(1);
  return exchanges[0]!.request;
}

test('a collection is recognised by its schema or its name', () => {
  expect(postman.recognises('x.json', collection([]))).toBe(true);
  expect(postman.recognises('x.postman_collection.json', '')).toBe(true);
  expect(postman.recognises('x.json', '{"log": {}}')).toBe(false);
});

test('our collection of twelve requests and three variables gives twelve exchanges', async () => {
  const file = 'petstore.postman_collection.json';
  const text = readFileSync(join(__dirname, '../fixtures', file), 'utf8');
  const reading = await readWith(postman, text, { file });
  expect(lines(reading)).toStrictEqual([
    'POST http://127.0.0.1:4010/categories -> 201',
    'GET http://127.0.0.1:4010/categories?limit=10 -> 200',
    'GET http://127.0.0.1:4010/categories/3 -> 200',
    'POST http://127.0.0.1:4010/pets -> 201',
    'GET http://127.0.0.1:4010/pets?status=available&limit=2 -> 200',
    'GET http://127.0.0.1:4010/pets/4 -> 200',
    'PUT http://127.0.0.1:4010/pets/4 -> 200',
    'POST http://127.0.0.1:4010/store/orders -> 201',
    'GET http://127.0.0.1:4010/store/orders/3 -> 200',
    'DELETE http://127.0.0.1:4010/store/orders/3 -> 204',
    'DELETE http://127.0.0.1:4010/pets/4 -> 204',
    'DELETE http://127.0.0.1:4010/categories/3 -> 204',
  ]);
  const [first] = reading.exchanges;
  expect(first).toMatchObject({
    source: `${file}#/item/0/item/0/response/0`,
    name: 'Create a category',
    startedAt: undefined,
    request: {
      headers: ['Content-Type', 'application/json', 'Authorization', 'Bearer ~secret.api_key~'],
      body: { kind: 'text', text: '{"name":"Parrots"}' },
    },
  });
  expect(told(reading)).toStrictEqual(['1 script of the collection: not run: what they set is not known']);
});

describe('variables', () => {
  test('are filled in wherever they stand, and those of a folder come before', async () => {
    const folder = {
      name: 'Folder',
      variable: [{ key: 'name', value: '{{first}} b' }],
      item: [
        call({
          method: 'POST',
          header: [{ key: 'X-{{first}}', value: '{{name}}' }],
          body: { mode: 'raw', raw: '{{ name }}' },
        }),
      ],
    };
    const reading = await read([folder], {
      variable: [
        BASE,
        { key: 'name', value: 'outer' },
        { key: 'first', value: 'a' },
        { key: 'off', value: 'x', disabled: true },
      ],
    });
    expect(reading.exchanges[0]?.request).toStrictEqual({
      method: 'POST',
      target: '/v1/things',
      headers: ['X-a', 'a b', 'Content-Type', 'text/plain'],
      body: { kind: 'text', text: 'a b' },
    });
    expect(reading.problems).toStrictEqual([]);
  });

  test('without a value are secrets, and told; in the host they make it unknown', async () => {
    const reading = await read(
      [
        call({
          url: { host: ['{{host}}'], path: ['things', '{{pet-id}}'] },
          header: [{ key: 'A', value: '{{token}}{{loop}}' }],
        }),
      ],
      {
        variable: [
          { key: 'token', value: '', type: 'secret' },
          { key: 'loop', value: '{{loop}}' },
        ],
      },
    );
    expect(lines(reading)).toStrictEqual(['GET http://host.invalid/things/~secret.pet_id~ -> none']);
    expect(reading.exchanges[0]?.request.headers).toStrictEqual(['A', '~secret.token~~secret.loop~']);
    expect(told(reading)).toStrictEqual([
      '#/variable 4 variables without a value in the collection: host, pet-id, token, loop: kept as secrets without a value',
    ]);
  });

  test('of an environment come before all others', async () => {
    const values = { baseUrl: 'https://staging.example', id: '7' };
    const reading = await read([call({ url: { ...THINGS, path: ['things', '{{id}}'] } })], {}, { values });
    expect(lines(reading)).toStrictEqual(['GET https://staging.example/things/7 -> none']);
  });

  test('that Postman makes up are the same at each import', async () => {
    const changes = {
      method: 'POST',
      body: { mode: 'raw', raw: '{{$guid}} {{$randomInt}} {{$randomFirstName}} {{$timestamp}}' },
    };
    expect(await requestOf(changes)).toStrictEqual(await requestOf(changes));
    expect((await requestOf(changes)).body).toStrictEqual({
      kind: 'text',
      text: '6929bb52-3ab2-448a-9796-d6480ecad36b 42 first name 1735689600',
    });
  });
});

describe('addresses', () => {
  test.each([
    ['a text', 'http://api.example/a?b=1', 'http://api.example/a?b=1'],
    ['a text alone as the raw one', { raw: '{{baseUrl}}a' }, 'http://api.example/v1/a'],
    [
      'parts',
      { protocol: 'https', host: ['api', 'example'], port: '8443', path: ['a', ''] },
      'https://api.example:8443/a/',
    ],
    ['parts without a scheme', { host: ['localhost'], path: 'a/b' }, 'http://localhost/a/b'],
    [
      'a variable of the path',
      { ...THINGS, path: ['things', ':id'], variable: [{ key: 'id', value: 'a/b c' }] },
      'http://api.example/v1/things/a/b%20c',
    ],
    [
      'a query with one switched off',
      {
        ...THINGS,
        query: [
          { key: 'a', value: '1 & 2' },
          { key: 'b', value: '2', disabled: true },
          { key: 'c', value: null },
          { key: null, value: null },
        ],
      },
      'http://api.example/v1/things?a=1%20%26%202&c',
    ],
  ])('of %s', async (_, url, expected) => {
    expect(lines(await read([call({ url })]))).toStrictEqual([`GET ${expected} -> none`]);
  });

  test.each([
    ['no address', undefined, 'The request has no URL'],
    ['another scheme', 'ftp://api.example', 'The URL of the request is not one of HTTP'],
  ])('%s is told', async (_, url, problem) => {
    expect(told(await read([call({ url })]))).toStrictEqual([
      `#/item/0/request ${problem}: left out`,
      'The collection has no requests that can be read: not read',
    ]);
  });
});

describe('credentials', () => {
  const BASE = { key: 'baseUrl', value: 'http://api.example/v1' };
  const parameters = (type: string, values: Readonly<Record<string, string>>): Part => ({
    type,
    [type]: Object.entries(values).map(([key, value]) => ({ key, value })),
  });

  test.each([
    ['bearer', parameters('bearer', { token: 'abc' }), ['Authorization', 'Bearer abc']],
    ['basic', parameters('basic', { username: 'me', password: 'secret' }), ['Authorization', 'Basic bWU6c2VjcmV0']],
    ['an API key', parameters('apikey', { key: 'X-Key', value: 'abc' }), ['X-Key', '~secret.key~']],
    ['OAuth 2', parameters('oauth2', { accessToken: 'abc', headerPrefix: 'Token ' }), ['Authorization', 'Token abc']],
    ['none', { type: 'noauth' }, []],
    ['version 2.0', { type: 'bearer', bearer: { token: 'abc' } }, ['Authorization', 'Bearer abc']],
  ])('%s', async (_, auth, headers) => {
    expect((await requestOf({ auth })).headers).toStrictEqual(headers);
  });

  test('may go into the query', async () => {
    expect((await requestOf({ auth: parameters('apikey', { key: 'k', value: 'a&b', in: 'query' }) })).target).toBe(
      '/v1/things?k=~secret.k~',
    );
  });

  test('are those of the nearest folder, and a header of the request comes before', async () => {
    const outer = parameters('bearer', { token: 'outer' });
    const folder = { name: 'F', auth: parameters('bearer', { token: 'inner' }), item: [call()] };
    const own = call({ header: [{ key: 'authorization', value: 'own' }] });
    const { exchanges } = await read([folder, call(), own, call({ auth: { type: 'noauth' } })], { auth: outer });
    expect(exchanges.map(({ request }) => request.headers)).toStrictEqual([
      ['Authorization', 'Bearer inner'],
      ['Authorization', 'Bearer outer'],
      ['authorization', 'own'],
      [],
    ]);
  });

  test('in a parameter of any name are secrets, whose values come with the exchanges', async () => {
    const keys = ['X-Foo', 'k'].map((key, index) => {
      return call({
        auth: parameters('apikey', { key, value: `{{key}}-${index}`, in: index === 0 ? 'header' : 'query' }),
      });
    });
    const { exchanges } = await read(keys, { variable: [BASE, { key: 'key', value: 'abc' }] });
    expect(exchanges.map(({ request }) => [...request.headers, request.target])).toEqual([
      ['X-Foo', '~secret.foo~', '/v1/things'],
      ['/v1/things?k=~secret.k~'],
    ]);
    expect(exchanges[1]?.declaredSecrets).toEqual([
      { name: 'foo', value: 'abc-0' },
      { name: 'k', value: 'abc-1' },
    ]);
  });

  test('a variable of type secret is one wherever it is used', async () => {
    const variable = [BASE, { key: 'vault', value: 'v-1', type: 'secret' }, { key: 'around', value: '<{{vault}}>' }];
    const raw = '{"a": "{{around}}", "b": {{vault}}, "c": "x {{vault}}"}';
    const request = {
      method: 'POST',
      header: [{ key: 'X-Bar', value: '{{vault}}' }],
      url: '{{baseUrl}}/a/{{vault}}?t={{vault}}',
    };
    const reading = await read([call({ ...request, body: { mode: 'raw', raw } })], { variable });
    expect(reading.exchanges[0]).toMatchObject({
      request: {
        target: '/v1/a/~secret.vault~?t=~secret.vault~',
        headers: ['X-Bar', '~secret.vault~', 'Content-Type', 'text/plain'],
        body: { kind: 'text', text: '{"a": "<~secret.vault~>", "b": "~secret.vault~", "c": "x ~secret.vault~"}' },
      },
      declaredSecrets: [{ name: 'vault', value: 'v-1' }],
    });
    expect(told(reading)).toEqual([]);
  });

  test.each([
    [{ type: 'awsv4' }, 'The kind of authorization awsv4 cannot be computed'],
    [{ type: 'oauth2', oauth2: [] }, 'The OAuth 2 token of a request was not saved'],
  ])('%j is told', async (auth, problem) => {
    const reading = await read([call({ auth })]);
    expect(told(reading)).toStrictEqual([`#/item/0/request ${problem}: kept without credentials`]);
    expect(reading.exchanges).toHaveLength(1);
  });
});

describe('bodies', () => {
  const field = (key: string, value: string, more: Part = {}): Part => ({ key, value, type: 'text', ...more });

  test.each([
    [
      'raw JSON',
      { mode: 'raw', raw: '{"a":1}', options: { raw: { language: 'json' } } },
      'application/json',
      '{"a":1}',
    ],
    [
      'a form',
      { mode: 'urlencoded', urlencoded: [field('a', '1 2'), field('b', '3', { disabled: true }), field('c', '&')] },
      'application/x-www-form-urlencoded',
      'a=1+2&c=%26',
    ],
    [
      'GraphQL',
      { mode: 'graphql', graphql: { query: '{ things }', variables: '{"a": 12345678901234567890}' } },
      'application/json',
      '{"query":"{ things }","variables":{"a":12345678901234567890}}',
    ],
  ])('%s', async (_, body, contentType, text) => {
    const request = await requestOf({ method: 'POST', body });
    expect([request.headers, request.body]).toStrictEqual([['Content-Type', contentType], { kind: 'text', text }]);
  });

  test.each([
    [
      'lines',
      '{ // one\n "a": "http://b", /* two\n */ "c": "/* no */" // "d"\n}',
      '{ \n "a": "http://b",  "c": "/* no */" \n}',
    ],
    ['quotes that are escaped', '{"a": "\\"// no", "b": 1 /* "x" */}', '{"a": "\\"// no", "b": 1 }'],
    ['no language', '// first\n[1]', '\n[1]'],
    ['what is no JSON', 'see http://b // or not', 'see http://b // or not'],
  ])('JSON has no comments: %s', async (what, raw, text) => {
    const options = /lines|quotes/.test(what) ? { options: { raw: { language: 'json' } } } : {};
    expect((await requestOf({ method: 'POST', body: { mode: 'raw', raw, ...options } })).body).toEqual({
      kind: 'text',
      text,
    });
  });

  test('a form of parts, with its files', async () => {
    const formdata = [
      field('title', 'one'),
      { key: 'file', type: 'file', src: 'a.txt' },
      { key: 'lost', type: 'file', src: ['b.txt'] },
    ];
    const reading = await read(
      [call({ method: 'POST', body: { mode: 'formdata', formdata } })],
      {},
      { beside: { 'a.txt': 'text' } },
    );
    const body = reading.exchanges[0]?.request.body;
    expect(body?.kind === 'text' ? body.text : '').toMatch(
      /name="title"\r\n\r\none\r\n.*name="file"; filename="a\.txt"\r\nContent-Type: application\/octet-stream\r\n\r\ntext\r\n.*name="lost"; filename="b\.txt"/s,
    );
    expect(told(reading)).toStrictEqual([
      '#/item/0/request A file that the request sends is not beside the collection: kept as an empty file',
    ]);
  });

  test('a file', async () => {
    const of = (src: string): Part => call({ method: 'PUT', body: { mode: 'file', file: { src } } });
    const reading = await read([of('a.json'), of('b.json')], {}, { beside: { 'a.json': '{}' } });
    expect(reading.exchanges.map(({ request }) => request.body)).toStrictEqual([
      { kind: 'text', text: '{}' },
      { kind: 'omitted', reason: 'the file that it is sent from is not there', bytes: undefined },
    ]);
    expect(told(reading)).toHaveLength(1);
  });

  test('a GET sends none unless it is told to, and one that is switched off is none', async () => {
    const body = { mode: 'raw', raw: 'x' };
    const kept = { ...call({ body }), protocolProfileBehavior: { disableBodyPruning: true } };
    const { exchanges } = await read([
      call({ body }),
      kept,
      call({ method: 'POST', body: { ...body, disabled: true } }),
    ]);
    expect(exchanges.map(({ request }) => request.body)).toStrictEqual([
      undefined,
      { kind: 'text', text: 'x' },
      undefined,
    ]);
  });
});

describe('saved responses', () => {
  test('each is an exchange with what was sent for it', async () => {
    const original = { method: 'GET', url: { ...THINGS, query: [{ key: 'page', value: '9' }] } };
    const item = {
      ...call({ auth: { type: 'bearer', bearer: [{ key: 'token', value: 'abc' }] } }, 'List'),
      response: [
        { name: 'found', code: 200, header: [{ key: 'Content-Type', value: 'application/json' }], body: '[]' },
        {
          name: 'not found',
          originalRequest: original,
          code: 404,
          header: 'Content-Type: text/plain\nX-A: 1',
          body: null,
        },
        { name: 'broken', header: null },
      ],
    };
    const reading = await read([item]);
    expect(reading.exchanges).toMatchObject([
      { name: 'List: found', request: { target: '/v1/things' }, response: { status: 200, body: { text: '[]' } } },
      {
        name: 'List: not found',
        request: { target: '/v1/things?page=9', headers: ['Authorization', 'Bearer abc'] },
        response: { status: 404, headers: ['Content-Type', 'text/plain', 'X-A', '1'], body: undefined },
      },
      { name: 'List: broken', response: undefined },
    ]);
    expect(told(reading)).toStrictEqual([
      '#/item/0/response/2 The saved response has no status: kept as a request alone',
    ]);
  });
});

describe('what cannot be read is told', () => {
  test.each([
    [
      'no JSON',
      '{"item": [',
      /^line 1:11 The file ends here, in the middle of its JSON: expected a value\. Is it whole\? .*: not read$/,
    ],
    [
      'no list of items',
      '{"info": {}}',
      /^It has no list "item" of requests, as a Postman collection has: export it as version 2\.1: not read$/,
    ],
    [
      'no requests',
      collection([{ name: 'F', item: [] }]),
      /^The collection has no requests that can be read: not read$/,
    ],
  ])('%s', async (_, text, message) => {
    const reading = await readWith(postman, text);
    expect(reading.exchanges).toStrictEqual([]);
    expect(told(reading)).toStrictEqual([expect.stringMatching(message)]);
  });

  test('items that are none, beside those that are', async () => {
    const reading = await read(['text', { name: 'empty' }, call()]);
    expect(lines(reading)).toStrictEqual(['GET http://api.example/v1/things -> none']);
    expect(told(reading)).toStrictEqual([
      '#/item/0 The item is not an object: left out',
      '#/item/1 The item has no request: left out',
    ]);
  });

  test('a collection in an envelope is read', async () => {
    const text = `\ufeff{"collection": ${collection([call()])}}`;
    const reading = await readWith(postman, text);
    expect(reading.exchanges.map(({ source }) => source)).toStrictEqual(['given#/collection/item/0/request']);
  });
});
