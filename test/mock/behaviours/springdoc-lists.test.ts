import request from 'supertest';
import type { MockServer } from '../../../src/server/mock-server';
import { explainRequest } from '../../../src/explain/explain-request';
import { partsOfText, serveText } from '../../support/serve-text';

// Lists as springdoc-openapi describes those of Spring Data: `Pageable` in the query and `Page` in the answer.

const BOOK = `{ type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string }, shelf: { type: string }, desc: { type: string } } }`;

const BOOKS = [
  { id: 1, title: 'Emma', shelf: 'b' },
  { id: 2, title: 'Middlemarch', shelf: 'a' },
  { id: 3, title: 'Cranford', shelf: 'b' },
  { id: 4, title: 'Agnes Grey', shelf: 'a' },
];

async function shelf(parameters: string, answer: string, item = BOOK): Promise<MockServer> {
  const app = await serveText(description(parameters, answer, item));
  for (const book of BOOKS) await request(app).post('/books').send(book).expect(201);
  return app;
}

function description(parameters: string, answer: string, item: string): string {
  return `openapi: 3.0.1
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
`;
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

  test('is a property where items have a property of that name', async () => {
    const app = await shelf(SORT, ROWS);
    await request(app).post('/books').send({ id: 5, title: 'Shirley', shelf: 'a', desc: 'a' }).expect(201);
    await request(app).post('/books').send({ id: 6, title: 'Villette', shelf: 'a', desc: 'b' }).expect(201);
    const body = await ask<{ id: number; shelf: string }[]>(app, '?sort=shelf,desc');
    expect(body[0]!.shelf).toBe('a');
    const ids = body.map(({ id }) => id);
    expect(ids.indexOf(5)).toBeLessThan(ids.indexOf(6));
  });
});

const MEMBERS_OF_PAGE = `properties: { content: ${ROWS}, first: { type: boolean }, last: { type: boolean },
  empty: { type: boolean }, number: { type: integer }, size: { type: integer }, numberOfElements: { type: integer },
  totalElements: { type: integer }, totalPages: { type: integer }, sort: { $ref: '#/components/schemas/Sort' },
  pageable: { $ref: '#/components/schemas/PageableObject' } }`;

const REQUIRED_OF_PAGE =
  'required: [content, first, last, empty, number, size, numberOfElements, totalElements, totalPages, sort, pageable],';

function schemasOfPage(required: boolean): string {
  const sort = required ? 'required: [empty, sorted, unsorted],' : '';
  const pageable = required ? 'required: [offset, pageNumber, pageSize, paged, unpaged, sort],' : '';
  return `
    Page: { type: object, ${required ? REQUIRED_OF_PAGE : ''} ${MEMBERS_OF_PAGE.replaceAll('\n', ' ')} }
    Sort: { type: object, ${sort} properties: { empty: { type: boolean }, sorted: { type: boolean }, unsorted: { type: boolean } } }
    PageableObject: { type: object, ${pageable} properties: { offset: { type: integer, format: int64 }, pageNumber: { type: integer }, pageSize: { type: integer }, paged: { type: boolean }, unpaged: { type: boolean }, sort: { $ref: '#/components/schemas/Sort' } } }`;
}

const PAGE = `{ $ref: '#/components/schemas/Page' }`;
const PLACE = '{ name: page, in: query, schema: { type: integer, minimum: 0, default: 0 } }';
const SIZE = '{ name: size, in: query, schema: { type: integer, minimum: 1, default: 20 } }';

const UNSORTED = { empty: true, sorted: false, unsorted: true };
const SORTED = { empty: false, sorted: true, unsorted: false };

describe.each([true, false])('the members of a Page, required: %s', (required) => {
  const pageOf = (parameters: string): Promise<MockServer> =>
    shelf(parameters, PAGE, `${BOOK}${schemasOfPage(required)}`);

  test('are true of the first page', async () => {
    const { content, ...page } = await ask<{ content: unknown[] }>(
      await pageOf(`${PLACE}, ${SIZE}, ${SORT}`),
      '?size=3',
    );
    expect(content).toHaveLength(3);
    expect(page).toStrictEqual({
      first: true,
      last: false,
      empty: false,
      number: 0,
      size: 3,
      numberOfElements: 3,
      totalElements: 4,
      totalPages: 2,
      sort: UNSORTED,
      pageable: { offset: 0, pageNumber: 0, pageSize: 3, paged: true, unpaged: false, sort: UNSORTED },
    });
  });

  test('are true of the last page, in an order', async () => {
    const page = await ask(await pageOf(`${PLACE}, ${SIZE}, ${SORT}`), '?size=3&page=1&sort=title,desc');
    expect(page).toMatchObject({
      first: false,
      last: true,
      empty: false,
      number: 1,
      numberOfElements: 1,
      sort: SORTED,
      pageable: { offset: 3, pageNumber: 1, pageSize: 3, paged: true, unpaged: false, sort: SORTED },
    });
  });

  test('are true of a page past the end', async () => {
    const page = await ask(await pageOf(`${PLACE}, ${SIZE}`), '?size=3&page=7');
    expect(page).toMatchObject({ first: false, last: true, empty: true, number: 7, numberOfElements: 0 });
  });

  test('are true of a list without pages', async () => {
    const page = await ask(await pageOf(''), '');
    expect(page).toMatchObject({ first: true, last: true, empty: false, number: 0, totalPages: 1 });
    expect(page).toMatchObject({ pageable: { offset: 0, pageNumber: 0, paged: false, unpaged: true } });
  });

  test('count pages from 0 where the parameter does not say', async () => {
    const app = await pageOf(
      '{ name: page, in: query, schema: { type: integer } }, { name: size, in: query, schema: { type: integer } }',
    );
    expect(await ask(app, '?size=3')).toMatchObject({ number: 0, first: true, numberOfElements: 3 });
    expect(await ask(app, '?size=3&page=1')).toMatchObject({ number: 1, first: false, numberOfElements: 1 });
  });
});

test('first and last that are texts are links', async () => {
  const answer = `{ type: object, properties: { content: ${ROWS}, first: { type: string }, last: { type: string } } }`;
  const page = await ask<{ first: string; last: string }>(await shelf(`${PLACE}, ${SIZE}`, answer), '?size=3');
  expect(page.first).toMatch(/\/books\?size=3$/);
  expect(page.last).toMatch(/\/books\?size=3&page=1$/);
});

describe('one parameter Pageable, whose members are sent by themselves', () => {
  const PAGEABLE = `{ name: pageable, in: query, required: true, schema: { $ref: '#/components/schemas/Pageable' } }`;
  const schemas = `${BOOK.replace(', desc: { type: string }', '')}${schemasOfPage(false)}
    Pageable: { type: object, properties: { page: { type: integer, format: int32, minimum: 0 }, size: { type: integer, format: int32, minimum: 1 }, sort: { type: array, items: { type: string } } } }`;

  test('pages and orders', async () => {
    const app = await shelf(PAGEABLE, PAGE, schemas);
    const page = await ask<{ content: { id: number }[] }>(app, '?page=1&size=3&sort=shelf,desc&sort=title');
    expect(page.content.map(({ id }) => id)).toStrictEqual([2]);
    expect(page).toMatchObject({ number: 1, size: 3, totalPages: 2, first: false, last: true, sort: SORTED });
  });

  test('may be empty, since all of its members may be left out', async () => {
    const app = await shelf(PAGEABLE, PAGE, schemas);
    expect(await ask(app, '')).toMatchObject({ number: 0, numberOfElements: 4, first: true, last: true });
  });

  test('is missing where a member must be there', async () => {
    const app = await shelf(PAGEABLE, PAGE, schemas.replace('Pageable: {', 'Pageable: { required: [page],'));
    await request(app).get('/books').expect(400);
    await request(app).get('/books?page=0').expect(200);
  });

  test('is judged member by member', async () => {
    const app = await shelf(PAGEABLE, PAGE, schemas);
    await request(app).get('/books?size=0').expect(400);
  });

  test('is explained as what it does', async () => {
    const parts = await partsOfText(description(PAGEABLE, PAGE, schemas));
    const explained = await explainRequest(parts, 'GET', '/books?page=1', undefined);
    expect(explained.route.unknownQuery).toStrictEqual([]);
    expect(explained.sent.target).toBe('/books?page=1');
    expect(explained.answer).toMatchObject({ status: 200, from: 'state' });
    expect(explained.operation.needs.parameters).toBeUndefined();
    expect(explained.operation.parameters.map(({ name, role }) => [name, role])).toStrictEqual([
      ['page', 'page'],
      ['size', 'page-size'],
      ['sort', 'sort'],
    ]);
  });
});
