import { COMPLETE_ORDER, OPEN_ORDER, pathOf, usePetstore } from '../support/petstore';

const shop = usePetstore();

describe('POST /store/orders', () => {
  test('gives the order an id, and Location leads to it', async () => {
    const created = await shop.post('/store/orders', { quantity: 2, petId: 1 }).expect(201);
    expect(created.body).toEqual({ id: 3, petId: 1, quantity: 2, complete: false });
    const read = await shop.get(pathOf(created.headers['location']!)).expect(200, created.text);
    expect(read.headers['etag']).toBe(created.headers['etag']);
    expect(created.headers['etag']).toMatch(/^"[^"]+"$/);
  });

  test.each([
    { body: {}, want: { id: 3, complete: false } },
    { body: { quantity: 10000 }, want: { id: 3, quantity: 10000, complete: false } },
    { body: { petId: 1 }, want: { id: 3, petId: 1, quantity: 1, complete: false } },
    { body: { id: 1, petId: 1, note: 'x' }, want: { id: 3, petId: 1, quantity: 1, complete: false } },
    { body: { complete: false }, want: { id: 3, complete: false } },
  ])('$body is stored as $want', async ({ body, want }) => {
    await shop.post('/store/orders', body).expect(201, want);
    await shop.get('/store/orders/3').expect(200, want);
  });

  test.each([
    '2026-02-01T09:00:00Z',
    '2026-02-01t09:00:00z',
    '2026-02-01T09:00:00.000000001+01:00',
    '2016-12-31T23:59:60Z',
    '2026-02-01T09:00:00-00:00',
    '0001-01-01T00:00:00Z',
  ])('shipDate %s comes back byte for byte', async (shipDate) => {
    const { body } = await shop.post('/store/orders', { shipDate }).expect(201);
    expect(body.shipDate).toBe(shipDate);
    await shop.patch('/store/orders/1', { shipDate }).expect(200, { ...OPEN_ORDER, shipDate });
  });

  test('one placed as complete without shipDate ships now, by the clock of the mock', async () => {
    shop.app.setClock(new Date('2027-03-04T05:06:07Z'));
    const { body } = await shop.post('/store/orders', { complete: true }).expect(201);
    expect(body).toEqual({ id: 3, complete: true, shipDate: expect.stringMatching(/^2027-03-04T05:06:0\d/) });
  });

  test('a pet that does not exist is an unknown reference', async () => {
    await shop.refuses(shop.post('/store/orders', { petId: 9 }), 422, 'unknown_reference', '/petId', '9');
  });
});

const BAD_ORDERS = [
  { body: { petId: '1' }, says: ['/petId', 'integer'] },
  { body: { petId: 0 }, says: ['/petId', '1'] },
  { body: { petId: null }, says: ['/petId', 'integer'] },
  { body: { petId: 1.5 }, says: ['/petId', 'integer'] },
  { body: { quantity: 0 }, says: ['/quantity', '1'] },
  { body: { quantity: -1 }, says: ['/quantity', '1'] },
  { body: { quantity: 10001 }, says: ['/quantity', '10000'] },
  { body: { quantity: 1.5 }, says: ['/quantity', 'integer'] },
  { body: { quantity: '1' }, says: ['/quantity', 'integer'] },
  { body: { quantity: 2 ** 31 }, says: ['/quantity'] },
  { body: { quantity: null }, says: ['/quantity', 'integer'] },
  { body: { shipDate: '2026-02-30T00:00:00Z' }, says: ['/shipDate', 'date-time'] },
  { body: { shipDate: '2026-02-01 09:00:00Z' }, says: ['/shipDate', 'date-time'] },
  { body: { shipDate: '2026-02-01T09:00:00' }, says: ['/shipDate', 'date-time'] },
  { body: { shipDate: '2026-02-01T24:00:00Z' }, says: ['/shipDate', 'date-time'] },
  { body: { shipDate: 'tomorrow' }, says: ['/shipDate', 'date-time'] },
  { body: { shipDate: '' }, says: ['/shipDate'] },
  { body: { shipDate: 1770000000 }, says: ['/shipDate', 'string'] },
  { body: { shipDate: null }, says: ['/shipDate', 'string'] },
  { body: { complete: 'true' }, says: ['/complete', 'boolean'] },
  { body: { complete: 1 }, says: ['/complete', 'boolean'] },
  { body: { complete: null }, says: ['/complete', 'boolean'] },
  { body: { id: 'x' }, says: ['/id', 'integer'] },
] as const;

test.each(BAD_ORDERS)('POST /store/orders refuses $body', async ({ body, says }) => {
  await shop.refuses(shop.post('/store/orders', body), 400, 'invalid_field', ...says);
});

test.each(BAD_ORDERS)('PATCH /store/orders/1 refuses $body', async ({ body, says }) => {
  await shop.refuses(shop.patch('/store/orders/1', body), 400, 'invalid_field', ...says);
});

describe('GET /store/orders/{orderId}', () => {
  test('reads an order', async () => {
    await shop.get('/store/orders/1').expect(200, OPEN_ORDER);
    await shop.get('/store/orders/2').expect(200, COMPLETE_ORDER);
  });

  test('is 404 for one that does not exist', async () => {
    await shop.refuses(shop.get('/store/orders/3'), 404, 'resource_not_found', '3');
  });
});

describe('PATCH /store/orders/{orderId}', () => {
  test('changes the members that were sent, and sends the entity tag that a read then gives', async () => {
    const shipDate = '2026-02-03T12:00:00Z';
    const changed = await shop.patch('/store/orders/1', { shipDate }).expect(200, { ...OPEN_ORDER, shipDate });
    const read = await shop.get('/store/orders/1').expect(200, changed.text);
    expect(changed.headers['etag']).toBe(read.headers['etag']);
  });

  test('with nothing in it changes nothing', async () => {
    const before = await shop.get('/store/orders/1');
    const state = shop.app.state();
    const patched = await shop.patch('/store/orders/1', {}).expect(200, OPEN_ORDER);
    expect(patched.headers['etag']).toBe(before.headers['etag']);
    expect(shop.app.state()).toEqual(state);
  });

  test('ignores the id that the order has, and what no order has', async () => {
    await shop.patch('/store/orders/1', { id: 1, note: 'x' }).expect(200, OPEN_ORDER);
    await shop.patch('/store/orders/1', '{"id":1.0}').expect(200, OPEN_ORDER);
  });

  test('another id cannot be set', async () => {
    await shop.refuses(shop.patch('/store/orders/1', { id: 2 }), 422, 'immutable_field', '/id');
  });

  test('a pet that does not exist is an unknown reference', async () => {
    const id = await shop.add('/store/orders', {});
    await shop.refuses(shop.patch(`/store/orders/${id}`, { petId: 9 }), 422, 'unknown_reference', '/petId', '9');
  });

  test('is 404 for one that does not exist', async () => {
    await shop.refuses(shop.patch('/store/orders/3', {}), 404, 'resource_not_found', '3');
  });
});

describe('DELETE /store/orders/{orderId}', () => {
  test('cancels an open order; afterwards it is 404', async () => {
    await shop.delete('/store/orders/1').expect(204);
    await shop.refuses(shop.get('/store/orders/1'), 404, 'resource_not_found');
    await shop.refuses(shop.patch('/store/orders/1', {}), 404, 'resource_not_found');
    await shop.refuses(shop.delete('/store/orders/1'), 404, 'resource_not_found');
    await shop.get('/store/orders').expect(200, [COMPLETE_ORDER]);
  });

  test('is refused for a complete order', async () => {
    await shop.refuses(shop.delete('/store/orders/2'), 409, 'order_already_complete', 'complete');
  });
});
