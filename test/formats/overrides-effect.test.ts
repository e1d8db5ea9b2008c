import request from 'supertest';
import { overridesOf } from '../../src/adapters/node/load-overrides';
import type { SourceFinding } from '../../src/errors/source-finding';
import { readSource } from '../../src/openapi/read-source';
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
    'no member "titel"',
    'Did you mean "title"?',
  ],
  [
    'a nested key that they do not have',
    'resources: { /books: { key: metadata.name } }',
    'no member',
    'written with dots',
  ],
  ['a reference from no member', 'resources: { /books: { references: { author: /authors } } }', 'no member', undefined],
  ['a key that is inferred anyway', 'resources: { /books: { key: id } }', 'changes nothing', 'Leave it out.'],
  ['nothing at all', 'resources: { /books: {} }', 'changes nothing', 'Leave it out.'],
  [
    'a behaviour that it has anyway',
    'operations: { listBooks: { behaviour: list } }',
    'changes nothing',
    'Leave it out.',
  ],
  ['no words about an operation', 'operations: { listBooks: {} }', 'changes nothing', 'Leave it out.'],
])('%s is refused with its line and what would be possible', (_, text, message, hint) => {
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
