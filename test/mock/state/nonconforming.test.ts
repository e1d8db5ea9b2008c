import request from 'supertest';
import type { CreateMockServerOptions } from '../../../src/library/mock-options';
import { partsOfText } from '../../support/serve-text';

/** Requests may create an item with fewer properties than responses must have. */
const DOCUMENT = `openapi: 3.0.3
info: { title: Store, version: 1.0.0 }
paths:
  /boxes:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Box' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string }, size: { type: integer } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } } }
  /boxes/{name}:
    get:
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } } }
components:
  schemas:
    Box: { type: object, minProperties: 3, properties: { name: { type: string }, size: { type: integer } } }
`;

async function start(options: CreateMockServerOptions = {}) {
  const { app, mock } = await partsOfText(DOCUMENT, options);
  const { sandboxes } = mock.engine;
  const create = (headers = {}) => request(app).post('/boxes').set(headers).send({ name: 'a' });
  return { app, mock, sandboxes, create };
}

test('an item that does not match its schema is noted in the state of its sandbox alone', async () => {
  const { mock, sandboxes, create } = await start();
  await create({ 'X-Standin-Sandbox': 'one' }).expect(201);
  expect(sandboxes.stateOf('one').nonconforming).toStrictEqual(new Set(['/boxes']));
  expect(mock.engine.sandboxes.main.snapshot().nonconforming).toBeUndefined();
  expect(sandboxes.stateOf('two').nonconforming).toBeUndefined();
});

test('a reset and a restore take the note back with the item, and a later restore brings it again', async () => {
  const { app, mock, create } = await start();
  const before = mock.engine.sandboxes.main.snapshot();
  await create().expect(201);
  const after = mock.engine.sandboxes.main.snapshot();
  expect(before.nonconforming).toBeUndefined();
  expect(after.nonconforming).toStrictEqual(new Set(['/boxes']));
  mock.engine.sandboxes.main.restore(before);
  expect(mock.engine.sandboxes.main.snapshot().nonconforming).toBeUndefined();
  mock.engine.sandboxes.main.restore(after);
  const { headers } = await request(app).get('/boxes/a').expect(200);
  expect(headers['x-standin-problem']).toMatch(/^invalid_response: /);
  mock.reset();
  expect(mock.engine.sandboxes.main.snapshot().nonconforming).toBeUndefined();
});

test('a request that is undone leaves no note', async () => {
  const { mock, create } = await start({ strict: true });
  await create().expect(500);
  expect(mock.engine.sandboxes.main.snapshot().nonconforming).toBeUndefined();
});
