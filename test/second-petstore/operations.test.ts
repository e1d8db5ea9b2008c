import {
  addCategory,
  addPet,
  bare,
  expectError,
  reopen,
  send,
  stock,
  text,
  UNKNOWN,
  useSecondPetstore,
} from './supertest-petstore';

useSecondPetstore();

describe('all operations', () => {
  test('categories', async () => {
    const made = await send('post', '/categories', { name: 'Owl', description: 'Wise', id: 5, more: true }).expect(201);
    const { id } = made.body;
    expect(made.body).toEqual({ id: expect.any(Number), name: 'Owl', description: 'Wise' });
    expect(id).not.toBe(5);
    expect(made.headers['location']).toMatch(new RegExp(`^http://.*/categories/${id}$`));
    const read = await send('get', `/categories/${id}`).expect(200, made.body);
    expect(read.headers['etag']).toBe(made.headers['etag']);
    const replaced = await send('put', `/categories/${id}`, { name: 'Owls' }).expect(200, { id, name: 'Owls' });
    expect(replaced.headers).not.toHaveProperty('etag');
    await send('get', '/categories').expect(200, [{ id, name: 'Owls' }]);
    await send('delete', `/categories/${id}`).expect(204, '');
    expectError(await send('get', `/categories/${id}`), 404, 'resource_not_found');
  });

  test('pets and their stock', async () => {
    const pet = await addPet();
    expect(pet).toEqual({ id: expect.any(Number), name: 'Rex', categoryId: expect.any(Number), status: 'available' });
    const path = `/pets/${pet.id}`;
    await send('get', path).expect(200, pet);
    await send('get', `/pets?id=${pet.id}`).expect(200, [pet]);
    await send('put', path, { name: 'Max', categoryId: pet.categoryId }).expect(200, { ...pet, name: 'Max' });
    await send('get', '/inventory').expect(200, [{ petId: pet.id, quantity: 1, status: 'available' }]);
    const item = { petId: pet.id, quantity: 0, status: 'sold' };
    const changed = await send('patch', `/inventory/${pet.id}`, { quantity: 0 }).expect(200, item);
    const read = await send('get', `/inventory/${pet.id}`).expect(200, item);
    expect(read.headers['etag']).toBe(changed.headers['etag']);
    await send('delete', path).expect(204);
    expectError(await send('get', `/inventory/${pet.id}`), 404, 'resource_not_found');
  });

  test('orders', async () => {
    const shipDate = '2026-02-01T09:00:00.10+01:00';
    const order = (await send('post', '/store/orders', { shipDate }).expect(201)).body;
    expect(order).toEqual({ id: expect.any(Number), shipDate, complete: false });
    const path = `/store/orders/${order.id}`;
    await send('get', path).expect(200, order);
    await send('patch', path, { quantity: 2, id: order.id }).expect(200, { ...order, quantity: 2 });
    await send('get', '/store/orders?complete=false').expect(200, [{ ...order, quantity: 2 }]);
    await send('delete', path).expect(204);
    expectError(await send('delete', path), 404, 'resource_not_found');
  });

  test('ids are large, odd, irregular, and differ between collections', async () => {
    const ids = [await addCategory(), await addCategory(), await addCategory()];
    expect(ids.every((id) => id > 1_000_000 && id % 2 === 1)).toBe(true);
    expect(ids[1]! - ids[0]!).not.toBe(ids[2]! - ids[1]!);
    expect((await addPet()).id).toBeGreaterThan(1_000_000_000);
  });
});

describe('the life of a pet', () => {
  test('orders reserve stock and give it back', async () => {
    const { id } = await addPet();
    await send('patch', `/inventory/${id}`, { quantity: 5 });
    const order = (await send('post', '/store/orders', { petId: id, quantity: 3 }).expect(201)).body;
    expect(await stock(id)).toMatchObject({ quantity: 2, status: 'available' });
    expectError(await send('patch', `/store/orders/${order.id}`, { quantity: 6 }), 409, 'insufficient_stock');
    await send('patch', `/store/orders/${order.id}`, { quantity: 5 }).expect(200);
    expect(await stock(id)).toMatchObject({ quantity: 0, status: 'pending' });
    expectError(await send('post', '/store/orders', { petId: id }), 409, 'pet_not_available');
    expectError(await send('delete', `/pets/${id}`), 409, 'pet_in_use');
    await send('delete', `/store/orders/${order.id}`).expect(204);
    expect(await stock(id)).toMatchObject({ quantity: 5, status: 'available' });
  });

  test('the last complete order sells the pet, and cannot change any more', async () => {
    const { id, categoryId } = await addPet();
    const made = await send('post', '/store/orders', { petId: id, complete: true }).expect(201);
    const path = `/store/orders/${made.body.id}`;
    expect(made.body).toMatchObject({ petId: id, quantity: 1, complete: true, shipDate: expect.any(String) });
    expect(await stock(id)).toMatchObject({ quantity: 0, status: 'sold' });
    await send('patch', path, made.body).expect(200, made.body);
    expectError(await send('patch', path, { complete: false }), 409, 'order_already_complete');
    expectError(await send('patch', path, { petId: 7 }), 422, 'immutable_field');
    expectError(await send('delete', path), 409, 'order_already_complete');
    const again = { name: 'Rex', categoryId, status: 'available' };
    expectError(await send('put', `/pets/${id}`, again), 409, 'invalid_status_transition');
    await send('patch', `/inventory/${id}`, { quantity: 2 }).expect(200);
    await send('put', `/pets/${id}`, again).expect(200);
  });

  test('references', async () => {
    const { categoryId } = await addPet();
    expectError(await send('delete', `/categories/${categoryId}`), 409, 'category_in_use');
    expectError(await text('/pets', `{"name":"x","categoryId":${UNKNOWN}}`), 422, 'unknown_reference');
    expectError(await text('/store/orders', `{"petId":${UNKNOWN}}`), 422, 'unknown_reference');
  });
});

describe('the deprecated read', () => {
  test('announces its end', async () => {
    for (const [path, status] of [
      [`/pets/${(await addPet()).id}`, 200],
      [`/pets/${UNKNOWN}`, 404],
    ] as const) {
      const { headers } = await send('get', path).expect(status);
      expect(headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' });
      expect(headers['link']).toContain(`/pets?id=${path.slice('/pets/'.length)}>; rel="successor-version"`);
    }
    expect((await bare('get', '/pets/1')).headers).not.toHaveProperty('deprecation');
  });

  test('and is gone afterwards', async () => {
    await reopen({ now: () => Date.UTC(2030, 11, 5) });
    const answer = await send('get', '/pets/1');
    expectError(answer, 410, 'operation_sunset');
    expect(answer.headers['link']).toContain('successor-version');
  });
});

describe('options', () => {
  test('a plain deployment offers nine operations and no extras', async () => {
    await reopen({ plain: true, seed: 'some' });
    const list = await send('get', '/pets?limit=1').expect(200);
    expect(list.body).toHaveLength(1);
    expect(Object.keys(list.headers)).not.toEqual(expect.arrayContaining(['link']));
    expect(list.headers).not.toHaveProperty('x-total-count');
    const orders = (await send('get', '/store/orders')).body as { id: number; complete: boolean }[];
    const open_ = orders.find(({ complete }) => !complete)!;
    await send('delete', `/store/orders/${open_.id}`).expect(204);
    expectError(await send('get', `/categories/${list.body[0].categoryId}`), 404, 'route_not_found');
    const refused = await send('put', `/pets/${list.body[0].id}`, {});
    expectError(refused, 405, 'method_not_allowed');
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await send('get', `/pets/${list.body[0].id}`).expect(200)).headers).not.toHaveProperty('etag');
  });

  test('large ids keep their digits', async () => {
    await reopen({ largeIds: true, pretty: true });
    const made = await send('post', '/categories', { name: 'a' });
    const id = new URL(made.headers['location']!).pathname.split('/')[2]!;
    expect(BigInt(id)).toBeGreaterThan(2n ** 53n);
    expect(made.text).toContain(`"id": ${id}`);
    await text('/pets', `{"name":"x","categoryId":${id}}`).expect(201, new RegExp(`"categoryId": ${id}\\b`));
    await send('get', `/categories/${id}`).expect(200);
    expect((await send('get', '/pets')).text).toMatch(/^\[\n {2}\{/);
  });
});
