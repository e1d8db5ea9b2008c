import request from 'supertest';
import { assembleMockServer, type MockServer } from '../../../src/server/mock-server';
import { createClock } from '../../../src/mock/sandbox/clock';
import { buildModel } from '../../../src/openapi/model/api-model';
import { readSource } from '../../../src/openapi/read/read-source';
import { createPayloadSource } from '../../../src/payload/payload-source';

const schema = { $ref: '#/components/schemas/Cup' };
const json = (media: object): object => ({ content: { 'application/json': media } });
const failure = { description: 'Wrong', ...json({ schema: { $ref: '#/components/schemas/Failure' } }) };
const PATHS = {
  '/cups': {
    get: {
      operationId: 'listCups',
      responses: { '200': { description: 'All', ...json({ schema: { type: 'array', items: schema } }) } },
    },
    post: {
      operationId: 'fill',
      parameters: [{ name: 'hot', in: 'query', schema: { type: 'boolean' } }],
      requestBody: json({ schema }),
      responses: {
        '201': {
          description: 'Full',
          ...json({
            schema,
            examples: {
              small: { value: { id: 90, name: 'small' } },
              large: { value: { id: 91, name: 'large' } },
              wrong: { value: { id: 'none' } },
            },
          }),
        },
        '409': {
          description: 'No room',
          headers: { 'Retry-After': { schema: { type: 'integer' } } },
          ...json({
            schema: { $ref: '#/components/schemas/Failure' },
            example: { code: 'no_room', message: 'The shelf is full' },
          }),
        },
        '4XX': failure,
        default: failure,
      },
    },
  },
  '/cups/{id}': {
    get: {
      operationId: 'getCup',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { '200': { description: 'One', ...json({ schema }) }, '404': failure },
    },
    delete: {
      operationId: 'smash',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { '204': { description: 'Gone' }, '404': failure },
    },
  },
};
const SCHEMAS = {
  Cup: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
  },
  Failure: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      errors: {
        type: 'array',
        items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
      },
    },
  },
};

let app: MockServer;
let told: string[];

function start(strict: boolean): void {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Cups', version: '1' },
    paths: PATHS,
    components: { schemas: SCHEMAS },
  };
  const api = buildModel(readSource(JSON.stringify(document), 'cups.json'));
  const generator = (): never => {
    throw new Error('Prism is not wanted here');
  };
  app = assembleMockServer(api, {
    options: { auth: 'off', strict },
    reportViolation: (message) => told.push(message),
    clock: createClock(),
    payloads: createPayloadSource({ api, generator }),
    corsOrigins: [],
    reportDefect(error) {
      throw error;
    },
  }).app;
}

beforeEach(() => {
  told = [];
  start(false);
});

const MUG = { name: 'mug' };

test.each([
  ['Prefer', '', { Prefer: 'code=409' }],
  ['the query', '?__code=409', {}],
])('a status is forced by %s: its example, its headers, and nothing is done', async (_how, query, headers) => {
  const response = await request(app).post(`/cups${query}`).set(headers).send(MUG).expect(409);
  expect(response.body).toEqual({ code: 'no_room', message: 'The shelf is full' });
  expect(response.headers).toMatchObject({ 'preference-applied': 'code=409', 'retry-after': '1' });
  expect((await request(app).get('/cups').expect(200)).body).toEqual([]);
});

test.each([
  [418, 'the range', /i_m_a_teapot/],
  [404, 'the range', /resource_not_found/],
  [503, 'the default', /service_unavailable/],
])('%i is answered by %s, and says what it is', async (status, _by, code) => {
  const response = await request(app).post('/cups').set('Prefer', `code=${status}`).send(MUG).expect(status);
  expect(response.body).toMatchObject({
    code: expect.stringMatching(code),
    message: expect.stringMatching(/went wrong|does not exist/),
  });
});

test('an item that is there can be said to be missing, and one that is not to be there', async () => {
  await request(app).post('/cups').send(MUG).expect(201);
  await request(app).get('/cups/1').set('Prefer', 'code=404').expect(404);
  await request(app).delete('/cups/1').set('Prefer', 'code=204').expect(204, '');
  expect((await request(app).get('/cups/1').expect(200)).body).toMatchObject(MUG);
  expect((await request(app).get('/cups/77').set('Prefer', 'code=200').expect(200)).body).toMatchObject({
    id: expect.any(Number),
  });
});

test('an example is chosen by its name', async () => {
  const response = await request(app).post('/cups').set('Prefer', 'example=large').send(MUG).expect(201);
  expect(response.body).toEqual({ id: 91, name: 'large' });
  expect((await request(app).post('/cups?__example=small').send(MUG).expect(201)).body).toEqual({
    id: 90,
    name: 'small',
  });
});

test.each([
  ['code=abc', 'code=abc names no response of getCup: it declares 200, 404'],
  ['code=500', 'send X-Standin-Fault: status:500'],
  ['code=202', 'getCup: it declares 200, 404'],
  ['example=x', 'example=x names no example of getCup 200: it has none'],
])('Prefer: %s is told what there is', async (preference, want) => {
  const response = await request(app).get('/cups/1').set('Prefer', preference).expect(400);
  expect(response.body.message).toContain(want);
});

test('the request is judged first, as Prism does', async () => {
  await request(app).post('/cups').set('Prefer', 'code=201').send({ name: 3 }).expect(400);
});

test('what steers the mock is no unknown parameter', async () => {
  await request(app).get('/cups?__code=200').set('Prefer', 'handling=strict').expect(200);
  await request(app).get('/cups?__nothing=200').set('Prefer', 'handling=strict').expect(400);
});

test('a seed chooses another body, the same for the same seed', async () => {
  const body = async (prefer: string): Promise<unknown> =>
    (await request(app).get('/cups/5').set('Prefer', `code=200, ${prefer}`)).body;
  expect(await body('seed=a')).toEqual(await body('seed=a'));
  expect(await body('seed=a')).not.toEqual(await body('seed=b'));
});

test('without such a preference the state answers', async () => {
  await request(app).post('/cups').send(MUG).expect(201);
  const response = await request(app).get('/cups/1').set('Prefer', 'dynamic=false').expect(200);
  expect(response.body).toEqual({ id: 1, name: 'mug' });
  expect(response.headers).not.toHaveProperty('preference-applied');
});

test('every fault of a body is told where the error has a list', async () => {
  const response = await request(app).post('/cups?hot=true').send({ name: 3, id: 'x' }).expect(400);
  expect(response.body.errors).toEqual([
    { field: 'name', message: expect.any(String) },
    { field: 'id', message: expect.any(String) },
  ]);
  const parameter = await request(app).post('/cups?hot=warm').send(MUG).expect(400);
  expect(parameter.body.errors).toEqual([{ field: 'hot', message: 'must be a boolean' }]);
});

describe('an answer that breaks the description', () => {
  const broken = (): request.Test => request(app).post('/cups').set('Prefer', 'example=wrong').send(MUG);

  test('is sent, told once, and counted', async () => {
    expect((await broken().expect(201)).body).toEqual({ id: 'none' });
    await broken().expect(201);
    expect(told).toEqual([expect.stringMatching(/response 201 of fill breaks the description/)]);
    expect((await request(app).get('/__standin/health')).body).toMatchObject({ violations: 2 });
    expect(app.journal().at(-1)).toMatchObject({ status: 201, code: 'invalid_response' });
  });

  test('is a 500 that says so when the mock is strict', async () => {
    start(true);
    expect((await broken().expect(500)).body).toMatchObject({ code: 'invalid_response' });
    await request(app).post('/cups').send(MUG).expect(201);
  });
});
