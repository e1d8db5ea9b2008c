import request from 'supertest';
import type { MockServer } from '../../../src/adapters/express/mock-server';
import { serveText } from '../../support/serve-text';

// Lists as springdoc-openapi describes those of Spring Data: `Pageable` in the query and `Page` in the answer.

const BOOK = `{ type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string }, shelf: { type: string }, desc: { type: string } } }`;

const BOOKS = [
  { id: 1, title: 'Emma', shelf: 'b' },
  { id: 2, title: 'Middlemarch', shelf: 'a' },
  { id: 3, title: 'Cranford', shelf: 'b' },
  { id: 4, title: 'Agnes Grey', shelf: 'a' },
];

async function shelf(parameters: string, answer: string, item = BOOK): Promise<MockServer> {
  const app = await serveText(`openapi: 3.0.1
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      parameters: [${parameters}]
      responses: { '200': { description: ok, content: { application/json: { schema: ${answer} } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: made } }
components:
  schemas:
    Book: ${item}
`);
  for (const book of BOOKS) await request(app).post('/books').send(book).expect(201);
  return app;
}

async function ask<Body>(app: MockServer, query: string): Promise<Body> {
  const { body } = (await request(app).get(`/books${query}`).expect(200)) as { body: Body };
  return body;
}

const ROWS = `{ type: array, items: { $ref: '#/components/schemas/Book' } }`;
const SORT = '{ name: sort, in: query, schema: { type: array, items: { type: string } } }';

describe('a property and then its direction in one value of sort', () => {
  test.each([
    ['sort=title,desc', [2, 1, 3, 4]],
    ['sort=title,ASC', [4, 3, 1, 2]],
    ['sort=shelf,desc&sort=title,asc', [3, 1, 4, 2]],
    ['sort=shelf&sort=title,desc', [2, 4, 1, 3]],
    ['sort=shelf,id,desc', [3, 1, 4, 2]],
    ['sort=shelf,desc,title,asc', [3, 1, 4, 2]],
    ['sort=shelf,desc&sort=title', [3, 1, 4, 2]],
    ['sort=-shelf,title,asc', [3, 1, 4, 2]],
    ['sort=nonsense,desc', [1, 2, 3, 4]],
    ['sort=nonsense', [1, 2, 3, 4]],
  ])('%s', async (query, ids) => {
    const app = await shelf(SORT, ROWS, BOOK.replace(', desc: { type: string }', ''));
    const body = await ask<{ id: number }[]>(app, `?${query}`);
    expect(body.map(({ id }) => id)).toStrictEqual(ids);
  });

  test.each(['{ type: string }', '{ type: array, items: { type: string } }'])(
    'in a parameter of the schema %s that is not exploded',
    async (schema) => {
      const app = await shelf(
        `{ name: sort, in: query, explode: false, schema: ${schema} }`,
        ROWS,
        BOOK.replace(', desc: { type: string }', ''),
      );
      const body = await ask<{ id: number }[]>(app, '?sort=shelf,title,desc');
      expect(body.map(({ id }) => id)).toStrictEqual([1, 3, 2, 4]);
    },
  );

  test('is a property where items have a member of that name', async () => {
    const app = await shelf(SORT, ROWS);
    await request(app).post('/books').send({ id: 5, title: 'Shirley', shelf: 'a', desc: 'a' }).expect(201);
    await request(app).post('/books').send({ id: 6, title: 'Villette', shelf: 'a', desc: 'b' }).expect(201);
    const body = await ask<{ id: number; shelf: string }[]>(app, '?sort=shelf,desc');
    expect(body[0]!.shelf).toBe('a');
    const ids = body.map(({ id }) => id);
    expect(ids.indexOf(5)).toBeLessThan(ids.indexOf(6));
  });
});
