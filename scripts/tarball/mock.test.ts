import { StandinError } from 'standin';
import { createMockServer, type MockServer } from 'standin/express';
import { describeContract } from 'standin/jest';
import request from 'supertest';

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

test('a description that does not exist is refused with an error of standin', async () => {
  await expect(createMockServer({ description: 'missing.yaml' })).rejects.toBeInstanceOf(StandinError);
});

describeContract({
  createApp: () => createMockServer({ description: 'small.yaml' }),
  description: 'small.yaml',
  contracts: 'small-contract.yaml',
});
