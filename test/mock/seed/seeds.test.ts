import supertest from 'supertest';
import { createMockServer } from '../../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../../src/library/mock-options';
import { getMany, getOne } from '../get-with-example';
import { temporaryFolder } from '../../support/temporary-folder';

const DESCRIPTION = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /authors:
    ${getMany('Author')}
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/NewAuthor' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Author' } } } } }
  /authors/{authorId}:
    parameters: [{ name: authorId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Author' } } } }, '404': { description: none } } }
    delete: { responses: { '204': { description: gone } } }
  /authors/{authorId}/notes:
    parameters: [{ name: authorId, in: path, required: true, schema: { type: integer } }]
    ${getMany('Note')}
  /authors/{authorId}/notes/{noteId}:
    parameters:
      - { name: authorId, in: path, required: true, schema: { type: integer } }
      - { name: noteId, in: path, required: true, schema: { type: integer } }
    ${getOne('Note')}
  /novels:
    ${getMany('Novel')}
  /novels/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    ${getOne('Novel')}
  /shelves:
    ${getMany('Shelf', '[{ id: 7, label: Poems }, { id: 8, label: Novels }, { id: 9, label: 4 }]')}
  /shelves/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    ${getOne('Shelf', '{ id: 7, label: Poems, width: 80 }')}
components:
  schemas:
    Author: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    NewAuthor: { type: object, required: [name], properties: { name: { type: string } } }
    Note: { type: object, required: [id], properties: { id: { type: integer }, text: { type: string }, authorId: { type: integer } } }
    Novel: { type: object, required: [id, authorId], properties: { id: { type: integer }, authorId: { type: integer }, sequelNovelId: { type: integer } } }
    Shelf: { type: object, required: [id, label], properties: { id: { type: integer }, label: { type: string }, width: { type: integer } } }
`;

const file = temporaryFolder().write('library.yaml', DESCRIPTION);

type Server = ReturnType<typeof supertest>;
type Row = Readonly<Record<string, unknown>>;

async function open(options: CreateMockServerOptions = {}): Promise<Server> {
  return supertest(await createMockServer({ description: file, ...options }));
}

async function rows(server: Server, path: string): Promise<Row[]> {
  return (await server.get(path).expect(200)).body as Row[];
}

test('a collection without examples has rows that were made up, numbered from 1', async () => {
  const authors = await rows(await open(), '/authors');
  expect(authors.map(({ id }) => id)).toStrictEqual([1, 2, 3, 4]);
  expect(new Set(authors.map(({ name }) => name)).size).toBeGreaterThan(1);
});

test('foreign keys lead to rows that exist', async () => {
  const server = await open();
  for (const { authorId, sequelNovelId } of await rows(server, '/novels')) {
    await server.get(`/authors/${String(authorId)}`).expect(200);
    await server.get(`/novels/${String(sequelNovelId)}`).expect(200);
  }
});

test('rows below others know what they lie below, and nothing lies below what is not there', async () => {
  const server = await open();
  const notes = await rows(server, '/authors/3/notes');
  expect(notes.map(({ id, authorId }) => [id, authorId])).toStrictEqual([
    [1, 3],
    [2, 3],
  ]);
  await server.get('/authors/99/notes').expect(404);
});

test('examples of one item are one row; what breaks the schema is left out', async () => {
  expect(await rows(await open(), '/shelves')).toStrictEqual([
    { id: 7, label: 'Poems', width: 80 },
    { id: 8, label: 'Novels' },
  ]);
});

test('the same seed gives the same rows whatever is asked first, another seed other ones', async () => {
  const [one, two, other] = [await open(), await open(), await open({ seed: 'other' })];
  await rows(two, '/novels');
  await rows(two, '/authors/2/notes');
  expect(await rows(one, '/authors')).toStrictEqual(await rows(two, '/authors'));
  expect(await rows(two, '/novels')).toStrictEqual(await rows(one, '/novels'));
  expect(await rows(other, '/authors')).not.toStrictEqual(await rows(one, '/authors'));
});

test('sandboxes begin with the same rows, and do not see what others change', async () => {
  const server = await open();
  const before = await rows(server, '/authors');
  await server.delete('/authors/2').set('X-Standin-Sandbox', 'a').expect(204);
  expect((await server.get('/authors').set('X-Standin-Sandbox', 'a')).body).toHaveLength(3);
  expect(await rows(server, '/authors')).toStrictEqual(before);
  expect((await server.get('/authors').set('X-Standin-Sandbox', 'b')).body).toStrictEqual(before);
});

test('a row that was removed stays away, and its key is not given out again', async () => {
  const server = await open();
  await server.delete('/authors/4').expect(204);
  await server.get('/authors/4').expect(404);
  const { body } = await server.post('/authors').send({ name: 'Ada' }).expect(201);
  expect(body).toStrictEqual({ id: 5, name: 'Ada' });
});

test('state: empty begins with nothing', async () => {
  expect(await rows(await open({ state: 'empty' }), '/authors')).toStrictEqual([]);
});

test('rules begin with nothing: what is made up knows nothing of them', async () => {
  expect(await rows(await open({ rules: { standin: 'rules/1', operations: {} } as never }), '/authors')).toStrictEqual(
    [],
  );
});
