import supertest from 'supertest';
import { createMockServer } from '../../../src/library/create-mock-server';
import { description } from '../../openapi/load-text';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();

/** Projects whose key the path describes more closely than items do. */
function projects(path: string, member = '{ type: string }'): string {
  const one = `content: { application/json: { schema: { $ref: '#/components/schemas/Project' } } }`;
  return description({
    paths: `
  /projects:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Project' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '201': { description: made, ${one} } }
  /projects/{key}:
    parameters: [{ name: key, in: path, required: true, schema: ${path} }]
    get: { responses: { '200': { description: ok, ${one} } } }`,
    schemas: `
    Project: { type: object, required: [key], properties: { key: ${member}, title: { type: string } } }`,
  });
}

test.each([
  { says: 'a pattern that a word in capitals keeps', path: `{ type: string, pattern: '^[A-Z]{2,10}$' }` },
  { says: 'a pattern that no number in a text keeps', path: `{ type: string, pattern: '^[A-Z]{3}-[0-9]{4}$' }` },
  { says: 'words', path: '{ type: string, enum: [north, south, east, west, above] }' },
  { says: 'a least length', path: '{ type: string, minLength: 12 }' },
  { says: 'a bound of numbers', path: '{ type: integer, minimum: 1000 }', member: '{ type: integer }' },
])('rows that are made up can be read at their paths, which say $says', async ({ path, member }) => {
  const server = supertest(await createMockServer({ description: folder.write('keys.yaml', projects(path, member)) }));
  const rows = (await server.get('/projects').expect(200)).body as { key: string | number }[];
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) await server.get(`/projects/${row.key}`).expect(200, row);
  const made = (await server.post('/projects').send({ title: 'one more' }).expect(201)).body as { key: string };
  await server.get(`/projects/${made.key}`).expect(200, made);
});

test('rows are listed where the path has a schema that is of no use', async () => {
  const text = projects(`{ type: string, pattern: '(' }`);
  const server = supertest(await createMockServer({ description: folder.write('keys.yaml', text) }));
  expect((await server.get('/projects').expect(200)).body).not.toHaveLength(0);
});
