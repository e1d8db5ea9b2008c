import fc from 'fast-check';
import { Collection } from '../../../src/mock/state/collection';
import type { Item } from '../../../src/mock/state/item';
import type { Key, PropertyFilter, SortPosition, SortValue } from '../../../src/lists/sort-values';
import { runListQuery } from '../../../src/mock/state/query-runner';
import type { ListQuery, Page } from '../../../src/mock/state/list-query';
import { anyMember, BOOKS, itemOf, naiveOrder, type Member } from '../library';

const MEMBERS = ['id', 'title', 'year', 'isLent', 'lentAt', 'price'] as const;

const INSTANTS = [
  undefined,
  '2030-12-05T12:00:00Z',
  '2030-12-05T14:00:00+02:00',
  '2030-12-05T12:00:00.5Z',
  '2029-01-01T00:00:00Z',
];

const book = fc.record({
  id: fc.integer({ min: 1, max: 60 }),
  title: fc.constantFrom('A', 'B', '\uff5e', '😀', ''),
  year: fc.constantFrom(undefined, 1999, 2000, 9007199254740993n),
  isLent: fc.constantFrom(undefined, true, false),
  lentAt: fc.constantFrom(...INSTANTS),
  price: anyMember,
});

function collect(items: readonly Item[]): Collection {
  const collection = Collection.empty();
  for (const item of items) collection.set(item['id'] as Key, item);
  return collection;
}

/** One item for each id: the last one of the list. */
function distinct(books: readonly Readonly<Record<string, Member>>[]): Item[] {
  return [...new Map(books.map((members) => [members['id'], itemOf(members)])).values()];
}

const read = (item: Item, member: string): SortValue => BOOKS.sortValues(member)(item[member]);

function naiveList(
  items: readonly Item[],
  { filters, sortBy, descending }: Omit<ListQuery, 'limit' | 'after'>,
): Item[] {
  const sign = descending ? -1 : 1;
  return items
    .filter((item) => filters.every(({ property, values }) => values.includes(read(item, property))))
    .toSorted((left, right) => {
      const byValue = naiveOrder(read(left, sortBy), read(right, sortBy));
      return sign * (byValue || naiveOrder(left['id'] as Key, right['id'] as Key));
    });
}

function pages(collection: Collection, query: ListQuery): Page[] {
  const all: Page[] = [];
  for (let after: SortPosition | undefined = query.after; ;) {
    const page = runListQuery(collection, BOOKS, { ...query, after });
    all.push(page);
    // A list that never ends would be seen here, not by waiting for it.
    if (page.next === undefined || all.length > collection.size / query.limit + 1) return all;
    after = page.next;
  }
}

const filter: fc.Arbitrary<PropertyFilter> = fc.oneof(
  fc.record({
    property: fc.constant('id'),
    values: fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    property: fc.constant('title'),
    values: fc.array(fc.constantFrom('A', 'B', '😀', 'none'), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    property: fc.constant('year'),
    values: fc.array(fc.constantFrom<SortValue>(1999, 2000, 9007199254740993n, 9007199254740992n), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  fc.record({ property: fc.constant('isLent'), values: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }) }),
);

const query = fc.record({
  filters: fc.array(filter, { maxLength: 3 }),
  sortBy: fc.constantFrom(...MEMBERS),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
});

const ids = (items: readonly Item[]): unknown[] => items.map(({ id }) => id);

describe('a page is what filtering, sorting and cutting the whole list gives', () => {
  test('for random collections and queries, page after page', () => {
    fc.assert(
      fc.property(fc.array(book, { maxLength: 40 }), query, (books, asked) => {
        const items = distinct(books);
        const expected = naiveList(items, asked);
        const got = pages(collect(items), { ...asked, after: undefined });
        expect(ids(got.flatMap((page) => page.items))).toStrictEqual(ids(expected));
        for (const page of got) expect(page.total).toBe(expected.length);
        for (const page of got.slice(0, -1)) expect(page.items).toHaveLength(asked.limit);
      }),
      { numRuns: 500 },
    );
  });

  test('for a collection too large to be gathered', () => {
    const items = Array.from({ length: 2500 }, (_, index) => {
      const id = index + 1;
      const year = [undefined, 1999, 2000][index % 3];
      return itemOf({
        id,
        title: index % 4 === 0 ? 'B' : 'A',
        year,
        isLent: index % 2 === 0,
        lentAt: INSTANTS[index % 5],
      });
    });
    const collection = collect(items);
    const large = query.map((asked) => ({ ...asked, limit: asked.limit * 100 }));
    fc.assert(
      fc.property(large, (asked) => {
        const expected = naiveList(items, asked);
        const got = pages(collection, { ...asked, after: undefined });
        expect(ids(got.flatMap((page) => page.items))).toStrictEqual(ids(expected));
        for (const page of got) expect(page.total).toBe(expected.length);
      }),
      { numRuns: 60 },
    );
  });

  test.each(MEMBERS.flatMap((sortBy) => [false, true].map((descending) => ({ sortBy, descending }))))(
    'sorted by $sortBy, descending $descending, with members missing',
    ({ sortBy, descending }) => {
      const items = Array.from({ length: 7 }, (_, index) =>
        itemOf({
          id: index + 1,
          ...(index % 2 === 0
            ? {}
            : { year: 2000 - index, price: index, lentAt: INSTANTS[index % 4], isLent: true, title: 'x' }),
        }),
      );
      const asked = { filters: [], sortBy, descending, limit: 2 };
      const got = pages(collect(items), { ...asked, after: undefined });
      expect(ids(got.flatMap((page) => page.items))).toStrictEqual(ids(naiveList(items, asked)));
    },
  );
});

test('inserts and deletes between two pages neither skip nor repeat what was there all along', () => {
  fc.assert(
    fc.property(fc.array(book, { maxLength: 40 }), fc.array(book, { maxLength: 10 }), query, (before, added, asked) => {
      const items = distinct(before);
      const collection = collect(items);
      const first = runListQuery(collection, BOOKS, { ...asked, after: undefined });
      fc.pre(first.next !== undefined);
      const news = distinct(added).filter(({ id }) => !items.some((item) => item['id'] === id));
      for (const item of news) collection.set(item['id'] as Key, item);
      const last = first.items.at(-1)!;
      collection.delete(last['id'] as Key);
      const rest = pages(collection, { ...asked, after: first.next }).flatMap((page) => page.items);
      const old = ids(naiveList(items, asked));
      const seen = [...ids(first.items), ...ids(rest).filter((id) => items.some((item) => item['id'] === id))];
      expect(seen).toStrictEqual(old);
    }),
    { numRuns: 300 },
  );
});

describe('the edges of a page', () => {
  const three = collect([1, 2, 3].map((id) => itemOf({ id, title: 'A' })));
  const plain: ListQuery = { filters: [], sortBy: 'id', descending: false, limit: 3, after: undefined };

  test('nothing follows a page that ends with the last item', () => {
    expect(runListQuery(three, BOOKS, plain)).toMatchObject({ total: 3, next: undefined });
    expect(runListQuery(three, BOOKS, { ...plain, limit: 2 }).next).toStrictEqual({ value: 2, key: 2 });
    expect(
      runListQuery(three, BOOKS, { ...plain, filters: [{ property: 'title', values: ['A'] }] }).next,
    ).toBeUndefined();
  });

  test('a page after the end is empty and has the total all the same', () => {
    const after = { value: 99, key: 99 };
    expect(runListQuery(three, BOOKS, { ...plain, after })).toStrictEqual({ items: [], total: 3, next: undefined });
    const filters = [{ property: 'title', values: ['A'] }];
    expect(runListQuery(three, BOOKS, { ...plain, filters, after })).toStrictEqual({
      items: [],
      total: 3,
      next: undefined,
    });
  });

  test('an empty collection has one empty page', () => {
    expect(runListQuery(Collection.empty(), BOOKS, plain)).toStrictEqual({ items: [], total: 0, next: undefined });
  });

  test('ids that are asked for twice, and ids that there are not, do not count', () => {
    const page = runListQuery(three, BOOKS, { ...plain, filters: [{ property: 'id', values: [3, 1, 3, 7] }] });
    expect(page).toMatchObject({ items: [{ id: 1 }, { id: 3 }], total: 2 });
  });
});
