import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';

const Vault = object({ name: { ...text, readOnly: true }, labels: { type: 'object', additionalProperties: text } });
const Version = object({
  name: { ...text, readOnly: true },
  state: { type: 'string', enum: ['STATE_UNSPECIFIED', 'ENABLED', 'DISABLED', 'DESTROYED'], readOnly: true },
});
const SCHEMAS = { Vault, Version };

function named(variables: Readonly<Record<string, object>>): string {
  return smallApi(
    {
      'GET /v1/{version}': { answers: { 200: ref('Version'), 404: null } },
      'PATCH /v1/{name}': { body: ref('Vault'), answers: { 200: ref('Vault'), 404: null } },
      'DELETE /v1/{name}': { answers: { 200: { type: 'object' }, 404: null } },
      'GET /v1/{parent}/vaults': { answers: { 200: object({ vaults: list(ref('Vault')), nextPageToken: text }) } },
      'POST /v1/{parent}/vaults': { body: ref('Vault'), query: { vaultId: text }, answers: { 200: ref('Vault') } },
      'GET /v1/{vault}/versions': { answers: { 200: object({ versions: list(ref('Version')) }) } },
      'POST /v1/{vault}:addVersion': { body: object({ payload: text }), answers: { 200: ref('Version') } },
      'POST /v1/{version}:disable': { body: object({}), answers: { 200: ref('Version'), 404: null } },
    },
    SCHEMAS,
    variables,
  );
}

const PATTERNS = named({
  name: { type: 'string', pattern: '^projects/[^/]+/vaults/[^/]+$' },
  parent: { type: 'string', pattern: '^projects/[^/]+$' },
  vault: { type: 'string', example: 'projects/{project}/vaults/{vault}' },
  version: { type: 'string', pattern: 'projects/[^/]+/vaults/[^/]+/versions/[^/]+' },
});

test('names of several segments are found under the paths that they make', async () => {
  const server = supertest(await serveText(PATTERNS, { state: 'empty' }));
  const vault = { name: 'projects/a/vaults/keys', labels: { x: 'y' } };
  await server
    .post('/v1/projects/a/vaults?vaultId=keys')
    .send({ labels: { x: 'y' } })
    .expect(200, vault);
  await server.get('/v1/projects/a/vaults/keys').expect(200, vault);
  await server.get('/v1/projects/b/vaults/keys').expect(404);
  const listed = await server.get('/v1/projects/a/vaults').expect(200);
  expect((listed.body as { vaults: object[] }).vaults).toEqual([vault]);
  await server
    .patch('/v1/projects/a/vaults/keys')
    .send({ labels: { z: 'z' } })
    .expect(200);
  await server.delete('/v1/projects/a/vaults/keys').expect(200);
  await server.get('/v1/projects/a/vaults/keys').expect(404);
});

test('what a verb adds lies below, in the state in which it begins, and an action changes it', async () => {
  const server = supertest(await serveText(PATTERNS, { state: 'empty' }));
  await server.post('/v1/projects/a/vaults?vaultId=keys').send({}).expect(200);
  const added = await server.post('/v1/projects/a/vaults/keys:addVersion').send({ payload: 'x' }).expect(200);
  const { name, state } = added.body as { name: string; state: string };
  expect(name).toMatch(/^projects\/a\/vaults\/keys\/versions\/[^/]+$/);
  expect(state).toBe('ENABLED');
  await server.get(`/v1/${name}`).expect(200, { name, state: 'ENABLED' });
  await server.post(`/v1/${name}:disable`).send({}).expect(200, { name, state: 'DISABLED' });
  await server.get(`/v1/${name}`).expect(200, { name, state: 'DISABLED' });
});

test('a variable of which nothing is told takes one segment', async () => {
  const server = supertest(await serveText(named({}), { state: 'empty' }));
  await server.get('/v1/projects/a/vaults/keys').expect(404);
});

test('an id that is said to be the whole path is that', async () => {
  const id = { type: 'string', readOnly: true, description: 'Fully qualified resource Id of the box.' };
  const Box = object({ id, name: { ...text, readOnly: true }, size: text });
  const api = smallApi({
    'PUT /groups/{group}/boxes/{boxName}': { body: object({ size: text }), answers: { 201: Box } },
    'GET /groups/{group}/boxes/{boxName}': { answers: { 200: Box, 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  const box = { name: 'b', size: 's', id: '/groups/g/boxes/b' };
  await server.put('/groups/g/boxes/b').send({ size: 's' }).expect(201, box);
  await server.get('/groups/g/boxes/b').expect(200, box);
});

test('work that a write answers has a name of its own, under which it is found', async () => {
  const Work = object({ name: text, done: { type: 'boolean' }, error: object({ code: text }) });
  const api = smallApi(
    {
      'GET /v1/{vault}': { answers: { 200: ref('Vault'), 404: null } },
      'GET /v1/{operation}': { answers: { 200: ref('Operation'), 404: null } },
      'GET /v1/{parent}/operations': { answers: { 200: object({ operations: list(ref('Operation')) }) } },
      'GET /v1/{parent}/vaults': { answers: { 200: object({ vaults: list(ref('Vault')) }) } },
      'POST /v1/{parent}/vaults': { body: ref('Vault'), answers: { 200: ref('Operation') } },
    },
    { Vault: object({ name: text, size: text }), Operation: Work },
    {
      parent: { type: 'string', pattern: '^projects/[^/]+$' },
      vault: { type: 'string', pattern: '^projects/[^/]+/vaults/[^/]+$' },
      operation: { type: 'string', pattern: '^projects/[^/]+/operations/[^/]+$' },
    },
  );
  const server = supertest(await serveText(api, { state: 'empty' }));
  const begun = await server.post('/v1/projects/a/vaults').send({ name: 'keys', size: 'big' }).expect(200);
  const { name } = begun.body as { name: string };
  expect(name).toMatch(/^projects\/a\/operations\/[^/]+$/);
  const done = await server.get(`/v1/${name}`).expect(200);
  expect(done.body).toMatchObject({ name, done: true });
});

test('words about a variable that repeat its own path, or about one that takes no slash, make no other path', async () => {
  const paths = {
    'GET /boxes/{box}': { answers: { 200: ref('Box'), 404: null } },
    'PUT /boxes/{box}': { body: ref('Box'), answers: { 200: ref('Box') } },
    'GET /lids/{lid}': { answers: { 200: ref('Box'), 404: null } },
  };
  const lid = { type: 'string', format: 'uuid', example: 'see boxes/{box}' };
  const variables = { box: { type: 'string', example: 'see boxes/{box}' }, lid };
  const server = supertest(await serveText(smallApi(paths, { Box: object({ box: text, size: text }) }, variables)));
  await server.put('/boxes/b').send({ size: 's' }).expect(200);
  await server.get('/boxes/b').expect(200, { box: 'b', size: 's' });
  await server.get('/lids/00000000-0000-4000-8000-000000000001').expect(200);
});

test('the nouns of an id that the path has itself make no other path, though names are told elsewhere', async () => {
  const Product = object({ sku: text, title: text });
  const api = JSON.parse(
    smallApi(
      {
        'GET /v1/shops/{shop}/products': { answers: { 200: object({ products: list(ref('Product')) }) } },
        'POST /v1/shops/{shop}/products': { body: ref('Product'), answers: { 200: ref('Product') } },
        'GET /v1/shops/{shop}/products/{sku}': { answers: { 200: ref('Product'), 404: null } },
        'GET /v1/{name}': { answers: { 200: ref('Vault'), 404: null } },
      },
      { ...SCHEMAS, Product },
      { name: { type: 'string', pattern: '^projects/[^/]+/vaults/[^/]+$' } },
    ),
  ) as { paths: Record<string, Record<string, { operationId?: string }>> };
  api.paths['/v1/shops/{shop}/products']!['get']!.operationId = 'market.products.list';
  api.paths['/v1/shops/{shop}/products']!['post']!.operationId = 'market.products.insert';
  api.paths['/v1/shops/{shop}/products/{sku}']!['get']!.operationId = 'market.products.get';
  const server = supertest(await serveText(JSON.stringify(api), { state: 'empty' }));
  const { body } = await server.post('/v1/shops/a/products').send({ sku: 'x', title: 'X' }).expect(200);
  await server.get('/v1/shops/a/products/x').expect(200, body as object);
  await server.get('/v1/shops/a/products').expect(200, { products: [body] });
});
