import type { Response } from 'supertest';
import { openPetstore, usePetstore } from '../support/petstore';
import { DESCRIPTION, type Part } from '../support/description';
import { startServer } from '../support/server';
import { exchange, type WireResponse } from '../support/wire';

const shop = usePetstore();
const NOVA = { name: 'Nova', categoryId: 1 };

/** What leads to each example of an error in the description. */
const PROVOKED: Readonly<Record<string, () => PromiseLike<Response | WireResponse>>> = {
  invalid_json: () => shop.post('/pets', '{"name":'),
  missing_body: () => shop.post('/pets', undefined),
  missing_content_type: () => shop.post('/pets', NOVA, { 'Content-Type': undefined }),
  missing_name: () => shop.post('/pets', { categoryId: 1 }),
  missing_quantity: () => shop.patch('/inventory/1', {}),
  invalid_name: () => shop.post('/pets', { ...NOVA, name: '' }),
  invalid_quantity: () => shop.post('/store/orders', { petId: 1, quantity: 1.5 }),
  invalid_limit: () => shop.get('/pets?limit=0'),
  invalid_pet_id: () => shop.get('/pets/abc'),
  invalid_category_id: () => shop.get('/categories/abc'),
  invalid_order_id: () => shop.get('/store/orders/abc'),
  unknown_parameter: () => shop.post('/pets?colour=red', NOVA, { Prefer: 'handling=strict' }),
  invalid_cursor: () => shop.get('/pets?cursor=x'),
  bad_request: async () => {
    const server = await startServer();
    const host = `Host: ${server.host}`;
    const response = await exchange(server.host, ['GET /pets HTTP/1.1', host, host]);
    await server.close();
    return response;
  },
  missing_api_key: () => shop.get('/pets', { Authorization: undefined }),
  malformed_authorization: () => shop.get('/pets', { Authorization: 'Basic c3RhbmRpbjpzdGFuZGlu' }),
  invalid_api_key: () => shop.get('/pets', { Authorization: 'Bearer other' }),
  pet_not_found: () => shop.get('/pets/42'),
  category_not_found: () => shop.get('/categories/42'),
  order_not_found: () => shop.get('/store/orders/42'),
  category_in_use: () => shop.delete('/categories/1'),
  pet_in_use: () => shop.delete('/pets/2'),
  pet_not_available: () => shop.post('/store/orders', { petId: 2 }),
  insufficient_stock: () => shop.post('/store/orders', { petId: 1, quantity: 5 }),
  invalid_status_transition: () => shop.put('/pets/3', { ...NOVA, status: 'pending' }),
  order_already_complete: () => shop.delete('/store/orders/2'),
  id_space_exhausted: async () => {
    const last = await openPetstore({ idStart: 9223372036854775807n });
    await last.post('/pets', NOVA).expect(201);
    return last.post('/pets', NOVA);
  },
  operation_sunset: async () => (await openPetstore({ clock: new Date('2031-01-01T00:00:00Z') })).get('/pets/42'),
  precondition_failed: () => shop.put('/pets/1', NOVA, { 'If-Match': '"stale"' }),
  body_too_large: () => shop.post('/pets', ' '.repeat(1024 * 1024 + 1)),
  unknown_category: () => shop.post('/pets', { ...NOVA, categoryId: 99 }),
  unknown_pet: () => shop.post('/store/orders', { petId: 99 }),
  immutable_field: () => shop.patch('/store/orders/1', { petId: 1 }),
  idempotency_key_reused: async () => {
    await shop.post('/pets', NOVA, { 'Idempotency-Key': 'k' }).expect(201);
    return shop.post('/pets', { ...NOVA, name: 'Vega' }, { 'Idempotency-Key': 'k' });
  },
  rate_limited: async () => {
    const limited = await openPetstore({ rateLimit: { requests: 1, seconds: 3600 } });
    await limited.get('/pets').expect(200);
    return limited.get('/pets');
  },
};

/** The mock answers one request after the other, and speaks of a defect as its own. */
const NEVER_ANSWERED = ['idempotency_in_progress', 'internal_error'];

const EXAMPLES = Object.entries<Part>(DESCRIPTION.components.examples as object).flatMap(([name, { value }]) =>
  typeof value === 'object' && 'code' in value ? [{ name, value: value as { status: bigint } }] : [],
);

test('every example of an error is provoked here', () => {
  expect(EXAMPLES.map(({ name }) => name).sort()).toEqual([...Object.keys(PROVOKED), ...NEVER_ANSWERED].sort());
});

test.each(EXAMPLES.filter(({ name }) => !NEVER_ANSWERED.includes(name)))(
  'the example $name is what the mock answers',
  async ({ name, value }) => {
    const { text, status } = (await PROVOKED[name]?.())!;
    expect(JSON.parse(text)).toEqual({ ...value, status: Number(value.status) });
    expect(status).toBe(Number(value.status));
  },
);
