import request from 'supertest';
import type { MockServer } from '../../../src/adapters/express/mock-server';
import { serveText } from '../../support/serve-text';

const DOCUMENT = `openapi: 3.0.3
info: { title: People, version: '1' }
paths:
  /users:
    get: { responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } } }
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } } }
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
    patch:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } } }
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
components:
  schemas:
    Change:
      type: object
      properties:
        roles: { type: array, items: { type: object, properties: { name: { type: string } } } }
        home: { type: object, properties: { street: { type: string }, code: { type: string } } }
    User:
      type: object
      required: [id]
      properties:
        id: { type: integer, readOnly: true }
        roles: { type: array, items: { $ref: '#/components/schemas/Role' } }
        home:
          type: object
          required: [street, at]
          properties:
            street: { type: string }
            code: { type: string, maxLength: 3 }
            at: { type: object, required: [country], properties: { country: { type: string, example: NZ } } }
    Role:
      type: object
      required: [name, role]
      properties: { name: { type: string }, role: { type: string, default: member } }
`;

let app: MockServer;
beforeEach(async () => {
  app = await serveText(DOCUMENT);
  await request(app).post('/users').send({}).expect(201);
});

test.each([
  { method: 'post', path: '/users' },
  { method: 'put', path: '/users/1' },
  { method: 'patch', path: '/users/1' },
] as const)(
  '$method: what only the schema for reading requires of the parts is filled in',
  async ({ method, path }) => {
    const sent = { roles: [{ name: 'a' }, { name: 'b', role: 'owner' }], home: { street: 'High' } };
    const { body, status } = await request(app)[method](path).send(sent);
    expect(status).toBe(method === 'post' ? 201 : 200);
    const wanted = {
      roles: [
        { name: 'a', role: 'member' },
        { name: 'b', role: 'owner' },
      ],
      home: { street: 'High', at: { country: 'NZ' } },
    };
    expect(body).toMatchObject(wanted);
    await request(app)
      .get(`/users/${(body as { id: number }).id}`)
      .expect(200, body as object);
  },
);

test('what cannot be filled in is refused still', async () => {
  const { body } = await request(app)
    .patch('/users/1')
    .send({ home: { street: 'High', code: 'long' } })
    .expect(422);
  expect(body).toMatchObject({ code: 'invalid_result', pointer: '/home/code' });
});
