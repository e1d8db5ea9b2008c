import supertest from 'supertest';
import { createMockServer } from '../../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../../src/library/mock-options';
import type { StandinError } from '../../../src/core/errors/standin-error';
import { temporaryFolder } from '../../support/temporary-folder';
import { ref } from '../../support/flow';

const content = (schema: string): string => `{ application/json: { schema: ${schema} } }`;
const answer = (schema: string): string => `{ '200': { description: ok, content: ${content(schema)} } }`;
const listOf = (name: string): string => `{ type: array, items: { $ref: '#/components/schemas/${name}' } }`;
const crud = (path: string, name: string, key: string, type = 'integer', above = ''): string => `
  ${path}:
    ${above === '' ? '' : `parameters: [${above}]`}
    get: { responses: ${answer(listOf(name))} }
    post:
      requestBody: { required: true, content: ${content(ref(name))} }
      responses: { '201': { description: made, content: ${content(ref(name))} } }
  ${path}/{${key}}:
    parameters: [${above === '' ? '' : `${above}, `}{ name: ${key}, in: path, required: true, schema: { type: ${type} } }]
    get: { responses: ${answer(ref(name))} }
    put: { requestBody: { content: ${content(ref(name))} }, responses: ${answer(ref(name))} }
    delete: { responses: { '204': { description: gone } } }`;
const SHELF = '{ name: shelfId, in: path, required: true, schema: { type: integer } }';

const folder = temporaryFolder();
const description = folder.write(
  'library.yaml',
  `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /settings:
    get: { responses: ${answer(ref('Settings'))} }
    put: { requestBody: { content: ${content(ref('Settings'))} }, responses: ${answer(ref('Settings'))} }${crud('/shelves', 'Shelf', 'shelfId')}${crud('/shelves/{shelfId}/books', 'Book', 'bookId', 'integer', SHELF)}${crud('/shelves/{shelfId}/labels', 'Label', 'text', 'string', SHELF)}${crud('/authors', 'Author', 'authorId')}${crud('/prizes', 'Prize', 'number')}${crud('/archive/labels', 'Label', 'text', 'string')}
components:
  schemas:
    Settings: { type: object, required: [theme], properties: { theme: { type: string }, pin: { type: string, writeOnly: true } } }
    Shelf: { type: object, required: [id, label], properties: { id: { type: integer }, label: { type: string } } }
    Book: { type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string }, shelfId: { type: integer }, authorId: { type: integer } } }
    Label: { type: object, required: [text], properties: { text: { type: string } } }
    Author: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    Prize: { type: object, required: [title], properties: { title: { type: string } } }
`,
);

type Fixtures = Extract<CreateMockServerOptions['fixtures'], object>;
type Collections = Fixtures['collections'];

async function serve(collections: Collections, seed = '0'): ReturnType<typeof createMockServer> {
  return createMockServer({ description, auth: 'off', seed, fixtures: { standin: 'fixture/1', collections } });
}

async function get(collections: Collections, path: string): Promise<unknown> {
  const { body }: { body: unknown } = await supertest(await serve(collections)).get(path);
  return body;
}

async function refusal(collections: Collections): Promise<StandinError> {
  return serve(collections).then(
    () => Promise.reject(new Error('it was taken')),
    (error: unknown) => error as StandinError,
  );
}

const SHELVES = [
  { id: 7, label: 'Poems' },
  { id: 8, label: 'Plays' },
];

describe('where the items of a fixture lie', () => {
  test.each<[string, Collections]>([
    ['the path of one collection', { '/shelves/7/books': [{ id: 1, title: 'Emma' }] }],
    [
      'the path with its variable, and the member that holds it',
      { '/shelves/{shelfId}/books': [{ id: 1, title: 'Emma', shelfId: 7 }] },
    ],
    ['a name that one collection alone has', { books: [{ id: 1, title: 'Emma', shelfId: 7 }] }],
  ])('%s', async (_, books) => {
    const collections = { shelves: SHELVES, ...books };
    expect(await get(collections, '/shelves/7/books')).toStrictEqual([{ id: 1, title: 'Emma', shelfId: 7 }]);
    expect(await get(collections, '/shelves/8/books')).toStrictEqual([]);
    expect(await get(collections, '/shelves/7/books/1')).toMatchObject({ title: 'Emma' });
  });

  test('a single record is one object', async () => {
    expect(await get({ '/settings': { theme: 'dark', pin: '1234' } }, '/settings')).toStrictEqual({ theme: 'dark' });
    const twice = await refusal({ '/settings': [{ theme: 'dark' }, { theme: 'light' }] });
    expect(twice.findings).toMatchObject([
      { rule: 'fixture-format', message: '"/settings" must be one object, got an array', expected: 'a single record' },
    ]);
  });

  test('a key that no member holds is $key, and is not sent', async () => {
    const prizes = { '/prizes': [{ $key: 5, title: 'Booker' }] };
    expect(await get(prizes, '/prizes/5')).toStrictEqual({ title: 'Booker' });
    const { findings } = await refusal({ '/prizes': [{ title: 'Booker' }] });
    expect(findings).toMatchObject([
      { rule: 'fixture-key', expected: '"$key"', hint: expect.stringContaining('never sent') },
    ]);
  });
});

test.each<[string, Collections, object]>([
  [
    'a name that several collections have',
    { labels: [] },
    { rule: 'fixture-format', hint: 'Write /shelves/{shelfId}/labels or /archive/labels.' },
  ],
  [
    'an item that lacks what its path asks for',
    { books: [{ id: 1, title: 'Emma' }] },
    {
      rule: 'fixture-format',
      pointer: '/collections/books/0',
      expected: '"shelfId" in the item',
      hint: 'Write the items under a path such as "/shelves/1/books".',
    },
  ],
  [
    'a path whose variable no member holds',
    { '/shelves/{shelfId}/labels': [{ text: 'new' }] },
    { rule: 'fixture-format', expected: 'a path with {shelfId} filled in' },
  ],
  [
    'an item that lies elsewhere by its own words',
    { shelves: SHELVES, '/shelves/7/books': [{ id: 1, title: 'Emma', shelfId: 8 }] },
    {
      rule: 'fixture-scope',
      pointer: '/collections/~1shelves~17~1books/0/shelfId',
      expected: '7, or another collection',
    },
  ],
  [
    'a count that is none',
    { authors: { count: -1 } },
    { rule: 'fixture-format', pointer: '/collections/authors/count', expected: 'a whole number from 0 to 10000' },
  ],
  [
    'a count with something beside it',
    { authors: { count: 1, of: 2 } },
    { rule: 'fixture-format', pointer: '/collections/authors/of' },
  ],
  [
    'a count beyond its budget',
    { authors: { count: 10_001 } },
    { rule: 'fixture-format', expected: 'a whole number from 0 to 10000' },
  ],
  [
    'counts beyond the budget of all',
    { shelves: { count: 6 }, books: { count: 10_000 } },
    {
      rule: 'fixture-format',
      pointer: '/collections/books/count',
      message: expect.stringContaining('too many items: 60000'),
    },
  ],
  [
    'rows below an item that is not there',
    { '/shelves/9/books': { count: 3 } },
    { rule: 'fixture-count', message: 'Only 0 of 3 items could be generated for /shelves/{shelfId}/books' },
  ],
])('%s is refused', async (_, collections, finding) => {
  const { findings } = await refusal(collections);
  expect(findings).toMatchObject([{ severity: 'error', ...finding }]);
});

describe('rows that are counted', () => {
  test('so many, valid, with keys of their own, the same for the same seed', async () => {
    const [one, two, other] = await Promise.all([
      serve({ authors: { count: 300 } }),
      serve({ authors: { count: 300 } }),
      serve({ authors: { count: 300 } }, 'b'),
    ]);
    const { body } = await supertest(one).get('/authors').expect(200);
    expect(new Set((body as { id: number }[]).map(({ id }) => id)).size).toBe(300);
    expect(two.state()).toStrictEqual(one.state());
    expect(other.state()).not.toStrictEqual(one.state());
  });

  test('they refer to items that exist, and lie below each item that is there', async () => {
    const server = supertest(
      await serve({ shelves: SHELVES, authors: [{ id: 40, name: 'Jane' }], books: { count: 3 } }),
    );
    for (const shelfId of [7, 8]) {
      const { body } = await server.get(`/shelves/${shelfId}/books`).expect(200);
      expect(body).toHaveLength(3);
      for (const book of body as object[]) expect(book).toMatchObject({ shelfId });
      for (const { authorId } of body as { authorId?: number }[]) expect([undefined, 40]).toContain(authorId);
    }
  });

  test('what is not in the fixture is empty', async () => {
    const server = supertest(await serve({ authors: { count: 10 } }));
    await server.get('/shelves').expect(200, []);
    const { body }: { body: unknown } = await server.post('/prizes').send({ title: 'Booker' }).expect(201);
    expect(body).toStrictEqual({ title: 'Booker' });
    await server.get('/authors/10').expect(200);
    await server.get('/authors/11').expect(404);
  });
});

test('write-only members are in the state only when they are asked for', async () => {
  const app = await serve({ '/settings': { theme: 'dark', pin: '1234' } });
  const server = supertest(app);
  const route = async (query: string): Promise<string> =>
    (await server.get(`/__standin/state${query}`).set('Host', 'localhost').expect(200)).text;
  expect(await route('')).not.toContain('1234');
  expect(await route('?secrets=false')).not.toContain('1234');
  expect(await route('?secrets=true')).toContain('1234');
  expect(JSON.stringify(app.state())).not.toContain('1234');
  expect(JSON.stringify(app.state({ secrets: true }))).toContain('1234');
  await server.get('/__standin/state?secrets=yes').set('Host', 'localhost').expect(400);
  await server.get('/__standin/journal?secrets=true').set('Host', 'localhost').expect(400);
  await server.get('/__standin/state?secrets=true').set('Host', 'evil.example').expect(403);
});

const ACCOUNTS = `openapi: 3.0.3
info: { title: Accounts, version: 1.0.0 }
paths:
  /accounts:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Account' } } } } } } }
  /accounts/{account}:
    parameters: [{ name: account, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } } } }
  /accounts/{account}/cards:
    parameters: [{ name: account, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Card' } } } } } } }
  /accounts/{account}/cards/{card}:
    parameters:
      - { name: account, in: path, required: true, schema: { type: string } }
      - { name: card, in: path, required: true, schema: { type: string } }
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Card' } } } } } }
components:
  schemas:
    Account: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    Card: { type: object, required: [id], properties: { id: { type: string }, account: { anyOf: [{ type: string }, { $ref: '#/components/schemas/Account' }] } } }
`;

test('an item may show what it lies below as a whole', async () => {
  const app = await createMockServer({
    description: temporaryFolder().write('accounts.yaml', ACCOUNTS),
    state: 'empty',
  });
  const accounts = [{ id: '2', name: 'Ada' }];
  const state = (id: string): object => ({
    standin: 'fixture/1',
    collections: { '/accounts': accounts, '/accounts/2/cards': [{ id: '7', account: { id, name: 'Ada' } }] },
  });
  await supertest(app).put('/__standin/state').send(state('2')).expect(204);
  await supertest(app)
    .get('/accounts/2/cards')
    .expect(200, [{ id: '7', account: accounts[0] }]);
  await supertest(app).put('/__standin/state').send(state('3')).expect(400);
});
