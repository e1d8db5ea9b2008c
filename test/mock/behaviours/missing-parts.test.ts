import request from 'supertest';
import type { MockServer } from '../../../src/server/mock-server';
import { serveText } from '../../support/serve-text';
import { object, ref, smallApi, text } from '../../support/small-api';

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

test('a part whose kinds the description does not tell apart is filled in, and that is told', async () => {
  const kind = object({ id: text, type: text }, ['id']);
  const api = smallApi(
    {
      'POST /calls': { body: object({ about: object({ ticket: text }) }, ['about']), answers: { 201: ref('Call') } },
      'GET /calls/{id}': { answers: { 200: ref('Call'), 404: null } },
    },
    {
      Call: object({ id: text, about: ref('About') }, ['id', 'about']),
      About: object({ agent: { oneOf: [kind, { ...kind, title: 'Other' }] } }, ['agent']),
    },
  );
  const server = await serveText(api, { state: 'empty' });
  const made = await request(server)
    .post('/calls')
    .send({ about: { ticket: 'T1' } })
    .expect(201);
  expect(made.body).toMatchObject({ about: { agent: { id: expect.any(String) as string } } });
  expect(made.headers['x-standin-problem']).toContain('oneOf');
  const { id } = made.body as { id: string };
  await request(server)
    .get(`/calls/${id}`)
    .expect(200, made.body as object);
});
