import request from 'supertest';
import { serveText } from '../../support/serve-text';

const DOCUMENT = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      parameters:
        - { name: 'filter[title]', in: query, schema: { type: string } }
        - { name: 'filter[pages]', in: query, schema: { type: integer } }
        - { name: 'filter[created][gte]', in: query, schema: { type: string } }
        - { name: 'filter[id]', in: query, schema: { type: string } }
        - { name: filter, in: query, description: 'Such as any(title,["x","y"])', schema: { type: string } }
        - { name: search, in: query, schema: { type: string } }
        - { name: sort, in: query, schema: { type: string } }
        - { name: 'fields[books]', in: query, schema: { type: string } }
        - { name: 'fields[people]', in: query, schema: { type: string } }
        - { name: 'page[size]', in: query, schema: { type: integer } }
        - { name: 'page[after]', in: query, schema: { type: string } }
      responses:
        '200':
          description: The books
          content:
            application/vnd.api+json:
              schema:
                type: object
                required: [data]
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Book' } }
                  links: { type: object, properties: { next: { type: string, format: uri, nullable: true } } }
    post:
      requestBody:
        content:
          application/vnd.api+json:
            schema: { type: object, properties: { data: { $ref: '#/components/schemas/Book' } } }
      responses:
        '201':
          description: The book
          content:
            application/vnd.api+json:
              schema: { type: object, properties: { data: { $ref: '#/components/schemas/Book' } } }
  /books/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: The book
          content:
            application/vnd.api+json:
              schema: { type: object, properties: { data: { $ref: '#/components/schemas/Book' } } }
components:
  schemas:
    Book:
      type: object
      required: [type, id]
      properties:
        type: { type: string, enum: [books] }
        id: { type: string, readOnly: true }
        attributes:
          type: object
          properties:
            title: { type: string }
            pages: { type: integer }
            created: { type: string, format: date-time }
        relationships: { type: object }
`;

interface Book {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const BOOKS = [
  { title: 'Emma', pages: 400, created: '2020-03-01T00:00:00Z' },
  { title: 'Ivanhoe', pages: 90, created: '2021-01-01T00:00:00+05:00' },
  { title: 'Ulysses', pages: 400, created: '2020-12-31T23:00:00Z' },
];

let app: Awaited<ReturnType<typeof serveText>>;

beforeAll(async () => {
  app = await serveText(DOCUMENT, { state: 'empty' });
  for (const attributes of BOOKS) {
    await request(app)
      .post('/books')
      .set('Content-Type', 'application/vnd.api+json')
      .send(JSON.stringify({ data: { type: 'books', attributes } }))
      .expect(201);
  }
});

async function books(query: string): Promise<readonly Book[]> {
  const { body } = await request(app).get(`/books?${query}`).expect(200);
  return (body as { data: readonly Book[] }).data;
}

test.each([
  { what: 'a filter', query: 'filter[title]=Emma', titles: ['Emma'] },
  { what: 'a number', query: 'filter[pages]=400', titles: ['Emma', 'Ulysses'] },
  { what: 'a function call', query: 'filter=equals(title,"Emma")', titles: ['Emma'] },
  { what: 'two calls', query: 'filter=and(any(pages,[400]),contains(title,"ly"))', titles: ['Ulysses'] },
  { what: 'a call on instants', query: 'filter=less-than(created,2020-12-31)', titles: ['Emma'] },
  { what: 'a range of instants', query: 'filter[created][gte]=2020-12-31', titles: ['Ivanhoe', 'Ulysses'] },
  { what: 'words', query: 'search=ULY', titles: ['Ulysses'] },
  { what: 'an order', query: 'sort=title', titles: ['Emma', 'Ivanhoe', 'Ulysses'] },
  { what: 'an order the other way', query: 'sort=-title', titles: ['Ulysses', 'Ivanhoe', 'Emma'] },
  { what: 'an order of instants', query: 'sort=-created', titles: ['Ulysses', 'Ivanhoe', 'Emma'] },
  { what: 'two orders', query: 'sort=pages,-title', titles: ['Ivanhoe', 'Ulysses', 'Emma'] },
  { what: 'a filter and an order', query: 'filter[pages]=400&sort=-title', titles: ['Ulysses', 'Emma'] },
])('$what looks into the attributes', async ({ query, titles }) => {
  expect((await books(query)).map(({ attributes }) => attributes['title'])).toStrictEqual(titles);
});

test('a member beside the attributes is still found', async () => {
  const [first] = await books('');
  expect(await books(`filter[id]=${first?.id ?? ''}`)).toStrictEqual([first]);
});

test('pages follow an order by an attribute', async () => {
  const { body } = await request(app).get('/books?sort=-title&page[size]=2').expect(200);
  const { data, links } = body as { data: readonly Book[]; links: { next: string } };
  expect(data.map(({ attributes }) => attributes['title'])).toStrictEqual(['Ulysses', 'Ivanhoe']);
  const { pathname, search } = new URL(links.next);
  const next = await request(app).get(`${pathname}${search}`).expect(200);
  expect((next.body as { data: readonly Book[] }).data.map(({ attributes }) => attributes['title'])).toStrictEqual([
    'Emma',
  ]);
});

test('a sparse fieldset is of the attributes, and what identifies an item stays', async () => {
  const [first] = await books('fields[books]=title&fields[people]=name');
  expect(first).toMatchObject({ type: 'books', attributes: { title: 'Emma' } });
  expect(Object.keys(first?.attributes ?? {})).toStrictEqual(['title']);
});

test.each(['page[size]=1', 'page%5Bsize%5D=1', 'page%5bsize%5d=1&sort=title'])(
  'from one page to the next lead the links of %s',
  async (query) => {
    const titles: unknown[] = [];
    let target: string | null = `/books?${query}`;
    while (target !== null) {
      const { body } = (await request(app).get(target).expect(200)) as {
        body: { data: readonly Book[]; links: { next?: string | null } };
      };
      titles.push(...body.data.map(({ attributes }) => attributes['title']));
      const next: string | null = body.links.next ?? null;
      target = next === null ? null : next.replace(/^https?:\/\/[^/]+/, '').replace('page[after]', 'page%5Bafter%5D');
      expect(titles.length).toBeLessThan(5);
    }
    expect(titles).toStrictEqual(['Emma', 'Ivanhoe', 'Ulysses']);
  },
);
