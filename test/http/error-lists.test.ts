import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { serveText } from '../support/serve-text';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Users, version: '1' }
paths:
  /users:
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
        - { name: role, in: query, schema: { enum: [reader, author] } }
      responses: { '200': { description: All }, default: { $ref: '#/components/responses/Error' } }
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [name]
              additionalProperties: false
              properties: { name: { type: string, minLength: 2 }, age: { type: integer } }
      responses: { '201': { description: Made }, default: { $ref: '#/components/responses/Error' } }
components:
  responses:
    Error:
      description: Trouble
      content:
        application/json:
          schema:
            type: object
            required: [message, fields]
            properties:
              message: { type: string }
              fields: { type: array, items: { type: object, properties: { field: { type: string }, message: { type: string } } } }
`;

let app: MockServer;
beforeAll(async () => {
  app = await serveText(DOCUMENT);
});

const TOO_SHORT = { field: 'name', message: 'must have at least 2 characters' };

test.each([
  { sent: { name: 'a' }, fields: [TOO_SHORT] },
  { sent: { name: 'a', age: 'b' }, fields: [TOO_SHORT, { field: 'age', message: 'must be an integer' }] },
  { sent: {}, fields: [{ field: 'name', message: 'is missing' }] },
  { sent: { name: 'ann', x: 1 }, fields: [{ field: 'x', message: 'is not allowed' }] },
])('the body $sent is told field by field, one or several alike', async ({ sent, fields }) => {
  const { body } = (await request(app).post('/users').send(sent).expect(400)) as { body: unknown };
  expect(body).toMatchObject({ fields });
});

test('every bad parameter is listed', async () => {
  const { body } = (await request(app).get('/users?page=0&role=x').expect(400)) as { body: { fields: object[] } };
  expect(body.fields).toMatchObject([{ field: 'page' }, { field: 'role' }]);
});

test.each([
  { method: 'get', path: '/nowhere', status: 404 },
  { method: 'delete', path: '/users', status: 405 },
] as const)('$status is no fault of a field', async ({ method, path, status }) => {
  const { body } = (await request(app)[method](path).expect(status)) as { body: { fields: object[] } };
  expect(body.fields).toEqual([]);
});

const LIST_ALONE = `
openapi: 3.1.0
info: { title: Users, version: '1' }
paths:
  /users/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: One, content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } }
        '404': { description: None, content: { application/json: { schema: { $ref: '#/components/schemas/Trouble' } } } }
    delete:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: Gone } }
components:
  schemas:
    Trouble:
      type: object
      properties:
        detail:
          type: array
          items:
            type: object
            required: [loc, msg, type]
            properties:
              loc: { type: array, items: { anyOf: [{ type: string }, { type: integer }] } }
              msg: { type: string }
              type: { type: string }
`;

test('where nothing but a list of faults can tell the cause, it stands in an entry', async () => {
  const { body } = await request(await serveText(LIST_ALONE))
    .get('/users/77')
    .expect(404);
  expect(body).toEqual({
    detail: [{ loc: [], msg: 'There is no item with id 77 in /users', type: 'resource_not_found' }],
  });
});
