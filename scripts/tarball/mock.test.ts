import request from 'supertest';
import { createMockServer, type MockServer } from 'standin/express';

let app: MockServer;
beforeAll(async () => {
  app = await createMockServer();
});

test('a mock keeps what it is sent', async () => {
  const key = { Authorization: 'Bearer test-key' };
  const { body } = await request(app).post('/pets').set(key).send({ name: 'Rex', categoryId: 1 }).expect(201);
  const { id } = body as { id: number };
  await request(app)
    .get(`/pets/${id}`)
    .set(key)
    .expect(200, { ...body });
  expect(app.row('/pets', id)).toEqual(body);
});

test('it answers a request that breaks the description as the API does', async () => {
  const { body } = await request(app).post('/pets').set('Authorization', 'Bearer test-key').send({}).expect(400);
  expect(body).toMatchObject({ status: 400, code: expect.any(String) as string });
});
