// One mock for all workers of a test run: each worker has a sandbox of its own in it, so that none sees what others do.
// Here the mock is in this process; of one that runs elsewhere (`standin mock`), only `headers` are needed.
const request = require('supertest');
const { createMockServer } = require('standin/express');

let app;
let mine;
beforeAll(async () => {
  app = await createMockServer();
  mine = app.workerSandbox(); // the same as app.sandbox(`worker-${process.env.JEST_WORKER_ID}`)
});
beforeEach(() => {
  mine.reset();
});

const key = ['Authorization', 'Bearer test-key'];

/** A client that always sends what names the sandbox. */
const post = (path, body) =>
  request(app)
    .post(path)
    .set(...key)
    .set(mine.headers)
    .send(body);

test('what this worker stores, no other sees', async () => {
  await post('/pets', { name: 'Rex', categoryId: 1 }).expect(201);
  expect(mine.state().collections['/pets']).toHaveLength(4);
  expect(app.sandbox('another').state().collections['/pets']).toHaveLength(3);
});

test('what changed can be told', async () => {
  await post('/pets', { name: 'Rex', categoryId: 1 }).expect(201);
  expect(mine.diff()['/pets']).toMatchObject({ added: [{ name: 'Rex' }], removed: [], changed: [] });
});

test('one state is built once, and forked for each case', async () => {
  await post('/store/orders', { petId: 1, quantity: 3 }).expect(201);
  const other = mine.fork('sold-out');
  const answer = await request(app)
    .get(`${other.path}/inventory/1`) // by path, for clients that cannot send a header
    .set(...key)
    .expect(200);
  expect(answer.body).toEqual({ petId: 1, quantity: 0, status: 'pending' });
});
