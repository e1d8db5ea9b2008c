import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { checkParameters } from '../../src/checks/request/parameters';
import { type ParameterValues } from '../../src/checks/request/parameter-values';
import { loadText } from '../openapi/load-text';
import { serveText } from '../support/serve-text';

const DOCUMENT = `openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
paths:
  /search:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, default: 20 } }
        - { name: only, in: query, allowEmptyValue: true, schema: { type: string, enum: [new] } }
        - name: range
          in: query
          schema: { type: object, properties: { from: { type: integer }, limit: { type: integer } } }
        - { name: where, in: query, style: deepObject, explode: true, schema: { $ref: '#/components/schemas/Where' } }
        - { name: json, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/Where' } } } }
        - { name: session, in: cookie, required: true, schema: { type: integer } }
        - { name: X-Tags, in: header, schema: { type: array, items: { type: string, maxLength: 3 } } }
      responses: { '204': { description: ok } }
  /points/{point}:
    get:
      parameters:
        - name: point
          in: path
          required: true
          style: matrix
          explode: true
          schema:
            type: object
            required: [x]
            properties: { x: { type: integer }, label: { type: string, maxLength: 3 } }
      responses: { '204': { description: ok } }
components:
  schemas:
    Where:
      type: object
      additionalProperties: false
      properties: { size: { type: integer } }
`;

const { api } = loadText(DOCUMENT);

function valuesOf(query: string, headers: Record<string, string> = {}): ParameterValues {
  const head = {
    method: 'GET',
    target: `/search?${query}`,
    headers: { cookie: 'session=7', ...headers },
    rawHeaders: [],
  };
  const operation = api.operations[0]!;
  const checked = checkParameters(operation, { head, pathParameters: {}, query, strict: false });
  if (checked.kind === 'refused') throw new Error(checked.problem.message);
  return checked.values;
}

describe('the parameters of a request', () => {
  let app: MockServer;
  beforeAll(async () => {
    app = await serveText(DOCUMENT);
  });

  const get = (path: string, cookie = 'session=7'): request.Test => request(app).get(path).set('Cookie', cookie);

  test.each([
    '/search',
    '/search?limit=3&from=1',
    '/search?only=',
    '/search?only',
    '/search?where[size]=1',
    '/search?where%5Bsize%5D=1',
    '/search?json=%7B%22size%22%3A1%7D',
    '/points/;x=1',
    '/points/;x=1;label=%3B%2F%3D',
    '/points/%3Bx=1'.replace('%3B', ';'),
  ])('%s is accepted', async (path) => {
    await get(path).expect(204);
  });

  test.each([
    ['/search?limit=0', 'The query parameter "limit" must be'],
    ['/search?limit=1&limit=2', 'The query parameter "limit" must be sent once only'],
    ['/search?from=x', 'The query parameter "range" at /from must be an integer'],
    ['/search?where[size]=x', 'The query parameter "where" at /size must be an integer'],
    ['/search?where[colour]=x', 'The query parameter "where" must not have the property "colour"'],
    ['/search?where[size][x]=1', 'The query parameter "where" at /size must be an integer'],
    ['/search?json=%7B%22size%22%3A%22x%22%7D', 'The query parameter "json" at /size must be an integer'],
    ['/search?json=x', 'The query parameter "json" is not valid JSON'],
    ['/points/;x=a', 'The path parameter "point" at /x must be an integer'],
    ['/points/;label=a', 'The path parameter "point" must have the property "x"'],
    ['/points/x=1', 'The path parameter "point" does not begin with ";"'],
  ])('%s is refused: %s', async (path, message) => {
    const { body } = await get(path).expect(400);
    expect((body as { detail: string }).detail).toContain(message);
  });

  it('asks for a cookie that is required, and judges it', async () => {
    const { body } = await request(app).get('/search').expect(400);
    expect(body).toMatchObject({ code: 'missing_parameter', detail: 'The cookie parameter "session" is missing' });
    await get('/search', 'session=x').expect(400);
    await get('/search', 'a=b; session=8').expect(204);
  });

  it('knows the members of an object with handling=strict', async () => {
    await get('/search?from=1&where[size]=1').set('Prefer', 'handling=strict').expect(204);
    await get('/search?to=1').set('Prefer', 'handling=strict').expect(400);
  });
});

it('gives names that are declared to themselves, and only then to an exploded object', () => {
  const { query } = valuesOf('limit=3&from=1');
  expect([...query]).toStrictEqual([
    ['limit', 3],
    ['range', { from: 1 }],
  ]);
});

it('takes an empty value for one that is not used, where that is allowed', () => {
  expect([...valuesOf('only=').query]).toStrictEqual([]);
  expect([...valuesOf('only=new').query]).toStrictEqual([['only', 'new']]);
});

it('splits a header by its style', () => {
  expect([...valuesOf('', { 'x-tags': 'a, b' }).header]).toStrictEqual([['X-Tags', ['a', 'b']]]);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'parameters may be called %s, wherever they stand',
  async (name) => {
    // Node keeps no header of that name.
    const headers = name === '__proto__' ? [] : ['header'];
    const places = [...headers, 'query', 'cookie'].map((place) => ({ name, in: place, schema: { type: 'integer' } }));
    const path = { name, in: 'path', required: true, schema: { type: 'integer' } };
    const answer = { responses: { 204: { description: 'ok' } } };
    const app = await serveText(
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Names', version: '1' },
        paths: {
          '/optional': { get: { parameters: places, ...answer } },
          '/required': { get: { parameters: places.map((place) => ({ ...place, required: true })), ...answer } },
          [`/in-path/{${name}}`]: { get: { parameters: [path], ...answer } },
        },
      }),
    );
    const all = (path: string, value: string): request.Test =>
      request(app).get(`${path}?${name}=${value}`).set(name, value).set('Cookie', `${name}=${value}`);
    await request(app).get('/optional').expect(204);
    await request(app).get('/required').expect(400);
    await all('/optional', '7').expect(204);
    await all('/required', '7').expect(204);
    await all('/required', 'x').expect(400);
    await request(app).get(`/optional?${name}=x`).expect(400);
    await request(app).get('/in-path/7').expect(204);
    await request(app).get('/in-path/x').expect(400);
  },
);
