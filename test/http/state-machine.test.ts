import type { Test } from 'supertest';
import { brokenInvariants, stored, usePetstore } from '../support/petstore';

const shop = usePetstore();

afterEach(() => {
  expect(brokenInvariants(stored(shop.app))).toEqual([]);
});

/** Ids of what a test set up. */
interface Ground {
  readonly pet: number;
  /** An open order for the pet, where there is one. */
  readonly order: number;
}

/** Ways to come to a pet; the number in a name is its free stock. */
const GROUNDS: Readonly<Record<string, () => Promise<Ground>>> = {
  'available 3': async () => ({ pet: await petWith(3), order: 0 }),
  'available 1': async () => ({ pet: await petWith(1), order: 0 }),
  'available 3, order for 2 open': () => ordered(5, 2),
  'pending 0, order for 2 open': () => ordered(2, 2),
  'pending 3, order for 2 open': async () => {
    const ground = await ordered(5, 2);
    await shop.put(`/pets/${ground.pet}`, { ...NOVA, status: 'pending' }).expect(200);
    return ground;
  },
  'pending 3': async () => {
    const pet = await petWith(3);
    await shop.put(`/pets/${pet}`, { ...NOVA, status: 'pending' }).expect(200);
    return { pet, order: 0 };
  },
  'pending 0': async () => {
    const pet = await shop.add('/pets', { ...NOVA, status: 'pending' });
    await shop.patch(`/inventory/${pet}`, { quantity: 0 }).expect(200);
    return { pet, order: 0 };
  },
  'sold 0': async () => ({ pet: await shop.add('/pets', { ...NOVA, status: 'sold' }), order: 0 }),
};

const NOVA = { name: 'Nova', categoryId: 1 };

async function petWith(stock: number): Promise<number> {
  const pet = await shop.add('/pets', NOVA);
  await shop.patch(`/inventory/${pet}`, { quantity: stock }).expect(200);
  return pet;
}

async function ordered(stock: number, quantity: number): Promise<Ground> {
  const pet = await petWith(stock);
  return { pet, order: await shop.add('/store/orders', { petId: pet, quantity }) };
}

async function stand(name: string): Promise<Ground> {
  const ground = await GROUNDS[name]!();
  const [status, stock] = name.replace(',', '').split(' ');
  expect(await shop.pet(ground.pet)).toEqual({ status, stock: Number(stock) });
  return ground;
}

interface Row {
  readonly from: string;
  readonly sent: object;
  /** Status and stock afterwards, or the refusal. */
  readonly want: string;
}

/** Sends the request of a row and checks its outcome: `available 3`, or `409 insufficient_stock`. */
async function follow(
  { from, sent, want }: Row,
  status: number,
  send: (ground: Ground, sent: object) => Test,
): Promise<void> {
  const ground = await stand(from);
  const [first = '', second = ''] = want.split(' ');
  if (/^4/.test(first)) {
    await shop.refuses(send(ground, sent), Number(first), second, /\/\w+|complete/);
    return;
  }
  await send(ground, sent).expect(status);
  expect(await shop.pet(ground.pet)).toEqual({ status: first, stock: Number(second) });
}

describe('createPet', () => {
  test.each([
    { status: undefined, want: { status: 'available', stock: 1 } },
    { status: 'available', want: { status: 'available', stock: 1 } },
    { status: 'pending', want: { status: 'pending', stock: 1 } },
    { status: 'sold', want: { status: 'sold', stock: 0 } },
  ])('as $status begins with $want', async ({ status, want }) => {
    expect(await shop.pet(await shop.add('/pets', { ...NOVA, status }))).toEqual(want);
  });
});

describe('placeOrder', () => {
  test.each<Row>([
    { from: 'available 3', sent: {}, want: 'available 2' },
    { from: 'available 3', sent: { quantity: 2 }, want: 'available 1' },
    { from: 'available 3', sent: { quantity: 3 }, want: 'pending 0' },
    { from: 'available 3', sent: { quantity: 4 }, want: '409 insufficient_stock' },
    { from: 'available 3', sent: { quantity: 10000 }, want: '409 insufficient_stock' },
    { from: 'available 1', sent: {}, want: 'pending 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 3 }, want: 'pending 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 4 }, want: '409 insufficient_stock' },
    { from: 'pending 3', sent: {}, want: '409 pet_not_available' },
    { from: 'pending 0', sent: {}, want: '409 pet_not_available' },
    { from: 'pending 0, order for 2 open', sent: {}, want: '409 pet_not_available' },
    { from: 'pending 3', sent: { quantity: 9 }, want: '409 pet_not_available' },
    { from: 'sold 0', sent: {}, want: '409 pet_not_available' },
    { from: 'available 3', sent: { complete: true }, want: 'available 2' },
    { from: 'available 3', sent: { complete: true, quantity: 3 }, want: 'sold 0' },
    { from: 'available 1', sent: { complete: true }, want: 'sold 0' },
    { from: 'available 3, order for 2 open', sent: { complete: true, quantity: 3 }, want: 'pending 0' },
    { from: 'available 3', sent: { complete: true, quantity: 4 }, want: '409 insufficient_stock' },
    { from: 'sold 0', sent: { complete: true }, want: '409 pet_not_available' },
  ])('of $sent for a pet that is $from: $want', async (row) => {
    await follow(row, 201, ({ pet }, sent) => shop.post('/store/orders', { petId: pet, ...sent }));
  });

  test.each(Object.keys(GROUNDS))('without petId leaves a pet that is %s alone', async (from) => {
    const { pet } = await stand(from);
    const before = await shop.pet(pet);
    await shop.post('/store/orders', {}).expect(201);
    await shop.post('/store/orders', { quantity: 5, complete: true }).expect(201);
    expect(await shop.pet(pet)).toEqual(before);
  });

  test('for a pet that does not exist is 422', async () => {
    await shop.refuses(shop.post('/store/orders', { petId: 99 }), 422, 'unknown_reference', '/petId', '99');
  });
});

describe('updateOrder that sets the petId', () => {
  const RESERVED: readonly (Row & { order?: object })[] = [
    { from: 'available 3', sent: {}, want: 'available 2' },
    { from: 'available 3', sent: { quantity: 3 }, want: 'pending 0' },
    { from: 'available 3', sent: { quantity: 4 }, want: '409 insufficient_stock' },
    { from: 'available 3', order: { quantity: 2 }, sent: {}, want: 'available 1' },
    { from: 'available 3', order: { quantity: 4 }, sent: {}, want: '409 insufficient_stock' },
    { from: 'available 3', order: { quantity: 4 }, sent: { quantity: 3 }, want: 'pending 0' },
    { from: 'pending 3', sent: {}, want: '409 pet_not_available' },
    { from: 'pending 0', sent: {}, want: '409 pet_not_available' },
    { from: 'sold 0', sent: {}, want: '409 pet_not_available' },
    { from: 'available 1', sent: { complete: true }, want: 'sold 0' },
    { from: 'available 3', sent: { complete: true }, want: 'available 2' },
    { from: 'available 3, order for 2 open', sent: { complete: true, quantity: 3 }, want: 'pending 0' },
  ];

  test.each(RESERVED)('with $sent on $order, to a pet that is $from: $want', async (row) => {
    const order = await shop.add('/store/orders', row.order ?? {});
    await follow(row, 200, ({ pet }, sent) => shop.patch(`/store/orders/${order}`, { petId: pet, ...sent }));
    const { body } = await shop.get(`/store/orders/${order}`).expect(200);
    if (row.want.startsWith('4')) expect(body).toEqual({ id: order, complete: false, ...row.order });
    else expect(body).toMatchObject({ quantity: 1, ...row.order, ...row.sent, petId: expect.any(Number) as number });
  });

  test('to one that does not exist is 422', async () => {
    const order = await shop.add('/store/orders', {});
    await shop.refuses(shop.patch(`/store/orders/${order}`, { petId: 99 }), 422, 'unknown_reference', '/petId');
  });

  test('once it is set is 422, whatever pet it is; the same one changes nothing', async () => {
    const { pet, order } = await stand('available 3, order for 2 open');
    await shop.refuses(shop.patch(`/store/orders/${order}`, { petId: 1 }), 422, 'immutable_field', '/petId');
    await shop.refuses(shop.patch(`/store/orders/${order}`, { petId: 3, quantity: 9 }), 422, 'immutable_field');
    await shop.patch(`/store/orders/${order}`, { petId: pet }).expect(200);
    expect(await shop.pet(pet)).toEqual({ status: 'available', stock: 3 });
  });
});

describe('updateOrder of the quantity of an order for 2', () => {
  test.each<Row>([
    { from: 'available 3, order for 2 open', sent: { quantity: 3 }, want: 'available 2' },
    { from: 'available 3, order for 2 open', sent: { quantity: 5 }, want: 'pending 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 6 }, want: '409 insufficient_stock' },
    { from: 'available 3, order for 2 open', sent: { quantity: 1 }, want: 'available 4' },
    { from: 'available 3, order for 2 open', sent: { quantity: 2 }, want: 'available 3' },
    { from: 'pending 0, order for 2 open', sent: { quantity: 1 }, want: 'available 1' },
    { from: 'pending 0, order for 2 open', sent: { quantity: 2 }, want: 'pending 0' },
    { from: 'pending 0, order for 2 open', sent: { quantity: 3 }, want: '409 insufficient_stock' },
    { from: 'pending 3, order for 2 open', sent: { quantity: 3 }, want: 'available 2' },
    { from: 'pending 3, order for 2 open', sent: { quantity: 5 }, want: 'pending 0' },
    { from: 'pending 3, order for 2 open', sent: { quantity: 6 }, want: '409 insufficient_stock' },
    { from: 'pending 3, order for 2 open', sent: { quantity: 1 }, want: 'available 4' },
    { from: 'pending 3, order for 2 open', sent: { quantity: 2 }, want: 'pending 3' },
    { from: 'pending 3, order for 2 open', sent: { shipDate: '2027-01-01T00:00:00Z' }, want: 'pending 3' },
  ])('to $sent while the pet is $from: $want', async (row) => {
    await follow(row, 200, ({ order }, sent) => shop.patch(`/store/orders/${order}`, sent));
  });

  test('without a pet is free', async () => {
    const order = await shop.add('/store/orders', { quantity: 2 });
    await shop
      .patch(`/store/orders/${order}`, { quantity: 10000 })
      .expect(200, { id: order, quantity: 10000, complete: false });
  });
});

describe('updateOrder that completes an order for 2', () => {
  test.each<Row>([
    { from: 'available 3, order for 2 open', sent: {}, want: 'available 3' },
    { from: 'pending 3, order for 2 open', sent: {}, want: 'pending 3' },
    { from: 'pending 0, order for 2 open', sent: {}, want: 'sold 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 5 }, want: 'sold 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 6 }, want: '409 insufficient_stock' },
    { from: 'pending 0, order for 2 open', sent: { quantity: 1 }, want: 'available 1' },
  ])('with $sent while the pet is $from: $want', async (row) => {
    await follow(row, 200, ({ order }, sent) => shop.patch(`/store/orders/${order}`, { ...sent, complete: true }));
  });

  test('leaves a pet pending while another order for it is open; the last one makes it sold', async () => {
    const { pet, order } = await stand('available 3, order for 2 open');
    const other = await shop.add('/store/orders', { petId: pet, quantity: 3 });
    await shop.patch(`/store/orders/${order}`, { complete: true }).expect(200);
    expect(await shop.pet(pet)).toEqual({ status: 'pending', stock: 0 });
    await shop.patch(`/store/orders/${other}`, { complete: true }).expect(200);
    expect(await shop.pet(pet)).toEqual({ status: 'sold', stock: 0 });
  });

  test('ships now when it had no shipDate, and keeps the one it had', async () => {
    shop.app.setClock(new Date('2027-03-04T05:06:07Z'));
    const { body } = await shop.patch('/store/orders/1', { complete: true }).expect(200);
    expect(body.shipDate).toMatch(/^2027-03-04T05:06:0\d(?:\.\d+)?Z$/);
    const shipDate = '2026-05-05T00:00:00+02:00';
    const dated = await shop.add('/store/orders', { shipDate });
    const kept = await shop.patch(`/store/orders/${dated}`, { complete: true }).expect(200);
    expect(kept.body.shipDate).toBe(shipDate);
    const both = await shop.add('/store/orders', {});
    const sent = await shop.patch(`/store/orders/${both}`, { complete: true, shipDate }).expect(200);
    expect(sent.body.shipDate).toBe(shipDate);
  });

  test('a false complete on an open order changes nothing', async () => {
    const state = shop.app.state();
    await shop.patch('/store/orders/1', { complete: false }).expect(200);
    expect(shop.app.state()).toEqual(state);
  });
});

describe('updateOrder of a complete order', () => {
  test.each([
    { complete: false },
    { quantity: 2 },
    { shipDate: '2026-01-15T10:30:01Z' },
    { shipDate: '2026-01-15T11:30:00+01:00' },
    { complete: true, quantity: 3 },
    { petId: 3, complete: false },
  ])('to %j is refused', async (sent) => {
    await shop.refuses(shop.patch('/store/orders/2', sent), 409, 'order_already_complete', 'complete');
  });

  test.each([
    {},
    { complete: true },
    { quantity: 1, shipDate: '2026-01-15T10:30:00Z' },
    { id: 2, petId: 3, quantity: 1, shipDate: '2026-01-15T10:30:00Z', complete: true },
  ])('to the values that it has, %j, changes nothing', async (sent) => {
    const state = shop.app.state();
    await shop.patch('/store/orders/2', sent).expect(200);
    expect(shop.app.state()).toEqual(state);
  });

  test('a petId is refused as a change, where it had none', async () => {
    const order = await shop.add('/store/orders', { complete: true });
    await shop.refuses(shop.patch(`/store/orders/${order}`, { petId: 1 }), 409, 'order_already_complete');
    await shop.refuses(shop.patch(`/store/orders/${order}`, { quantity: 1 }), 409, 'order_already_complete');
  });
});

describe('cancelOrder', () => {
  test.each<Row>([
    { from: 'available 3, order for 2 open', sent: {}, want: 'available 5' },
    { from: 'pending 0, order for 2 open', sent: {}, want: 'available 2' },
    { from: 'pending 3, order for 2 open', sent: {}, want: 'available 5' },
  ])('of an order for 2 while the pet is $from: $want', async (row) => {
    await follow(row, 204, ({ order }) => shop.delete(`/store/orders/${order}`));
  });

  test('gives back what a changed order holds, not what it held at first', async () => {
    const { pet, order } = await stand('available 3, order for 2 open');
    await shop.patch(`/store/orders/${order}`, { quantity: 4 }).expect(200);
    await shop.delete(`/store/orders/${order}`).expect(204);
    expect(await shop.pet(pet)).toEqual({ status: 'available', stock: 5 });
  });

  test('adds to a stock that was set in between', async () => {
    const { pet, order } = await stand('pending 0, order for 2 open');
    await shop.patch(`/inventory/${pet}`, { quantity: 10 }).expect(200);
    await shop.delete(`/store/orders/${order}`).expect(204);
    expect(await shop.pet(pet)).toEqual({ status: 'available', stock: 12 });
  });

  test('of an order without pet touches no stock', async () => {
    const order = await shop.add('/store/orders', { quantity: 5 });
    const before = stored(shop.app).inventory;
    await shop.delete(`/store/orders/${order}`).expect(204);
    expect(stored(shop.app).inventory).toEqual(before);
  });

  test('of a complete order is refused, with a pet and without', async () => {
    await shop.refuses(shop.delete('/store/orders/2'), 409, 'order_already_complete');
    const order = await shop.add('/store/orders', { complete: true });
    await shop.refuses(shop.delete(`/store/orders/${order}`), 409, 'order_already_complete');
  });
});

describe('updateInventory', () => {
  test.each<Row>([
    { from: 'available 3', sent: { quantity: 5 }, want: 'available 5' },
    { from: 'available 3', sent: { quantity: 0 }, want: 'sold 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 0 }, want: 'pending 0' },
    { from: 'available 3, order for 2 open', sent: { quantity: 1 }, want: 'available 1' },
    { from: 'pending 0', sent: { quantity: 1 }, want: 'available 1' },
    { from: 'pending 0', sent: { quantity: 0 }, want: 'pending 0' },
    { from: 'pending 3', sent: { quantity: 3 }, want: 'available 3' },
    { from: 'pending 3', sent: { quantity: 0 }, want: 'pending 0' },
    { from: 'pending 3, order for 2 open', sent: { quantity: 0 }, want: 'pending 0' },
    { from: 'pending 0, order for 2 open', sent: { quantity: 4 }, want: 'available 4' },
    { from: 'sold 0', sent: { quantity: 2 }, want: 'available 2' },
    { from: 'sold 0', sent: { quantity: 0 }, want: 'sold 0' },
  ])('to $sent while the pet is $from: $want', async (row) => {
    await follow(row, 200, ({ pet }, sent) => shop.patch(`/inventory/${pet}`, sent));
  });

  test('to 0 is sold when all orders for the pet are complete', async () => {
    const { pet, order } = await stand('available 3, order for 2 open');
    await shop.patch(`/store/orders/${order}`, { complete: true }).expect(200);
    await shop.patch(`/inventory/${pet}`, { quantity: 0 }).expect(200);
    expect(await shop.pet(pet)).toEqual({ status: 'sold', stock: 0 });
  });
});

describe('replacePet', () => {
  test.each<Row>([
    { from: 'available 3', sent: { status: 'available' }, want: 'available 3' },
    { from: 'available 3', sent: { status: 'pending' }, want: 'pending 3' },
    { from: 'available 3', sent: { status: 'sold' }, want: 'sold 0' },
    { from: 'available 3, order for 2 open', sent: { status: 'pending' }, want: 'pending 3' },
    { from: 'available 3, order for 2 open', sent: { status: 'sold' }, want: '409 invalid_status_transition' },
    { from: 'pending 3', sent: { status: 'available' }, want: 'available 3' },
    { from: 'pending 3', sent: { status: 'pending' }, want: 'pending 3' },
    { from: 'pending 3', sent: { status: 'sold' }, want: 'sold 0' },
    { from: 'pending 0', sent: { status: 'available' }, want: '409 invalid_status_transition' },
    { from: 'pending 0', sent: { status: 'pending' }, want: 'pending 0' },
    { from: 'pending 0', sent: { status: 'sold' }, want: 'sold 0' },
    { from: 'pending 0, order for 2 open', sent: { status: 'available' }, want: '409 invalid_status_transition' },
    { from: 'pending 0, order for 2 open', sent: { status: 'sold' }, want: '409 invalid_status_transition' },
    { from: 'pending 3, order for 2 open', sent: { status: 'available' }, want: 'available 3' },
    { from: 'pending 3, order for 2 open', sent: { status: 'sold' }, want: '409 invalid_status_transition' },
    { from: 'sold 0', sent: { status: 'available' }, want: '409 invalid_status_transition' },
    { from: 'sold 0', sent: { status: 'pending' }, want: '409 invalid_status_transition' },
    { from: 'sold 0', sent: { status: 'sold' }, want: 'sold 0' },
    ...Object.keys(GROUNDS).map((from) => ({ from, sent: {}, want: from.replace(/,.*/, '') })),
  ])('with $sent while the pet is $from: $want', async (row) => {
    await follow(row, 200, ({ pet }, sent) => shop.put(`/pets/${pet}`, { name: 'Vega', categoryId: 2, ...sent }));
  });

  test('a refused transition names both states', async () => {
    const test = shop.put('/pets/3', { ...NOVA, status: 'available' });
    await shop.refuses(test, 409, 'invalid_status_transition', '/status', 'sold', 'available');
  });

  test('with an unknown category is 422', async () => {
    await shop.refuses(shop.put('/pets/1', { ...NOVA, categoryId: 9 }), 422, 'unknown_reference', '/categoryId');
  });
});

describe('deletePet', () => {
  test.each(['available 3', 'pending 3', 'pending 0', 'sold 0'])('works while the pet is %s', async (from) => {
    const { pet } = await stand(from);
    await shop.delete(`/pets/${pet}`).expect(204);
    await shop.get(`/inventory/${pet}`).expect(404);
  });

  test.each(['available 3, order for 2 open', 'pending 0, order for 2 open'])(
    'is refused while the pet is %s, and after that order was completed, not after it was cancelled',
    async (from) => {
      const { pet, order } = await stand(from);
      await shop.refuses(shop.delete(`/pets/${pet}`), 409, 'pet_in_use');
      const complete = await stand(from);
      await shop.patch(`/store/orders/${complete.order}`, { complete: true }).expect(200);
      await shop.refuses(shop.delete(`/pets/${complete.pet}`), 409, 'pet_in_use');
      await shop.delete(`/store/orders/${order}`).expect(204);
      await shop.delete(`/pets/${pet}`).expect(204);
    },
  );
});

describe('deleteCategory', () => {
  test.each(Object.keys(GROUNDS))('is refused while a pet of it is %s', async (from) => {
    const { pet } = await stand(from);
    const category = await shop.add('/categories', { name: 'Fish' });
    await shop.put(`/pets/${pet}`, { name: 'Nova', categoryId: category }).expect(200);
    await shop.refuses(shop.delete(`/categories/${category}`), 409, 'category_in_use');
    await shop.put(`/pets/${pet}`, NOVA).expect(200);
    await shop.delete(`/categories/${category}`).expect(204);
  });
});

test('the stock adds up over the life of a pet', async () => {
  const pet = await petWith(10);
  const expectStock = async (stock: number, status = 'available'): Promise<void> => {
    expect(await shop.pet(pet)).toEqual({ status, stock });
    expect(brokenInvariants(stored(shop.app))).toEqual([]);
  };
  const first = await shop.add('/store/orders', { petId: pet, quantity: 4 });
  await expectStock(6);
  const second = await shop.add('/store/orders', { petId: pet, quantity: 5 });
  await expectStock(1);
  await shop.patch(`/store/orders/${second}`, { quantity: 6 }).expect(200);
  await expectStock(0, 'pending');
  await shop.delete(`/store/orders/${first}`).expect(204);
  await expectStock(4);
  await shop.patch(`/store/orders/${second}`, { complete: true }).expect(200);
  await expectStock(4);
  await shop.post('/store/orders', { petId: pet, quantity: 4, complete: true }).expect(201);
  await expectStock(0, 'sold');
  await shop.patch(`/inventory/${pet}`, { quantity: 2 }).expect(200);
  await expectStock(2);
});

test('requests at once add up as if one came after the other', async () => {
  const pet = await petWith(30);
  const orders = await Promise.all(
    Array.from({ length: 20 }, () => shop.add('/store/orders', { petId: pet, quantity: 1 })),
  );
  expect(await shop.pet(pet)).toEqual({ status: 'available', stock: 10 });
  await Promise.all(
    orders.map((order, index) =>
      index % 2 === 0
        ? shop.delete(`/store/orders/${order}`).expect(204)
        : shop.patch(`/store/orders/${order}`, { quantity: 2 }).expect(200),
    ),
  );
  expect(await shop.pet(pet)).toEqual({ status: 'available', stock: 10 });
});
