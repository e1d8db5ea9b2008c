import request from 'supertest';
import { createMockServer, type MockServer } from '../../src/express';
import { countCalls } from '../support/count-calls';
import { temporaryFolder } from '../support/temporary-folder';

const DESCRIPTION = `
openapi: 3.0.3
info: { title: Orders, version: '1' }
paths:
  /orders:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [lines]
              properties:
                lines: { type: array, items: { $ref: '#/components/schemas/Line' } }
      responses:
        '204': { description: taken }
        '400':
          description: refused
          content:
            application/json:
              schema:
                type: object
                required: [code, message]
                properties: { code: { type: string }, message: { type: string } }
components:
  schemas:
    Line:
      type: object
      required: [sku, count]
      properties: { sku: { type: string }, count: { type: integer } }
`;

async function server(): Promise<MockServer> {
  return createMockServer({ description: temporaryFolder().write('openapi.yaml', DESCRIPTION) });
}

const list = (item: string, count: number): string => Array(count).fill(item).join();

/** Counts the calls of an action for a size and for twice the size, once it has loaded what it needs. */
async function growth(act: (size: number) => PromiseLike<unknown>, size: number): Promise<[number, number]> {
  await act(size);
  return [await countCalls(() => act(size)), await countCalls(() => act(2 * size))];
}

test.each([
  ['0', 'The field /lines/0 must be an object (and at least 999 more faults)'],
  ['{}', 'The field /lines/0/sku is missing'],
])('a body of nothing but faults is refused in work that grows with its length: %s', async (item, message) => {
  const app = await server();
  const post = async (items: number): Promise<void> => {
    const sent = `{"lines":[${list(item, items)}]}`;
    const { body } = await request(app).post('/orders').type('json').send(sent).expect(400);
    expect(body).toMatchObject({ message: expect.stringContaining(message) as string });
  };
  const [once, twice] = await growth(post, 4000);
  expect(twice).toBeLessThan(2.2 * once);
});

test('a body with a few faults is told the first one and nothing else', async () => {
  const { body } = await request(await server())
    .post('/orders')
    .send({ lines: [{ sku: 'a', count: 1 }, 0, 0] })
    .expect(400);
  expect(body).toMatchObject({ message: 'The field /lines/1 must be an object' });
});

const ITEMS = `
openapi: 3.0.3
info: { title: Items, version: '1' }
paths:
  /items:
    get: { responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Item' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } } } }
    patch:
      requestBody:
        required: true
        content:
          application/merge-patch+json: { schema: { $ref: '#/components/schemas/Item' } }
          application/json-patch+json: { schema: { type: array, items: { type: object } } }
      responses:
        '200': { description: done, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        '422': { description: refused }
components:
  schemas:
    Item:
      type: object
      required: [id]
      properties: { id: { type: integer, readOnly: true }, any: {} }
`;

test('a patch whose copies would fill the memory is rejected with the documented status, and changes nothing', async () => {
  const app = await createMockServer({ description: temporaryFolder().write('items.yaml', ITEMS), state: 'empty' });
  await request(app).post('/items').send({ any: {} }).expect(201);
  const copies = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '/any', path: `/any/k${index}` }));
  const patch = JSON.stringify([{ op: 'add', path: '/any', value: { a: 'x' } }, ...copies]);
  const calls = await countCalls(async () => {
    const { body } = await request(app).patch('/items/1').type('application/json-patch+json').send(patch).expect(422);
    expect(body).toMatchObject({ code: 'item_too_large' });
  });
  // The copies of the body that the mock accepts have a million characters at the most.
  expect(calls).toBeLessThan(300_000);
  await request(app).get('/items/1').expect(200, { id: 1, any: {} });
});

test('merge patches that add up to more than a body may be are refused', async () => {
  const app = await createMockServer({ description: temporaryFolder().write('items.yaml', ITEMS), state: 'empty' });
  await request(app).post('/items').send({ any: {} }).expect(201);
  const part = (name: string): string => JSON.stringify({ any: { [name]: 'x'.repeat(600_000) } });
  const patch = (name: string): request.Test =>
    request(app).patch('/items/1').type('application/merge-patch+json').send(part(name));
  await patch('a').expect(200);
  await patch('b').expect(422);
  await patch('a').expect(200);
});

const CLOSED = `
openapi: 3.0.3
info: { title: Closed, version: '1' }
paths:
  /orders:
    post:
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Order' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Order' } }
      responses: { '204': { description: taken } }
components:
  schemas:
    Order:
      type: object
      properties:
        sku: { type: array, items: { type: string } }
        lines: { type: array, items: { type: object, properties: { sku: { type: string }, count: { type: integer } } } }
      additionalProperties: false
`;
const members = (count: number): string => Array.from({ length: count }, (_, index) => `"member${index}":0`).join();
const fields = (count: number): string => Array.from({ length: count }, (_, index) => `member${index}=0`).join('&');

test.each([
  ['members that nobody knows', 'json', (count: number) => `{${members(count)}}`],
  ['members that are null', 'json', (count: number) => `{"lines":[${list('{"sku":null}', count)}]}`],
  ['items of a form', 'form', (count: number) => 'sku=1&'.repeat(count).slice(0, -1)],
  ['fields of a form that nobody knows', 'form', fields],
])('a body of %s takes work that grows with its length', async (_, type, hostile) => {
  const app = await createMockServer({ description: temporaryFolder().write('openapi.yaml', CLOSED) });
  const post = (count: number): request.Test => request(app).post('/orders').type(type).send(hostile(count));
  const [once, twice] = await growth(post, 2000);
  const valid = `{"lines":[${list('{"sku":"abc","count":1}', 2000)}]}`;
  expect(twice).toBeLessThan(2.2 * once);
  expect(once).toBeLessThan(2 * (await countCalls(() => request(app).post('/orders').type('json').send(valid))));
});

/** A form with so many declared fields, named `list0`, `list1` and so on. */
const formDescription = (declared: number): string => `
openapi: 3.0.3
info: { title: Wide forms, version: '1' }
paths:
  /orders:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties:
                id: { type: string }
${Array.from({ length: declared }, (_, index) => `                list${index}: { type: array, items: { type: string } }`).join('\n')}
      responses: { '204': { description: taken } }
`;

test('what a form costs does not grow with the fields that are declared', async () => {
  const work = async (declared: number): Promise<number> => {
    const file = temporaryFolder().write('openapi.yaml', formDescription(declared));
    const app = await createMockServer({ description: file });
    const send = (): request.Test => request(app).post('/orders').type('form').send(fields(2000)).expect(204);
    await send();
    return countCalls(send);
  };
  const usual = await work(1);
  expect(await work(50)).toBeLessThan(1.5 * usual);
});

test('a field with brackets is a property of every declared name that stands before them', async () => {
  const description = temporaryFolder().write(
    'openapi.yaml',
    formDescription(2).replace('id: {', "'list0[a]': { type: array, items: { type: string } }\n                id: {"),
  );
  const app = await createMockServer({ description });
  await request(app).post('/orders').type('form').send('list0[]=a&list1[0]=b&list1[1]=c&other[x]=1&id=7').expect(204);
  const { body } = await request(app).post('/orders').type('form').send('list0[a][]=1').expect(400);
  expect(JSON.stringify(body)).toContain('list0');
});

test.each([
  ['items that lack everything', (count: number) => `"/items":[${list('{}', count)}]`],
  ['items that are no objects', (count: number) => `"/items":[${list('0', count)}]`],
  [
    'collections that there are not',
    (count: number) => Array.from({ length: count }, (_, index) => `"/items/${index}/more":[]`).join(),
  ],
])('a state of many %s is refused in work that grows with its length', async (_, collections) => {
  const app = await createMockServer({ description: temporaryFolder().write('items.yaml', ITEMS), state: 'empty' });
  const put = async (count: number): Promise<void> => {
    const state = `{"standin":"fixture/1","collections":{${collections(count)}}}`;
    const { body } = await request(app).put('/__standin/state').type('json').send(state).expect(400);
    expect(body).toMatchObject({ message: expect.stringContaining('cannot be used: at least 1000 errors') as string });
  };
  const [once, twice] = await growth(put, 2000);
  expect(twice).toBeLessThan(2.2 * once);
});

test('an error is short however long the names are that it tells of', async () => {
  const long = 'x'.repeat(100_000);
  const app = await createMockServer({ description: temporaryFolder().write('openapi.yaml', CLOSED) });
  const post = (type: string, body: string): request.Test => request(app).post('/orders').type(type).send(body);
  const named = await post('json', `{"${long}":0}`).expect(400);
  expect(named.text.length).toBeLessThan(10_000);
  expect(named.body).toMatchObject({ detail: expect.stringContaining('xxx…') as string });
  const faults = Array.from({ length: 30 }, (_, index) => `"${long}${index}":0`).join();
  expect((await post('json', `{"lines":[${'0,'.repeat(20)}0]}`).expect(400)).text).not.toContain('…');
  expect((await post('form', `${long}=%ff`).expect(400)).text.length).toBeLessThan(10_000);
  const several = await request(app)
    .post('/orders')
    .type('json')
    .send(`{${faults.slice(0, 900_000)}":0}`);
  expect(several.status).toBe(400);
  expect(several.text.length).toBeLessThan(100_000);
});
