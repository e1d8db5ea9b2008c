import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const number = { type: 'number' };
const KEYS = object({ books: list(ref('Key')) }, ['books']);
const schemas = {
  Key: { anyOf: [whole, text] },
  Book: object({ id: ref('Key'), title: text, pages: whole, extra: { type: 'object', additionalProperties: true } }, [
    'id',
  ]),
  NewBook: object(
    { id: ref('Key'), title: text, pages: whole, extra: { type: 'object', additionalProperties: true } },
    ['id', 'title'],
  ),
  Found: object(
    { id: ref('Key'), title: text, pages: whole, extra: { type: 'object', additionalProperties: true }, score: number },
    ['id', 'score'],
  ),
  Filter: object({ must: list(object({ key: text, match: object({ value: text }), range: object({ gt: whole }) })) }),
  Done: object({ status: { type: 'string', enum: ['done', 'failed'] } }, ['status']),
};
const result = (schema: object): object => object({ time: number, status: text, result: schema });
const described = smallApi(
  {
    'PUT /shelves/{shelf}': { answers: { 200: result({ type: 'boolean' }) } },
    'GET /shelves/{shelf}': { answers: { 200: result(object({ size: whole })), 404: null } },
    'GET /shelves/{shelf}/books/{id}': { answers: { 200: result(ref('Book')), 404: null } },
    'PUT /shelves/{shelf}/books': {
      summary: 'Upsert books',
      description: 'Adds them. If one is there already, it is overwritten.',
      body: object({ books: list(ref('NewBook')), note: text }, ['books']),
      answers: { 200: result(ref('Done')) },
    },
    'POST /shelves/{shelf}/books': {
      summary: 'Get books',
      body: object({ ids: list(ref('Key')), with_pages: { type: 'boolean' } }, ['ids']),
      answers: { 200: result(list(ref('Book'))) },
    },
    'POST /shelves/{shelf}/books/search': {
      body: object({ filter: ref('Filter'), limit: whole, offset: whole }),
      answers: { 200: result(object({ books: list(ref('Found')) })) },
    },
    'POST /shelves/{shelf}/books/scroll': {
      body: object({ filter: ref('Filter'), limit: whole, offset: ref('Key') }),
      answers: {
        200: result(
          object({ books: list(ref('Book')), next_page_offset: { anyOf: [ref('Key'), { nullable: true }] } }),
        ),
      },
    },
    'POST /shelves/{shelf}/books/count': {
      body: object({ filter: ref('Filter') }),
      answers: { 200: result(object({ count: whole }, ['count'])) },
    },
    'POST /shelves/{shelf}/books/delete': {
      body: { anyOf: [KEYS, object({ filter: ref('Filter') }, ['filter'])] },
      answers: { 200: result(ref('Done')) },
    },
  },
  schemas,
  { id: { anyOf: [whole, text] } },
);

async function shelf(): Promise<SmallMock['send']> {
  const { send } = mockOfDocument(described);
  await send('PUT', '/shelves/a');
  const books = [1, 2, 3].map((id) => ({
    id,
    title: `T${id}`,
    pages: id * 100,
    extra: { lang: id === 3 ? 'de' : 'en' },
  }));
  const put = await send('PUT', '/shelves/a/books', { books });
  expect(put).toMatchObject({ status: 200, body: { result: { status: 'done' } } });
  return send;
}

const keysIn = (rows: unknown): unknown[] => (rows as { id: unknown }[]).map(({ id }) => id);

test('what a list of items is put as can be read one by one, and by their keys', async () => {
  const send = await shelf();
  expect(objectOf(await send('GET', '/shelves/a/books/2'))['result']).toEqual({
    id: 2,
    title: 'T2',
    pages: 200,
    extra: { lang: 'en' },
  });
  const read = async (...ids: readonly (string | number)[]): Promise<unknown[]> =>
    keysIn(objectOf(await send('POST', '/shelves/a/books', { ids: [...ids] }))['result']);
  expect(await read(3, 1)).toEqual([1, 3]);
  expect(await read(77)).toEqual([]);
  await send('PUT', '/shelves/a/books', { books: [{ id: 'x-1', title: 'X' }] });
  expect(await read('x-1', 2)).toEqual([2, 'x-1']);
});

test('what is put again is replaced, on this shelf alone, and all or none is put', async () => {
  const send = await shelf();
  await send('PUT', '/shelves/b');
  await send('PUT', '/shelves/b/books', { books: [{ id: 2, title: 'Other' }] });
  await send('PUT', '/shelves/a/books', {
    books: [
      { id: 2, title: 'Second' },
      { id: 4, title: 'T4' },
    ],
  });
  expect(objectOf(await send('GET', '/shelves/a/books/2'))['result']).toEqual({ id: 2, title: 'Second' });
  expect(objectOf(await send('GET', '/shelves/b/books/2'))['result']).toEqual({ id: 2, title: 'Other' });
  expect((await send('PUT', '/shelves/a/books', { books: [{ id: 5, title: 'T5' }, { id: 6 }] })).status).toBe(400);
  expect((await send('GET', '/shelves/a/books/5')).status).toBe(404);
});

test('they are searched and counted', async () => {
  const send = await shelf();
  const search = async (body: object): Promise<unknown[]> =>
    keysIn(
      (objectOf(await send('POST', '/shelves/a/books/search', body as never))['result'] as { books: unknown }).books,
    );
  const count = async (body: object): Promise<unknown> =>
    (objectOf(await send('POST', '/shelves/a/books/count', body as never))['result'] as { count: unknown }).count;
  const filter = { must: [{ key: 'lang', match: { value: 'en' } }] };
  expect(await search({})).toEqual([1, 2, 3]);
  expect(await search({ filter })).toEqual([1, 2]);
  expect(await search({ limit: 1, offset: 1 })).toEqual([2]);
  expect(await count({})).toBe(3);
  expect(await count({ filter })).toBe(2);
});

test('they are removed by their keys or by conditions, and by nothing none', async () => {
  const send = await shelf();
  const left = async (): Promise<unknown[]> =>
    keysIn(objectOf(await send('POST', '/shelves/a/books', { ids: [1, 2, 3] }))['result']);
  expect(await send('POST', '/shelves/a/books/delete', { books: [1, 9] })).toMatchObject({
    status: 200,
    body: { result: { status: 'done' } },
  });
  expect(await left()).toEqual([2, 3]);
  await send('POST', '/shelves/a/books/delete', { filter: { must: [{ key: 'lang', match: { value: 'de' } }] } });
  expect(await left()).toEqual([2]);
  await send('POST', '/shelves/a/books/delete', { filter: {} });
  expect(await left()).toEqual([2]);
});

test('pages begin at the key that the page before told', async () => {
  const send = await shelf();
  await send('PUT', '/shelves/a/books', {
    books: [
      { id: 'x-1', title: 'X' },
      { id: 10, title: 'T10' },
    ],
  });
  const scroll = async (body: object): Promise<{ keys: unknown[]; next: unknown }> => {
    const page = objectOf(await send('POST', '/shelves/a/books/scroll', body as never))['result'] as {
      books: unknown;
      next_page_offset?: unknown;
    };
    return { keys: keysIn(page.books), next: page.next_page_offset ?? undefined };
  };
  expect(await scroll({ limit: 2 })).toEqual({ keys: [1, 2], next: 3 });
  expect(await scroll({ limit: 2, offset: 3 })).toEqual({ keys: [3, 10], next: 'x-1' });
  await send('POST', '/shelves/a/books/delete', { books: [3] });
  expect(await scroll({ limit: 1, offset: 3 })).toEqual({ keys: [10], next: 'x-1' });
  expect(await scroll({ limit: 2, offset: 'x-1' })).toEqual({ keys: ['x-1'], next: undefined });
});
