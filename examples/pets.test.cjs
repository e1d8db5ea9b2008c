// A jest test of code that talks to the Petstore. The mock is an Express app: supertest needs no port.
const request = require('supertest');
const { createMockServer } = require('standin/express');

let app;
beforeAll(async () => {
  app = await createMockServer(); // the bundled Petstore; { description: 'openapi.yaml' } for your own
});
beforeEach(() => {
  app.reset(); // back to the fixtures
});

const key = ['Authorization', 'Bearer test-key'];

test('a pet that was posted can be read back', async () => {
  const posted = await request(app)
    .post('/pets')
    .set(...key)
    .send({ name: 'Rex', categoryId: 1 })
    .expect(201);
  await request(app)
    .get(`/pets/${posted.body.id}`)
    .set(...key)
    .expect(200, posted.body);
});

test('a pet in a category that does not exist is refused, and nothing is stored', async () => {
  const before = app.state();
  const refused = await request(app)
    .post('/pets')
    .set(...key)
    .send({ name: 'Rex', categoryId: 99 })
    .expect(422);
  expect(refused.body).toMatchObject({ code: 'unknown_reference', status: 422 });
  expect(app.state()).toEqual(before);
});

test('tests share what takes time: a snapshot is taken once and restored often', async () => {
  await request(app)
    .post('/store/orders')
    .set(...key)
    .send({ petId: 1, quantity: 3 })
    .expect(201);
  const soldOut = app.snapshot();

  await request(app)
    .delete('/store/orders/3')
    .set(...key)
    .expect(204);
  app.restore(soldOut);

  const answer = await request(app)
    .get('/inventory/1')
    .set(...key)
    .expect(200);
  expect(answer.body).toEqual({ petId: 1, quantity: 0, status: 'pending' });
});

test('the journal tells what was asked, without the key', async () => {
  await request(app)
    .get('/pets')
    .set(...key);
  const [entry] = app.journal();
  expect(entry).toMatchObject({ method: 'GET', target: '/pets', status: 200, operation: 'listPets' });
  expect(JSON.stringify(entry)).not.toContain('test-key');
});

test('time can be set: the deprecated read is gone after its sunset', async () => {
  app.setClock(new Date('2031-01-01T00:00:00Z'));
  await request(app)
    .get('/pets/1')
    .set(...key)
    .expect(410);
  app.setClock(undefined);
});
