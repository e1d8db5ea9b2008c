import request from 'supertest';
import { createMockServer } from 'standin/express';

test('a pet that was posted can be read back', async () => {
  const app = await createMockServer();
  const key = ['Authorization', 'Bearer test-key'];
  const posted = await request(app)
    .post('/pets')
    .set(...key)
    .send({ name: 'Rex', categoryId: 1 });
  expect(posted.status).toBe(201);
  const read = await request(app)
    .get(`/pets/${posted.body.id}`)
    .set(...key);
  expect(read.body).toEqual(posted.body);
});
