import { writeFileSync } from 'node:fs';
import request from 'supertest';
import { createMockServer, type MockServer } from '../../src/express';
import { createServerParts } from '../../src/library/create-mock-server';
import { temporaryFolder } from '../support/temporary-folder';

const json = (schema: object, more: object = {}): object => ({
  description: 'ok',
  content: { 'application/json': { schema, ...more } },
});
const item = {
  type: 'object',
  required: ['id', 'label'],
  properties: { id: { type: 'integer' }, label: { type: ['string', 'null'] } },
  xml: { name: 'thing' },
};
const error = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, code: { type: 'string' } },
};

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-Trace': { required: true, schema: { type: 'string', const: 'abc' } } },
            content: { 'application/json': { schema: item }, 'application/xml': { schema: item } },
          },
          '4XX': json(error),
          503: json(error, {
            examples: { down: { value: { error: 'down for maintenance' } }, late: { value: { error: 'too late' } } },
          }),
          default: { description: 'text', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
      delete: { operationId: 'drop', responses: { 204: { description: 'gone' } } },
    },
    '/reports': {
      get: {
        operationId: 'reports',
        responses: {
          200: { description: 'ok', content: { 'text/csv': { schema: { type: 'string' } } } },
          '4XX': json(error, { examples: { bad: { value: { error: 'bad' } } } }),
          500: {
            description: 'failed',
            content: {
              'application/xml': {
                schema: { type: 'object', xml: { name: 'fault' }, properties: { why: { type: 'string', const: 'x' } } },
              },
            },
          },
          501: json(error, { examples: { same: { value: { error: 'a' } } } }),
          502: json(error, { examples: { same: { value: { error: 'b' } } } }),
          504: { description: 'made of nothing', content: { 'application/json': {} } },
        },
      },
      post: { operationId: 'unclear', responses: { 200: { description: 'x', content: { 'application/json': {} } } } },
    },
  },
};

let app: MockServer;
beforeAll(async () => {
  app = await createMockServer({ description: DESCRIPTION, auth: 'off' });
});
beforeEach(() => {
  app.reset();
});
const THING = 'GET /things/{id}';

test('an operation without operationId has method and path as its name; another one may be called so too', async () => {
  expect(app.respond(THING, { example: 'down', times: 2 })).toMatchObject({
    operation: THING,
    status: 503,
    example: 'down',
    text: '503 (example "down"), 2 more times',
  });
  const response = await request(app).get('/things/1').expect(503);
  expect(response.body).toEqual({ error: 'down for maintenance' });
  expect(response.headers['x-standin-fault']).toBe('respond:503;example=down');
  expect(app.respond('DELETE /things/{id}', { status: 204 }).operation).toBe('drop');
  await request(app).delete('/things/1').expect(204, '');
});

test('ranges and default are documented statuses', async () => {
  app.respond(THING, { status: 418, times: 1 });
  app.respond(THING, { status: 501, times: 1 });
  const teapot = await request(app).get('/things/1').expect(418);
  expect(teapot.body).toMatchObject({ error: expect.any(String) as string });
  const other = await request(app).get('/things/1').expect(501);
  expect(other.type).toBe('text/plain');
});

test('Accept chooses among the media types that a body fits', async () => {
  app.respond(THING, { body: { id: 7, label: null } });
  const asJson = await request(app).get('/things/1').expect(200);
  expect(asJson.body).toEqual({ id: 7, label: null });
  expect(asJson.headers['x-trace']).toBe('abc');
  const asXml = await request(app).get('/things/1').accept('application/xml').expect(200);
  expect(asXml.type).toBe('application/xml');
  expect(asXml.text).toContain('<thing>');
  expect(asXml.text).toContain('<id>7</id>');
  app.clearResponses();
  app.respond(THING, { status: 200 });
  expect((await request(app).get('/things/1').accept('application/xml').expect(200)).text).toContain('<thing>');
});

test('a text is sent as it is where the description has no JSON; an error that is XML alone is XML', async () => {
  app.respond('reports', { body: 'a;b\n1;2\n' });
  const table = await request(app).get('/reports').expect(200);
  expect({ type: table.type, text: table.text }).toEqual({ type: 'text/csv', text: 'a;b\n1;2\n' });
  app.respond('reports', { status: 500 });
  const failed = await request(app).get('/reports').expect(500);
  expect(failed.type).toBe('application/xml');
  expect(failed.text).toContain('<fault>');
});

test('a body may be anything where no schema says what it is', async () => {
  app.respond('unclear', { body: [1, 2] });
  await request(app).post('/reports').expect(200, [1, 2]);
});

test.each([
  ['reports', { example: 'same' }, 'the example "same" is one of 501 and 502; expected the status too'],
  ['reports', { example: 'bad' }, 'the example "bad" is one of 4XX; expected the status too'],
  ['reports', { example: 'none' }, '501: same; 502: same; 4XX: bad'],
  ['drop', { status: 200 }, 'expected one of 204'],
  ['drop', { body: { done: true } }, 'a response 204 has no body'],
  ['unclear', { status: 200 }, 'a body is needed for 200'],
  [THING, { body: { id: 'x', label: 1 } }, 'at /id must be an integer, and 1 more fault'],
])('%s cannot answer %p: %s', (operation, options, says) => {
  expect(() => app.respond(operation, options)).toThrow(says);
});

test('with a request that is read leniently', async () => {
  app.respond(THING, { status: 503 });
  await request(app).get('/things/1/').expect(503);
});

test('an example of a range needs the status as well', () => {
  app.respond('reports', { status: 404, example: 'bad' });
  expect(app.responses()).toMatchObject([{ status: 404, example: 'bad', isViolation: false }]);
});

test('faults that are off leave nothing to be forced', async () => {
  const quiet = await createMockServer({ description: DESCRIPTION, auth: 'off', faults: 'off' });
  expect(() => quiet.respond(THING, { status: 503 })).toThrow('Faults are off');
});

test('another description keeps them, but for those that it leaves nothing of', async () => {
  const file = temporaryFolder().write('openapi.json', JSON.stringify(DESCRIPTION));
  const parts = await createServerParts({ description: file, auth: 'off' });
  const down = parts.app.respond(THING, { example: 'down', times: 2 });
  parts.app.respond('drop', { status: 204, sandbox: '*' });
  parts.app.sandbox('ann').respond('reports', { status: 404 });
  parts.app.sandbox('ann').respond('reports', { body: 'a;b', times: 1 });
  const { responses, ...get } = DESCRIPTION.paths['/things/{id}'].get;
  const next = {
    ...DESCRIPTION,
    paths: {
      '/things/{id}': { ...DESCRIPTION.paths['/things/{id}'], get: { ...get, responses }, delete: undefined },
      '/reports': { get: { operationId: 'reports', responses: { 200: json({ type: 'array' }) } } },
    },
  };
  writeFileSync(file, JSON.stringify(next));
  const { removedResponses } = await parts.reload();
  expect(removedResponses).toEqual([
    {
      operation: 'drop',
      sandbox: '*',
      text: '204, until it is removed',
      message: 'The description has no operation "drop"',
    },
  ]);
  expect(parts.app.responses()).toMatchObject([{ operation: THING, timesLeft: 2, isViolation: false }]);
  expect(parts.app.sandbox('ann').responses()).toMatchObject([
    { body: 'a;b', isViolation: true },
    { status: 404, isViolation: true },
  ]);
  await request(parts.app).get('/things/1').expect(503, { error: 'down for maintenance' });
  expect(down).toMatchObject({ happened: 1, timesLeft: 1 });
  writeFileSync(file, JSON.stringify({ ...next, paths: { '/things': next.paths['/reports'] } }));
  expect((await parts.reload()).removedResponses).toHaveLength(1);
  down.remove();
  expect(parts.app.responses()).toEqual([]);
});
