import { BISCUIT, OPEN_ORDER, lastingHeaders, openPetstore, usePetstore, type Method } from '../support/petstore';

const shop = usePetstore();

async function tagOf(path: string): Promise<string> {
  const { headers } = await shop.get(path).expect(200);
  return headers['etag']!;
}

const ITEMS = ['/pets/1', '/categories/1', '/store/orders/1', '/inventory/1'] as const;

/** A change of each item that takes If-Match, and what changes the item on another way. */
const CHANGES: readonly {
  method: Method;
  path: string;
  body: object | undefined;
  status: number;
}[] = [
  { method: 'put', path: '/pets/1', body: { name: 'Nova', categoryId: 2 }, status: 200 },
  { method: 'delete', path: '/pets/4', body: undefined, status: 204 },
  { method: 'put', path: '/categories/1', body: { name: 'Hound' }, status: 200 },
  { method: 'delete', path: '/categories/3', body: undefined, status: 204 },
  { method: 'patch', path: '/store/orders/1', body: { quantity: 1, shipDate: '2027-01-01T00:00:00Z' }, status: 200 },
  { method: 'delete', path: '/store/orders/1', body: undefined, status: 204 },
  { method: 'patch', path: '/inventory/1', body: { quantity: 8 }, status: 200 },
];

describe('entity tags', () => {
  test.each(ITEMS)('of %s are strong and the same until it changes', async (path) => {
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(await tagOf(path)).toBe(tag);
    shop.app.reset();
    expect(await tagOf(path)).toBe(tag);
  });

  test('differ from item to item', async () => {
    const paths = ['/pets/1', '/pets/2', '/pets/3', '/categories/1', '/categories/2', '/inventory/1', '/inventory/2'];
    const tags = await Promise.all(paths.map(tagOf));
    expect(new Set(tags).size).toBe(paths.length);
  });

  test('change with what the item shows, even when another operation changed it', async () => {
    const [pet, item, order] = [await tagOf('/pets/1'), await tagOf('/inventory/1'), await tagOf('/store/orders/1')];
    await shop.post('/store/orders', { petId: 1 }).expect(201);
    expect(await tagOf('/pets/1')).toBe(pet);
    expect(await tagOf('/inventory/1')).not.toBe(item);
    await shop.post('/store/orders', { petId: 1, quantity: 2 }).expect(201);
    expect(await tagOf('/pets/1')).not.toBe(pet);
    expect(await tagOf('/store/orders/1')).toBe(order);
  });

  test('stay when a change changes nothing, or is refused', async () => {
    const tag = await tagOf('/pets/1');
    await shop.put('/pets/1', { name: 'Biscuit', categoryId: 1 }).expect(200);
    await shop.put('/pets/1', { name: 'Biscuit', categoryId: 9 }).expect(422);
    expect(await tagOf('/pets/1')).toBe(tag);
  });

  test('are not sent by PUT, whatever it answers', async () => {
    const bodies = { '/pets/1': { name: 'Nova', categoryId: 1 }, '/categories/1': { name: 'Hound' } };
    for (const [path, body] of Object.entries(bodies)) {
      for (const headers of [{}, { Prefer: 'return=minimal' }]) {
        expect((await shop.put(path, body, headers)).headers).not.toHaveProperty('etag');
      }
    }
  });
});

describe.each(ITEMS)('If-None-Match on %s', (path) => {
  test('answers 304 without a body while the tag holds, with the headers of the 200', async () => {
    const read = await shop.get(path).expect(200);
    const tag = read.headers['etag']!;
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag},"more"`, '*']) {
      for (const method of ['get', 'head'] as const) {
        const response = await shop.send(method, path, undefined, { 'If-None-Match': value });
        expect({ value, status: response.status }).toEqual({ value, status: 304 });
        expect(response.body).toEqual({});
        expect(lastingHeaders(response)).toEqual(lastingHeaders(read, 'content-type', 'content-length'));
      }
    }
  });

  test('answers 200 for other tags and for what is no tag', async () => {
    const tag = await tagOf(path);
    for (const value of ['"other"', 'W/"other"', tag.slice(1, -1), `w/${tag}`, 'abc', '"', '']) {
      const response = await shop.get(path, { 'If-None-Match': value });
      expect({ value, status: response.status }).toEqual({ value, status: 200 });
      expect(response.headers['etag']).toBe(tag);
    }
  });
});

test('If-None-Match after a change answers 200 with the new tag', async () => {
  const tag = await tagOf('/pets/1');
  await shop.put('/pets/1', { name: 'Nova', categoryId: 1 }).expect(200);
  const read = await shop.get('/pets/1', { 'If-None-Match': tag }).expect(200);
  expect(read.headers['etag']).not.toBe(tag);
});

test('If-None-Match for an item that does not exist is 404', async () => {
  await shop.refuses(shop.get('/pets/9', { 'If-None-Match': '*' }), 404, 'resource_not_found');
});

describe.each(CHANGES)('If-Match on $method $path', ({ method, path, body, status }) => {
  let tag: string;
  beforeEach(async () => {
    await shop.add('/pets', { name: 'Nova', categoryId: 1 });
    await shop.add('/categories', { name: 'Fish' });
    tag = await tagOf(path);
  });

  test('goes ahead when the tag holds, is one of several, or *', async () => {
    const state = shop.app.snapshot();
    for (const value of [tag, `"other", ${tag}`, '*']) {
      shop.app.restore(state);
      const response = await shop.send(method, path, body, { 'If-Match': value });
      expect({ value, status: response.status }).toEqual({ value, status });
    }
  });

  test('is 412 when it does not, is weak, or is no tag', async () => {
    for (const value of ['"other"', `W/${tag}`, tag.slice(1, -1), 'abc', '', `"${tag}"`]) {
      await shop.refuses(shop.send(method, path, body, { 'If-Match': value }), 412, 'precondition_failed', 'If-Match');
    }
  });

  test('with * on something that does not exist is 404', async () => {
    const gone = path.replace(/\d+$/, '99');
    await shop.refuses(shop.send(method, gone, body, { 'If-Match': '*' }), 404, 'resource_not_found');
  });
});

test('of two writers with one tag the second is refused', async () => {
  const tag = await tagOf('/inventory/1');
  const answers = await Promise.all(
    [5, 6].map((quantity) => shop.patch('/inventory/1', { quantity }, { 'If-Match': tag })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  const winner = answers.find(({ status }) => status === 200)!;
  await shop.get('/inventory/1').expect(200, winner.text);
  expect(await tagOf('/inventory/1')).toBe(winner.headers['etag']);
});

test('the tag of a PATCH and of a 201 serves for the next change', async () => {
  const patched = await shop.patch('/store/orders/1', { shipDate: '2027-01-01T00:00:00Z' }).expect(200);
  await shop.patch('/store/orders/1', { complete: true }, { 'If-Match': patched.headers['etag'] }).expect(200);
  const created = await shop.post('/categories', { name: 'Fish' }).expect(201);
  await shop.put('/categories/3', { name: 'Bird' }, { 'If-Match': created.headers['etag'] }).expect(200);
  await shop.refuses(shop.delete('/categories/3', { 'If-Match': created.headers['etag'] }), 412, 'precondition_failed');
});

test('conditions that an operation does not document are not followed', async () => {
  await shop.put('/pets/1', { name: 'Nova', categoryId: 1 }, { 'If-None-Match': '*' }).expect(200);
  await shop.get('/pets/2', { 'If-Match': '"other"' }).expect(200);
  await shop.post('/categories', { name: 'Fish' }, { 'If-Match': '"other"' }).expect(201);
});

describe('with requireIfMatch', () => {
  test('a change without If-Match is 428, one with it goes ahead', async () => {
    const strict = await openPetstore({ requireIfMatch: true });
    const changes = CHANGES.filter(({ path }) => /[12]$/.test(path));
    for (const { method, path, body } of [
      ...changes,
      { method: 'delete' as const, path: '/pets/1', body: undefined },
      { method: 'delete' as const, path: '/categories/1', body: undefined },
    ]) {
      await strict.refuses(strict.send(method, path, body), 428, 'precondition_required', 'If-Match');
    }
    await strict.refuses(strict.patch('/store/orders/9', {}), 404, 'resource_not_found');
    await strict.get('/pets/1').expect(200, BISCUIT);
    await strict.post('/categories', { name: 'Fish' }).expect(201);
    const { headers } = await strict.get('/store/orders/1').expect(200, OPEN_ORDER);
    await strict.patch('/store/orders/1', { complete: true }, { 'If-Match': headers['etag'] }).expect(200);
    await strict.delete('/store/orders/2', { 'If-Match': '"x"' }).expect(412);
  });
});
