import request from 'supertest';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { serveText } from '../support/serve-text';

const ITEM = `{ type: object, required: [name], properties: { id: { type: string, readOnly: true }, name: { type: string },
  tags: { type: array, items: { type: string } }, home: { type: object, properties: { street: { type: string }, lift: { type: boolean } } },
  owner: { type: object, properties: { id: { type: string }, name: { type: string } } }, note: { type: [string, 'null'] }, lift: { type: boolean } } }`;

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
servers: [{ url: 'https://desk.example/{tenant}/v1', variables: { tenant: { default: '{tenant}' } } }, { url: '/{area}', variables: { area: { default: eu, enum: [eu, us] } } }]
paths:
  /rooms:
    get:
      parameters:
        - { name: lift, in: query, schema: { type: boolean } }
        - { name: ids, in: query, style: form, explode: false, schema: { type: array, items: { type: string } } }
        - { name: fields, in: query, style: form, explode: false, schema: { type: array, items: { enum: [name, tags] } } }
        - { name: Desk-Version, in: header, schema: { enum: ['1.0', '1.1'] } }
        - { name: api-version, in: query, schema: { enum: ['1.0', '1.1'] } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Room' } } } } } }
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Room' } }, application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Room' } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } }
  /rooms/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } }
    patch:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody: { content: { application/json-patch+json: { schema: { type: object } }, application/merge-patch+json: { schema: { $ref: '#/components/schemas/Part' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } }
  /halls/{hall_id}/seats:
    post:
      parameters: [{ name: hall_id, in: path, required: true, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [hall, row], properties: { hall: { type: string }, row: { type: string } } } } } }
      responses: { '204': { description: ok } }
  /rooms.list:
    get:
      parameters: [{ name: token, in: query, required: true, schema: { type: string } }, { name: lift, in: query, schema: { type: boolean } }]
      responses: { '200': { description: ok, content: { application/json: { example: { ok: true } } } } }
  /signs:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                oneOf: { type: string }
                signs:
                  oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Sign' } }]
      responses: { '204': { description: ok } }
  /notes:
    get:
      parameters: [{ name: limit, in: query, required: true, schema: { type: integer, default: 20 } }]
      responses: { '200': { description: ok, content: { application/json: { example: [] } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: &note { type: object, required: [text, size, mood, until, tag, loud, hue, parts], properties: {
        text: { type: string }, size: { type: integer, default: 3 }, mood: { type: [string, 'null'] }, loud: { type: boolean }, hue: { enum: [red, blue] }, until: { anyOf: [{ type: string }, { type: 'null' }] },
        tag: { type: string, description: 'Made by the service if not specified.' }, parts: { type: array, items: { type: object, required: [a, b], properties: { a: { type: string }, b: { type: [string, 'null'] } } } } } } }, application/x-www-form-urlencoded: { schema: *note } } }
      responses: { '204': { description: ok } }
  /plan:
    delete:
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { why: { type: string } } } } } }
      responses: { '204': { description: gone } }
    put:
      requestBody: { content: { application/octet-stream: {} } }
      responses: { '204': { description: kept } }
  /version/: { get: { responses: { '200': { description: ok, content: { application/json: { example: { v: 1 } } } } } } }
  /boards:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: &board { type: object, required: [name], properties: { name: { type: string }, size: { type: integer }, hue: { type: string } } } }, example: [{ name: first, size: 1, hue: red }] } } } } }
    post: { requestBody: { content: { application/json: { schema: *board } } }, responses: { '201': { description: made, content: { application/json: { schema: *board } } }, '409': { description: taken } } }
  /boards/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: *board } } } } }
    put: { requestBody: { content: { application/json: { schema: *board } } }, responses: { '200': { description: ok, content: { application/json: { schema: *board } } } } }
  /refused:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: ok }, '415': { description: no } }
components: { schemas: { Easy: { type: object, required: [size], properties: { kind: { enum: [round, square] }, size: { type: integer } } }, Round: { type: object, required: [kind], properties: { kind: { enum: [round] }, size: {} } },
  Sign: { oneOf: [{ $ref: '#/components/schemas/Easy' }, { $ref: '#/components/schemas/Round' }], discriminator: { propertyName: kind } },
  Room: ${ITEM}, Part: { type: object, properties: { tags: { type: array, items: { type: string } }, name: { type: string } } } } }
`;

const serve = (options: CreateMockServerOptions = {}): Promise<MockServer> => serveText(DOCUMENT, options);

interface Case {
  readonly reading: string;
  readonly about: string;
  /** What the mock begins with; nothing when left out. */
  readonly state?: 'seeded';
  readonly send: (app: MockServer) => request.Test;
  readonly status: number;
  readonly refused: number;
}

const json = 'application/json';
const NOTE = { text: 'A', size: 1, mood: 'b', until: 'c', tag: 'd', loud: true, hue: 'red', parts: [] };
const CASES: readonly Case[] = [
  ...['1', 'True', 'yes', 'on', 't'].map((word) => ({
    reading: 'boolean_word',
    about: `?lift=${word}`,
    send: (app: MockServer) => request(app).get(`/eu/rooms?lift=${word}`),
    status: 200,
    refused: 400,
  })),
  {
    reading: 'boolean_word',
    about: 'a form',
    send: (app) => request(app).post('/eu/rooms').type('form').send('name=A&lift=0'),
    status: 201,
    refused: 400,
  },
  {
    reading: 'null_member',
    about: 'of an item, and inside of it',
    send: (app) =>
      request(app)
        .post('/eu/rooms')
        .send({ name: 'A', tags: null, home: { street: null, lift: true }, note: null }),
    status: 201,
    refused: 400,
  },
  {
    reading: 'null_member',
    about: 'of a client that sends other empty values for what is not set as well',
    send: (app) =>
      request(app)
        .post('/eu/rooms')
        .send({ name: 'A', note: null, tags: {}, home: { street: null, lift: '' } }),
    status: 201,
    refused: 400,
  },
  {
    reading: 'member_in_path',
    about: 'the hall of a seat',
    send: (app) => request(app).post('/eu/halls/7/seats').send({ row: 'A' }),
    status: 204,
    refused: 400,
  },
  {
    reading: 'encoded_delimiter',
    about: 'between words of an enum',
    send: (app) => request(app).get('/eu/rooms?fields=name%2Ctags'),
    status: 200,
    refused: 400,
  },
  {
    reading: 'api_version',
    about: 'a header',
    send: (app) => request(app).get('/eu/rooms').set('Desk-Version', '2.0'),
    status: 200,
    refused: 400,
  },
  {
    reading: 'api_version',
    about: 'the query',
    send: (app) => request(app).get('/eu/rooms?api-version=2.0'),
    status: 200,
    refused: 400,
  },
  {
    reading: 'missing_optional',
    about: 'a parameter with a default',
    send: (app) => request(app).get('/eu/notes'),
    status: 200,
    refused: 400,
  },
  ...[
    { size: undefined },
    { mood: undefined },
    { until: undefined },
    { tag: undefined },
    { loud: undefined },
    { hue: undefined },
    { parts: [{ a: 'x' }] },
  ].map((change) => ({
    reading: 'missing_optional',
    about: `a body without ${Object.keys(change).join()}, or a property of it`,
    send: (app: MockServer) =>
      request(app)
        .post('/eu/notes')
        .send({ ...NOTE, ...change }),
    status: 204,
    refused: 400,
  })),
  {
    reading: 'key_of_seed',
    about: 'a new item with the key of an example',
    state: 'seeded',
    send: (app) => request(app).post('/eu/boards').send({ name: 'first', size: 2 }),
    status: 201,
    refused: 409,
  },
  {
    reading: 'post_for_get',
    about: 'a form',
    send: (app) => request(app).post('/eu/rooms.list').type('form').send('lift=true&token=t'),
    status: 200,
    refused: 405,
  },
  {
    reading: 'credential_elsewhere',
    about: 'Authorization',
    send: (app) => request(app).get('/eu/rooms.list').set('Authorization', 'Bearer t'),
    status: 200,
    refused: 400,
  },
  {
    reading: 'missing_body',
    about: 'of a DELETE that needs nothing of it',
    send: (app) => request(app).delete('/eu/plan'),
    status: 204,
    refused: 400,
  },
  {
    reading: 'key_for_object',
    about: 'the id of an owner',
    send: (app) => request(app).post('/eu/rooms').send({ name: 'A', owner: '7' }),
    status: 201,
    refused: 400,
  },
  {
    reading: 'fits_several',
    about: 'a sign that is easy and round',
    send: (app) =>
      request(app)
        .post('/eu/signs')
        .send({ signs: [{ kind: 'round', size: 1 }] }),
    status: 204,
    refused: 400,
  },
  {
    reading: 'trailing_slash',
    about: 'one too many',
    send: (app) => request(app).get('/eu/rooms/'),
    status: 200,
    refused: 404,
  },
  {
    reading: 'trailing_slash',
    about: 'one too few',
    send: (app) => request(app).get('/eu/version'),
    status: 200,
    refused: 404,
  },
  {
    reading: 'server_variable',
    about: 'of an enum',
    send: (app) => request(app).get('/ap/rooms'),
    status: 200,
    refused: 404,
  },
  {
    reading: 'content_type',
    about: 'missing',
    send: (app) => request(app).post('/eu/rooms').unset('Content-Type').send(Buffer.from('{"name":"A"}')),
    status: 201,
    refused: 400,
  },
  {
    reading: 'content_type',
    about: 'another JSON type',
    send: (app) => request(app).post('/eu/rooms').set('Content-Type', 'application/vnd.desk+json').send('{"name":"A"}'),
    status: 201,
    refused: 400,
  },
  {
    reading: 'content_type',
    about: 'text for octets',
    send: (app) => request(app).put('/eu/plan').set('Content-Type', 'text/plain').send('abc'),
    status: 204,
    refused: 400,
  },
  {
    reading: 'encoded_delimiter',
    about: 'between the ids',
    send: (app) => request(app).get('/eu/rooms?ids=a%2Cb'),
    status: 200,
    refused: 200,
  },
];

describe('a request that is not quite as it should be', () => {
  const servers = new Map<string, Promise<MockServer>>();

  /** One server for all cases with the same options; each case finds it as it was at its start. */
  async function sharedServer(options: CreateMockServerOptions): Promise<MockServer> {
    const key = JSON.stringify(options);
    const app = servers.get(key) ?? serve(options);
    servers.set(key, app);
    (await app).reset();
    return app;
  }

  test.each(CASES)('is done with the warning $reading: $about', async ({ reading, send, status, state }) => {
    const app = await sharedServer({ auth: 'off', ...(state && { state }) });
    const { headers } = await send(app).expect(status);
    expect(headers['x-standin-problem']).toMatch(new RegExp(`^${reading}: `));
    expect(app.journal().at(-1)).toMatchObject({ warnings: [{ code: reading }] });
  });

  test.each(CASES)('is rejected with --strict ($reading: $about)', async ({ send, refused, state }) => {
    const app = await sharedServer({ auth: 'off', strict: true, ...(state && { state }) });
    const { headers } = await send(app).expect(refused);
    if (refused === 200) expect(headers).not.toHaveProperty('x-standin-problem');
  });
});

test('null for what may be null stays, and what is left out is left out', async () => {
  const app = await serve();
  const sent = { name: 'A', tags: null, home: { street: null, lift: true }, note: null };
  const { body } = await request(app).post('/eu/rooms').send(sent).expect(201);
  expect(body).toMatchObject({ name: 'A', home: { lift: true }, note: null });
  expect(body).not.toHaveProperty('tags');
});

test('what the path does not say is missed in the body', async () => {
  const { body } = await request(await serve())
    .post('/eu/halls/7/seats')
    .send({})
    .expect(400);
  expect(JSON.stringify(body)).toContain('/row');
});

test('what is posted for a GET is judged as its parameters are', async () => {
  const app = await serve();
  const post = (body: object): request.Test => request(app).post('/eu/rooms.list').send(body);
  await post({ token: 't', lift: true }).expect(200);
  await post({ token: 't', lift: 'maybe' }).expect(400);
  await post({ lift: true }).expect(400);
  await request(app).post('/eu/version/').send({}).expect(405);
});

test('the key of a thing is the thing with that key, but only where things have one', async () => {
  const app = await serve();
  const { body } = await request(app).post('/eu/rooms').send({ name: 'A', owner: '7' }).expect(201);
  expect(body).toMatchObject({ name: 'A', owner: { id: '7' } });
  await request(app).post('/eu/rooms').send({ name: 'A', home: 'x' }).expect(400);
  await request(app).post('/eu/rooms').send({ name: 'A', owner: '7', lift: 'x' }).expect(400);
});

test('null for a required member is refused', async () => {
  await request(await serve())
    .post('/eu/rooms')
    .send({ name: null })
    .expect(400);
});

test('a JSON Patch is a list of operations, and null in a merge patch takes away, whatever the schema says', async () => {
  const app = await serve();
  const { id } = (
    await request(app)
      .post('/eu/rooms')
      .send({ name: 'A', tags: ['x'] })
  ).body as { id: string };
  const patch = [{ op: 'replace', path: '/name', value: 'B' }];
  const patched = await request(app)
    .patch(`/eu/rooms/${id}`)
    .type('application/json-patch+json')
    .send(patch)
    .expect(200);
  expect(patched.body).toMatchObject({ name: 'B', tags: ['x'] });
  expect(patched.headers['x-standin-problem']).toMatch(/^json_patch_schema/);
  const merged = await request(app).patch(`/eu/rooms/${id}`).type('application/merge-patch+json').send({ tags: null });
  expect(merged.status).toBe(200);
  expect(merged.body).not.toHaveProperty('tags');
  expect(merged.headers).not.toHaveProperty('x-standin-problem');
});

test('a server variable without an enum may have any value, and links have that', async () => {
  const app = await serve({ strict: true });
  const { headers } = await request(app).post('/acme/v1/rooms').send({ name: 'A' }).expect(201);
  expect(headers['location']).toMatch(/\/acme\/v1\/rooms\/.+/);
  expect(headers).not.toHaveProperty('x-standin-problem');
});

test('an operation that documents 415 refuses another type', async () => {
  await request(await serve())
    .post('/eu/refused')
    .type('application/vnd.desk+json')
    .send('{}')
    .expect(415);
});

test('a word that is a text where texts may stand stays one', async () => {
  const app = await serve();
  await request(app).post('/eu/rooms').type(json).send({ name: 'yes' }).expect(201);
  await request(app).get('/eu/rooms?lift=maybe').expect(400);
});

test('of a body with null, what is wrong beside it is told', async () => {
  const app = await serveText(DOCUMENT);
  const { body } = await request(app)
    .post('/eu/rooms')
    .send({ name: 'A', tags: null, home: { street: 5 } })
    .expect(400);
  expect(JSON.stringify(body)).toContain('/home/street');
});

test('what is required and has no value for what is not sent is missed', async () => {
  const app = await serve();
  const { body } = await request(app)
    .post('/eu/notes')
    .send({ ...NOTE, text: undefined, mood: undefined })
    .expect(400);
  expect(JSON.stringify(body)).toContain('/text');
  expect(JSON.stringify(body)).not.toContain('/mood');
});

describe('a new item under the key of an example', () => {
  const NEW = { name: 'first', size: 2 };
  const seeded = (): Promise<MockServer> => serve({ state: 'seeded' });

  test('is there in the place of the example, once', async () => {
    const app = await seeded();
    await request(app).post('/eu/boards').send(NEW).expect(201);
    expect((await request(app).get('/eu/boards')).body).toEqual([NEW]);
    await request(app).post('/eu/boards').send(NEW).expect(409);
  });

  test('is refused where somebody has changed that', async () => {
    const app = await seeded();
    await request(app)
      .put('/eu/boards/first')
      .send({ ...NEW, size: 5 })
      .expect(200);
    await request(app).post('/eu/boards').send(NEW).expect(409);
  });
});

test('a body that fits none of several schemas is refused, whatever fits several', async () => {
  const app = await serveText(DOCUMENT, { auth: 'off' });
  for (const signs of [[{ kind: 'square', size: 'x' }], [{ kind: 'round', size: 1 }, {}], 5])
    await request(app).post('/eu/signs').send({ signs }).expect(400);
  await request(app).post('/eu/signs').send({ oneOf: 1 }).expect(400);
});
