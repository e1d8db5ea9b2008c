import { lastingHeaders, openPetstore, stored, usePetstore } from '../support/petstore';

const START = new Date('2027-01-01T00:00:00Z');
const shop = usePetstore({ clock: START, apiKeys: ['test-key', 'other-key'] });
const KEY = { 'Idempotency-Key': 'a-1' };
const NOVA = { name: 'Nova', categoryId: 1 };

/** Moves the clock of the mock on, from the start. */
function after(ms: number): void {
  shop.app.setClock(new Date(START.getTime() + ms));
}

const HOUR = 3_600_000;

describe.each([
  { path: '/pets', body: NOVA, other: { ...NOVA, name: 'Vega' } },
  { path: '/categories', body: { name: 'Fish' }, other: { name: 'Bird' } },
  { path: '/store/orders', body: { petId: 1 }, other: { petId: 1, quantity: 2 } },
])('POST $path', ({ path, body, other }) => {
  test('with a key again gets the first answer again, and does nothing', async () => {
    const first = await shop.post(path, body, KEY).expect(201);
    const state = shop.app.state();
    for (let index = 0; index < 3; index++) {
      const again = await shop.post(path, body, KEY).expect(201, first.text);
      expect(lastingHeaders(again)).toEqual(lastingHeaders(first));
    }
    expect(shop.app.state()).toEqual(state);
  });

  test('with a key of another body is 422', async () => {
    await shop.post(path, body, KEY).expect(201);
    await shop.refuses(shop.post(path, other, KEY), 422, 'idempotency_key_reused', 'Idempotency-Key');
    await shop.post(path, body, KEY).expect(201);
  });

  test('with other keys, or none, is done each time', async () => {
    const answers = [
      await shop.post(path, body, KEY),
      await shop.post(path, body, { 'Idempotency-Key': 'a-2' }),
      await shop.post(path, body, { 'Idempotency-Key': 'A-1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body: { id } }) => id as number)).size).toBe(3);
  });

  test('at once with one key is done once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post(path, body, KEY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

test('the same JSON value is the same payload, however it is written', async () => {
  const first = await shop.post('/pets', '{"name":"Nova","categoryId":1}', KEY).expect(201);
  for (const text of [
    '{ "categoryId" : 1 , "name" : "Nova" }',
    '{"name":"\\u004eova","categoryId":1}',
    '{"name":"Nova","categoryId":1.0}',
    '{"name":"Nova","categoryId":10e-1}',
  ]) {
    await shop.post('/pets', text, KEY).expect(201, first.text);
  }
});

test.each([
  '{"name":"Nova","categoryId":1,"status":"available"}',
  '{"name":"Nova","categoryId":1,"colour":"red"}',
  '{"name":"nova","categoryId":1}',
])('%s is another payload', async (text) => {
  await shop.post('/pets', NOVA, KEY).expect(201);
  await shop.refuses(shop.post('/pets', text, KEY), 422, 'idempotency_key_reused');
});

test('a key in quotes is the same as the bare one', async () => {
  const first = await shop.post('/pets', NOVA, { 'Idempotency-Key': '"a-1"' }).expect(201);
  await shop.post('/pets', NOVA, KEY).expect(201, first.text);
});

test('is remembered for 24 hours by the clock of the mock', async () => {
  const first = await shop.post('/pets', NOVA, KEY).expect(201);
  after(24 * HOUR - 60_000);
  await shop.post('/pets', NOVA, KEY).expect(201, first.text);
  await shop.refuses(shop.post('/pets', { ...NOVA, name: 'Vega' }, KEY), 422, 'idempotency_key_reused');
  after(24 * HOUR + 60_000);
  const second = await shop.post('/pets', { ...NOVA, name: 'Vega' }, KEY).expect(201);
  expect(second.body).toEqual({ id: 5, name: 'Vega', categoryId: 1, status: 'available' });
  // A replay does not make the memory last longer; the new answer counts from its own time.
  after(48 * HOUR - 60_000);
  await shop.post('/pets', { ...NOVA, name: 'Vega' }, KEY).expect(201, second.text);
});

test('a key counts for one operation', async () => {
  await shop.post('/pets', NOVA, KEY).expect(201);
  await shop.post('/categories', { name: 'Fish' }, KEY).expect(201);
  await shop.post('/store/orders', {}, KEY).expect(201);
  await shop.post('/pets', NOVA, KEY).expect(201);
  expect(stored(shop.app).pets).toHaveLength(4);
});

test('a key counts for one API key', async () => {
  const first = await shop.post('/pets', NOVA, KEY).expect(201);
  const other = { ...KEY, Authorization: 'Bearer other-key' };
  const second = await shop.post('/pets', NOVA, other).expect(201);
  expect(second.body.id).not.toBe(first.body.id);
  await shop.post('/pets', NOVA, other).expect(201, second.text);
  await shop.post('/pets', NOVA, KEY).expect(201, first.text);
});

test('a refusal is not remembered: the key is free for another try', async () => {
  await shop.refuses(shop.post('/store/orders', { petId: 1, quantity: 4 }, KEY), 409, 'insufficient_stock');
  await shop.patch('/inventory/1', { quantity: 4 }).expect(200);
  const order = await shop.post('/store/orders', { petId: 1, quantity: 4 }, KEY).expect(201);
  await shop.post('/store/orders', { petId: 1, quantity: 4 }, KEY).expect(201, order.text);

  const key = { 'Idempotency-Key': 'b' };
  await shop.refuses(shop.post('/pets', { name: '', categoryId: 1 }, key), 400, 'invalid_field');
  await shop.refuses(shop.post('/pets', { ...NOVA, categoryId: 9 }, key), 422, 'unknown_reference');
  await shop.post('/pets', NOVA, key).expect(201);
});

test('the answer stays although the world has moved on', async () => {
  const order = await shop.post('/store/orders', { petId: 1, quantity: 3 }, KEY).expect(201);
  await shop.delete(`/store/orders/${order.body.id as number}`).expect(204);
  await shop.patch('/inventory/1', { quantity: 0 }).expect(200);
  await shop.post('/store/orders', { petId: 1, quantity: 3 }, KEY).expect(201, order.text);
  await shop.get(`/store/orders/${order.body.id as number}`).expect(404);
});

test('an id beyond 2^53 is replayed with all its digits', async () => {
  const big = await openPetstore({ idStart: 9007199254740993n });
  const first = await big.post('/categories', { name: 'Fish' }, KEY).expect(201);
  expect(first.text).toContain('"id":9007199254740993,');
  await big.post('/categories', { name: 'Fish' }, KEY).expect(201, first.text);
});

test('with return=minimal the replay is as minimal as the first answer', async () => {
  const headers = { ...KEY, Prefer: 'return=minimal' };
  const first = await shop.post('/pets', NOVA, headers).expect(201, '');
  const again = await shop.post('/pets', NOVA, headers).expect(201, '');
  expect(lastingHeaders(again)).toEqual(lastingHeaders(first));
});

test.each([
  { title: 'empty', value: '' },
  { title: 'longer than 255', value: 'x'.repeat(256) },
  { title: 'empty in quotes', value: '""' },
  { title: 'longer than 255 in quotes', value: `"${'x'.repeat(256)}"` },
])('a key that is $title is 400', async ({ value }) => {
  await shop.refuses(
    shop.post('/pets', NOVA, { 'Idempotency-Key': value }),
    400,
    'invalid_parameter',
    'Idempotency-Key',
  );
});

test.each(['x', 'x'.repeat(255), '5d2c1f0e-8f5b-4a57-9a39-0f6f3f1c7a21', 'a b;c=d,e', '__proto__'])(
  'the key %s is good',
  async (value) => {
    const first = await shop.post('/pets', NOVA, { 'Idempotency-Key': value }).expect(201);
    await shop.post('/pets', NOVA, { 'Idempotency-Key': value }).expect(201, first.text);
  },
);

test('a reset forgets, and a restored snapshot remembers what it knew', async () => {
  const empty = shop.app.snapshot();
  const first = await shop.post('/pets', NOVA, KEY).expect(201);
  const full = shop.app.snapshot();
  shop.app.restore(empty);
  await shop.post('/pets', { ...NOVA, name: 'Vega' }, KEY).expect(201);
  shop.app.restore(full);
  await shop.post('/pets', NOVA, KEY).expect(201, first.text);
  shop.app.reset();
  await shop.post('/pets', { ...NOVA, name: 'Vega' }, KEY).expect(201);
});

test('the header means nothing to operations without it', async () => {
  await shop.put('/pets/1', NOVA, KEY).expect(200);
  await shop.put('/pets/1', { ...NOVA, name: 'Vega' }, KEY).expect(200);
});
