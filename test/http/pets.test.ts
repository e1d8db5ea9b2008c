import { BISCUIT, CLEMENTINE, MISO, pathOf, usePetstore } from '../support/petstore';

const shop = usePetstore();
const NOVA = { name: 'Nova', categoryId: 1 };

describe('POST /pets', () => {
  test('gives the pet an id, and Location leads to it', async () => {
    const created = await shop.post('/pets', { ...NOVA, status: 'pending' }).expect(201);
    expect(created.text).toBe('{"id":4,"name":"Nova","categoryId":1,"status":"pending"}');
    expect(created.headers['location']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pets\/4$/);
    const read = await shop.get(pathOf(created.headers['location']!)).expect(200, created.text);
    expect(created.headers['etag']).toMatch(/^"[^"]+"$/);
    expect(read.headers['etag']).toBe(created.headers['etag']);
    await shop.get('/pets?id=4').expect(200, [created.body]);
  });

  test.each([
    { sent: undefined, status: 'available', quantity: 1 },
    { sent: 'available', status: 'available', quantity: 1 },
    { sent: 'pending', status: 'pending', quantity: 1 },
    { sent: 'sold', status: 'sold', quantity: 0 },
  ])('with the status $sent makes an inventory item of $quantity', async ({ sent, status, quantity }) => {
    const id = await shop.add('/pets', { ...NOVA, status: sent });
    await shop.get(`/inventory/${id}`).expect(200, { petId: id, quantity, status });
    expect(await shop.pet(id)).toEqual({ status, stock: quantity });
  });

  test('does not honour an id, and drops what no pet has', async () => {
    const sent = { id: 1, colour: 'red', ...NOVA, quantity: 9 };
    await shop.post('/pets', sent).expect(201, { id: 4, ...NOVA, status: 'available' });
    await shop.get('/pets/1').expect(200, BISCUIT);
  });

  test.each([
    '{"__proto__":{"status":"sold"},"name":"Nova","categoryId":1}',
    '{"constructor":1,"toString":2,"name":"Nova","categoryId":1}',
  ])('members named like those of every object are unknown members: %s', async (text) => {
    await shop.post('/pets', text).expect(201, { id: 4, ...NOVA, status: 'available' });
  });

  test.each([
    'a',
    ' Nova ',
    'x'.repeat(100),
    '😀'.repeat(100),
    'Zoë "the" cat\n\t\\/',
    '\u0000',
    'a\u2028b',
    'e\u0301',
    'null',
    '__proto__',
  ])('takes the name %j as it is', async (name) => {
    const { body } = await shop.post('/pets', { name, categoryId: 1 }).expect(201);
    expect(body.name).toBe(name);
    const listed = await shop.get('/pets?id=4').expect(200);
    expect(listed.body[0].name).toBe(name);
  });

  test('keeps a lone surrogate of a name, escaped', async () => {
    const created = await shop.post('/pets', '{"name":"a\\ud800","categoryId":1}').expect(201);
    expect(created.text).toContain('"a\\ud800"');
  });

  test.each(['1.0', '1e0', '10e-1'])('reads the integer written %s as 1', async (categoryId) => {
    const created = await shop.post('/pets', `{"name":"Nova","categoryId":${categoryId}}`).expect(201);
    expect(created.text).toBe('{"id":4,"name":"Nova","categoryId":1,"status":"available"}');
  });

  test('names need not be unique', async () => {
    expect(await shop.add('/pets', NOVA)).toBe(4);
    expect(await shop.add('/pets', NOVA)).toBe(5);
  });
});

/** Bodies that neither POST nor PUT accepts. */
const BAD_PETS = [
  { body: {}, code: 'missing_field', says: [/\/(?:name|categoryId)/] },
  { body: { categoryId: 1 }, code: 'missing_field', says: ['/name'] },
  { body: { name: 'Nova' }, code: 'missing_field', says: ['/categoryId'] },
  { body: { name: 1, categoryId: 1 }, code: 'invalid_field', says: ['/name', 'string'] },
  { body: { name: null, categoryId: 1 }, code: 'invalid_field', says: ['/name', 'string'] },
  { body: { name: ['Nova'], categoryId: 1 }, code: 'invalid_field', says: ['/name', 'string'] },
  { body: { name: '', categoryId: 1 }, code: 'invalid_field', says: ['/name'] },
  { body: { name: ' ', categoryId: 1 }, code: 'invalid_field', says: ['/name'] },
  { body: { name: '\t\n\r', categoryId: 1 }, code: 'invalid_field', says: ['/name'] },
  { body: { name: '\u00A0\u2003\u3000', categoryId: 1 }, code: 'invalid_field', says: ['/name'] },
  { body: { name: '\u0085', categoryId: 1 }, code: 'invalid_field', says: ['/name'] },
  { body: { name: 'x'.repeat(101), categoryId: 1 }, code: 'invalid_field', says: ['/name', '100'] },
  { body: { name: '😀'.repeat(101), categoryId: 1 }, code: 'invalid_field', says: ['/name', '100'] },
  { body: { name: 'Nova', categoryId: '1' }, code: 'invalid_field', says: ['/categoryId', 'integer'] },
  { body: { name: 'Nova', categoryId: 1.5 }, code: 'invalid_field', says: ['/categoryId', 'integer'] },
  { body: { name: 'Nova', categoryId: null }, code: 'invalid_field', says: ['/categoryId', 'integer'] },
  { body: { name: 'Nova', categoryId: true }, code: 'invalid_field', says: ['/categoryId', 'integer'] },
  { body: { name: 'Nova', categoryId: 0 }, code: 'invalid_field', says: ['/categoryId', '1'] },
  { body: { name: 'Nova', categoryId: -1 }, code: 'invalid_field', says: ['/categoryId', '1'] },
  { body: { name: 'Nova', categoryId: 1, status: 'gone' }, code: 'invalid_field', says: ['/status', 'available'] },
  { body: { name: 'Nova', categoryId: 1, status: null }, code: 'invalid_field', says: ['/status'] },
] as const;

test.each(BAD_PETS)('POST /pets refuses $body', async ({ body, code, says }) => {
  await shop.refuses(shop.post('/pets', body), 400, code, ...says);
});

test.each(BAD_PETS)('PUT /pets/1 refuses $body', async ({ body, code, says }) => {
  await shop.refuses(shop.put('/pets/1', body), 400, code, ...says);
});

test('of two broken members the first in the text speaks', async () => {
  await shop.refuses(shop.post('/pets', '{"status":"gone","name":"","categoryId":0}'), 400, 'invalid_field', '/status');
  await shop.refuses(
    shop.post('/pets', '{"categoryId":0,"name":"","status":"gone"}'),
    400,
    'invalid_field',
    '/categoryId',
  );
});

test('a category that does not exist is an unknown reference', async () => {
  await shop.refuses(shop.post('/pets', { ...NOVA, categoryId: 9 }), 422, 'unknown_reference', '/categoryId', '9');
  await shop.refuses(shop.put('/pets/1', { ...NOVA, categoryId: 9 }), 422, 'unknown_reference', '/categoryId', '9');
});

describe('GET /pets/{petId}', () => {
  test('reads a pet', async () => {
    await shop.get('/pets/1').expect(200, BISCUIT);
    await shop.get('/pets/2').expect(200, MISO);
    await shop.get('/pets/3').expect(200, CLEMENTINE);
  });

  test('is 404 for one that does not exist', async () => {
    await shop.refuses(shop.get('/pets/4'), 404, 'resource_not_found', '4');
  });
});

describe('PUT /pets/{petId}', () => {
  test('replaces name and category, keeps the id, and sends no entity tag', async () => {
    const replaced = await shop.put('/pets/1', { name: 'Nova', categoryId: 2, status: 'available' }).expect(200);
    expect(replaced.text).toBe('{"id":1,"name":"Nova","categoryId":2,"status":"available"}');
    expect(replaced.headers).not.toHaveProperty('etag');
    expect(replaced.headers).not.toHaveProperty('location');
    expect(replaced.headers).not.toHaveProperty('deprecation');
    await shop.get('/pets/1').expect(200, replaced.text);
  });

  test.each([1, 2, 3])('without a status keeps the one of pet %i and its stock', async (id) => {
    const before = await shop.pet(id);
    const { body } = await shop.put(`/pets/${id}`, NOVA).expect(200);
    expect(body).toEqual({ id, ...NOVA, status: before.status });
    expect(await shop.pet(id)).toEqual(before);
  });

  test('does not honour another id', async () => {
    await shop.put('/pets/1', { id: 2, ...NOVA }).expect(200, { id: 1, ...NOVA, status: 'available' });
    await shop.get('/pets/2').expect(200, MISO);
  });

  test('does the same when it is repeated', async () => {
    const body = { name: 'Nova', categoryId: 2, status: 'pending' };
    const first = await shop.put('/pets/1', body).expect(200);
    const state = shop.app.state();
    await shop.put('/pets/1', body).expect(200, first.text);
    expect(shop.app.state()).toEqual(state);
  });

  test('is 404 for one that does not exist, and creates none', async () => {
    await shop.refuses(shop.put('/pets/4', NOVA), 404, 'resource_not_found', '4');
  });
});

describe('DELETE /pets/{petId}', () => {
  test('removes the pet with its inventory item; afterwards all of it is 404', async () => {
    const id = await shop.add('/pets', NOVA);
    await shop.delete(`/pets/${id}`).expect(204);
    await shop.refuses(shop.get(`/pets/${id}`), 404, 'resource_not_found');
    await shop.refuses(shop.get(`/inventory/${id}`), 404, 'resource_not_found');
    await shop.refuses(shop.put(`/pets/${id}`, NOVA), 404, 'resource_not_found');
    await shop.refuses(shop.delete(`/pets/${id}`), 404, 'resource_not_found');
    await shop.get(`/pets?id=${id}`).expect(200, []);
  });

  test.each([2, 3])('is refused while an order refers to pet %i', async (id) => {
    await shop.refuses(shop.delete(`/pets/${id}`), 409, 'pet_in_use');
  });
});
