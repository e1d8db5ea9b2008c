import {
  BIG,
  expectError,
  HIGHEST,
  openPetstore,
  pathOf,
  type Petstore,
  TOO_HIGH,
  usePetstore,
} from '../support/petstore';

const shop = usePetstore();

/** Every operation at an item. */
const AT_ITEMS = [
  { method: 'get', collection: '/pets', parameter: 'petId', body: undefined },
  { method: 'put', collection: '/pets', parameter: 'petId', body: { name: 'Nova', categoryId: 1 } },
  { method: 'delete', collection: '/pets', parameter: 'petId', body: undefined },
  { method: 'get', collection: '/categories', parameter: 'categoryId', body: undefined },
  { method: 'put', collection: '/categories', parameter: 'categoryId', body: { name: 'Fish' } },
  { method: 'delete', collection: '/categories', parameter: 'categoryId', body: undefined },
  { method: 'get', collection: '/store/orders', parameter: 'orderId', body: undefined },
  { method: 'patch', collection: '/store/orders', parameter: 'orderId', body: {} },
  { method: 'delete', collection: '/store/orders', parameter: 'orderId', body: undefined },
  { method: 'get', collection: '/inventory', parameter: 'petId', body: undefined },
  { method: 'patch', collection: '/inventory', parameter: 'petId', body: { quantity: 1 } },
] as const;

const NO_IDS = [
  '0',
  '-1',
  '-0',
  'abc',
  '1.5',
  '1e3',
  '0x1',
  '01',
  '+1',
  '1_0',
  '%201',
  '1%20',
  '1%2C2',
  'null',
  'NaN',
  'Infinity',
  '__proto__',
  '%00',
  '1%00',
  '%2F',
  '1%2F2',
  '%D9%A1',
  TOO_HIGH,
  '99999999999999999999999999',
  '%zz',
  '%',
  '1%f',
  '%ff',
];

describe.each(AT_ITEMS)('$method $collection/{$parameter}', ({ method, collection, parameter, body }) => {
  test('is 400, never 404, for what is no int64 above 0', async () => {
    for (const id of NO_IDS) {
      const response = await shop.send(method, `${collection}/${id}`, body);
      expect({ id, status: response.status }).toEqual({ id, status: 400 });
      expectError(response, 400, 'invalid_parameter');
    }
    expectError(await shop.send(method, `${collection}/x`, body), 400, 'invalid_parameter', parameter, 'integer');
    expectError(await shop.send(method, `${collection}/0`, body), 400, 'invalid_parameter', parameter, '1');
    expectError(await shop.send(method, `${collection}/${TOO_HIGH}`, body), 400, 'invalid_parameter', parameter);
  });

  test('is 404 for an id that nothing has, and says which', async () => {
    for (const id of ['99', BIG, HIGHEST]) {
      await shop.refuses(shop.send(method, `${collection}/${id}`, body), 404, 'resource_not_found', id);
    }
  });
});

test('a percent-encoded id is that id', async () => {
  const { body } = await shop.get('/%70ets/%31').expect(200);
  expect(body.id).toBe(1);
});

test('a refused creation takes no id', async () => {
  await shop.post('/pets', { name: 'Nova', categoryId: 9 }).expect(422);
  await shop.post('/pets', { name: '', categoryId: 1 }).expect(400);
  await shop.post('/store/orders', { petId: 2 }).expect(409);
  expect(await shop.add('/pets', { name: 'Nova', categoryId: 1 })).toBe(4);
  expect(await shop.add('/store/orders', {})).toBe(3);
});

test('each collection counts for itself', async () => {
  expect(await shop.add('/categories', { name: 'Fish' })).toBe(3);
  expect(await shop.add('/pets', { name: 'Nova', categoryId: 3 })).toBe(4);
  expect(await shop.add('/store/orders', {})).toBe(3);
});

test.each([
  { path: '/pets', body: { name: 'Nova', categoryId: 1 } },
  { path: '/categories', body: { name: 'Fish' } },
  { path: '/store/orders', body: {} },
])('an id of $path is never given out again, not even that of the last one', async ({ path, body }) => {
  const first = await shop.add(path, body);
  await shop.delete(`${path}/${first}`).expect(204);
  const second = await shop.add(path, body);
  await shop.delete(`${path}/${second}`).expect(204);
  expect([second, await shop.add(path, body)]).toEqual([first + 1, first + 2]);
});

test('the id of a fixture that was deleted is not given out again', async () => {
  await shop.delete('/store/orders/1').expect(204);
  expect(await shop.add('/store/orders', {})).toBe(3);
});

test('not even the highest one, deleted before anything was created', async () => {
  const fixtures = { standin: 'fixture/1', collections: { '/categories': [{ id: 5, name: 'Fish' }] } } as const;
  const fish = await openPetstore({ fixtures });
  await fish.delete('/categories/5').expect(204);
  expect(await fish.add('/categories', { name: 'Bird' })).toBe(6);
});

test('fifty creations at once get fifty ids', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => shop.post('/pets', { name: `Pet ${index}`, categoryId: 1 })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(201));
  const given = answers.map(({ body }) => body.id as number).sort((left, right) => left - right);
  expect(given).toEqual(Array.from({ length: 50 }, (_, index) => index + 4));
  const { items } = await shop.walk('/pets?limit=7');
  expect(items).toHaveLength(53);
  for (const { body } of answers) expect(items).toContainEqual(body);
});

test('of fifty orders at once for three units three succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.post('/store/orders', { petId: 1 })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  for (const response of answers) if (response.status !== 201) expectError(response, 409, 'pet_not_available');
  expect(await shop.pet(1)).toEqual({ status: 'pending', stock: 0 });
});

describe('ids beyond 2^53', () => {
  let big: Petstore;
  beforeEach(async () => {
    big = await openPetstore({ idStart: BigInt(BIG) });
  });

  test('are exact in bodies, paths, queries and headers', async () => {
    const category = await big.post('/categories', { name: 'Fish' }).expect(201);
    expect(category.text).toBe(`{"id":${BIG},"name":"Fish"}`);
    expect(pathOf(category.headers['location']!)).toBe(`/categories/${BIG}`);

    const pet = await big.post('/pets', `{"name":"Nova","categoryId":${BIG}}`).expect(201);
    const text = `{"id":${BIG},"name":"Nova","categoryId":${BIG},"status":"available"}`;
    expect(pet.text).toBe(text);
    await big.get(pathOf(pet.headers['location']!)).expect(200, text);

    for (const query of [`id=${BIG}`, `id=1,${BIG}&categoryId=${BIG}`, `categoryId=${BIG}`]) {
      const listed = await big.get(`/pets?${query}`).expect(200);
      expect(listed.text).toBe(`[${text}]`);
    }
    await big.get(`/pets?id=9007199254740992`).expect(200, []);
    await big.get(`/pets?categoryId=9007199254740992`).expect(200, []);
    await big.get(`/inventory/${BIG}`).expect(200, `{"petId":${BIG},"quantity":1,"status":"available"}`);
    await big.get(`/inventory?petId=${BIG}`).expect(200, `[{"petId":${BIG},"quantity":1,"status":"available"}]`);

    const order = await big.post('/store/orders', `{"petId":${BIG}}`).expect(201);
    expect(order.text).toBe(`{"id":${BIG},"petId":${BIG},"quantity":1,"complete":false}`);
    await big.get(`/store/orders?petId=${BIG}`).expect(200, `[${order.text}]`);
    await big.patch(`/store/orders/${BIG}`, `{"id":${BIG},"petId":${BIG}}`).expect(200, order.text);
    await big.refuses(big.patch(`/store/orders/${BIG}`, '{"id":9007199254740992}'), 422, 'immutable_field');
    await big.refuses(big.get('/pets/9007199254740992'), 404, 'resource_not_found', '9007199254740992');
    await big.refuses(big.get('/pets/9007199254740994'), 404, 'resource_not_found', '9007199254740994');
  });

  test('go on one by one, and sort and page exactly', async () => {
    const texts: string[] = [];
    for (let index = 0; index < 5; index++) {
      texts.push((await big.post('/pets', { name: 'Nova', categoryId: 1 }).expect(201)).text);
    }
    expect(texts.map((text) => /"id":(\d+)/.exec(text)?.[1])).toEqual(
      ['3', '4', '5', '6', '7'].map((digit) => `900719925474099${digit}`),
    );
    const first = await big.get('/pets?sort=-id&limit=2').expect(200);
    expect(first.text).toBe(`[${texts[4]!},${texts[3]!}]`);
    const { items } = await big.walk('/pets?sort=-id&limit=2');
    expect(items).toHaveLength(8);
  });

  test('a category with such an id can be used and removed', async () => {
    await big.post('/categories', { name: 'Fish' }).expect(201);
    await big.put('/pets/1', `{"name":"Nova","categoryId":${BIG}}`).expect(200);
    await big.refuses(big.delete(`/categories/${BIG}`), 409, 'category_in_use');
    await big.refuses(big.put('/pets/1', '{"name":"Nova","categoryId":9007199254740992}'), 422, 'unknown_reference');
    await big.put('/pets/1', '{"name":"Nova","categoryId":1}').expect(200);
    await big.delete(`/categories/${BIG}`).expect(204);
  });
});

test.each([
  { method: 'post', path: '/pets', text: `{"name":"Nova","categoryId":${TOO_HIGH}}`, pointer: '/categoryId' },
  { method: 'put', path: '/pets/1', text: `{"name":"Nova","categoryId":${TOO_HIGH}}`, pointer: '/categoryId' },
  { method: 'post', path: '/store/orders', text: `{"petId":${TOO_HIGH}}`, pointer: '/petId' },
  { method: 'patch', path: '/store/orders/1', text: `{"id":${TOO_HIGH}}`, pointer: '/id' },
  { method: 'post', path: '/store/orders', text: '{"petId":1e400}', pointer: '/petId' },
] as const)('$method $path refuses $text', async ({ method, path, text, pointer }) => {
  await shop.refuses(shop.send(method, path, text), 400, 'invalid_field', pointer);
});

test.each([
  `/pets?id=${TOO_HIGH}`,
  `/pets?id=1,${TOO_HIGH}`,
  `/pets?categoryId=${TOO_HIGH}`,
  `/store/orders?petId=${TOO_HIGH}`,
  `/inventory?petId=${TOO_HIGH}`,
])('GET %s is refused', async (path) => {
  await shop.refuses(shop.get(path), 400, 'invalid_parameter', /"(?:id|categoryId|petId)"/);
});

test('the highest int64 is the last id; then the space is exhausted, for good', async () => {
  const last = await openPetstore({ idStart: BigInt(HIGHEST) - 1n });
  await last.post('/pets', { name: 'Nova', categoryId: 1 }).expect(201);
  const created = await last.post('/pets', { name: 'Nova', categoryId: 1 }).expect(201);
  expect(created.text).toContain(`{"id":${HIGHEST},`);
  await last.get(`/inventory/${HIGHEST}`).expect(200, `{"petId":${HIGHEST},"quantity":1,"status":"available"}`);

  for (let index = 0; index < 2; index++) {
    await last.refuses(last.post('/pets', { name: 'Nova', categoryId: 1 }), 409, 'id_space_exhausted');
  }
  await last.delete(`/pets/${HIGHEST}`).expect(204);
  await last.refuses(last.post('/pets', { name: 'Nova', categoryId: 1 }), 409, 'id_space_exhausted');
  // The other collections still have theirs.
  await last.post('/categories', { name: 'Fish' }).expect(201);
  await last.post('/store/orders', {}).expect(201);
});
