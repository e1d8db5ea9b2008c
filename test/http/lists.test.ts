import {
  BISCUIT,
  CAT,
  CLEMENTINE,
  DOG,
  MISO,
  ids,
  linksOf,
  openPetstore,
  pathOf,
  type Petstore,
  usePetstore,
} from '../support/petstore';

const shop = usePetstore();
const TOO_LARGE = '99999999999999999999';

const LISTS = [
  { path: '/pets', byDefault: 20, key: 'id' },
  { path: '/categories', byDefault: 100, key: 'id' },
  { path: '/store/orders', byDefault: 100, key: 'id' },
  { path: '/inventory', byDefault: 100, key: 'petId' },
] as const;

const BODIES = { '/pets': { name: 'Nova', categoryId: 1 }, '/categories': { name: 'Fish' }, '/store/orders': {} };

/** One item more than two pages of the largest size hold. */
const MANY = 201;
const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
/** It is only read: to go back to so many items before each test would take longer than the tests. */
let full: Petstore;
beforeAll(async () => {
  full = await openPetstore({
    fixtures: {
      standin: 'fixture/1',
      collections: {
        '/categories': numbers.map((id) => ({ id, name: `Category ${id}` })),
        '/pets': numbers.map((id) => ({ id, name: `Pet ${id}`, categoryId: id, status: 'available' })),
        '/inventory': numbers.map((petId) => ({ petId, quantity: 1, status: 'available' })),
        '/store/orders': numbers.map((id) => ({ id, petId: id, quantity: 1, complete: false })),
      },
    },
  });
});

/** A mock for the tests of a `describe` block: the pets of the fixture and `count` others, from `Pet 0` on. */
function useMorePets(count: number): Petstore {
  const more = Array.from({ length: count }, (_, index) => ({
    id: 4 + index,
    name: `Pet ${index}`,
    categoryId: 1,
    status: 'available',
  }));
  const pets = [BISCUIT, MISO, CLEMENTINE, ...more];
  return usePetstore({
    fixtures: {
      standin: 'fixture/1',
      collections: {
        '/categories': [DOG, CAT],
        '/pets': pets,
        '/inventory': pets.map(({ id, status }) => ({ petId: id, quantity: status === 'available' ? 1 : 0, status })),
      },
    },
  });
}

/** Lists with each query, and compares ids and counts with what is wanted, all at once. */
async function expectLists(path: string, rows: readonly { query: string; want: number[] }[]): Promise<void> {
  const given: object[] = [];
  for (const { query } of rows) {
    const response = await shop.get(`${path}?${query}`);
    given.push({
      query,
      status: response.status,
      want: ids(response),
      count: response.headers['x-total-count'] as string,
    });
  }
  expect(given).toEqual(rows.map((row) => ({ ...row, status: 200, count: String(row.want.length) })));
}

describe.each(LISTS)('GET $path', ({ path, byDefault, key }) => {
  // The lists share what judges these parameters: one gets every value, the others one of each kind.
  const some = <Value>(all: readonly Value[], few: readonly Value[]): readonly Value[] =>
    path === '/pets' ? all : few;

  test('gives a bare array in the order of ids, its count and one link', async () => {
    const response = await shop.get(path).expect(200);
    const listed = ids(response) as number[];
    expect(listed).toEqual([...listed].sort((left, right) => left - right));
    expect(response.headers['x-total-count']).toBe(String(listed.length));
    expect(Object.keys(linksOf(response))).toEqual(['first']);
    expect(linksOf(response)['first']).toBe(path);
  });

  test(`gives ${byDefault} by default, and the rest by its links`, async () => {
    const first = await full.get(path).expect(200);
    expect(first.body).toHaveLength(byDefault);
    expect(first.headers['x-total-count']).toBe(String(MANY));
    expect(linksOf(first)).toHaveProperty('next');
    const { items, pages } = await full.walk(path);
    expect(items.map((item) => item[key])).toEqual(numbers);
    expect(pages).toBe(Math.ceil(MANY / byDefault));
  });

  test('takes a limit from 1 to 100', async () => {
    for (const limit of some([1, 2, 99, 100], [1, 100])) {
      const { body, headers } = await full.get(`${path}?limit=${limit}`).expect(200);
      expect(body).toHaveLength(limit);
      expect(headers['x-total-count']).toBe(String(MANY));
    }
    const wrong = ['0', '-1', '101', '2147483648', TOO_LARGE, 'abc', '1.5', '', '%20', '1,2', 'null'];
    for (const limit of some(wrong, ['0', '101', 'abc'])) {
      await shop.refuses(shop.get(`${path}?limit=${limit}`), 400, 'invalid_parameter', 'limit');
    }
    await shop.refuses(shop.get(`${path}?limit=1&limit=1`), 400, 'invalid_parameter', 'limit');
  });

  test('items that are created at the same time are listed once each', async () => {
    const target = path === '/inventory' ? '/pets' : path;
    const before = ids(await shop.get(path));
    const added = await Promise.all(Array.from({ length: 5 }, () => shop.add(target, BODIES[target])));
    expect(ids(await shop.get(path))).toEqual([...before, ...added.sort((left, right) => left - right)]);
  });

  test('refuses a sort that it does not know', async () => {
    for (const sort of some(['', 'colour', '-', '--id', 'ID', 'id,name', `${key} `], ['colour', `${key} `])) {
      await shop.refuses(shop.get(`${path}?sort=${encodeURI(sort)}`), 400, 'invalid_parameter', 'sort');
    }
    await shop.refuses(shop.get(`${path}?sort=${key}&sort=${key}`), 400, 'invalid_parameter', 'sort');
  });

  test('takes each sort it documents', async () => {
    const ascending = ids(await shop.get(`${path}?sort=${key}`).expect(200));
    const descending = ids(await shop.get(`${path}?sort=-${key}`).expect(200));
    expect(descending).toEqual([...ascending].reverse());
    expect((await shop.get(`${path}?sort=%2D${key}`)).body).toEqual((await shop.get(`${path}?sort=-${key}`)).body);
  });

  test('refuses a cursor that it did not give', async () => {
    const forged = Buffer.from('[[1],1]').toString('base64url');
    const wrong = ['', 'abc', '1', 'eyJpZCI6MX0', forged, `${forged}.`, `${forged}.abcdefghijkl`, '..'];
    for (const cursor of some(wrong, ['abc', `${forged}.abcdefghijkl`])) {
      const response = await shop.get(`${path}?cursor=${cursor}`);
      expect({ cursor, status: response.status, code: response.body.code as string }).toEqual({
        cursor,
        status: 400,
        code: 'invalid_cursor',
      });
      expect(response.body.message).toContain('cursor');
    }
    const long = await shop.get(`${path}?cursor=${'a'.repeat(1025)}`);
    expect(long.status).toBe(400);
    expect(long.body.code).toMatch(/^invalid_(?:cursor|parameter)$/);
    await shop.refuses(shop.get(`${path}?cursor=a&cursor=b`), 400, 'invalid_parameter', 'cursor');
  });

  test('a cursor with a changed character is refused', async () => {
    const { next } = linksOf(await full.get(`${path}?limit=2`));
    const cursor = new URL(next!, 'http://any').searchParams.get('cursor')!;
    await full.get(`${path}?limit=2&cursor=${cursor}`).expect(200);
    for (const index of some([0, 3, cursor.length - 1], [3])) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      await full.refuses(full.get(`${path}?limit=2&cursor=${changed}`), 400, 'invalid_cursor', 'cursor');
    }
  });

  test('ignores query parameters that it does not know', async () => {
    const plain = await shop.get(path);
    const { body } = await shop.get(`${path}?colour=red&_=1&page=2&offset=1`).expect(200);
    expect(body).toEqual(plain.body);
  });

  test('a query that cannot be decoded is refused', async () => {
    await shop.refuses(shop.get(`${path}?limit=%zz`), 400, 'invalid_parameter');
    await shop.refuses(shop.get(`${path}?colour=%zz`), 400, 'invalid_parameter');
    await shop.refuses(shop.get(`${path}?%ff=1`), 400, 'invalid_parameter');
  });
});

describe('links', () => {
  const shop = useMorePets(6);

  test('first and next are absolute, and keep limit, sort and filters', async () => {
    const response = await shop.get('/pets?limit=2&sort=-id&categoryId=1&status=available').expect(200);
    expect(response.headers['link']).toMatch(
      /^<http:\/\/127\.0\.0\.1:\d+\/pets\?[^>]*>; rel="first", <http:[^>]*>; rel="next"$/,
    );
    const { first, next } = linksOf(response);
    expect(first).toBe('/pets?limit=2&sort=-id&categoryId=1&status=available');
    expect(next).toMatch(/^\/pets\?limit=2&sort=-id&categoryId=1&status=available&cursor=[\w.~-]+$/);
    expect((await shop.get(first!)).body).toEqual(response.body);
  });

  test('first leads to the first page from every page; the last page has no next', async () => {
    const start = await shop.get('/pets?limit=4').expect(200);
    const second = await shop.get(linksOf(start)['next']!).expect(200);
    const third = await shop.get(linksOf(second)['next']!).expect(200);
    expect([start, second, third].map((page) => ids(page))).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
    expect(linksOf(second)['first']).toBe(linksOf(start)['first']);
    expect(linksOf(third)['first']).toBe(linksOf(start)['first']);
    expect(linksOf(third)).not.toHaveProperty('next');
    for (const page of [start, second, third]) expect(page.headers['x-total-count']).toBe('9');
  });

  test('a page that just fits has no next', async () => {
    expect(linksOf(await shop.get('/pets?limit=9').expect(200))).not.toHaveProperty('next');
    expect(linksOf(await shop.get('/pets?limit=8').expect(200))).toHaveProperty('next');
    const last = await shop.get(linksOf(await shop.get('/pets?limit=8'))['next']!).expect(200);
    expect(ids(last)).toEqual([9]);
  });

  test('the limit may change from page to page', async () => {
    const next = linksOf(await shop.get('/pets?limit=2'))['next']!;
    expect(ids(await shop.get(next.replace('limit=2', 'limit=3')).expect(200))).toEqual([3, 4, 5]);
    expect(ids(await shop.get(next.replace('limit=2&', '')).expect(200))).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    '/pets?sort=-id&cursor=',
    '/pets?sort=name&cursor=',
    '/pets?categoryId=1&cursor=',
    '/pets?status=available&cursor=',
    '/categories?cursor=',
    '/inventory?cursor=',
    '/store/orders?cursor=',
  ])('a cursor of GET /pets is foreign to %s', async (path) => {
    const { next } = linksOf(await shop.get('/pets?limit=2'));
    const cursor = new URL(next!, 'http://any').searchParams.get('cursor')!;
    await shop.refuses(shop.get(path + encodeURIComponent(cursor)), 400, 'invalid_cursor', 'cursor');
  });

  test('a cursor of another filter value is foreign', async () => {
    const next = linksOf(await shop.get('/pets?limit=2&categoryId=1'))['next']!;
    await shop.refuses(shop.get(next.replace('categoryId=1', 'categoryId=2')), 400, 'invalid_cursor');
  });

  test('a name that needs encoding survives in the links', async () => {
    const name = 'a&b=c#d?e%f+g h"i>é😀';
    for (let index = 0; index < 3; index++) await shop.add('/pets', { name, categoryId: 1 });
    const query = new URLSearchParams({ name, limit: '2' }).toString();
    const first = await shop.get(`/pets?${query}`).expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const second = await shop.get(linksOf(first)['next']!).expect(200);
    expect([...ids(first), ...ids(second)]).toEqual([10, 11, 12]);
    expect(linksOf(second)).not.toHaveProperty('next');
  });
});

describe('pages while the list changes', () => {
  const shop = useMorePets(7);

  test('what is added behind the cursor comes, what is before it does not', async () => {
    const first = await shop.get('/pets?limit=4').expect(200);
    await shop.add('/pets', { name: 'Late', categoryId: 1 });
    const { items } = await shop.walk(linksOf(first)['next']!);
    expect(items.map(({ id }) => id)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  test('removals before, at and behind the cursor neither skip nor repeat', async () => {
    const first = await shop.get('/pets?limit=6').expect(200);
    expect(ids(first)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const id of [4, 6, 7]) await shop.delete(`/pets/${id}`).expect(204);
    const { items } = await shop.walk(linksOf(first)['next']!);
    expect(items.map(({ id }) => id)).toEqual([8, 9, 10]);
  });

  test('all that followed may be removed', async () => {
    const first = await shop.get('/pets?limit=8').expect(200);
    for (const id of [8, 9, 10]) await shop.delete(`/pets/${id}`).expect(204);
    const rest = await shop.get(linksOf(first)['next']!).expect(200, []);
    expect(rest.headers['x-total-count']).toBe('7');
    expect(linksOf(rest)).not.toHaveProperty('next');
    expect(linksOf(rest)).toHaveProperty('first');
  });

  test('descending, what is added has no place behind the cursor', async () => {
    const first = await shop.get('/pets?limit=3&sort=-id').expect(200);
    expect(ids(first)).toEqual([10, 9, 8]);
    await shop.add('/pets', { name: 'Late', categoryId: 1 });
    await shop.delete('/pets/8').expect(204);
    const { items } = await shop.walk(linksOf(first)['next']!);
    expect(items.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test('sorted by name, a place is the name with the id', async () => {
    const same = { name: 'Pet 3', categoryId: 1 };
    const late = [await shop.add('/pets', same), await shop.add('/pets', same)];
    const all = await shop.get('/pets?sort=name').expect(200);
    const first = await shop.get('/pets?sort=name&limit=6').expect(200);
    expect(ids(first)).toEqual(ids(all).slice(0, 6));
    await shop.delete(`/pets/${String(ids(first)[5])}`).expect(204);
    const added = await shop.add('/pets', same);
    const { items } = await shop.walk(linksOf(first)['next']!);
    const rest = items.map(({ id }) => id);
    expect(rest).toEqual(expect.arrayContaining([...late, added]));
    expect(rest.filter((id) => id !== added)).toEqual(ids(all).slice(6));
  });

  test('with a filter', async () => {
    const first = await shop.get('/pets?limit=2&status=available&sort=-name').expect(200);
    await shop.patch('/inventory/5', { quantity: 0 }).expect(200);
    const { items } = await shop.walk(linksOf(first)['next']!);
    expect(items.map(({ name }) => name)).toEqual(['Pet 4', 'Pet 3', 'Pet 2', 'Pet 0', 'Biscuit']);
  });
});

describe('filters of GET /pets', () => {
  test('list what they match, and count it', async () => {
    await expectLists('/pets', [
      { query: 'status=available', want: [1] },
      { query: 'status=available&status=pending', want: [1, 2] },
      { query: 'status=sold&status=sold', want: [3] },
      { query: 'status=sold&status=pending&status=available', want: [1, 2, 3] },
      { query: 'categoryId=2', want: [2, 3] },
      { query: 'categoryId=9', want: [] },
      { query: 'name=Miso', want: [2] },
      { query: 'name=miso', want: [] },
      { query: 'name=Mis', want: [] },
      { query: 'name=', want: [] },
      { query: 'name=%4Diso', want: [2] },
      { query: 'id=3', want: [3] },
      { query: 'id=3,1', want: [1, 3] },
      { query: 'id=3%2C1', want: [1, 3] },
      { query: 'id=3%2c1', want: [1, 3] },
      { query: 'id=3&id=1', want: [1, 3] },
      { query: 'id=3,1&id=2', want: [1, 2, 3] },
      { query: 'id=3,3,3', want: [3] },
      { query: 'id=99', want: [] },
      { query: 'id=99,2,9223372036854775807', want: [2] },
      { query: 'id=1,2,3&sort=-id', want: [3, 2, 1] },
      { query: 'id=1,2,3&status=sold', want: [3] },
      { query: 'status=sold&categoryId=2&name=Clementine', want: [3] },
      { query: 'status=sold&categoryId=1', want: [] },
      { query: '', want: [1, 2, 3] },
      { query: '&&status=sold&', want: [3] },
    ]);
  });

  test('the count is of what matches, whatever the page shows', async () => {
    const { headers, body } = await shop.get('/pets?categoryId=2&limit=1').expect(200);
    expect(body).toEqual([MISO]);
    expect(headers['x-total-count']).toBe('2');
    const { items } = await shop.walk('/pets?categoryId=2&limit=1');
    expect(items).toEqual([MISO, CLEMENTINE]);
  });

  test('a hundred ids may be asked for, also over several pages', async () => {
    const wanted = Array.from({ length: 100 }, (_, index) => index + 1).join(',');
    await shop.get(`/pets?id=${wanted}`).expect(200, [BISCUIT, MISO, CLEMENTINE]);
    const { items, pages } = await shop.walk(`/pets?id=${wanted}&limit=1`);
    expect(items).toEqual([BISCUIT, MISO, CLEMENTINE]);
    expect(pages).toBe(3);
  });

  test('a + in a name is a space, as forms write it', async () => {
    const id = await shop.add('/pets', { name: 'Sir Barks', categoryId: 1 });
    expect(ids(await shop.get('/pets?name=Sir+Barks').expect(200))).toEqual([id]);
    expect(ids(await shop.get('/pets?name=Sir%20Barks').expect(200))).toEqual([id]);
    expect(ids(await shop.get('/pets?name=Sir%2BBarks').expect(200))).toEqual([]);
  });

  test('a comma is data in a name', async () => {
    const id = await shop.add('/pets', { name: 'Tom, Dick', categoryId: 1 });
    expect(ids(await shop.get('/pets?name=Tom,+Dick').expect(200))).toEqual([id]);
  });

  test('names are compared as they are, without normalisation', async () => {
    const id = await shop.add('/pets', { name: 'Zo\u00EB', categoryId: 1 });
    expect(ids(await shop.get('/pets?name=Zo%C3%AB').expect(200))).toEqual([id]);
    expect(ids(await shop.get('/pets?name=Zoe%CC%88').expect(200))).toEqual([]);
  });

  test.each([
    { query: 'status=', says: 'status' },
    { query: 'status=gone', says: 'status' },
    { query: 'status=available,pending', says: 'status' },
    { query: 'status=available&status=gone', says: 'status' },
    { query: 'categoryId=abc', says: 'categoryId' },
    { query: 'categoryId=0', says: 'categoryId' },
    { query: 'categoryId=', says: 'categoryId' },
    { query: 'categoryId=1&categoryId=2', says: 'categoryId' },
    { query: 'categoryId=1,2', says: 'categoryId' },
    { query: 'id=', says: 'id' },
    { query: 'id=1,', says: 'id' },
    { query: 'id=1,,2', says: 'id' },
    { query: 'id=abc', says: 'id' },
    { query: 'id=0', says: 'id' },
    { query: 'id=1,-2', says: 'id' },
    { query: 'id=1.5', says: 'id' },
    { query: `id=${Array<string>(101).fill('1').join(',')}`, says: '100' },
    { query: 'name=a&name=b', says: 'name' },
    { query: 'name=%00', says: /query|name/ },
  ])('?$query is refused', async ({ query, says }) => {
    await shop.refuses(shop.get(`/pets?${query}`), 400, 'invalid_parameter', says);
  });
});

describe('values that were joined by commas where each wants its own parameter', () => {
  const hint = 'repeat the parameter: status=…&status=…';

  test.each(['status=available,pending', 'status=available%2Cpending', 'status=sold&status=available,pending'])(
    '?%s is rejected with the hint to repeat it',
    async (query) => {
      await shop.refuses(shop.get(`/pets?${query}`), 400, 'invalid_parameter', 'status', hint);
    },
  );

  test.each(['status=available,gone', 'status=gone', 'status=,', 'categoryId=1,2'])(
    '?%s is refused without it: repeated it would be no better',
    async (query) => {
      const { text } = await shop.refuses(shop.get(`/pets?${query}`), 400, 'invalid_parameter');
      expect(text).not.toContain('repeat');
    },
  );
});

describe('filters of GET /categories', () => {
  test('list what they match, and count it', async () => {
    await expectLists('/categories', [
      { query: 'name=Cat', want: [2] },
      { query: 'name=Fish', want: [] },
      { query: 'sort=name', want: [2, 1] },
      { query: 'sort=-name', want: [1, 2] },
    ]);
  });

  test('finds all of one name', async () => {
    const id = await shop.add('/categories', { name: 'Cat' });
    expect(ids(await shop.get('/categories?name=Cat').expect(200))).toEqual([2, id]);
  });
});

describe('filters of GET /store/orders', () => {
  test('list what they match, and count it', async () => {
    await expectLists('/store/orders', [
      { query: 'petId=2', want: [1] },
      { query: 'petId=9', want: [] },
      { query: 'complete=true', want: [2] },
      { query: 'complete=false', want: [1] },
      { query: 'petId=3&complete=true', want: [2] },
      { query: 'petId=3&complete=false', want: [] },
    ]);
  });

  test.each([
    'petId=x',
    'petId=0',
    'petId=1,2',
    'petId=1&petId=2',
    'complete=',
    'complete=1',
    'complete=TRUE',
    'complete=yes',
  ])('?%s is refused', async (query) => {
    await shop.refuses(shop.get(`/store/orders?${query}`), 400, 'invalid_parameter', /"(?:petId|complete)"/);
  });

  test('follow what becomes of an order', async () => {
    await shop.patch('/store/orders/1', { complete: true }).expect(200);
    expect(ids(await shop.get('/store/orders?complete=true').expect(200))).toEqual([1, 2]);
    expect(ids(await shop.get('/store/orders?complete=false').expect(200))).toEqual([]);
  });
});

describe('filters of GET /inventory', () => {
  test('list what they match, and count it', async () => {
    await expectLists('/inventory', [
      { query: 'status=sold', want: [3] },
      { query: 'status=sold&status=available', want: [1, 3] },
      { query: 'petId=3,1', want: [1, 3] },
      { query: 'petId=3%2C1', want: [1, 3] },
      { query: 'petId=3&petId=1', want: [1, 3] },
      { query: 'petId=3,99', want: [3] },
      { query: 'petId=1,2,3&status=pending', want: [2] },
      { query: 'sort=quantity', want: [2, 3, 1] },
      { query: 'sort=-petId', want: [3, 2, 1] },
    ]);
  });

  test('sorted by quantity, it pages through equal quantities', async () => {
    for (let index = 0; index < 8; index++) await shop.add('/pets', { name: 'Nova', categoryId: 1 });
    for (const sort of ['quantity', '-quantity']) {
      const all = ids(await shop.get(`/inventory?sort=${sort}`).expect(200));
      const { items, pages } = await shop.walk(`/inventory?sort=${sort}&limit=2`);
      expect(items.map(({ petId }) => petId)).toEqual(all);
      expect(pages).toBe(6);
    }
  });
});

describe('orders by ship date', () => {
  /** Ids in ascending order of date: 5 and 6 are one instant, 2 is that of the fixture, the others have none. */
  const DATED = [4, 2, 5, 6, 3];
  const UNDATED = [1, 7, 8, 9];
  beforeEach(async () => {
    for (const shipDate of [
      '2030-01-01T00:00:00Z',
      '2026-01-15T11:30:00.5+02:00',
      '2026-06-01T12:00:00+02:00',
      '2026-06-01T10:00:00Z',
    ]) {
      await shop.add('/store/orders', { shipDate });
    }
    for (let index = 0; index < 3; index++) await shop.add('/store/orders', {});
  });

  test('ascending, those without a date come after all others', async () => {
    expect(ids(await shop.get('/store/orders?sort=shipDate').expect(200))).toEqual([...DATED, ...UNDATED]);
  });

  test('descending, they come before all others', async () => {
    const order = ids(await shop.get('/store/orders?sort=-shipDate').expect(200)) as number[];
    expect([...order.slice(0, 4)].sort()).toEqual(UNDATED);
    expect(order.slice(4, 5)).toEqual([3]);
    expect([...order.slice(5, 7)].sort()).toEqual([5, 6]);
    expect(order.slice(7)).toEqual([2, 4]);
  });

  test.each(['shipDate', '-shipDate'])('pages by %s are that list, of whatever size', async (sort) => {
    const all = ids(await shop.get(`/store/orders?sort=${sort}`).expect(200));
    // Pages of one item end behind each of them; the others end on, before and behind the last one.
    for (const limit of [1, 3, 8, 9]) {
      const { items } = await shop.walk(`/store/orders?sort=${sort}&limit=${limit}`);
      expect({ limit, ids: items.map(({ id }) => id) }).toEqual({ limit, ids: all });
    }
  });

  test.each(['shipDate', '-shipDate'])('with a filter too (%s)', async (sort) => {
    const all = ids(await shop.get(`/store/orders?sort=${sort}&complete=false`).expect(200));
    expect(all).toHaveLength(8);
    const { items } = await shop.walk(`/store/orders?sort=${sort}&complete=false&limit=3`);
    expect(items.map(({ id }) => id)).toEqual(all);
  });
});

describe('names by code point', () => {
  // U+FF5E is below U+1F600 although its UTF-16 unit is above.
  const NAMES = ['Z', 'a', 'Ω', '～', '😀', 'A', 'a\u0301', 'á', '10', '9', 'aa'];
  const SORTED = ['10', '9', 'A', 'Z', 'a', 'aa', 'a\u0301', 'á', 'Ω', '～', '😀'];

  test('in each list that has names', async () => {
    const named = NAMES.map((name, index) => ({ id: index + 1, name }));
    const pets = named.map((pet) => ({ ...pet, categoryId: 1, status: 'available' }));
    const inventory = pets.map(({ id, status }) => ({ petId: id, quantity: 1, status }));
    const other = await openPetstore({
      fixtures: {
        standin: 'fixture/1',
        collections: { '/categories': named, '/pets': pets, '/inventory': inventory },
      },
    });
    for (const path of ['/pets', '/categories']) {
      const names = async (query: string): Promise<unknown[]> =>
        (await other.walk(`${path}?${query}`)).items.map(({ name }) => name);
      expect(await names('sort=name')).toEqual(SORTED);
      expect(await names('sort=-name')).toEqual([...SORTED].reverse());
      expect(await names('sort=name&limit=2')).toEqual(SORTED);
      expect(await names('sort=-name&limit=2')).toEqual([...SORTED].reverse());
    }
  });

  test('those of the same name go by id', async () => {
    for (let index = 0; index < 4; index++) await shop.add('/pets', { name: 'Miso', categoryId: 1 });
    const { items } = await shop.walk('/pets?sort=name&limit=2');
    expect(items.map(({ id }) => id)).toEqual([1, 3, 2, 4, 5, 6, 7]);
  });
});

test('a list shows what was just changed', async () => {
  await shop.put('/pets/1', { name: 'Zora', categoryId: 2, status: 'pending' }).expect(200);
  expect(ids(await shop.get('/pets?name=Biscuit'))).toEqual([]);
  expect(ids(await shop.get('/pets?name=Zora'))).toEqual([1]);
  expect(ids(await shop.get('/pets?categoryId=1'))).toEqual([]);
  expect(ids(await shop.get('/pets?status=pending'))).toEqual([1, 2]);
  expect(ids(await shop.get('/pets?sort=name'))).toEqual([3, 2, 1]);
  expect(ids(await shop.get('/inventory?status=available'))).toEqual([]);
});

test('an empty service has empty lists', async () => {
  const empty = await openPetstore({ state: 'empty' });
  for (const { path } of LISTS) {
    const response = await empty.get(path).expect(200, []);
    expect(response.headers['x-total-count']).toBe('0');
    expect(linksOf(response)).toEqual({ first: path });
  }
});

test('lists of more than a thousand items page to the end, with a filter and without', async () => {
  const pets = Array.from({ length: 1001 }, (_, index) => ({
    id: index + 1,
    name: `Pet ${index % 50}`,
    categoryId: 1,
    status: 'available',
  }));
  const inventory = pets.map(({ id, status }) => ({ petId: id, quantity: 1 + (id % 3), status }));
  const categories = [{ id: 1, name: 'Dog' }];
  const large = await openPetstore({
    fixtures: {
      standin: 'fixture/1',
      collections: { '/categories': categories, '/pets': pets, '/inventory': inventory },
    },
  });
  for (const query of ['sort=id', 'sort=-id', 'sort=name', 'status=available&sort=-name']) {
    const { items, pages } = await large.walk(`/pets?limit=100&${query}`);
    expect({ query, pages, count: new Set(items.map(({ id }) => id)).size }).toEqual({ query, pages: 11, count: 1001 });
  }
  const some = await large.walk('/pets?limit=10&name=Pet 7&status=available&categoryId=1'.replace(' ', '%20'));
  expect(some.items).toHaveLength(20);
  const { headers } = await large.get(pathOf('/inventory?limit=1&sort=-quantity&status=available')).expect(200);
  expect(headers['x-total-count']).toBe('1001');
});
