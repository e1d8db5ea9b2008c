import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from '../behaviours/small-mock';

const Note = object({ id: text, name: text }, ['id']);

function notes(shown: object, query: Readonly<Record<string, object>> = {}): SmallMock {
  return mockOfDocument(
    smallApi(
      {
        'GET /notes': { query, answers: { 200: shown } },
        'POST /notes': { body: object({ name: text }), answers: { 201: ref('Note') } },
      },
      { Note },
    ),
  );
}

async function withFive(mock: SmallMock): Promise<(query: string) => Promise<Record<string, unknown>>> {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await mock.send('POST', '/notes', { name });
  return async (query) => objectOf(await mock.send('GET', `/notes${query}`));
}

const namesIn = ({ data }: Record<string, unknown>): string[] => (data as { name: string }[]).map(({ name }) => name);

test.each([
  ['current_page', 'page', 'per_page'],
  ['page', 'page', 'pageSize'],
])('pages that only the envelope tells, by %s, are asked for by what it names', async (told, page, size) => {
  const pagination = object({ [told]: whole, [size]: whole, total_pages: whole }, [told, size, 'total_pages']);
  const get = await withFive(notes(object({ data: list(ref('Note')), pagination })));
  const second = await get(`?${size}=2&${page}=2`);
  expect(namesIn(second)).toEqual(['c', 'd']);
  expect(second['pagination']).toEqual({ [told]: 2, [size]: 2, total_pages: 3 });
  expect(namesIn(await get(`?${size}=2`))).toEqual(['a', 'b']);
  expect(namesIn(await get(`?${size}=2&${page}=9`))).toEqual([]);
  expect(namesIn(await get(`?${page}=1`))).toHaveLength(5);
  expect(namesIn(await get(`?${page}=2`))).toEqual([]);
  // Nothing is cut that was not asked for, nor by what is no number.
  for (const query of ['', `?${size}=all`, `?${page}=last`, `?${size}=0`])
    expect(namesIn(await get(query))).toHaveLength(5);
});

test('what tells of a next page is null at the end', async () => {
  const next = {
    ...object({ per_page: whole, starting_after: { ...text, nullable: true } }, ['per_page']),
    nullable: true,
  };
  const pages = object({ page: whole, per_page: whole, total_pages: whole, next }, ['next']);
  const get = await withFive(notes(object({ data: list(ref('Note')), pages })));
  expect((await get(''))['pages']).toMatchObject({ next: null, total_pages: 1 });
  expect((await get('?per_page=2&page=3'))['pages']).toMatchObject({ next: null, page: 3 });
  // No parameter takes the cursor of a next page: who sends a size alone gets all of them.
  expect((await get('?per_page=2'))['pages']).toMatchObject({ next: null });
  expect(namesIn(await get('?per_page=2'))).toHaveLength(5);
});

test('links to pages that are not there are null as a whole', async () => {
  const link = { ...object({ href: text, type: { ...text, example: 'application/hal+json' } }), nullable: true };
  const links = object({ self: link, previous: link, next: link }, ['self', 'previous', 'next']);
  const query = { limit: whole, cursor: text };
  const get = await withFive(notes(object({ data: list(ref('Note')), _links: links }), query));
  const at = (path: string): object => ({
    href: expect.stringContaining(path) as string,
    type: 'application/hal+json',
  });
  expect((await get(''))['_links']).toEqual({ self: at('/notes'), previous: null, next: null });
  expect((await get('?limit=2'))['_links']).toMatchObject({ previous: null, next: at('cursor=') });
});

test.each<[string, object, Readonly<Record<string, object>>]>([
  ['an envelope without pages', object({ data: list(ref('Note')), total: whole }), {}],
  [
    'a filter of that name',
    object({ data: list(ref('Note')), page: whole, per_page: whole }),
    { limit: whole, page: text },
  ],
])('%s pages nothing that is not declared', async (_, shown, query) => {
  const get = await withFive(notes(shown, query));
  expect(namesIn(await get('?per_page=2&page=1'))).toHaveLength(5);
});
