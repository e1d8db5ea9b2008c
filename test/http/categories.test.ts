import { CAT, DOG, pathOf, usePetstore } from '../support/petstore';

const shop = usePetstore();

describe('POST /categories', () => {
  test('gives the category an id, and Location leads to it', async () => {
    const created = await shop.post('/categories', { description: 'They swim', name: 'Fish' }).expect(201);
    expect(created.body).toEqual({ id: 3, name: 'Fish', description: 'They swim' });
    const read = await shop.get(pathOf(created.headers['location']!)).expect(200, created.text);
    expect(read.headers['etag']).toBe(created.headers['etag']);
    expect(created.headers['etag']).toMatch(/^"[^"]+"$/);
  });

  test('an absent description stays absent, an empty one stays empty', async () => {
    await shop.post('/categories', { name: 'Fish' }).expect(201, { id: 3, name: 'Fish' });
    await shop
      .post('/categories', { name: 'Fish', description: '' })
      .expect(201, { id: 4, name: 'Fish', description: '' });
  });

  test('takes a name of 50 and a description of 500 code points', async () => {
    const category = { name: '😀'.repeat(50), description: '😀'.repeat(500) };
    await shop.post('/categories', category).expect(201, { id: 3, ...category });
  });

  test('names need not be unique', async () => {
    expect(await shop.add('/categories', { name: 'Dog' })).toBe(3);
  });
});

const BAD_CATEGORIES = [
  { body: {}, code: 'missing_field', says: ['/name'] },
  { body: { description: 'They swim' }, code: 'missing_field', says: ['/name'] },
  { body: { name: null }, code: 'invalid_field', says: ['/name', 'string'] },
  { body: { name: 7 }, code: 'invalid_field', says: ['/name', 'string'] },
  { body: { name: '' }, code: 'invalid_field', says: ['/name'] },
  { body: { name: '\u2003' }, code: 'invalid_field', says: ['/name'] },
  { body: { name: 'x'.repeat(51) }, code: 'invalid_field', says: ['/name', '50'] },
  { body: { name: '😀'.repeat(51) }, code: 'invalid_field', says: ['/name', '50'] },
  { body: { name: 'Fish', description: null }, code: 'invalid_field', says: ['/description', 'string'] },
  { body: { name: 'Fish', description: {} }, code: 'invalid_field', says: ['/description', 'string'] },
  { body: { name: 'Fish', description: 'x'.repeat(501) }, code: 'invalid_field', says: ['/description', '500'] },
] as const;

test.each(BAD_CATEGORIES)('POST /categories refuses $body', async ({ body, code, says }) => {
  await shop.refuses(shop.post('/categories', body), 400, code, ...says);
});

test.each(BAD_CATEGORIES)('PUT /categories/1 refuses $body', async ({ body, code, says }) => {
  await shop.refuses(shop.put('/categories/1', body), 400, code, ...says);
});

describe('GET /categories/{categoryId}', () => {
  test('reads a category', async () => {
    await shop.get('/categories/1').expect(200, DOG);
    await shop.get('/categories/2').expect(200, CAT);
  });

  test('is 404 for one that does not exist', async () => {
    await shop.refuses(shop.get('/categories/3'), 404, 'resource_not_found', '3');
  });
});

describe('PUT /categories/{categoryId}', () => {
  test('replaces all: a description that is not sent is gone', async () => {
    const replaced = await shop.put('/categories/1', { name: 'Hound' }).expect(200, { id: 1, name: 'Hound' });
    expect(replaced.headers).not.toHaveProperty('etag');
    await shop.get('/categories/1').expect(200, { id: 1, name: 'Hound' });
  });

  test('does not honour another id', async () => {
    await shop.put('/categories/1', { id: 2, name: 'Hound' }).expect(200, { id: 1, name: 'Hound' });
    await shop.get('/categories/2').expect(200, CAT);
  });

  test('is 404 for one that does not exist, and creates none', async () => {
    await shop.refuses(shop.put('/categories/3', { name: 'Fish' }), 404, 'resource_not_found', '3');
  });
});

describe('DELETE /categories/{categoryId}', () => {
  test('removes a category without pets; afterwards it is 404', async () => {
    const id = await shop.add('/categories', { name: 'Fish' });
    await shop.delete(`/categories/${id}`).expect(204);
    await shop.refuses(shop.get(`/categories/${id}`), 404, 'resource_not_found');
    await shop.refuses(shop.delete(`/categories/${id}`), 404, 'resource_not_found');
    await shop.refuses(shop.post('/pets', { name: 'Nova', categoryId: id }), 422, 'unknown_reference');
  });

  test.each([1, 2])('is refused while a pet, sold or not, is in category %i', async (id) => {
    await shop.refuses(shop.delete(`/categories/${id}`), 409, 'category_in_use');
  });

  test('works once the last pet has left', async () => {
    await shop.put('/pets/1', { name: 'Biscuit', categoryId: 2 }).expect(200);
    await shop.delete('/categories/1').expect(204);
  });
});
