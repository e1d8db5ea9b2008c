import request from 'supertest';
import { createMockServer, type MockServer } from '../../src/express';
import { serveText } from '../support/serve-text';

const LIBRARY = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
servers: [{ url: 'https://api.example.com/v1' }, { url: '/v2' }]
paths:
  /books:
    get:
      operationId: listBooks
      summary: All books
      tags: [reading, other]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } }
        4XX: { description: no, content: { application/problem+json: { examples: { down: { value: {} }, full: { value: {} } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{bookId}:
    servers: [{ url: 'https://other.example.com/{place}', variables: { place: { default: far } } }]
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getBook
      deprecated: true
      x-sunset: '2031-01-01'
      x-stability: beta
      x-hideTryItPanel: true
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
components:
  schemas:
    Book: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }
`;

let app: MockServer;
beforeEach(async () => {
  app = await serveText(LIBRARY);
});

describe('operations', () => {
  interface Listed {
    readonly id: string;
    readonly used: Record<string, number>;
  }
  const operations = async (query = ''): Promise<readonly Listed[]> =>
    ((await request(app).get(`/__standin/operations${query}`).expect(200)).body as { operations: Listed[] }).operations;
  const used = async (query = ''): Promise<unknown> =>
    Object.fromEntries((await operations(query)).map(({ id, used: counts }) => [id, counts]));

  test('are told with what the description says of them', async () => {
    expect(await operations()).toStrictEqual([
      {
        id: 'listBooks',
        method: 'GET',
        path: '/books',
        summary: 'All books',
        tag: 'reading',
        isDeprecated: false,
        sunset: null,
        stability: 'stable',
        isTryItOffered: true,
        statuses: [
          { status: '200', description: 'ok', examples: [], contentType: 'application/json' },
          { status: '4XX', description: 'no', examples: ['down', 'full'], contentType: 'application/problem+json' },
        ],
        used: {},
      },
      expect.objectContaining({ id: 'POST /books', tag: '' }),
      expect.objectContaining({
        id: 'getBook',
        path: '/books/{bookId}',
        isDeprecated: true,
        sunset: '2031-01-01T00:00:00.000Z',
        stability: 'beta',
        isTryItOffered: false,
      }),
    ]);
  });

  test('say how often they answered what, in all sandboxes and in one', async () => {
    const one = app.sandbox('one').headers;
    await request(app).get('/v1/books').expect(200);
    await request(app).get('/v2/books').expect(200);
    await request(app).get('/v1/books').set('X-Standin-Fault', 'status:503').expect(503);
    await request(app).get('/v1/nowhere').expect(404);
    await request(app).get('/v1/books').set(one).expect(200);
    expect(await used('?sandbox=one')).toStrictEqual({ listBooks: { 200: 1 }, 'POST /books': {}, getBook: {} });
    expect(app.sandboxes()).toEqual([]);
    await request(app).post('/v1/books').set(one).send({ title: 'Emma' }).expect(201);
    await request(app).post('/v1/books').set(one).send({ title: 7 }).expect(400);
    await request(app).get('/far/books/1').set(one).expect(200);
    const ofOne = { listBooks: { 200: 1 }, 'POST /books': { 201: 1, 400: 1 }, getBook: { 200: 1 } };
    expect(await used('?sandbox=one')).toStrictEqual(ofOne);
    const all = { ...ofOne, listBooks: { 200: 3, 503: 1 } };
    expect(await used()).toStrictEqual(all);
    expect(await used('?sandbox=default')).toMatchObject({ listBooks: { 200: 2, 503: 1 }, getBook: {} });
    app.reset();
    app.sandbox('one').reset();
    expect(await used()).toStrictEqual(all);
    expect(await used('?sandbox=one')).toStrictEqual(ofOne);
    app.sandbox('one').remove();
    expect(await used()).toStrictEqual(all);
    expect(await used('?sandbox=one')).toMatchObject({ listBooks: {} });
  });
});

describe('the description', () => {
  const URL = 'http://localhost:1234';
  const description = async (query = ''): Promise<object> =>
    (await request(app).get(`/__standin/description${query}`).set('Host', 'localhost:1234').expect(200)).body as object;

  test('is one document whose servers are this mock', async () => {
    expect(await description()).toMatchObject({
      servers: [{ url: `${URL}/v1` }, { url: `${URL}/v2` }],
      paths: {
        '/books/{bookId}': {
          servers: [{ url: `${URL}/far` }],
          get: { 'x-sunset': '2031-01-01', 'x-stability': 'beta' },
        },
      },
      components: { schemas: { Book: { type: 'object' } } },
    });
    expect(await description('?sandbox=one')).toMatchObject({
      servers: [{ url: `${URL}/_s/one/v1` }, { url: `${URL}/_s/one/v2` }],
    });
    await request(app).get('/_s/one/v1/books').expect(200);
  });

  test('has no other server in path items that are referred to, and in operations with a method of their own', async () => {
    app = await createMockServer({
      description: {
        openapi: '3.2.0',
        info: { title: 'Far', version: '1' },
        paths: {
          '/far': { $ref: '#/components/pathItems/Far' },
          '/own': {
            additionalOperations: {
              COPY: { servers: [{ url: 'https://evil.example/own' }], responses: { 204: { description: 'copied' } } },
            },
          },
        },
        components: {
          pathItems: {
            Far: {
              servers: [{ url: 'https://evil.example/far' }],
              get: { servers: [{ url: 'https://evil.example/get' }], responses: { 204: { description: 'read' } } },
            },
          },
        },
      },
    });
    const body = await description();
    expect(JSON.stringify(body)).not.toContain('evil.example');
    expect(body).toMatchObject({
      paths: { '/own': { additionalOperations: { COPY: { servers: [{ url: `${URL}/own` }] } } } },
      components: { pathItems: { Far: { servers: [{ url: `${URL}/far` }] } } },
    });
  });

  test('has the base path that was chosen in place of all that are written', async () => {
    app = await serveText(LIBRARY, { basePath: '/api' });
    const body = await description();
    expect(body).toMatchObject({ servers: [{ url: `${URL}/api` }] });
    expect(JSON.stringify(body)).not.toContain('other.example.com');
  });
});

describe('the credentials', () => {
  const credentials = async (options: Parameters<typeof createMockServer>[0]): Promise<object> => {
    const mock = await createMockServer({ ...options, description: { ...SMALL } });
    return (await request(mock).get('/__standin/credentials').expect(200)).body as object;
  };
  const SMALL = { openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths: {} };

  test('are a key that the mock accepts, where it asks for one and the key is its own', async () => {
    expect(await credentials({})).toStrictEqual({ auth: 'open', key: 'test-key' });
    expect(await credentials({ auth: 'keys' })).toStrictEqual({ auth: 'keys', key: 'test-key' });
    expect(await credentials({ apiKeys: ['mine', 'other'] })).toStrictEqual({ auth: 'keys', key: 'mine' });
    expect(await credentials({ auth: 'any' })).toStrictEqual({ auth: 'any', key: 'any-key' });
    expect(await credentials({ auth: 'off' })).toStrictEqual({ auth: 'off', key: null });
    const tokens = { standin: 'tokens/1' as const, tokens: { ann: { key: 'of-ann' } } };
    expect(await credentials({ apiKeys: [], tokens })).toStrictEqual({ auth: 'keys', key: null });
  });
});

describe('why', () => {
  interface Sections {
    readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
  }

  test('tells of a remembered request why it got its response', async () => {
    await request(app).get('/v1/books').expect(200);
    await request(app).post('/v1/books').set(app.sandbox('one').headers).send({ title: 7 }).expect(400);
    const { body } = await request(app).get('/__standin/why?seq=2').expect(200);
    const lines = (title: string): readonly string[] =>
      (body as Sections).sections.find((section) => section.title === title)?.lines ?? [];
    expect(lines('Routed to')).toContain('POST /books');
    expect(lines('Why it was rejected')).toEqual([
      expect.stringMatching(/^invalid_field: The field \/title/),
      expect.stringMatching(/^the description says so at .*openapi\.yaml:\d+$/),
    ]);
    await request(app).get('/__standin/why?seq=3').expect(404);
    await request(app).get('/__standin/why').expect(400);
    expect(app.sandboxes()).toEqual([]);
  });
});
