import { usePetstore } from '../support/petstore';

const shop = usePetstore();

describe('GET /inventory/{petId}', () => {
  test('reads the stock of a pet', async () => {
    const { text, headers } = await shop.get('/inventory/1').expect(200);
    expect(text).toBe('{"petId":1,"quantity":3,"status":"available"}');
    expect(headers['etag']).toMatch(/^"[^"]+"$/);
    expect(headers).not.toHaveProperty('deprecation');
    await shop.get('/inventory/3').expect(200, { petId: 3, quantity: 0, status: 'sold' });
  });

  test('is 404 for a pet that does not exist', async () => {
    await shop.refuses(shop.get('/inventory/4'), 404, 'resource_not_found', '4');
  });
});

describe('PATCH /inventory/{petId}', () => {
  test('sets the stock, and sends the entity tag that a read then gives', async () => {
    const item = { petId: 1, quantity: 7, status: 'available' };
    const changed = await shop.patch('/inventory/1', { quantity: 7 }).expect(200, item);
    const read = await shop.get('/inventory/1').expect(200, item);
    expect(changed.headers['etag']).toBe(read.headers['etag']);
  });

  test.each([0, 1, 1_000_000])('takes %i', async (quantity) => {
    const { body } = await shop.patch('/inventory/1', { quantity }).expect(200);
    expect(body.quantity).toBe(quantity);
  });

  test('drops what no update has: status and petId are not settable', async () => {
    const sent = { quantity: 2, status: 'sold', petId: 2 };
    await shop.patch('/inventory/1', sent).expect(200, { petId: 1, quantity: 2, status: 'available' });
    await shop.get('/inventory/2').expect(200, { petId: 2, quantity: 0, status: 'pending' });
  });

  test('the same number again changes nothing', async () => {
    const { headers } = await shop.get('/inventory/1');
    const state = shop.app.state();
    const again = await shop.patch('/inventory/1', { quantity: 3 }).expect(200);
    expect(again.headers['etag']).toBe(headers['etag']);
    expect(shop.app.state()).toEqual(state);
  });

  test.each([
    { body: {}, code: 'missing_field', says: ['/quantity'] },
    { body: { status: 'sold' }, code: 'missing_field', says: ['/quantity'] },
    { body: { quantity: -1 }, code: 'invalid_field', says: ['/quantity', '0'] },
    { body: { quantity: 1_000_001 }, code: 'invalid_field', says: ['/quantity', '1000000'] },
    { body: { quantity: 1.5 }, code: 'invalid_field', says: ['/quantity', 'integer'] },
    { body: { quantity: '5' }, code: 'invalid_field', says: ['/quantity', 'integer'] },
    { body: { quantity: null }, code: 'invalid_field', says: ['/quantity', 'integer'] },
    { body: { quantity: [1] }, code: 'invalid_field', says: ['/quantity', 'integer'] },
  ])('refuses $body', async ({ body, code, says }) => {
    await shop.refuses(shop.patch('/inventory/1', body), 400, code, ...says);
  });

  test('is 404 for a pet that does not exist', async () => {
    await shop.refuses(shop.patch('/inventory/4', { quantity: 1 }), 404, 'resource_not_found', '4');
  });
});

test('an item comes and goes with its pet, and in no other way', async () => {
  const id = await shop.add('/pets', { name: 'Nova', categoryId: 1 });
  await shop.get(`/inventory/${id}`).expect(200);
  for (const [method, path] of [
    ['post', '/inventory'],
    ['put', `/inventory/${id}`],
    ['delete', `/inventory/${id}`],
  ] as const) {
    await shop.refuses(shop.send(method, path), 405, 'method_not_allowed', method.toUpperCase());
  }
  await shop.delete(`/pets/${id}`).expect(204);
  await shop.get(`/inventory/${id}`).expect(404);
});
