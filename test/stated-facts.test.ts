import {
  BIG,
  BISCUIT,
  CLEMENTINE,
  HIGHEST,
  MISO,
  TOO_HIGH,
  expectError,
  ids,
  openPetstore,
  usePetstore,
} from './support/petstore';
import { DESCRIPTION, OPERATIONS, SCHEMAS, operation, type Part } from './support/description';

const shop = usePetstore();

/** Names of the members that a schema has itself. */
function members(schema: Part): string[] {
  return Object.keys(schema.properties as object);
}

test('fact 1: identifiers are int64 numbers that the service assigns', async () => {
  const ofPaths = ['PetId', 'CategoryId', 'OrderId'].map((name) => DESCRIPTION.components.parameters[name].schema);
  const ofBodies: Part[] = [
    SCHEMAS.NewPet.properties.categoryId,
    SCHEMAS.Pet.allOf[1].properties.id,
    SCHEMAS.Category.allOf[1].properties.id,
    SCHEMAS.Order.properties.id,
    SCHEMAS.Order.properties.petId,
    SCHEMAS.InventoryItem.properties.petId,
  ];
  for (const schema of [...ofPaths, ...ofBodies]) {
    expect(schema).toMatchObject({ type: 'integer', format: 'int64', minimum: 1n, maximum: BigInt(HIGHEST) });
  }

  const posted = await shop.post('/pets', { id: 77, name: 'Nova', categoryId: 1 }).expect(201);
  expect(posted.body.id).toBe(4);
  await shop.get('/inventory/77').expect(404);
  const large = await openPetstore({ idStart: BigInt(BIG) });
  const created = await large.post('/categories', { name: 'Fish' }).expect(201);
  expect(created.text).toBe(`{"id":${BIG},"name":"Fish"}`);
  await large.get(`/categories/${BIG}`).expect(200, created.text);
  await large.get(`/categories/${TOO_HIGH}`).expect(400);
});

test('fact 2: PetStatus is exactly available, pending or sold', async () => {
  expect(SCHEMAS.PetStatus).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] });
  for (const status of ['available', 'pending', 'sold']) {
    const { body } = await shop.post('/pets', { name: 'Nova', categoryId: 1, status }).expect(201);
    expect(body.status).toBe(status);
  }
  for (const status of ['Available', 'reserved', '', null, 1]) {
    await shop.refuses(shop.post('/pets', { name: 'Nova', categoryId: 1, status }), 400, 'invalid_field', '/status');
  }
});

test('fact 3: NewPet requires name and categoryId; status is optional', async () => {
  expect(members(SCHEMAS.NewPet)).toEqual(['name', 'categoryId', 'status']);
  expect(SCHEMAS.NewPet.required).toEqual(['name', 'categoryId']);
  await shop.refuses(shop.post('/pets', { categoryId: 1 }), 400, 'missing_field', '/name');
  await shop.refuses(shop.post('/pets', { name: 'Nova' }), 400, 'missing_field', '/categoryId');
  await shop.post('/pets', { name: 'Nova', categoryId: 1 }).expect(201);
});

test('fact 4: a Pet is a NewPet with a required id', async () => {
  const [base, own] = SCHEMAS.Pet.allOf as [Part, Part];
  expect(base).toEqual({ $ref: '#/components/schemas/NewPet' });
  expect(members(own)).toEqual(['id']);
  expect(own.required).toEqual(['id']);
  const { body } = await shop.post('/pets', { name: 'Nova', categoryId: 2, status: 'pending' }).expect(201);
  expect(body).toEqual({ id: 4, name: 'Nova', categoryId: 2, status: 'pending' });
});

test('fact 5: Pets is an array of Pet', async () => {
  expect(SCHEMAS.Pets).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } });
  await shop.get('/pets').expect(200, [BISCUIT, MISO, CLEMENTINE]);
});

test('fact 6: NewCategory requires name and may have a description', async () => {
  expect(members(SCHEMAS.NewCategory)).toEqual(['name', 'description']);
  expect(SCHEMAS.NewCategory.required).toEqual(['name']);
  await shop.refuses(shop.post('/categories', { description: 'Swim' }), 400, 'missing_field', '/name');
  await shop.post('/categories', { name: 'Fish' }).expect(201, { id: 3, name: 'Fish' });
});

test('fact 7: a Category is a NewCategory with a required id', async () => {
  const [base, own] = SCHEMAS.Category.allOf as [Part, Part];
  expect(base).toEqual({ $ref: '#/components/schemas/NewCategory' });
  expect(members(own)).toEqual(['id']);
  expect(own.required).toEqual(['id']);
  const category = { name: 'Fish', description: 'They swim' };
  await shop.post('/categories', category).expect(201, { id: 3, ...category });
});

test('fact 8: an Order has five members, none required, and shipDate is a date-time', async () => {
  expect(members(SCHEMAS.Order)).toEqual(['id', 'petId', 'quantity', 'shipDate', 'complete']);
  expect(SCHEMAS.Order.required).toBeUndefined();
  expect(SCHEMAS.Order.properties.shipDate).toMatchObject({ type: 'string', format: 'date-time' });
  await shop.post('/store/orders', {}).expect(201, { id: 3, complete: false });
  const shipDate = '2026-02-01T09:00:00+01:00';
  await shop
    .post('/store/orders', { petId: 1, quantity: 2, shipDate, complete: true })
    .expect(201, { id: 4, petId: 1, quantity: 2, shipDate, complete: true });
  await shop.refuses(shop.post('/store/orders', { shipDate: '2026-02-01' }), 400, 'invalid_field', '/shipDate');
});

test('fact 9: an InventoryItem requires petId, quantity and status', async () => {
  expect(members(SCHEMAS.InventoryItem)).toEqual(['petId', 'quantity', 'status']);
  expect(SCHEMAS.InventoryItem.required).toEqual(['petId', 'quantity', 'status']);
  const { body } = await shop.get('/inventory').expect(200);
  expect(body).toEqual([
    { petId: 1, quantity: 3, status: 'available' },
    { petId: 2, quantity: 0, status: 'pending' },
    { petId: 3, quantity: 0, status: 'sold' },
  ]);
});

test('fact 10: an InventoryUpdate requires quantity', async () => {
  expect(members(SCHEMAS.InventoryUpdate)).toEqual(['quantity']);
  expect(SCHEMAS.InventoryUpdate.required).toEqual(['quantity']);
  await shop.refuses(shop.patch('/inventory/1', {}), 400, 'missing_field', '/quantity');
  await shop.patch('/inventory/1', { quantity: 9 }).expect(200, { petId: 1, quantity: 9, status: 'available' });
});

test('fact 11: an Error has code, message and status, and status is the HTTP status', async () => {
  expect(members(SCHEMAS.Error)).toEqual(['code', 'message', 'status']);
  expect(SCHEMAS.Error.required).toEqual(['code', 'message', 'status']);
  expect(SCHEMAS.Error.properties).toMatchObject({
    code: { type: 'string' },
    message: { type: 'string' },
    status: { type: 'integer' },
  });
  expectError(await shop.get('/pets/zero'), 400, 'invalid_parameter');
  expectError(await shop.get('/pets', { Authorization: undefined }), 401, 'missing_api_key');
  expectError(await shop.get('/pets/99'), 404, 'resource_not_found');
  expectError(await shop.patch('/pets', {}), 405, 'method_not_allowed');
  expectError(await shop.delete('/pets/2'), 409, 'pet_in_use');
  expectError(await shop.post('/pets', { name: 'Nova', categoryId: 9 }), 422, 'unknown_reference');
});

test('fact 12: GET /pets/{petId} is deprecated and has a sunset date', async () => {
  const { node } = operation('getPet');
  expect(node).toMatchObject({ deprecated: true, 'x-deprecated-sunset': '2030-12-05' });
  expect(OPERATIONS.filter((each) => each.node.deprecated === true).map(({ key }) => key)).toEqual([
    'GET /pets/{petId}',
  ]);
  const { headers } = await shop.get('/pets/1').expect(200, BISCUIT);
  expect(headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' });
});

test('fact 13: GET /store/orders has no try-it panel and can be called all the same', async () => {
  const without = OPERATIONS.filter(({ node }) => node['x-hideTryItPanel'] === true);
  expect(without.map(({ key }) => key)).toEqual(['GET /store/orders']);
  expect(ids(await shop.get('/store/orders').expect(200))).toEqual([1, 2]);
});

test('fact 14: some operations are marked experimental or beta, and work', async () => {
  const stability = OPERATIONS.filter(({ node }) => node['x-stability'] !== undefined).map(
    ({ operationId, node }) => [operationId, node['x-stability']] as const,
  );
  expect(Object.fromEntries(stability)).toEqual({
    updateOrder: 'beta',
    cancelOrder: 'beta',
    updateInventory: 'experimental',
  });
  await shop.patch('/store/orders/1', { complete: true }).expect(200);
  await shop.patch('/inventory/1', { quantity: 1 }).expect(200);
  const id = await shop.add('/store/orders', { petId: 1 });
  await shop.delete(`/store/orders/${id}`).expect(204);
});

test('fact 15: the tags are Store and Pets, and each operation has one of them', () => {
  expect((DESCRIPTION.tags as Part[]).map(({ name }) => name)).toEqual(['Store', 'Pets']);
  for (const { node, path } of OPERATIONS) {
    expect(node.tags).toEqual([/^\/(?:pets|categories)/.test(path) ? 'Pets' : 'Store']);
  }
});

test('fact 16: the description is OpenAPI 3.0.3 of the interface version 1.0.0', async () => {
  expect(DESCRIPTION.openapi).toBe('3.0.3');
  expect(DESCRIPTION.info.version).toBe('1.0.0');
  const { body } = await shop.get('/__standin/health').expect(200);
  expect(body).toMatchObject({ version: '1.0.0' });
});

test('fact 17: an API key that is missing, unknown or not sent as Bearer gives 401', async () => {
  expect(DESCRIPTION.components.securitySchemes.apiKeyBearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(DESCRIPTION.security).toEqual([{ apiKeyBearer: [] }]);
  await shop.get('/pets', { Authorization: 'Bearer test-key' }).expect(200);
  const missing = await shop.get('/pets', { Authorization: undefined });
  expectError(missing, 401, 'missing_api_key', 'Authorization');
  expectError(await shop.get('/pets', { Authorization: 'Bearer wrong' }), 401, 'invalid_api_key');
  for (const value of ['test-key', 'Basic test-key', 'Bearer', 'Bearer ', 'Bearer test key']) {
    expectError(await shop.get('/pets', { Authorization: value }), 401, 'malformed_authorization', 'Bearer');
  }
});

test('fact 18: a body that is no JSON, lacks a required member or its Content-Type gives 400', async () => {
  const nova = { name: 'Nova', categoryId: 1 };
  await shop.refuses(shop.post('/pets', '{"name":'), 400, 'invalid_json');
  await shop.refuses(shop.post('/pets', { categoryId: 1 }), 400, 'missing_field', '/name');
  const untyped = shop.post('/pets', nova, { 'Content-Type': undefined });
  await shop.refuses(untyped, 400, 'missing_content_type', 'Content-Type', 'application/json');
  await shop.post('/pets', nova).expect(201);
});

test('fact 19: payloads are JSON, of successes and of errors', async () => {
  for (const { node } of OPERATIONS) {
    const body = node.requestBody;
    if (body?.content !== undefined) expect(Object.keys(body.content as object)).toEqual(['application/json']);
  }
  const answers = await Promise.all([
    shop.get('/pets'),
    shop.get('/categories/1'),
    shop.post('/categories', { name: 'Fish' }),
    shop.get('/pets/99'),
    shop.get('/nowhere'),
  ]);
  for (const { headers, text } of answers) {
    expect(headers['content-type']).toBe('application/json');
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  }
});

test('fact 20: paths are relative to {base_url}', async () => {
  expect(DESCRIPTION.servers).toHaveLength(1);
  expect(DESCRIPTION.servers[0]).toMatchObject({
    url: '{base_url}',
    variables: { base_url: { default: 'http://127.0.0.1:4010' } },
  });
  await shop.get('/pets/1').expect(200);
  const moved = await openPetstore({ basePath: '/v1' });
  await moved.get('/v1/pets/1').expect(200, BISCUIT);
  await moved.get('/pets/1').expect(404);
});
