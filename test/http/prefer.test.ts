import {
  BISCUIT,
  OPEN_ORDER,
  lastingHeaders,
  pathOf,
  usePetstore,
  type Headers,
  type Method,
} from '../support/petstore';

const shop = usePetstore();
const MINIMAL = { Prefer: 'return=minimal' };
const STRICT = { Prefer: 'handling=strict' };
const NOVA = { name: 'Nova', categoryId: 1 };

describe('return=minimal', () => {
  test.each([
    { path: '/pets', body: NOVA },
    { path: '/categories', body: { name: 'Fish' } },
    { path: '/store/orders', body: { petId: 1 } },
  ])('POST $path answers 201 with Location and entity tag but no body', async ({ path, body }) => {
    const response = await shop.post(path, body, MINIMAL).expect(201, '');
    expect(response.headers).toMatchObject({ 'preference-applied': 'return=minimal', 'cache-control': 'no-store' });
    expect(response.headers).not.toHaveProperty('content-type');
    const read = await shop.get(pathOf(response.headers['location']!)).expect(200);
    expect(read.headers['etag']).toBe(response.headers['etag']);
  });

  test.each([
    { method: 'put', path: '/pets/1', body: NOVA },
    { method: 'put', path: '/categories/1', body: { name: 'Hound' } },
    { method: 'patch', path: '/store/orders/1', body: { complete: true } },
    { method: 'patch', path: '/inventory/1', body: { quantity: 9 } },
  ] as const)('$method $path answers 204, and it is done', async ({ method, path, body }) => {
    const response = await shop.send(method, path, body, MINIMAL).expect(204, '');
    expect(response.headers['preference-applied']).toBe('return=minimal');
    expect(response.headers).not.toHaveProperty('content-type');
    expect((await shop.get(path)).body).toMatchObject(body);
  });

  test.each(['/pets', '/pets/1', '/categories', '/store/orders/1', '/inventory'])(
    'GET %s keeps its body, and claims nothing',
    async (path) => {
      const plain = await shop.get(path).expect(200);
      const response = await shop.get(path, MINIMAL).expect(200, plain.text);
      expect(response.headers).not.toHaveProperty('preference-applied');
    },
  );

  test('DELETE is 204 as ever', async () => {
    await shop.delete('/store/orders/1', MINIMAL).expect(204, '');
  });

  test('a refusal keeps its body', async () => {
    await shop.refuses(shop.post('/pets', { name: 'Nova' }, MINIMAL), 400, 'missing_field');
    await shop.refuses(shop.put('/pets/3', { ...NOVA, status: 'pending' }, MINIMAL), 409, 'invalid_status_transition');
    await shop.refuses(shop.patch('/inventory/9', { quantity: 1 }, MINIMAL), 404, 'resource_not_found');
  });
});

describe('handling=strict', () => {
  test.each([
    { method: 'post', path: '/pets', body: { ...NOVA, colour: 'red' }, says: '/colour' },
    { method: 'post', path: '/pets', body: { ...NOVA, id: 4 }, says: '/id' },
    { method: 'put', path: '/pets/1', body: { ...NOVA, id: 1 }, says: '/id' },
    { method: 'put', path: '/pets/1', body: { ...NOVA, quantity: 1 }, says: '/quantity' },
    { method: 'post', path: '/categories', body: { name: 'Fish', id: 3 }, says: '/id' },
    { method: 'put', path: '/categories/1', body: { name: 'Fish', colour: 'red' }, says: '/colour' },
    { method: 'post', path: '/store/orders', body: { id: 3 }, says: '/id' },
    { method: 'post', path: '/store/orders', body: { note: 'x' }, says: '/note' },
    { method: 'patch', path: '/store/orders/1', body: { id: 1 }, says: '/id' },
    { method: 'patch', path: '/store/orders/1', body: { id: 2 }, says: '/id' },
    { method: 'patch', path: '/store/orders/1', body: { 'a/b~c': 1 }, says: '/a~1b~0c' },
    { method: 'patch', path: '/inventory/1', body: { quantity: 1, status: 'sold' }, says: '/status' },
    { method: 'patch', path: '/inventory/1', body: { quantity: 1, petId: 1 }, says: '/petId' },
  ] as const)('$method $path refuses the property of $body', async ({ method, path, body, says }) => {
    await shop.refuses(shop.send(method, path, body, STRICT), 400, 'invalid_field', says);
  });

  test.each<{ method: Method; path: string; body?: object }>([
    { method: 'get', path: '/pets?colour=red' },
    { method: 'get', path: '/pets?Limit=1' },
    { method: 'get', path: '/pets/1?colour=red' },
    { method: 'get', path: '/categories?status=sold&colour=red' },
    { method: 'get', path: '/store/orders?colour' },
    { method: 'get', path: '/inventory?name=a&colour=red' },
    { method: 'post', path: '/pets?colour=red', body: NOVA },
    { method: 'delete', path: '/store/orders/1?colour=red' },
  ])('$method $path refuses the query parameter', async ({ method, path, body }) => {
    await shop.refuses(shop.send(method, path, body, STRICT), 400, 'invalid_parameter', /colour|Limit|status|name/);
  });

  test('what is known goes through, and the answer says that it was strict', async () => {
    const answers = [
      await shop.get('/pets?limit=2&sort=-id&status=sold&categoryId=2&id=3&name=Clementine', STRICT).expect(200),
      await shop.post('/pets', { ...NOVA, status: 'sold' }, STRICT).expect(201),
      await shop.put('/pets/1', NOVA, STRICT).expect(200),
      await shop.patch('/store/orders/1', { complete: true }, STRICT).expect(200),
      await shop.get('/inventory/1', STRICT).expect(200),
    ];
    for (const { headers } of answers) expect(headers['preference-applied']).toBe('handling=strict');
  });
});

test.each<{ headers: Headers; status: number; applied: string[] }>([
  {
    headers: { Prefer: 'return=minimal, handling=strict' },
    status: 204,
    applied: ['return=minimal', 'handling=strict'],
  },
  {
    headers: { Prefer: 'handling=strict,return=minimal' },
    status: 204,
    applied: ['return=minimal', 'handling=strict'],
  },
  { headers: { Prefer: 'Return="minimal"' }, status: 204, applied: ['return=minimal'] },
  { headers: { Prefer: 'respond-async, return=minimal; foo=bar' }, status: 204, applied: ['return=minimal'] },
  { headers: { Prefer: 'return=minimal, return=representation' }, status: 204, applied: ['return=minimal'] },
  { headers: { Prefer: 'return=representation' }, status: 200, applied: [] },
  { headers: { Prefer: 'handling=lenient, wait=10' }, status: 200, applied: [] },
  { headers: { Prefer: 'return' }, status: 200, applied: [] },
  { headers: { Prefer: '' }, status: 200, applied: [] },
  { headers: { Prefer: ';;=,"' }, status: 200, applied: [] },
])('Prefer in $headers gives $status, and applies $applied', async ({ headers, status, applied }) => {
  const response = await shop.put('/pets/1', NOVA, headers).expect(status);
  const said = response.headers['preference-applied']?.split(', ') ?? [];
  expect(said.filter((each) => /^(?:return=minimal|handling=strict)$/.test(each)).sort()).toEqual([...applied].sort());
});

test('without strictness unknown members and parameters are ignored', async () => {
  const { body } = await shop.post('/pets?colour=red', { ...NOVA, colour: 'red' }).expect(201);
  expect(body).toEqual({ id: 4, ...NOVA, status: 'available' });
  await shop.get('/pets/1?colour=red').expect(200, BISCUIT);
  await shop.patch('/store/orders/1', { note: 'x' }).expect(200, OPEN_ORDER);
});

test('a preference changes nothing else of an answer', async () => {
  const plain = await shop.get('/inventory/1').expect(200);
  const strict = await shop.get('/inventory/1', STRICT).expect(200, plain.text);
  expect(lastingHeaders(strict, 'preference-applied', 'vary')).toEqual(lastingHeaders(plain));
});
