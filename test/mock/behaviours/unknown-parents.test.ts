import supertest from 'supertest';
import { createMockServer } from '../../../src/library/create-mock-server';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();
const json = (schema: string, example?: string): string =>
  `{ description: ok, content: { application/json: { schema: ${schema}${example === undefined ? '' : `, example: ${example}`} } } }`;
const USER = `{ $ref: '#/components/schemas/User' }`;
const NOTE = `{ $ref: '#/components/schemas/Note' }`;
const key = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: integer } }`;

const description = folder.write(
  'people.yaml',
  `openapi: 3.0.3
info: { title: People, version: 1.0.0 }
paths:
  /users:
    get: { responses: { '200': ${json(`{ type: array, items: ${USER} }`, '[{ id: 1 }]')} } }
    post: { requestBody: { content: { application/json: { schema: ${USER} } } }, responses: { '201': ${json(USER)} } }
  /users/{id}:
    parameters: [${key('id')}]
    get: { responses: { '200': ${json(USER)}, '404': { description: none } } }
    delete: { responses: { '204': { description: gone } } }
  /users/{userId}/avatar:
    parameters: [${key('userId')}]
    get: { responses: { '200': ${json('{ type: object, properties: { size: { type: integer } } }', '{ size: 3 }')}, '404': ${json("{ $ref: '#/components/schemas/Fault' }")} } }
    post: { requestBody: { content: { image/png: {} } }, responses: { '204': { description: kept } } }
  /users/{userId}/notes:
    parameters: [${key('userId')}]
    get: { responses: { '200': ${json(`{ type: array, items: ${NOTE} }`, '[{ id: 5, userId: 1 }]')} } }
  /users/{userId}/notes/{noteId}:
    parameters: [${key('userId')}, ${key('noteId')}]
    get: { responses: { '200': ${json(NOTE)} } }
  /users/{userId}/notes/{noteId}/sound:
    parameters: [${key('userId')}, ${key('noteId')}]
    get: { responses: { '200': ${json('{ type: string }', 'beep')} } }
components:
  schemas:
    User: { type: object, required: [id], properties: { id: { type: integer } } }
    Note: { type: object, required: [id], properties: { id: { type: integer }, userId: { type: integer } } }
    Fault: { type: object, required: [oops], properties: { oops: { type: string }, message: { type: string } } }
`,
);

const serve = async () => supertest(await createMockServer({ description }));

test('what is kept of nothing is answered below an item that is there alone', async () => {
  const server = await serve();
  await server.get('/users/1/avatar').expect(200, { size: 3 });
  const { body } = await server.get('/users/9/avatar').expect(404);
  expect(body).toMatchObject({ message: 'There is no item with userId 9 in /users', oops: expect.any(String) });
  await server.post('/users/1/avatar').set('Content-Type', 'image/png').send(Buffer.from('a')).expect(204);
  await server.post('/users/9/avatar').set('Content-Type', 'image/png').send(Buffer.from('a')).expect(404);
});

test('an item that was made or removed is there from then on, or gone', async () => {
  const server = await serve();
  const { body } = (await server.post('/users').send({ id: 2 }).expect(201)) as { body: { id: number } };
  await server.get(`/users/${body.id}/avatar`).expect(200);
  await server.delete(`/users/${body.id}`).expect(204);
  await server.get(`/users/${body.id}/avatar`).expect(404);
});

test('every item on the way must be there', async () => {
  // No operation makes notes: without this, one comes to be when it is named.
  const server = supertest(await createMockServer({ description, strictParents: true }));
  await server.get('/users/1/notes/5/sound').expect(200);
  await server.get('/users/1/notes/6/sound').expect(404);
  await server.get('/users/9/notes/5/sound').expect(404);
});

test('an answer that is asked for by its status asks no state', async () => {
  const server = await serve();
  await server.get('/users/9/avatar').set('Prefer', 'code=200').expect(200);
});
