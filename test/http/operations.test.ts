import type { Test } from 'supertest';
import { BISCUIT, expectError, type Headers, openPetstore, type Petstore, usePetstore } from '../support/petstore';
import { OPERATIONS, documentedHeaders } from '../support/description';

const shop = usePetstore();

/** A request that succeeds on the fixture, for each of the eighteen operations. */
const SUCCESSES: readonly {
  operationId: string;
  status: number;
  send: (to: Petstore, headers?: Headers) => Test;
}[] = [
  { operationId: 'listPets', status: 200, send: (to, headers) => to.get('/pets', headers) },
  {
    operationId: 'createPet',
    status: 201,
    send: (to, headers) => to.post('/pets', { name: 'Nova', categoryId: 1 }, headers),
  },
  { operationId: 'getPet', status: 200, send: (to, headers) => to.get('/pets/1', headers) },
  {
    operationId: 'replacePet',
    status: 200,
    send: (to, headers) => to.put('/pets/1', { name: 'Nova', categoryId: 1 }, headers),
  },
  { operationId: 'listCategories', status: 200, send: (to, headers) => to.get('/categories', headers) },
  {
    operationId: 'createCategory',
    status: 201,
    send: (to, headers) => to.post('/categories', { name: 'Fish' }, headers),
  },
  { operationId: 'getCategory', status: 200, send: (to, headers) => to.get('/categories/1', headers) },
  {
    operationId: 'replaceCategory',
    status: 200,
    send: (to, headers) => to.put('/categories/1', { name: 'Fish' }, headers),
  },
  { operationId: 'listOrders', status: 200, send: (to, headers) => to.get('/store/orders', headers) },
  { operationId: 'placeOrder', status: 201, send: (to, headers) => to.post('/store/orders', { petId: 1 }, headers) },
  { operationId: 'getOrder', status: 200, send: (to, headers) => to.get('/store/orders/1', headers) },
  {
    operationId: 'updateOrder',
    status: 200,
    send: (to, headers) => to.patch('/store/orders/1', { complete: true }, headers),
  },
  { operationId: 'cancelOrder', status: 204, send: (to, headers) => to.delete('/store/orders/1', headers) },
  { operationId: 'listInventory', status: 200, send: (to, headers) => to.get('/inventory', headers) },
  { operationId: 'getInventoryItem', status: 200, send: (to, headers) => to.get('/inventory/1', headers) },
  {
    operationId: 'updateInventory',
    status: 200,
    send: (to, headers) => to.patch('/inventory/1', { quantity: 5 }, headers),
  },
];

/** The two that need something without references first. */
async function removable(to: Petstore): Promise<{ category: number; pet: number }> {
  return {
    category: await to.add('/categories', { name: 'Fish' }),
    pet: await to.add('/pets', { name: 'Nova', categoryId: 1 }),
  };
}

test('there is a success for each of the eighteen operations', () => {
  const tried = [...SUCCESSES.map(({ operationId }) => operationId), 'deletePet', 'deleteCategory'];
  expect(OPERATIONS).toHaveLength(18);
  expect(tried.sort()).toEqual(OPERATIONS.map(({ operationId }) => operationId).sort());
});

test.each(SUCCESSES)('$operationId answers $status with every header it documents', async (each) => {
  const { operationId, status, send } = each;
  const response = await send(shop).expect(status);
  // These come only when asked for.
  const always = documentedHeaders(operationId, status).filter((name) => name !== 'preference-applied');
  expect(Object.keys(response.headers as object)).toEqual(expect.arrayContaining(always));
  expect(response.headers['cache-control']).toBe(/^(?:get|list)/.test(operationId) ? 'no-cache' : 'no-store');
  if (status === 204) {
    expect(response.headers).not.toHaveProperty('content-type');
    expect(response.text).toBe('');
    return;
  }
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
});

test('deletePet and deleteCategory answer 204 without a body', async () => {
  const { category, pet } = await removable(shop);
  for (const path of [`/categories/${category}`, `/pets/${pet}`]) {
    const response = await shop.delete(path).expect(204);
    expect(response.text).toBe('');
    expect(response.headers['content-type']).toBeUndefined();
    expect(response.headers['content-length']).toBeUndefined();
  }
});

describe.each(SUCCESSES)('without a valid key $operationId', ({ send }) => {
  test.each([
    { header: undefined, code: 'missing_api_key', challenge: 'Bearer realm="petstore"' },
    { header: 'Basic dGVzdC1rZXk=', code: 'malformed_authorization', challenge: 'Bearer realm="petstore"' },
    {
      header: 'Bearer unknown-key',
      code: 'invalid_api_key',
      challenge: 'Bearer realm="petstore", error="invalid_token"',
    },
  ])('answers 401 $code', async ({ header, code, challenge }) => {
    const response = await shop.refuses(send(shop, { Authorization: header }), 401, code);
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(response.text).not.toContain('unknown-key');
  });
});

test('deletePet and deleteCategory want the key too', async () => {
  const { category, pet } = await removable(shop);
  for (const path of [`/categories/${category}`, `/pets/${pet}`]) {
    await shop.refuses(shop.delete(path, { Authorization: undefined }), 401, 'missing_api_key', 'Authorization');
  }
});

test('each operation answers 429 when the rate limit is reached', async () => {
  const limited = await openPetstore({ rateLimit: { requests: 1, seconds: 3600 } });
  await limited.get('/pets').expect(200);
  for (const { send } of SUCCESSES) {
    const response = await limited.refuses(send(limited), 429, 'rate_limited');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  }
  await limited.refuses(limited.delete('/pets/1'), 429, 'rate_limited');
  await limited.refuses(limited.delete('/categories/1'), 429, 'rate_limited');
});

test.each(OPERATIONS.filter(({ node }) => node.requestBody !== undefined))(
  '$operationId judges its body',
  async ({ method, path }) => {
    const target = path.replace(/\{\w+\}/, '1');
    const send = (body: string | Buffer | undefined, headers: Headers = {}): Test =>
      shop.send(method as 'post', target, body, headers);
    const refuse = (test: Test, code: string, ...says: (string | RegExp)[]): Promise<unknown> =>
      shop.refuses(test, 400, code, ...says);

    await refuse(send(undefined), 'missing_body');
    await refuse(send(undefined, { 'Content-Type': 'application/json' }), 'missing_body');
    await refuse(send('', { 'Content-Length': '0' }), 'missing_body');
    for (const type of [undefined, 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'text/json']) {
      await refuse(send('{}', { 'Content-Type': type }), 'missing_content_type', 'application/json');
    }
    await refuse(send('{}', { 'Content-Type': 'application/json; charset=latin1' }), 'missing_content_type', 'UTF-8');
    const faulty = ['{', '{"name":"a"} x', "{'name':1}", '{"name":NaN}', '// x\n{}', '{"name":"a","name":"b"}', ' '];
    for (const text of faulty) await refuse(send(text), 'invalid_json');
    await refuse(send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), 'invalid_json');
    await refuse(send(`${'['.repeat(65)}${']'.repeat(65)}`), 'invalid_json', /deep|nest/i);
    for (const text of ['[]', 'null', '1', '"text"', 'true']) await refuse(send(text), 'invalid_field', 'object');
    const tooLarge = Buffer.from(`{"name":"${'a'.repeat(1024 * 1024)}"}`);
    await shop.refuses(send(tooLarge), 413, 'body_too_large', '1048576');
  },
);

test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])(
  'a body of the type %s is read',
  async (type) => {
    await shop.put('/pets/1', { name: 'Nova', categoryId: 1 }, { 'Content-Type': type }).expect(200);
  },
);

test('a body of exactly 1 MiB is read, one byte more is too large', async () => {
  const padding = 1024 * 1024 - '{"name":"Nova"}'.length;
  const text = `{"name":"Nova"${' '.repeat(padding)}}`;
  await shop.put('/categories/1', text).expect(200);
  await shop.refuses(shop.put('/categories/1', `${text} `), 413, 'body_too_large');
});

test('a byte order mark before a body is passed over', async () => {
  await shop.post('/categories', '\uFEFF{"name":"Fish"}').expect(201, { id: 3, name: 'Fish' });
});

test('a body on a GET or a DELETE is ignored', async () => {
  await shop.send('get', '/pets/1', '{broken').expect(200, BISCUIT);
  await shop.send('get', '/pets/1', 'text', { 'Content-Type': 'text/plain' }).expect(200, BISCUIT);
  await shop.send('delete', '/store/orders/1', '{broken').expect(204);
});

test.each([
  'test-key',
  'Bearer',
  'Bearer  test-key',
  'Bearer test-key, Bearer test-key',
  'Bearer "test-key"',
  'Bearer test-key extra',
  'Bearer test\tkey',
  'Basic test-key',
  'Token test-key',
])('Authorization: %s is malformed', async (value) => {
  const response = await shop.refuses(shop.get('/pets', { Authorization: value }), 401, 'malformed_authorization');
  expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore"');
});

test.each(['bearer test-key', 'BEARER test-key'])(
  'the scheme of Authorization: %s is known in any case',
  async (value) => {
    await shop.get('/pets', { Authorization: value }).expect(200);
  },
);

test('a key with a character outside ASCII is malformed', async () => {
  expectError(await shop.get('/pets/1', { Authorization: 'Bearer ä' }), 401, 'malformed_authorization');
});
