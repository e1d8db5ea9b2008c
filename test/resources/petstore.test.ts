import { loadApi } from '../../src/files/load-api';
import { inferResourceModel } from '../../src/resources/infer-resource-model';

const model = inferResourceModel(loadApi().api);

test.each([
  { path: '/pets', itemPath: '/pets/{petId}', key: 'id', references: ['categoryId key /categories'] },
  { path: '/categories', itemPath: '/categories/{categoryId}', key: 'id', references: [] },
  { path: '/store/orders', itemPath: '/store/orders/{orderId}', key: 'id', references: ['petId key /pets'] },
  { path: '/inventory', itemPath: '/inventory/{petId}', key: 'petId', references: ['petId key /pets'] },
])('$path is a collection found by $key', ({ path, itemPath, key, references }) => {
  const resource = model.resources.find((candidate) => candidate.path === path)!;
  expect(resource).toMatchObject({ kind: 'collection', itemPath, scope: [] });
  expect(resource.key).toStrictEqual({
    name: key,
    isHidden: false,
    propertyPath: [],
    property: undefined,
    isClientChosen: false,
  });
  expect(resource.references.map(({ property, form, to }) => `${property} ${form} ${to}`)).toStrictEqual(references);
});

test('every operation of the Petstore is bound', () => {
  expect(model.resources).toHaveLength(4);
  expect([...model.unboundReasons]).toStrictEqual([]);
  const behaviours = [...model.bindings.values()].map(({ operation, behaviour }) => `${operation.id} ${behaviour}`);
  expect(behaviours.sort()).toStrictEqual([
    'cancelOrder remove',
    'createCategory create',
    'createPet create',
    'deleteCategory remove',
    'deletePet remove',
    'getCategory read',
    'getInventoryItem read',
    'getOrder read',
    'getPet read',
    'listCategories list',
    'listInventory list',
    'listOrders list',
    'listPets list',
    'placeOrder create',
    'replaceCategory replace',
    'replacePet replace',
    'updateInventory update',
    'updateOrder update',
  ]);
});

test.each([
  { id: 'listPets', filters: ['status', 'categoryId', 'id', 'name'] },
  { id: 'listCategories', filters: ['name'] },
  { id: 'listOrders', filters: ['petId', 'complete'] },
  { id: 'listInventory', filters: ['status', 'petId'] },
])('$id pages by limit and cursor, sorts, and filters by $filters', ({ id, filters }) => {
  const binding = [...model.bindings.values()].find(({ operation }) => operation.id === id)!;
  const { limit, cursor, sort, offset, page, search, ignored } = binding.parameters;
  expect([limit?.name, cursor?.name, sort?.name]).toStrictEqual(['limit', 'cursor', 'sort']);
  expect([offset, page, search, ignored]).toStrictEqual([undefined, undefined, undefined, []]);
  expect(binding.parameters.filters.map(({ property }) => property)).toStrictEqual(filters);
});
