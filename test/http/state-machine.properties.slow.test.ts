import fc from 'fast-check';
import type { Response } from 'supertest';
import { PetstoreModel, withoutDates, type Command, type OrderInput, type Status } from '../support/petstore-model';
import { brokenInvariants, expectError, stored, usePetstore, type Petstore } from '../support/petstore';

const shop = usePetstore({ state: 'empty' });

const id = fc.integer({ min: 1, max: 4 });
const quantity = fc.integer({ min: 1, max: 4 });
const status = fc.constantFrom<(Status | undefined)[]>(undefined, 'available', 'pending', 'sold');
const order: fc.Arbitrary<OrderInput> = fc.record({
  petId: fc.option(id, { nil: undefined, freq: 3 }),
  quantity: fc.option(quantity, { nil: undefined }),
  shipDate: fc.option(fc.constantFrom('2026-02-01T09:00:00Z', '2026-03-01T09:00:00Z'), { nil: undefined, freq: 1 }),
  complete: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('createPet' as const), categoryId: id, status }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('replacePet' as const), id, categoryId: id, status }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deletePet' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('createCategory' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteCategory' as const), id }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('placeOrder' as const), order }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('updateOrder' as const), id, order }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancelOrder' as const), id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('updateInventory' as const),
      id,
      quantity: fc.integer({ min: 0, max: 5 }),
    }),
  },
);

/** Sends what the model does; members that are `undefined` are not sent. */
function send(to: Petstore, sent: Command): Promise<Response> {
  switch (sent.do) {
    case 'createCategory':
      return to.post('/categories', { name: 'Fish' });
    case 'deleteCategory':
      return to.delete(`/categories/${sent.id}`);
    case 'createPet':
      return to.post('/pets', { name: 'Nova', categoryId: sent.categoryId, status: sent.status });
    case 'replacePet':
      return to.put(`/pets/${sent.id}`, { name: 'Nova', categoryId: sent.categoryId, status: sent.status });
    case 'deletePet':
      return to.delete(`/pets/${sent.id}`);
    case 'placeOrder':
      return to.post('/store/orders', sent.order);
    case 'updateOrder':
      return to.patch(`/store/orders/${sent.id}`, sent.order);
    case 'cancelOrder':
      return to.delete(`/store/orders/${sent.id}`);
    case 'updateInventory':
      return to.patch(`/inventory/${sent.id}`, { quantity: sent.quantity });
  }
}

test('whatever is asked in whatever order, the mock answers and holds what the contract says', async () => {
  const start: Command[] = [
    { do: 'createCategory' },
    { do: 'createCategory' },
    { do: 'createPet', categoryId: 1, status: undefined },
    { do: 'createPet', categoryId: 2, status: 'pending' },
    { do: 'updateInventory', id: 1, quantity: 4 },
    { do: 'placeOrder', order: { petId: 1, quantity: 2 } },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      shop.app.reset();
      const model = new PetstoreModel();
      for (const each of [...start, ...commands]) {
        const wanted = model.apply(each);
        const response = await send(shop, each);
        const code = response.status >= 400 ? ` ${response.body.code as string}` : '';
        expect(`${response.status}${code}`).toBe(wanted);
        if (response.status >= 400) expectError(response, response.status, code.trim());
        const state = stored(shop.app);
        expect(withoutDates(state)).toEqual(model.state());
        expect(brokenInvariants(state)).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});
