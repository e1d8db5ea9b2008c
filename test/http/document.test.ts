import { usePetstore } from '../support/petstore';
import { DESCRIPTION, OPERATIONS, SCHEMAS, deref, operation, type Part } from '../support/description';

const shop = usePetstore();

/** Every operation may give these. */
const COMMON = ['401', '429', '500'];

/** The table of operations: parameters in their order, success, and refusals beyond the common ones. */
const TABLE: readonly [string, string, string, string, string, string][] = [
  ['GET /pets', 'listPets', 'List pets', 'limit cursor sort status categoryId id name Prefer', '200', '400'],
  ['POST /pets', 'createPet', 'Add a pet', 'Idempotency-Key Prefer', '201', '400 409 413 422'],
  ['GET /pets/{petId}', 'getPet', 'Get one pet', 'petId If-None-Match Prefer', '200 304', '400 404 410'],
  ['PUT /pets/{petId}', 'replacePet', 'Replace a pet', 'petId If-Match Prefer', '200 204', '400 404 409 412 413 422'],
  ['DELETE /pets/{petId}', 'deletePet', 'Remove a pet', 'petId If-Match Prefer', '204', '400 404 409 412'],
  ['GET /categories', 'listCategories', 'List categories', 'limit cursor sort name Prefer', '200', '400'],
  ['POST /categories', 'createCategory', 'Add a category', 'Idempotency-Key Prefer', '201', '400 409 413 422'],
  [
    'GET /categories/{categoryId}',
    'getCategory',
    'Get one category',
    'categoryId If-None-Match Prefer',
    '200 304',
    '400 404',
  ],
  [
    'PUT /categories/{categoryId}',
    'replaceCategory',
    'Replace a category',
    'categoryId If-Match Prefer',
    '200 204',
    '400 404 412 413',
  ],
  [
    'DELETE /categories/{categoryId}',
    'deleteCategory',
    'Remove a category',
    'categoryId If-Match Prefer',
    '204',
    '400 404 409 412',
  ],
  ['GET /store/orders', 'listOrders', 'List orders', 'limit cursor sort petId complete Prefer', '200', '400'],
  ['POST /store/orders', 'placeOrder', 'Place an order', 'Idempotency-Key Prefer', '201', '400 409 413 422'],
  ['GET /store/orders/{orderId}', 'getOrder', 'Get one order', 'orderId If-None-Match Prefer', '200 304', '400 404'],
  [
    'PATCH /store/orders/{orderId}',
    'updateOrder',
    'Change or fulfil an order',
    'orderId If-Match Prefer',
    '200 204',
    '400 404 409 412 413 422',
  ],
  [
    'DELETE /store/orders/{orderId}',
    'cancelOrder',
    'Cancel an order',
    'orderId If-Match Prefer',
    '204',
    '400 404 409 412',
  ],
  ['GET /inventory', 'listInventory', 'List stock', 'limit cursor sort status petId Prefer', '200', '400'],
  [
    'GET /inventory/{petId}',
    'getInventoryItem',
    'Get stock of one pet',
    'petId If-None-Match Prefer',
    '200 304',
    '400 404',
  ],
  [
    'PATCH /inventory/{petId}',
    'updateInventory',
    'Set stock of one pet',
    'petId If-Match Prefer',
    '200 204',
    '400 404 412 413',
  ],
];

test('the description has the eighteen operations of the contract', () => {
  expect(OPERATIONS.map(({ key }) => key).sort()).toEqual(TABLE.map(([key]) => key).sort());
  expect(DESCRIPTION.info.title).toBe('Petstore API');
});

test.each(TABLE)('%s is as the contract has it', (key, operationId, summary, parameters, successes, refusals) => {
  const each = operation(operationId);
  expect(each.key).toBe(key);
  expect(each.node.summary).toBe(summary);
  expect(each.parameters).toEqual(parameters.split(' '));
  expect([...each.statuses].sort()).toEqual([...COMMON, ...successes.split(' '), ...refusals.split(' ')].sort());
  // Without its own list, the key is wanted as everywhere.
  expect(each.node.security).toBeUndefined();
  for (const status of each.statuses.filter((one) => /^[45]/.test(one))) {
    const { schema } = deref(each.node.responses[status]).content['application/json'];
    expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
  }
});

test('bodies and answers are the shapes of the contract, and no others', () => {
  const requests = OPERATIONS.filter(({ node }) => node.requestBody !== undefined).map(({ operationId, node }) => {
    const body = deref(node.requestBody);
    return [operationId, body.required, body.content['application/json'].schema.$ref.split('/').pop()];
  });
  expect(requests).toEqual([
    ['createPet', true, 'NewPet'],
    ['replacePet', true, 'NewPet'],
    ['createCategory', true, 'NewCategory'],
    ['replaceCategory', true, 'NewCategory'],
    ['placeOrder', true, 'Order'],
    ['updateOrder', true, 'Order'],
    ['updateInventory', true, 'InventoryUpdate'],
  ]);
  expect(Object.keys(SCHEMAS as object).sort()).toEqual(
    [
      'PetStatus',
      'NewPet',
      'Pet',
      'Pets',
      'NewCategory',
      'Category',
      'Order',
      'InventoryItem',
      'InventoryUpdate',
      'Error',
    ].sort(),
  );
  for (const schema of Object.values<Part>(SCHEMAS)) expect(schema).not.toHaveProperty('additionalProperties');
});

test('the service fills in what the contract says: no schema has a default', () => {
  for (const name of ['NewPet', 'Order', 'InventoryItem', 'InventoryUpdate']) {
    for (const member of Object.values<Part>(SCHEMAS[name].properties))
      expect(deref(member)).not.toHaveProperty('default');
  }
});

test.each([
  ['NewPet', 'name', { minLength: 1n, maxLength: 100n }],
  ['NewCategory', 'name', { minLength: 1n, maxLength: 50n }],
  ['NewCategory', 'description', { maxLength: 500n }],
  ['Order', 'quantity', { format: 'int32', minimum: 1n, maximum: 10000n }],
  ['InventoryItem', 'quantity', { format: 'int32', minimum: 0n }],
  ['InventoryUpdate', 'quantity', { format: 'int32', minimum: 0n, maximum: 1000000n }],
  ['Error', 'code', { pattern: '^[a-z][a-z0-9_]*$' }],
  ['Error', 'status', { minimum: 400n, maximum: 599n }],
])('%s has the bounds of %s', (schema, member, bounds) => {
  expect(SCHEMAS[schema].properties[member]).toMatchObject(bounds);
});

test('ids are read-only in Pet, Category and Order', () => {
  for (const schema of [SCHEMAS.Pet.allOf[1], SCHEMAS.Category.allOf[1], SCHEMAS.Order]) {
    expect(schema.properties.id.readOnly).toBe(true);
  }
});

test.each([
  ['listPets', 20n, ['id', '-id', 'name', '-name']],
  ['listCategories', 100n, ['id', '-id', 'name', '-name']],
  ['listOrders', 100n, ['id', '-id', 'shipDate', '-shipDate']],
  ['listInventory', 100n, ['petId', '-petId', 'quantity', '-quantity']],
])('%s has the paging and the sorts of the contract', (operationId, limit, sorts) => {
  const parameters = (operation(operationId).node.parameters as Part[]).map(deref);
  const named = (name: string): Part => parameters.find((parameter) => parameter.name === name);
  expect(named('limit').schema).toMatchObject({
    type: 'integer',
    format: 'int32',
    minimum: 1n,
    maximum: 100n,
    default: limit,
  });
  expect(named('sort').schema).toMatchObject({ enum: sorts, default: sorts[0] });
  expect(named('cursor').schema).toMatchObject({ type: 'string', maxLength: 1024n });
});

test('the deprecated read says since when and until when', () => {
  expect(operation('getPet').node).toMatchObject({
    deprecated: true,
    'x-deprecated-since': '2026-01-01',
    'x-deprecated-sunset': '2030-12-05',
  });
});

/** Links of a response: name, the operation, and the parameter or body that is filled. */
const LINKS: readonly [string, string, Record<string, object>][] = [
  [
    'createPet',
    '201',
    {
      replacePet: { parameters: { petId: '$response.body#/id' } },
      deletePet: { parameters: { petId: '$response.body#/id' } },
      getPet: { parameters: { petId: '$response.body#/id' } },
      getInventoryItem: { parameters: { petId: '$response.body#/id' } },
      updateInventory: { parameters: { petId: '$response.body#/id' } },
      listPets: { parameters: { id: '$response.body#/id' } },
      placeOrder: { requestBody: { petId: '$response.body#/id' } },
    },
  ],
  [
    'createCategory',
    '201',
    {
      getCategory: { parameters: { categoryId: '$response.body#/id' } },
      replaceCategory: { parameters: { categoryId: '$response.body#/id' } },
      deleteCategory: { parameters: { categoryId: '$response.body#/id' } },
      createPet: { requestBody: { categoryId: '$response.body#/id' } },
      listPets: { parameters: { categoryId: '$response.body#/id' } },
    },
  ],
  [
    'placeOrder',
    '201',
    {
      getOrder: { parameters: { orderId: '$response.body#/id' } },
      updateOrder: { parameters: { orderId: '$response.body#/id' } },
      cancelOrder: { parameters: { orderId: '$response.body#/id' } },
      listOrders: { parameters: { petId: '$response.body#/petId' } },
    },
  ],
  ['listPets', '200', { getPet: { parameters: { petId: '$response.body#/0/id' } } }],
];

test.each(LINKS)('%s %s has the links of the contract', (operationId, status, links) => {
  const found = operation(operationId).node.responses[status].links as Record<string, Part>;
  expect(Object.keys(found).sort()).toEqual(Object.keys(links).sort());
  for (const [name, link] of Object.entries(links)) {
    expect(found[name]).toMatchObject({ operationId: name, ...link });
  }
});

test('the links of a new pet lead where they say', async () => {
  const { body } = await shop.post('/pets', { name: 'Nova', categoryId: 1 }).expect(201);
  const id = body.id as number;
  await shop.get(`/pets/${id}`).expect(200);
  await shop.put(`/pets/${id}`, { name: 'Nova', categoryId: 1 }).expect(200);
  await shop.get(`/inventory/${id}`).expect(200);
  await shop.patch(`/inventory/${id}`, { quantity: 2 }).expect(200);
  await shop.get(`/pets?id=${id}`).expect(200, [body]);
  const order = await shop.add('/store/orders', { petId: id });
  expect((await shop.get(`/store/orders?petId=${id}`).expect(200)).body).toHaveLength(1);
  await shop.delete(`/store/orders/${order}`).expect(204);
  await shop.delete(`/pets/${id}`).expect(204);
});

test('examples of ids go beyond 2^53', () => {
  expect(DESCRIPTION.components.examples.PetWithLargeId.value.id).toBe(9007199254740993n);
  expect(DESCRIPTION.components.parameters.PetId.examples.large.value).toBe(9007199254740993n);
});
