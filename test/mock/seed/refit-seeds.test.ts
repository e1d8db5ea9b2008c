import { writeFileSync } from 'node:fs';
import supertest from 'supertest';
import { createServerParts } from '../../../src/library/create-mock-server';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();
const thing = (members: string): string => `openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } } }
    delete: { responses: { '204': { description: gone } } }
  /things/{id}/parts:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Part' } } } } } } }
  /things/{id}/parts/{partId}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: partId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Part' } } } } } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: integer }${members} } }
    Part: { type: object, required: [id], properties: { id: { type: integer } } }
`;

test('an edited description leaves the rows that were made up where they are, below others too', async () => {
  const description = folder.write('things.yaml', thing(''));
  const parts = await createServerParts({ description, auth: 'off' });
  const server = supertest(parts.app);
  await server.delete('/things/1').expect(204);
  await server.delete('/things/2/parts/1').expect(204);
  writeFileSync(description, thing(', label: { type: string }'));
  const { removedCollections, nonconforming } = await parts.reload();
  expect({ vanished: removedCollections, misfits: nonconforming }).toStrictEqual({ vanished: [], misfits: [] });
  await server.get('/things/1').expect(404);
  await server.get('/things/2').expect(200);
  await server.get('/things/2/parts/1').expect(404);
  await server.get('/things/2/parts/2').expect(200);
  await server.get('/things/3/parts/1').expect(200);
});

const SETTINGS = (title: string): string => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
paths:
  /settings:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } } } }
    patch:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } } }
  /users:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
components:
  schemas:
    Settings: { type: object, required: [theme], properties: { theme: { type: string, enum: [light, dark, dim], default: dim }, perPage: { type: integer, minimum: 1, default: 20 } } }
    Role: { type: string, enum: [reader, author] }
    User: { type: object, properties: { id: { type: integer, readOnly: true }, name: { type: string }, role: { $ref: '#/components/schemas/Role', default: author } } }
`;

test.each(['seeded', 'empty'] as const)(
  'a single record that nobody wrote to has its defaults, before and after a reload: %s',
  async (state) => {
    const description = folder.write(`${state}.yaml`, SETTINGS('Before'));
    const parts = await createServerParts({ description, auth: 'off', ...(state === 'empty' ? { state } : {}) });
    const server = supertest(parts.app);
    const settings = { theme: 'dim', perPage: 20 };
    expect((await server.get('/settings').expect(200)).body).toStrictEqual(settings);
    const { body } = await server.post('/users').send({ name: 'Ann' }).expect(201);
    expect(body).toMatchObject({ name: 'Ann', role: 'author' });
    writeFileSync(description, SETTINGS('After'));
    await parts.reload();
    expect((await server.get('/settings').expect(200)).body).toStrictEqual(settings);
  },
);
