import request from 'supertest';
import { overridesOf } from '../../src/files/load-mock-files';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readSource } from '../../src/openapi/read/read-source';
import { LIBRARY } from '../mock/library';
import { thrownBy } from '../openapi/load-text';
import { serveText } from '../support/serve-text';

function refused(text: string): readonly SourceFinding[] {
  return thrownBy(() => overridesOf(readSource(`standin: overrides/1\n${text}`, 'overrides.yaml'), LIBRARY)).findings;
}

test.each([
  [
    'a key that items do not have',
    'resources: { /books: { key: titel } }',
    'no property "titel"',
    'Did you mean "title"?',
  ],
  [
    'a nested key that they do not have',
    'resources: { /books: { key: metadata.name } }',
    'no property',
    'written with dots',
  ],
  [
    'a reference from no member',
    'resources: { /books: { references: { author: /authors } } }',
    'no property',
    undefined,
  ],
  ['a key that is inferred anyway', 'resources: { /books: { key: id } }', 'changes nothing', 'Leave it out.'],
  ['nothing at all', 'resources: { /books: {} }', 'changes nothing', 'Leave it out.'],
  [
    'a behaviour that it has anyway',
    'operations: { listBooks: { behaviour: list } }',
    'changes nothing',
    'Leave it out.',
  ],
  ['no words about an operation', 'operations: { listBooks: {} }', 'changes nothing', 'Leave it out.'],
])('%s is rejected with its line and what would be possible', (_, text, message, hint) => {
  const [first] = refused(text);
  expect(first).toMatchObject({ rule: 'overrides-format', severity: 'error', line: 2 });
  expect(first?.message).toContain(message);
  if (hint !== undefined) expect(first?.hint).toContain(hint);
});

const STAFF = `openapi: 3.0.3
info: { title: Staff, version: 1.0.0 }
paths:
  /me:
    get:
      operationId: getMe
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } }
  /boxes/list:
    get:
      operationId: listBoxes
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Person' } } } } } }
components:
  schemas:
    Person: { type: object, required: [name], properties: { name: { type: string } } }
`;

test('an operation of which it is said that it reads a record reads it from the state', async () => {
  const overrides = { operations: { getMe: { behaviour: 'read' } } };
  const app = await serveText(STAFF, { overrides, state: 'seeded' });
  const { body } = (await request(app).get('/me').expect(200)) as { body: { name: string } };
  expect(app.row('/me')).toStrictEqual(body);
  app.putRow('/me', { name: 'Somebody else' });
  await request(app).get('/me').expect(200, { name: 'Somebody else' });
});

test.each([
  { overrides: { resources: { '/me': { key: 'name' } } }, told: 'Nothing is kept at /me' },
  { overrides: { operations: { getMe: { behaviour: 'create' } } }, told: 'cannot be "create"' },
  { overrides: { operations: { getMe: { behaviour: 'reed' } } }, told: 'Did you mean "read"' },
  { overrides: { operation: {} }, told: 'Did you mean "operations"' },
])('overrides given as an object are judged as a file is: $told', async ({ overrides, told }) => {
  await expect(serveText(STAFF, { overrides })).rejects.toThrow(told);
});

test('a key within a member acts', async () => {
  const text = STAFF.replace('/boxes/list:', '/boxes/{name}:')
    .replace(
      'operationId: listBoxes',
      'operationId: getBox\n      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]',
    )
    .replace(
      "schema: { type: array, items: { $ref: '#/components/schemas/Person' } }",
      "schema: { $ref: '#/components/schemas/Box' }",
    )
    .replace(
      'components:',
      `  /boxes:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Box' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } } }
components:`,
    )
    .concat(
      '    Box: { type: object, properties: { id: { type: string }, label: { type: object, properties: { code: { type: string } } } } }\n',
    );
  const app = await serveText(text, { overrides: { resources: { '/boxes': { key: 'label.code' } } } });
  await request(app)
    .post('/boxes')
    .send({ label: { code: 'A7' } })
    .expect(201);
  await request(app).get('/boxes/A7').expect(200);
});

const TWO_NAMES = `openapi: 3.0.3
info: { title: Two names, version: 1.0.0 }
paths:
  /people: &list
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Person' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } }
  /people/{id}: &item
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } } }
    delete: { responses: { '204': { description: ok } } }
  /customers: *list
  /customers/{id}: *item
  /shops/{shop}/guests:
    parameters: [{ name: shop, in: path, required: true, schema: { type: string } }]
    <<: *list
  /shops/{shop}/guests/{id}:
    <<: *item
    parameters:
      - { name: shop, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer } }
components:
  schemas:
    Person: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

test('collections that are said to be the same are one store', async () => {
  const overrides = {
    resources: { '/customers': { sameAs: '/people' }, '/shops/{shop}/guests': { sameAs: '/people' } },
  };
  const app = await serveText(TWO_NAMES, { overrides, state: 'empty' });
  await request(app).post('/customers').send({ name: 'Ann' }).expect(201, { id: 1, name: 'Ann' });
  await request(app).post('/shops/north/guests').send({ name: 'Bo' }).expect(201, { id: 2, name: 'Bo' });
  await request(app).get('/people/1').expect(200, { id: 1, name: 'Ann' });
  await request(app)
    .get('/shops/north/guests')
    .expect(200, [{ id: 2, name: 'Bo' }]);
  await request(app).get('/shops/south/guests').expect(200, []);
  await request(app).delete('/people/2').expect(204);
  await request(app)
    .get('/customers')
    .expect(200, [{ id: 1, name: 'Ann' }]);
  await request(app).get('/shops/north/guests/2').expect(404);
});

test('a collection that lies below more than the other says is listed across', async () => {
  const overrides = { resources: { '/customers': { sameAs: '/shops/{shop}/guests' } } };
  const app = await serveText(TWO_NAMES, { overrides, state: 'empty' });
  await request(app).post('/shops/north/guests').send({ name: 'Ann' }).expect(201);
  await request(app).post('/shops/south/guests').send({ name: 'Bo' }).expect(201);
  const { body } = await request(app).get('/customers').expect(200);
  expect((body as { name: string }[]).map(({ name }) => name)).toStrictEqual(['Ann', 'Bo']);
});

test.each([
  ['itself', { '/people': { sameAs: '/people' } }, 'the same as itself'],
  ['no path', { '/people': { sameAs: '/peopel' } }, 'Did you mean "/people"'],
  ['what is not kept', { '/people': { sameAs: '/people/{id}' } }, 'Nothing is kept at /people/{id}'],
  [
    'what is another itself',
    { '/people': { sameAs: '/customers' }, '/customers': { sameAs: '/people' } },
    'itself said to be the same as',
  ],
  [
    'another, with a key of its own',
    { '/customers': { sameAs: '/people', key: 'name' } },
    '"key" cannot be said of it',
  ],
])('a collection cannot be the same as %s', async (_, resources, told) => {
  await expect(serveText(TWO_NAMES, { overrides: { resources } })).rejects.toThrow(told);
});

test('x-standin says the same in the description', async () => {
  const text = TWO_NAMES.replace('/customers: *list', '/customers: { <<: *list, x-standin: { sameAs: /people } }');
  const app = await serveText(text, { state: 'empty' });
  await request(app).post('/customers').send({ name: 'Ann' }).expect(201);
  await request(app).get('/people/1').expect(200, { id: 1, name: 'Ann' });
});
