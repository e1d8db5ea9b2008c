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
