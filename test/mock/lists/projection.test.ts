import request from 'supertest';
import { serveText } from '../../support/serve-text';

const documentOf = (item: string): string => `openapi: 3.1.0
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      parameters: [{ name: fields, in: query, schema: { type: string } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: ${item} } } } }
    post:
      requestBody: { content: { application/json: { schema: ${item} } } }
      responses: { '201': { description: made } }
  /books/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: fields, in: query, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: ${item} } } } }
`;

const PROPERTIES =
  'properties: { id: { type: integer }, title: { type: string }, pages: { type: integer }, tags: { type: array, items: { type: string } } }';
const BOOK = { id: 1, title: 'Emma', pages: 320, tags: ['novel'] };

test.each([
  ['none', `{ type: object, ${PROPERTIES} }`, { pages: 320 }],
  ['required ones', `{ type: object, required: [id, title], ${PROPERTIES} }`, { id: 1, title: 'Emma', pages: 320 }],
  [
    'those that several schemas ask for',
    `{ allOf: [{ type: object, required: [id], ${PROPERTIES} }, { type: object, required: [tags] }] }`,
    { id: 1, pages: 320, tags: ['novel'] },
  ],
  ['all, where their number is asked for', `{ type: object, minProperties: 3, ${PROPERTIES} }`, BOOK],
])('an item is cut to the fields that were asked for and those that it must have: %s', async (_, item, expected) => {
  const app = await serveText(documentOf(item));
  await request(app).post('/books').send(BOOK).expect(201);
  const { body } = (await request(app).get('/books?fields=pages').expect(200)) as { body: unknown };
  expect(body).toEqual([expected]);
  await request(app).get('/books/1?fields=pages').expect(200, expected);
});

test.each([
  ['*', BOOK],
  ['id,title', { id: 1, title: 'Emma' }],
  ['next,books(id,title)', { id: 1, title: 'Emma' }],
  ['books/pages,next', { pages: 320 }],
])('fields may be all of them, and stand in what they are members of: %s', async (fields, expected) => {
  const app = await serveText(documentOf(`{ type: object, ${PROPERTIES} }`));
  await request(app).post('/books').send(BOOK).expect(201);
  await request(app).get('/books').query({ fields }).expect(200, [expected]);
});
