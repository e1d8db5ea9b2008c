import { Petstore, PetstoreError } from './petstore-sdk';

/** What somebody does in two minutes with a client of the API: looks around, opens a category, sells, tidies up, errs. */
export async function sdkSession(baseUrl: string): Promise<void> {
  const shop = new Petstore({ baseUrl, apiKey: 'test-key' });
  const { pets, categories, orders, inventory } = shop;

  const { data: found } = await pets.list();
  const [known] = found;
  if (known !== undefined) {
    await pets.retrieve(known.id);
    await categories.retrieve(known.categoryId);
  }
  await categories.list({ sort: 'name' });

  const { data: category } = await categories.create({ name: 'Rodents', description: 'They nibble' });
  await categories.retrieve(category.id);
  const { data: rabbit } = await pets.create({ name: 'Hazel', categoryId: category.id });
  const { data: other } = await pets.create({ name: 'Bigwig', categoryId: category.id, status: 'pending' });
  const { data: third } = await pets.create({ name: 'Fiver', categoryId: category.id });
  await pets.list({ categoryId: category.id });
  await pets.list({ status: ['available'], limit: 100 });
  const names: string[] = [];
  for await (const { data } of pets.pages({ categoryId: category.id, limit: 2, sort: 'name' }))
    names.push(...data.map(({ name }) => name));
  if (names.join() !== 'Bigwig,Fiver,Hazel') throw new Error(`The pages show ${names.join()}`);

  const read = await pets.retrieve(rabbit.id);
  await pets.retrieve(rabbit.id, read.etag);
  await pets.replace(rabbit.id, { name: 'Hazel-rah', categoryId: category.id, status: 'pending' }, read.etag);
  await failsWith(412, pets.replace(rabbit.id, { name: 'Hazel', categoryId: category.id }, read.etag));
  await pets.retrieve(rabbit.id);
  await pets.replace(rabbit.id, { name: 'Hazel-rah', categoryId: category.id, status: 'available' });
  await categories.replace(category.id, { name: 'Lagomorphs', description: 'They nibble, and hop' });

  await inventory.update(third.id, 5);
  const { data: order } = await orders.place({ petId: third.id, quantity: 2 });
  await inventory.retrieve(third.id);
  await orders.retrieve(order.id);
  await orders.list({ petId: third.id });
  await orders.update(order.id, { quantity: 3 });
  await inventory.retrieve(third.id);
  await failsWith(409, orders.update(order.id, { quantity: 30 }));
  await failsWith(409, orders.place({ petId: other.id, quantity: 1 }));
  await failsWith(409, pets.remove(third.id));
  await failsWith(409, categories.remove(category.id));
  await orders.cancel(order.id);
  await inventory.retrieve(third.id);
  await failsWith(404, orders.retrieve(order.id));

  await failsWith(400, pets.create({ categoryId: category.id } as never));
  await failsWith(422, pets.create({ name: 'Nobody', categoryId: 9007199254740000 }));
  await failsWith(404, pets.retrieve(9007199254740000));
  await failsWith(400, pets.list({ limit: 0 }));
  await failsWith(401, new Petstore({ baseUrl, apiKey: '' }).pets.list());
  await failsWith(401, new Petstore({ baseUrl, apiKey: 'an-old-key' }).pets.list());

  await pets.remove(rabbit.id);
  await failsWith(404, pets.retrieve(rabbit.id));
  await failsWith(404, pets.remove(rabbit.id));
  await pets.list({ categoryId: category.id });
  await pets.remove(other.id);
  await pets.remove(third.id);
  await categories.remove(category.id);
  await failsWith(404, categories.retrieve(category.id));
}

/** @throws Error where a call does something else than to fail so: the session then shows something else as well */
async function failsWith(status: number, call: Promise<unknown>): Promise<void> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof PetstoreError) || failure.status !== status)
    throw new Error(`Expected ${status}, not ${String(failure)}`);
}
