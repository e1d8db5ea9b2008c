import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

const only = (word: string): object => ({ type: 'string', enum: [word] });
const serve = async (...api: Parameters<typeof smallApi>) =>
  supertest(await serveText(smallApi(...api), { state: 'empty' }));

/** What an answer shows as the key of an item. */
const idOf = ({ body }: supertest.Response): string => (body as { id: string }).id;

test('an item with an id of text is found by it where the path only calls it what it is', async () => {
  const server = await serve(
    {
      'GET /holders': { answers: { 200: list(ref('Holder')) } },
      'POST /holders': { body: object({ name: text }, ['name']), answers: { 201: ref('Holder') } },
      'GET /holders/{holder}': { answers: { 200: ref('Holder'), 404: null } },
    },
    { Holder: object({ id: text, name: text }, ['id', 'name']) },
  );
  const made = await server.post('/holders').send({ name: 'Ada' }).expect(201);
  await server.get(`/holders/${idOf(made)}`).expect(200, { id: idOf(made), name: 'Ada' });
  await server.post('/holders').send({ name: 'Ada' }).expect(201);
});

test('things that each say of what kind they are are kept apart, however alike they are', async () => {
  const members = { id: text, amount: whole, currency: text, created: whole, note: text };
  const server = await serve(
    {
      'GET /refunds': { answers: { 200: object({ data: list(ref('Refund')) }) } },
      'GET /refunds/{id}': { answers: { 200: ref('Refund'), 404: null } },
      'GET /fees/{fee}/refunds': { answers: { 200: object({ data: list(ref('FeeRefund')) }) } },
      'POST /fees/{id}/refunds': { body: object({ amount: whole }), answers: { 200: ref('FeeRefund') } },
      'GET /fees/{fee}/refunds/{id}': { answers: { 200: ref('FeeRefund'), 404: null } },
    },
    {
      Refund: object({ ...members, object: only('refund') }, ['id', 'object']),
      FeeRefund: object({ ...members, object: only('fee_refund') }, ['id', 'object']),
    },
  );
  const made = await server.post('/fees/7/refunds').send({ amount: 5 }).expect(200);
  const read = await server.get(`/fees/7/refunds/${idOf(made)}`).expect(200);
  expect(read.body).toMatchObject({ amount: 5, object: 'fee_refund' });
  await server.get(`/refunds/${idOf(made)}`).expect(404);
});

test('what is made where nothing reads it is found where the same things are read under the same name', async () => {
  const server = await serve(
    {
      'POST /trials/bank/credits': { body: object({ amount: whole }), answers: { 200: ref('Credit') } },
      'GET /bank/credits': { answers: { 200: object({ data: list(ref('Credit')) }) } },
      'GET /bank/credits/{id}': { answers: { 200: ref('Credit'), 404: null } },
    },
    { Credit: object({ id: text, amount: whole, status: text }, ['id']) },
  );
  const made = await server.post('/trials/bank/credits').send({ amount: 5 }).expect(200);
  await server.get(`/bank/credits/${idOf(made)}`).expect(200, made.body as object);
  const listed = await server.get('/bank/credits').expect(200);
  expect(listed.body).toEqual({ data: [made.body] });
});

test('data with an id is the item, whatever plain members tell of the call beside it', async () => {
  const around = (data: object): object =>
    object({ status_code: whole, status: text, service: text, resource: text, data }, ['status_code', 'data']);
  const server = await serve(
    {
      'GET /messages': { answers: { 200: around(list(ref('Message'))) } },
      'POST /messages': { body: ref('Message'), answers: { 201: around(object({ id: text }, ['id'])) } },
      'GET /messages/{id}': { answers: { 200: around(ref('Message')), 404: null } },
      'PATCH /messages/{id}': { body: ref('Message'), answers: { 200: around(object({ id: text }, ['id'])) } },
    },
    { Message: object({ id: { ...text, readOnly: true }, from: text, body: text }, ['from']) },
  );
  const made = await server.post('/messages').send({ from: 'Ada', body: 'Hi' }).expect(201);
  const { id } = (made.body as { data: { id: string } }).data;
  await server.patch(`/messages/${id}`).send({ from: 'Ada', body: 'Ho' }).expect(200);
  const read = await server.get(`/messages/${id}`).expect(200);
  expect(read.body).toMatchObject({ data: { id, from: 'Ada', body: 'Ho' } });
});
