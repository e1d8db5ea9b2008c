import { rootCauses } from '../../src/report/causes/root-causes';
import { list, object, text } from '../support/small-api';
import { whole, Service, collection, ID, run, failed, left, type Item } from './reach-service';

test('an e-mail address is another one for each thing, in every contract', async () => {
  const service = new Service();
  const seen = new Set<unknown>();
  service.create = (name, body) => {
    if (seen.has(body['email'])) return [409, { message: 'conflict' }];
    seen.add(body['email']);
    return [201, service.store(name, body)];
  };
  const { learnt } = await run(
    service,
    collection('people', {
      ...object({ ...ID, name: text, email: { type: 'string', format: 'email' } }),
      required: ['name', 'email'],
    }),
  );
  expect(learnt).toBe('');
  expect(seen.size).toBeGreaterThan(3);
});

test('things that a list is asked for together have an e-mail address each', async () => {
  const service = new Service();
  const sent: unknown[] = [];
  service.create = (_, body) => {
    sent.push(body['email']);
    return undefined;
  };
  const person = { ...object({ ...ID, email: text, name: text }), required: ['email', 'name'] };
  const sketches = collection('people', person);
  const query = { email: text, name: text };
  await run(service, { ...sketches, 'GET /people': { ...sketches['GET /people'], query } }, ['lists']);
  expect(sent.length).toBeGreaterThan(4);
  expect(new Set(sent).size).toBe(sent.length);
});

test('a number as key is not chosen where it may be left out, also where everything else is sent', async () => {
  const service = new Service();
  const taken: Item[] = [];
  service.create = (name, body) => {
    if (!('flagged' in body)) return [422, { message: 'cannot be processed' }];
    taken.push(body);
    return [201, service.store(name, body)];
  };
  const item = object({ id: whole, title: text, flagged: { type: 'boolean' } });
  await run(service, collection('orders', item));
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.filter((body) => 'id' in body)).toEqual([]);
});

test('a number as key that has to be sent is another one for each thing, in every contract', async () => {
  const service = new Service();
  const ids: unknown[] = [];
  service.create = (name, body) => {
    ids.push(body['id']);
    return [201, service.store(name, body, String(body['id']))];
  };
  const item = { ...object({ id: whole, title: text }), required: ['id', 'title'] };
  await run(service, collection('orders', item));
  expect(ids.length).toBeGreaterThan(3);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a key that is answered as a text and shown as a number is the same key', async () => {
  const service = new Service();
  let count = 0;
  service.create = (name, body) => {
    const made = (body as unknown as Item[]).map((row) =>
      service.store(name, { ...row, id: (count += 1) }, `${count}`),
    );
    return [201, made.map(({ id }) => String(id))];
  };
  const rule = object({ value: text });
  const sketches = collection('rules', { ...object({ id: whole, value: text }), required: ['id'] }, list(rule));
  const answers = { 201: list(text), 400: null };
  const { result, called } = await run(service, {
    ...sketches,
    'POST /rules': { ...sketches['POST /rules'], answers },
  });
  expect(called).toContain('DELETE /rules/{id}');
  expect(failed(result)).toEqual([]);
  expect(left(service)).toEqual([]);
});

test('where the key is made of the name, a change keeps the name', async () => {
  const slug = (item: Item): string => String(item['name']).toLowerCase().replaceAll(' ', '-');
  const service = new Service();
  const replaced: Item[] = [];
  const store = service.store.bind(service);
  service.create = (name, body) => [201, store(name, body, slug(body))];
  service.store = (name, item) => {
    replaced.push(item);
    return store(name, item);
  };
  const tag = object({ ...ID, name: text, color: text });
  const { learnt } = await run(service, {
    ...collection('tags', tag),
    'PUT /tags/{id}': { body: tag, answers: { 200: tag, 404: null } },
  });
  expect(learnt).toContain('makes the key of name');
  expect(replaced.length).toBeGreaterThan(0);
  expect(replaced.filter((item) => slug(item) !== item['id'])).toEqual([]);
});

test('a property whose description has its only value is sent with that', async () => {
  const service = new Service();
  const types = new Set<unknown>();
  service.create = (_, body) => {
    types.add(body['type']);
    return undefined;
  };
  await run(service, collection('tags', object({ ...ID, type: { ...text, description: 'set to "Tag"' }, name: text })));
  expect([...types]).toEqual(['Tag']);
});

test('a property that never comes back as it was made up is one cause for each operation', async () => {
  const service = new Service();
  service.create = (name, body) => [201, service.store(name, { ...body, color: 'grey' })];
  const { result } = await run(service, collection('tags', object({ ...ID, name: text, color: text })), [
    'lifecycle',
    'positive',
  ]);
  const causes = rootCauses(result).filter(({ check }) => check === 'body-expected');
  expect(causes.map(({ operations }) => operations)).toEqual([['POST /tags'], ['GET /tags/{id}']]);
});

test('what is made with one thing more has another name, so that it is not taken for what is there already', async () => {
  const service = new Service();
  service.create = (name, { name: title }) => {
    const same = [...service.of(name).values()].find((row) => row['name'] === title);
    return same === undefined ? undefined : [200, same];
  };
  service.before = (_, body) => {
    if (!('id' in body)) return undefined;
    const { id: _id, ...rest } = body;
    return service.create('tags', rest) ?? [201, service.store('tags', rest)];
  };
  const tag = object({ ...ID, name: text });
  const sketches = collection('tags', tag);
  const { result } = await run(
    service,
    {
      ...sketches,
      'POST /tags': { ...sketches['POST /tags'], answers: { 200: tag, 201: tag } },
    },
    ['positive'],
  );
  expect(result.leftBehind).toEqual([]);
});
