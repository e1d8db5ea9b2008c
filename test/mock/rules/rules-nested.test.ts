import supertest from 'supertest';
import type { MockServer } from '../../../src/server/mock-server';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json/json-value';
import type { RuleEvent, Rules } from '../../../src/mock/rules/rules';
import { serveText } from '../../support/serve-text';
import { smallMock, type SmallMock } from '../behaviours/small-mock';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

function crud(path: string, name: string, ...keys: string[]): string {
  const one = `{ $ref: '#/components/schemas/${name}' }`;
  const parameters = keys.map((key) => `{ name: ${key}, in: path, required: true, schema: { type: integer } }`);
  return `
  ${path}:
    parameters: [${parameters.slice(0, -1).join(', ')}]
    get: { responses: { '200': { description: ok, ${json(`{ type: array, items: ${one} }`)} } } }
    post: { operationId: make${name}, requestBody: { ${json(one)} }, responses: { '201': { description: new, ${json(one)} } } }
  ${path}/{${keys.at(-1)}}:
    parameters: [${parameters.join(', ')}]
    get: { responses: { '200': { description: ok, ${json(one)} } } }
    patch: { operationId: change${name}, requestBody: { ${json(one)} }, responses: { '200': { description: ok, ${json(one)} } } }
    delete: { operationId: remove${name}, responses: { '204': { description: gone } } }`;
}

const item = (members: string): string =>
  `{ type: object, required: [id], properties: { id: { type: integer, readOnly: true }, ${members} } }`;

/** Shelves have books and loans of those; books are by authors. */
const DESCRIPTION = `paths:${crud('/authors', 'Author', 'author')}${crud('/shelves', 'Shelf', 'shelf')}
${crud('/shelves/{shelf}/books', 'Book', 'shelf', 'book')}${crud('/shelves/{shelf}/loans', 'Loan', 'shelf', 'loan')}
components:
  schemas:
    Author: ${item('name: { type: string }')}
    Shelf: ${item('books: { type: integer }, closed: { type: boolean }')}
    Book: ${item('shelfId: { type: integer, readOnly: true }, title: { type: string }, authorId: { type: integer }, lent: { type: boolean }')}
    Loan: ${item('bookId: { type: integer }')}
`;
const BOOKS = '/shelves/{shelf}/books';

function library(rules: Omit<Rules, 'standin'>): SmallMock {
  return smallMock(DESCRIPTION, { rules: { standin: 'rules/1', ...rules } });
}

async function fill({ send }: SmallMock, ...posts: readonly [string, JsonObject][]): Promise<void> {
  for (const [path, body] of posts) expect((await send('POST', path, body)).status).toBe(201);
}

const codeOf = (body: JsonValue | undefined): JsonValue | undefined =>
  body !== undefined && isJsonObject(body) ? body['code'] : undefined;

describe('the rule of an operation below an item', () => {
  test('is told the collection and what the path says, and reaches both', async () => {
    const seen: unknown[] = [];
    const mock = library({
      operations: {
        makeBook({ collection, path, store }) {
          seen.push(collection, { ...path });
          store.update('/shelves', path['shelf'], { books: [...store.items(collection)].length + 1 });
        },
      },
    });
    await fill(mock, ['/shelves', {}], ['/shelves', {}], ['/shelves/2/books', { title: 'Emma' }]);
    expect(seen).toEqual(['/shelves/2/books', { shelf: 2 }]);
    await fill(mock, ['/shelves/2/books', { title: 'Persuasion' }]);
    expect((await mock.send('GET', '/shelves/2')).body).toEqual({ id: 2, books: 2 });
    expect((await mock.send('GET', '/shelves/1')).body).toEqual({ id: 1, books: 0 });
  });

  test('reads, makes, changes and removes what lies below any item', async () => {
    const seen: unknown[] = [];
    const mock = library({
      operations: {
        changeShelf({ path, store, before }) {
          const books = `/shelves/${Number(path['shelf'])}/books`;
          store.insert(books, { id: 7, title: 'Emma', lent: false });
          store.update(books, 7, { lent: true });
          seen.push(store.get(books, 7), store.find(books, 'lent', true).length, [...store.collections(BOOKS)]);
          store.remove(books, before?.['books']);
        },
      },
    });
    await fill(mock, ['/shelves', { books: 1 }], ['/shelves', {}], ['/shelves/1/books', {}], ['/shelves/2/books', {}]);
    expect((await mock.send('PATCH', '/shelves/1', { closed: true })).status).toBe(200);
    const emma = { id: 7, shelfId: 1, title: 'Emma', lent: true };
    expect(seen).toEqual([emma, 1, ['/shelves/1/books', '/shelves/2/books']]);
    expect((await mock.send('GET', '/shelves/1/books')).body).toEqual([emma]);
    expect((await mock.send('GET', '/shelves/2/books')).body).toHaveLength(1);
  });

  test.each<[string, (event: RuleEvent) => void, string]>([
    ['the path of all of them', ({ store }) => void store.items(BOOKS), 'fill in its variables'],
    ['no collection', ({ store }) => void store.items('/shelves/1/boks'), 'there are /authors'],
    [
      'what lies below nothing',
      ({ store }) => {
        store.insert('/shelves/9/books', { id: 1 });
      },
      'below an item that is not there',
    ],
  ])('that names %s is told', async (_, rule, message) => {
    const makeAuthor = (event: RuleEvent): void => {
      expect(() => {
        rule(event);
      }).toThrow(message);
    };
    expect.assertions(2);
    await fill(library({ operations: { makeAuthor } }), ['/authors', {}]);
  });
});

describe('references of nested collections', () => {
  const rules: Omit<Rules, 'standin'> = {
    references: [
      { collection: BOOKS, member: 'authorId', to: '/authors', refuseRemoval: 'author_in_use' },
      { collection: '/shelves/{shelf}/loans', member: 'bookId', to: BOOKS, refuseRemoval: 'book_lent' },
    ],
  };

  test('an item that is referred to from below others is not removed', async () => {
    const mock = library(rules);
    await fill(mock, ['/authors', {}], ['/authors', {}], ['/shelves', {}], ['/shelves/1/books', { authorId: 2 }]);
    const refused = await mock.send('DELETE', '/authors/2');
    expect([refused.status, codeOf(refused.body)]).toEqual([409, 'author_in_use']);
    expect((await mock.send('DELETE', '/authors/1')).status).toBe(204);
    expect((await mock.send('DELETE', '/shelves/1')).status).toBe(204);
    expect((await mock.send('DELETE', '/authors/2')).status).toBe(204);
  });

  test('a reference beside leads to what lies below the same item', async () => {
    const mock = library(rules);
    await fill(mock, ['/shelves', {}], ['/shelves', {}], ['/shelves/1/books', {}], ['/shelves/1/loans', { bookId: 1 }]);
    const refused = await mock.send('POST', '/shelves/2/loans', { bookId: 1 });
    expect([refused.status, codeOf(refused.body)]).toEqual([422, 'unknown_reference']);
    await fill(mock, ['/shelves/2/books', {}]);
    expect((await mock.send('DELETE', '/shelves/1/books/1')).status).toBe(409);
    expect((await mock.send('DELETE', '/shelves/2/books/1')).status).toBe(204);
  });

  test('one whose place nothing tells is refused at the start', () => {
    const references = [{ collection: '/authors', member: 'name', to: BOOKS }];
    expect(() => library({ references })).toThrow(
      `no way to know from an item of /authors which of the collections ${BOOKS} it refers to`,
    );
  });

  test('what a rule removes is held by them as well, and the request is refused', async () => {
    const mock = library({
      ...rules,
      operations: {
        removeAuthor({ store }) {
          store.remove('/authors', 1);
        },
      },
    });
    await fill(mock, ['/authors', {}], ['/authors', {}], ['/shelves', {}], ['/shelves/1/books', { authorId: 1 }]);
    const before = mock.stateText();
    const refused = await mock.send('DELETE', '/authors/2');
    expect([refused.status, codeOf(refused.body)]).toEqual([409, 'author_in_use']);
    expect(mock.stateText()).toBe(before);
    expect((await mock.send('DELETE', '/shelves/1/books/1')).status).toBe(204);
    expect((await mock.send('DELETE', '/authors/2')).status).toBe(204);
  });

  describe('of fixtures', () => {
    const start = (collections: Readonly<Record<string, object>>): Promise<MockServer> => {
      const text = `openapi: 3.0.3\ninfo: { title: Library, version: 1.0.0 }\n${DESCRIPTION}`;
      const fixtures = { standin: 'fixture/1', collections } as const;
      return serveText(text, { auth: 'off', state: 'seeded', rules: { standin: 'rules/1', ...rules }, fixtures });
    };

    test('they are asked as well', async () => {
      const server = supertest(
        await start({ '/authors': [{ id: 1 }], '/shelves': [{ id: 4 }], '/shelves/4/books': [{ id: 1, authorId: 1 }] }),
      );
      await server.delete('/authors/1').expect(409);
      await server.delete('/shelves/4').expect(204);
      await server.delete('/authors/1').expect(204);
    });

    test('one that leads nowhere is a finding', async () => {
      const books = { '/shelves': [{ id: 1 }, { id: 2 }], '/shelves/1/books': [{ id: 3 }] };
      await expect(start({ ...books, '/shelves/1/loans': [{ id: 1, bookId: 3 }] })).resolves.toBeDefined();
      await expect(start({ ...books, '/shelves/2/loans': [{ id: 1, bookId: 3 }] })).rejects.toThrow(
        'The property "bookId" names 3, which does not exist in /shelves/2/books',
      );
    });
  });
});
