/**
 * In a context of its own, as the tests of users have it: there, jest fakes the timers of the test alone.
 *
 * @jest-environment node
 */
import request from 'supertest';
import { createMockServer } from '../../src/express';
import { BISCUIT } from '../support/petstore';
import { KEY, startServer } from '../support/server';

afterEach(() => {
  jest.useRealTimers();
});

test('the mock responds while a test fakes the timers', async () => {
  const app = await createMockServer();
  jest.useFakeTimers();
  await request(app).get('/pets/1').set('Authorization', KEY).expect(200, BISCUIT);
});

test('60 requests in flight at the same time each get their own response', async () => {
  const server = await startServer();
  try {
    const names = Array.from({ length: 60 }, (_, index) => `Żółw ${index}`);
    const answers = await Promise.all(
      names.map(async (name) => {
        const response = await fetch(`${server.url}/categories`, {
          method: 'POST',
          headers: { authorization: KEY, 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        });
        return ((await response.json()) as { name: string }).name;
      }),
    );
    expect(answers).toEqual(names);
  } finally {
    await server.close();
  }
});
