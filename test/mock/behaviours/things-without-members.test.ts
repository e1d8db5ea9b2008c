import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, smallApi, text, whole } from '../../support/small-api';

const free = { type: 'object' };

test('items that declare no members keep what was sent, under the key that was sent', async () => {
  const api = smallApi({
    'POST /shelves/{shelf}/documents': { body: free, answers: { 201: free, 409: null } },
    'GET /shelves/{shelf}/documents/{documentId}': { answers: { 200: free, 404: null } },
    'PATCH /shelves/{shelf}/documents/{documentId}': { body: free, answers: { 200: free, 404: null } },
    'DELETE /shelves/{shelf}/documents/{documentId}': { answers: { 200: free, 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  const document = { id: '124', title: 'a', pages: 3, tags: ['x'] };
  await server.post('/shelves/s/documents').send(document).expect(201, document);
  await server.get('/shelves/s/documents/124').expect(200, document);
  await server
    .patch('/shelves/s/documents/124')
    .send({ pages: 4 })
    .expect(200, { ...document, pages: 4 });
  const made = await server.post('/shelves/s/documents').send({ title: 'b' }).expect(201);
  const { id } = made.body as { id: string };
  await server.get(`/shelves/s/documents/${id}`).expect(200, { id, title: 'b' });
  await server.delete('/shelves/s/documents/124').expect(200, { ...document, pages: 4 });
  await server.get('/shelves/s/documents/124').expect(404);
});

test('an answer that only tells of the request says that it was done; a list shows what items are found by', async () => {
  const told = object({ result: { type: 'boolean' }, status: text, time: { type: 'number' } });
  const Pool = object({ state: text, size: whole });
  const api = smallApi({
    'GET /pools': {
      answers: { 200: object({ result: object({ pools: list(object({ name: text }, ['name'])) }), status: text }) },
    },
    'PUT /pools/{pool_name}': { body: Pool, answers: { 200: told } },
    'GET /pools/{pool_name}': {
      answers: { 200: object({ result: Pool, status: text, time: { type: 'number' } }), 404: null },
    },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  const put = await server.put('/pools/mine').send({ size: 3 }).expect(200);
  expect(put.body).toMatchObject({ result: true });
  const listed = await server.get('/pools').expect(200);
  expect((listed.body as { result: object }).result).toEqual({ pools: [{ name: 'mine' }] });
});

test('where the name of the variable ends in a member, that is the key', async () => {
  const Address = object({ ip: text, locked: { type: 'boolean' } });
  const api = smallApi({
    'GET /floating_ips': { answers: { 200: list(Address) } },
    'POST /floating_ips': { body: object({ region: text }), answers: { 201: Address } },
    'GET /floating_ips/{floating_ip}': { answers: { 200: Address, 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  const { body } = await server.post('/floating_ips').send({ region: 'a' }).expect(201);
  const { ip } = body as { ip: string };
  await server.get(`/floating_ips/${ip}`).expect(200, body as object);
});

const anything = {};
const numbered = { offset: whole, limit: whole, total: whole };
const pageOfAnything = object({ results: list(anything), ...numbered }, ['results', 'total']);

const untold = smallApi({
  'GET /shelves/{shelf}/documents': { query: { offset: whole, limit: whole }, answers: { 200: pageOfAnything } },
  'POST /shelves/{shelf}/documents': {
    summary: 'Add or replace documents',
    body: anything,
    answers: { 202: object({ note: text }) },
  },
  'PATCH /shelves/{shelf}/documents': {
    summary: 'Add or update documents',
    body: anything,
    answers: { 202: object({ note: text }) },
  },
  'DELETE /shelves/{shelf}/documents': { answers: { 202: object({ note: text }) } },
  'POST /shelves/{shelf}/documents/fetch': {
    body: object({ limit: whole, offset: whole }),
    answers: { 200: pageOfAnything },
  },
  'GET /shelves/{shelf}/documents/{documentId}': { answers: { 200: anything, 404: null } },
  'DELETE /shelves/{shelf}/documents/{documentId}': { answers: { 202: object({ note: text }) } },
});

test('a page that tells nothing of its items is a collection of what was sent, one or many at once', async () => {
  const server = supertest(await serveText(untold));
  const documents = [1, 2, 3].map((id) => ({ id, title: `T${id}` }));
  await server.post('/shelves/s/documents').send(documents).expect(202);
  await server.post('/shelves/s/documents').send({ id: 'x-4', title: 'T4' }).expect(202);
  await server.get('/shelves/s/documents/2').expect(200, { id: 2, title: 'T2' });
  await server.get('/shelves/s/documents/x-4').expect(200, { id: 'x-4', title: 'T4' });
  const { body } = await server.get('/shelves/s/documents?limit=2').expect(200);
  expect(body).toMatchObject({ results: documents.slice(0, 2), total: 4 });
  await server.get('/shelves/s/documents?limit=2&offset=2').expect(200);
  const fetched = await server.post('/shelves/s/documents/fetch').send({ limit: 3 }).expect(200);
  expect((fetched.body as { results: object[] }).results).toHaveLength(3);
  await server.delete('/shelves/s/documents/1').expect(202);
  await server.get('/shelves/s/documents/1').expect(404);
  await server.delete('/shelves/s/documents').expect(202);
  expect((await server.get('/shelves/s/documents')).body).toMatchObject({ results: [], total: 0 });
});

test('what is sent under a key that is taken replaces or changes the item, as the words of the operation say', async () => {
  const server = supertest(await serveText(untold));
  await server.post('/shelves/s/documents').send([{ id: 1, title: 'A', pages: 3 }]);
  await server
    .patch('/shelves/s/documents')
    .send([{ id: 1, title: 'B' }, { id: 2 }])
    .expect(202);
  await server.get('/shelves/s/documents/1').expect(200, { id: 1, title: 'B', pages: 3 });
  await server
    .post('/shelves/s/documents')
    .send([{ id: 1, title: 'C' }])
    .expect(202);
  await server.get('/shelves/s/documents/1').expect(200, { id: 1, title: 'C' });
  expect((await server.get('/shelves/s/documents')).body).toMatchObject({ total: 2 });
});

test.each([
  ['action', { type: 'string', enum: ['create', 'update', 'upsert'] }, 'upsert', 'create'],
  ['overwrite', { type: 'boolean' }, 'true', 'false'],
])('a request asks by %s for what becomes of an item with the key', async (name, schema, asking, plain) => {
  const api = smallApi({
    'GET /shelves/{shelf}': { answers: { 200: object({ id: text }) } },
    'GET /notes': { answers: { 200: list(object({ id: text, title: text }, ['id'])) } },
    'POST /notes': {
      query: { [name]: schema },
      body: object({ id: text, title: text }, ['id']),
      answers: { 201: object({ id: text, title: text }, ['id']), 409: null },
    },
    'GET /notes/{id}': { answers: { 200: object({ id: text, title: text }, ['id']), 404: null } },
  });
  const server = supertest(await serveText(api));
  const send = (title: string, query: string): supertest.Test => server.post(`/notes${query}`).send({ id: 'a', title });
  await send('A', '').expect(201);
  await send('B', `?${name}=${asking}`).expect(201, { id: 'a', title: 'B' });
  await server.get('/notes/a').expect(200, { id: 'a', title: 'B' });
  await send('C', '').expect(409);
  await send('C', `?${name}=${plain}`).expect(409);
});

test('a list of anything without a word of pages beside it is a part of a record', async () => {
  const settings = object({ values: list(anything), note: text });
  const api = smallApi({
    'GET /settings': { answers: { 200: settings } },
    'PUT /settings': { body: settings, answers: { 200: settings } },
  });
  const server = supertest(await serveText(api));
  await server
    .put('/settings')
    .send({ values: [1, 'a'], note: 'n' })
    .expect(200);
  await server.get('/settings').expect(200, { values: [1, 'a'], note: 'n' });
});

test.each([
  ['no content', null],
  ['an object without properties', object({})],
])('what a path calls a thing wraps it; its key may be in a creation alone that answers %s', async (_about, answer) => {
  const api = smallApi({
    'GET /lamps': { answers: { 200: object({ lamps: list(free) }, ['lamps']) } },
    'POST /lamps': {
      summary: 'Add a lamp',
      body: object({ serial: text, watts: whole }, ['serial']),
      answers: { 200: answer },
    },
    'GET /lamps/{serial}': { answers: { 200: object({ lamp: free }, ['lamp']), 404: null } },
    'DELETE /lamps/{serial}': { answers: { 204: null, 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'empty' }));
  const lamp = { serial: 'a-7', watts: 40 };
  await server.post('/lamps').send(lamp).expect(200);
  await server.get('/lamps/a-7').expect(200, { lamp });
  await server.get('/lamps').expect(200, { lamps: [lamp] });
  await server.delete('/lamps/a-7').expect(204);
  await server.get('/lamps/a-7').expect(404);
});
