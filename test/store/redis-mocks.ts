import request from 'supertest';
import { createServerParts } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { hasRedis } from '../support/redis-server';

// Where there is none: apt-get install redis-server, or brew install redis.
export const withRedis = hasRedis ? describe : describe.skip;

export const KEY = { Authorization: 'Bearer test-key' };

const open = new Set<MockServer>();
afterEach(async () => {
  for (const app of open) await app.closeStore();
  open.clear();
});

/** Starts a mock of the Petstore, whose store is closed after the test. */
export async function startMock(
  options: CreateMockServerOptions & Required<Pick<CreateMockServerOptions, 'store'>>,
): Promise<MockServer> {
  const { app } = await createServerParts(options);
  open.add(app);
  return app;
}

export function post(app: MockServer, name: string, headers: Record<string, string> = {}): request.Test {
  return request(app)
    .post('/categories')
    .set({ ...KEY, ...headers })
    .send({ name });
}

/** Returns the names of all categories. */
export async function names(app: MockServer, headers: Record<string, string> = {}): Promise<string[]> {
  const { body } = await request(app)
    .get('/categories?limit=100')
    .set({ ...KEY, ...headers })
    .expect(200);
  return (body as { name: string }[]).map(({ name }) => name);
}

export function admin(
  app: MockServer,
  method: 'get' | 'put' | 'post' | 'delete',
  path: string,
  body?: object,
): request.Test {
  return request(app)[method](`/__standin${path}`).set('Content-Type', 'application/json').send(body);
}
