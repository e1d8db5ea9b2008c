import { isOpenCollectionEnvironment, openCollection } from '../../../src/traffic/readers/open-collection';
import { lines, readWith, type Reading, told } from './read';

const read = (text: string, given = {}): Promise<Reading> => readWith(openCollection, text, given);

const BUNDLED = `
opencollection: 1.0.0
bundled: true
info: { name: Things }
config:
  environments:
    - name: local
      variables:
        - { name: baseUrl, value: 'http://127.0.0.1:4010/v1' }
        - { name: token, secret: true }
        - { name: id, value: [{ title: a, value: '1' }, { title: b, selected: true, value: { type: number, data: '7' } }] }
    - name: staging
request:
  headers:
    - { name: X-Client, value: tests }
    - { name: X-Off, value: '1', disabled: true }
  auth: { type: bearer, token: '{{token}}' }
  scripts: [{ type: before-request, code: 'x()' }]
items:
  - info: { name: Folder, type: folder }
    request: { auth: { type: apikey, key: k, value: abc, placement: query } }
    items:
      - info: { name: List, type: http }
        http:
          method: get
          url: '{{baseUrl}}/things/:id?page=1&off=2'
          params:
            - { name: page, value: '1', type: query }
            - { name: off, value: '2', type: query, disabled: true }
            - { name: id, value: '{{id}}', type: path }
        examples:
          - name: found
            response:
              status: 200
              headers: [{ name: Content-Type, value: application/json }]
              body: { type: json, data: '[]' }
  - info: { name: Create, type: http }
    http:
      method: POST
      url: '{{baseUrl}}/things'
      headers: [{ name: x-client, value: own }]
      auth: { type: basic, basic: { username: me, password: secret } }
      body:
        - { title: one, body: { type: text, data: no } }
        - { title: two, selected: true, body: { type: json, data: '{"a": 1}' } }
  - info: { name: Form, type: http }
    http:
      method: POST
      url: '{{baseUrl}}/form?x=1'
      auth: none
      body: { type: form-urlencoded, data: [{ name: a, value: '1 2' }, { name: b, value: '', disabled: true }] }
  - info: { name: Ask, type: graphql }
    graphql: { method: POST, url: '{{baseUrl}}/graphql', body: { query: '{ a }', variables: '{"b": 2}' } }
  - info: { name: Live, type: websocket }
    websocket: { url: 'wss://api.example' }
`;

test.each([
  ['a collection', 'c.yml', BUNDLED, true],
  ['one in JSON', 'c.json', '{"opencollection": "1.0.0"}', true],
  ['a single request', 'r.yml', 'info:\n  name: x\nhttp:\n  url: http://a.example\n', true],
  ['a description', 'openapi.yaml', 'openapi: 3.0.3\ninfo:\n  title: x\n', false],
])('%s is recognised, or not', (_, file, head, expected) => {
  expect(openCollection.recognises(file, head)).toBe(expected);
});

test('a collection gives its requests in their order, with what its folders say of them', async () => {
  const reading = await read(BUNDLED);
  expect(lines(reading)).toStrictEqual([
    'GET http://127.0.0.1:4010/v1/things/7?page=1&k=~secret.k~ -> 200',
    'POST http://127.0.0.1:4010/v1/things -> none',
    'POST http://127.0.0.1:4010/v1/form?x=1 -> none',
    'POST http://127.0.0.1:4010/v1/graphql -> none',
  ]);
  expect(reading.exchanges.map(({ source, name, request }) => [source, name, request.headers])).toStrictEqual([
    ['given#/items/0/items/0/examples/0', 'List', ['X-Client', 'tests']],
    [
      'given#/items/1/http',
      'Create',
      ['x-client', 'own', 'Authorization', 'Basic bWU6c2VjcmV0', 'Content-Type', 'application/json'],
    ],
    ['given#/items/2/http', 'Form', ['X-Client', 'tests', 'Content-Type', 'application/x-www-form-urlencoded']],
    [
      'given#/items/3/http',
      'Ask',
      ['X-Client', 'tests', 'Authorization', 'Bearer ~secret.token~', 'Content-Type', 'application/json'],
    ],
  ]);
  expect(reading.exchanges.map(({ request }) => request.body)).toStrictEqual([
    undefined,
    { kind: 'text', text: '{"a": 1}' },
    { kind: 'text', text: 'a=1+2' },
    { kind: 'text', text: '{"query":"{ a }","variables":{"b":2}}' },
  ]);
  expect(reading.exchanges[0]?.response).toStrictEqual({
    status: 200,
    headers: ['Content-Type', 'application/json'],
    body: { kind: 'text', text: '[]' },
  });
  expect(told(reading)).toStrictEqual([
    '#/config/environments The collection has 2 environments: the values of the first were taken, local',
    '#/items/4 The item has no request: left out',
    '#/request/variables 1 variable without a value in the collection: token: kept as secrets without a value',
    '1 script of the collection: not run: what they set is not known',
  ]);
});

test('a single request is read, with the values of an environment beside it', async () => {
  const text = 'info:\n  name: Get\n  type: http\nhttp:\n  method: GET\n  url: "{{baseUrl}}/things"\n';
  const reading = await read(text, { values: { baseUrl: 'http://a.example' } });
  expect(lines(reading)).toStrictEqual(['GET http://a.example/things -> none']);
  expect(reading.exchanges[0]).toMatchObject({ source: 'given#/http', name: 'Get' });
});

test('files are sent in forms, where they are beside the collection', async () => {
  const text = `
info: { name: Up }
http:
  method: POST
  url: http://a.example
  body: { type: multipart-form, data: [{ name: f, type: file, value: [a.txt] }, { name: t, type: text, value: one }] }
`;
  const { exchanges, problems } = await read(text, { beside: { 'a.txt': 'text' } });
  const body = exchanges[0]?.request.body;
  expect(body?.kind === 'text' ? body.text : '').toMatch(
    /filename="a\.txt"\r\n.*\r\n\r\ntext\r\n.*name="t"\r\n\r\none/s,
  );
  expect(problems).toStrictEqual([]);
});

test.each([
  ['text that is no YAML', 'opencollection: [', /^line 1:\d+ The file is not valid YAML: .*: not read$/],
  ['a list', '- opencollection', /^It is not an object: not read$/],
  ['no requests', 'opencollection: 1.0.0', /^The collection has no requests that can be read: not read$/],
])('%s is told', async (_, text, message) => {
  expect(told(await read(text))).toStrictEqual([expect.stringMatching(message)]);
});

test('a file of values is known by its folder', () => {
  expect(isOpenCollectionEnvironment('bruno/environments/local.yml', 'name: local\nvariables:\n')).toBe(true);
  expect(isOpenCollectionEnvironment('bruno/local.yml', 'name: local\nvariables:\n')).toBe(false);
});
