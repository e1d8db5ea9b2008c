import supertest from 'supertest';
import type { Rules } from '../../../src/index';
import { startServer, type TestServer } from '../../support/server';

const PET = { name: 'Rex', categoryId: 1 };

async function mockWith(createPet: (event: never) => unknown): Promise<TestServer> {
  const rules = { standin: 'rules/1', operations: { createPet } } as unknown as Rules;
  return startServer({ rules, auth: 'off' });
}

// Rules may be JavaScript: nothing but the engine notices what they do wrong.
test.each<[string, (event: { refuse: (...args: unknown[]) => never }) => unknown]>([
  ['is asynchronous', ({ refuse }) => Promise.resolve().then(() => refuse(409, 'too_late', 'Too late'))],
  ['refuses with its arguments swapped', ({ refuse }) => refuse('already_lent', 409, 'No')],
  ['refuses with a success', ({ refuse }) => refuse(200, 'fine', 'Fine')],
  ['refuses with a code that is a sentence', ({ refuse }) => refuse(409, 'Not today', 'No')],
  [
    'throws',
    () => {
      throw new TypeError('Cannot read properties of undefined');
    },
  ],
])('a rule that %s is a defect: 500, nothing stored, and the mock goes on', async (_what, rule) => {
  const server = await mockWith(rule);
  const before = server.stateText();
  const answer = await supertest(server.url).post('/pets').send(PET);
  expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
  expect(server.stateText()).toBe(before);
  await supertest(server.url).get('/pets/1').expect(200);
  expect(server.defects).toHaveLength(1);
  await server.close();
});
