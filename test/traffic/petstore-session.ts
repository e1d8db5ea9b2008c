import type { Send } from '../support/recorded-traffic';

/** What somebody does in two minutes at a Petstore: looks around, makes things, makes mistakes, and changes their mind. */
export async function petstoreSession(send: Send): Promise<void> {
  const pets = await send('GET', '/pets');
  await send('GET', `/pets/${pets.body[0].id}`);
  await send('GET', '/categories');
  const category = await send('POST', '/categories', { name: 'Rodents', description: 'They nibble' });
  await send('GET', `/categories/${category.body.id}`);
  const pet = await send('POST', '/pets', { name: 'Hazel', categoryId: category.body.id, status: 'available' });
  const other = await send('POST', '/pets', { name: 'Bigwig', categoryId: category.body.id });
  const read = await send('GET', `/pets/${pet.body.id}`);
  await send('GET', '/pets?status=available&limit=100');
  await send('POST', '/pets', { categoryId: category.body.id });
  await send('POST', '/pets', { name: 7, categoryId: category.body.id });
  await send('POST', '/pets', '{"name": ');
  await send('POST', '/pets', { name: 'Nobody', categoryId: 9007199254740000 });
  await send('GET', '/pets', undefined, { Authorization: '' });
  await send('POST', '/pets', { name: 'Fiver', categoryId: category.body.id }, { Authorization: '' });
  await send('GET', '/pets?limit=0');
  await send('GET', '/pets/9007199254740000');
  await send('GET', '/pets/abc');
  await send('PUT', `/pets/${pet.body.id}`, { name: 'Hazel-rah', categoryId: category.body.id, status: 'pending' });
  await send('GET', `/pets/${pet.body.id}`);
  await send('GET', '/pets?status=available&limit=100');
  await send('GET', '/pets?status=pending&limit=100');
  await send(
    'PUT',
    `/pets/${pet.body.id}`,
    { name: 'Hazel', categoryId: category.body.id },
    { 'If-Match': read.headers.get('etag') ?? '"0"' },
  );
  const order = await send('POST', '/store/orders', { petId: other.body.id, quantity: 1 });
  await send('GET', `/store/orders/${order.body.id}`);
  await send('POST', '/store/orders', { petId: other.body.id, quantity: 1 });
  await send('PATCH', `/store/orders/${order.body.id}`, { quantity: 2 });
  await send('GET', `/pets/${other.body.id}`);
  await send('DELETE', `/categories/${category.body.id}`);
  await send('DELETE', `/store/orders/${order.body.id}`);
  await send('GET', `/store/orders/${order.body.id}`);
  await send('GET', '/inventory');
  await send('DELETE', `/pets/${pet.body.id}`);
  await send('GET', `/pets/${pet.body.id}`);
  await send('DELETE', `/pets/${pet.body.id}`);
}
