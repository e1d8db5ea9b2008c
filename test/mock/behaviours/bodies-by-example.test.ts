import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { loadText } from '../../openapi/load-text';

type Body = Readonly<Record<string, unknown>>;

const json = (example: unknown, schema?: object): Body => ({
  content: { 'application/json': { example, ...(schema === undefined ? {} : { schema }) } },
});
const answer = (body: Body): Body => ({ description: 'OK', ...body });

const BOAT = {
  id: '7ac1b1c2-3c1e-4b52-9d2b-7d8a3a4f9f11',
  name: 'Fram',
  length: 39,
  sold: false,
  crew: [{ name: 'Ole' }],
};
const OTHER = { ...BOAT, id: '0b0e1c8e-52f4-4b7e-8f0f-1f2d3c4b5a69', name: 'Gjøa' };
const REFUSED = { error: 'not found', status: 404 };

/** A description with examples and hardly any schema. @param around - of the one boat that requests and responses have */
function boats(around: (boat: object) => object, schema?: object): string {
  const missing = { description: 'None', ...json(REFUSED) };
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Boats', version: '1.0.0' },
    paths: {
      '/boats': {
        get: { responses: { 200: answer(json([BOAT, OTHER])) } },
        post: {
          requestBody: json(around({ name: 'Fram', length: 39 })),
          responses: { 201: answer(json(around(BOAT), schema)) },
        },
      },
      '/boats/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: answer(json(around(BOAT), schema)), 404: missing } },
        patch: { requestBody: json(around({ name: 'Fram' })), responses: { 200: answer(json(around(BOAT), schema)) } },
        delete: { responses: { 204: { description: 'Gone' }, 404: missing } },
      },
    },
  });
}

describe.each([
  ['no schema', (boat: object) => boat, undefined],
  ['the schema of any object', (boat: object) => boat, { type: 'object' }],
  ['the schema of an object that has items', (boat: object) => boat, { type: 'object', items: { type: 'string' } }],
  ['an envelope and no schema', (boat: object) => ({ boat, took: 3 }), undefined],
])('bodies with an example and %s', (_about, around, schema) => {
  test('are made, listed, changed and removed', async () => {
    const server = supertest(await serveText(boats(around, schema), { state: 'seeded' }));
    const inner = (body: Body): Body => ('boat' in body ? (body['boat'] as Body) : body);
    const made = await server
      .post('/boats')
      .send(around({ name: 'Maud', length: 36.5 }))
      .expect(201);
    const boat = inner(made.body as Body);
    expect(boat).toMatchObject({ name: 'Maud', length: 36.5 });
    expect(boat['id']).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(boat['sold']).toBe(false);
    const path = `/boats/${String(boat['id'])}`;
    expect((await server.get('/boats').expect(200)).body).toContainEqual(boat);
    expect(inner((await server.get(path).expect(200)).body as Body)).toEqual(boat);
    await server
      .patch(path)
      .send(around({ name: 'Maud II' }))
      .expect(200);
    expect(inner((await server.get(path)).body as Body)).toEqual({ ...boat, name: 'Maud II' });
    await server.delete(path).expect(204);
    expect((await server.get(path).expect(404)).body).toEqual({ ...REFUSED, error: expect.any(String) as string });
  });
});

test('an example restricts nothing', async () => {
  const server = supertest(await serveText(boats((boat) => boat)));
  const sent = { name: 12, length: 'long', sold: null, tags: {}, more: true };
  expect((await server.post('/boats').send(sent).expect(201)).body).toMatchObject({ name: 12, length: 'long' });
});

test('the keys of examples are numbers in paths of text', async () => {
  const boat = { boat_no: 12, name: 'Fram', built: null };
  const operation = (body: unknown): Body => ({ responses: { 200: answer(json(body)) } });
  const path = [{ name: 'boat_no', in: 'path', required: true, schema: { type: 'string' } }];
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Boats', version: '1.0.0' },
    paths: {
      '/boats': {
        get: operation({ data: [boat], total: 1 }),
        post: { requestBody: json({ name: 'Fram' }), ...operation({ data: boat }) },
      },
      '/boats/{boat_no}': { parameters: path, get: operation({ data: boat }), delete: operation({ ok: true }) },
    },
  });
  const server = supertest(await serveText(text));
  const { data } = (await server.post('/boats').send({ name: 'Maud' }).expect(200)).body as { data: typeof boat };
  expect(data).toMatchObject({ boat_no: expect.any(Number) as number, name: 'Maud' });
  expect((await server.get(`/boats/${data.boat_no}`).expect(200)).body).toEqual({ data });
  await server.delete(`/boats/${data.boat_no}`).expect(200);
  await server.get(`/boats/${data.boat_no}`).expect(404);
});

test('in Swagger 2.0 as well', async () => {
  const examples = (value: unknown): Body => ({ 200: { description: 'OK', examples: { 'application/json': value } } });
  const id = { name: 'id', in: 'path', required: true, type: 'string' };
  const text = JSON.stringify({
    swagger: '2.0',
    info: { title: 'Boats', version: '1.0.0' },
    produces: ['application/json'],
    consumes: ['application/json'],
    paths: {
      '/boats': {
        get: { responses: examples([BOAT]) },
        post: { parameters: [{ name: 'boat', in: 'body', schema: {} }], responses: examples(BOAT) },
      },
      '/boats/{id}': { parameters: [id], get: { responses: examples(BOAT) }, delete: { responses: examples({}) } },
    },
  });
  const server = supertest(await serveText(text));
  const { body } = await server.post('/boats').send({ name: 'Maud' }).expect(200);
  expect((await server.get(`/boats/${(body as typeof BOAT).id}`).expect(200)).body).toEqual(body);
});

test('a list of an example is a list of such things', () => {
  const { api } = loadText(boats((boat) => boat));
  const schema = api.operations[0]?.responses.get('200')?.content[0]?.schema;
  expect(schema?.value).toMatchObject({ items: { properties: { crew: { items: { properties: { name: {} } } } } } });
});

test('one warning says so, at the first of them', () => {
  const { warnings } = loadText(boats((boat) => boat));
  expect(warnings.map(({ rule, message }) => ({ rule, message }))).toEqual([
    {
      rule: 'read-as-meant',
      message: 'A body with an example and without a schema is read as one with the properties of the example',
    },
  ]);
});
