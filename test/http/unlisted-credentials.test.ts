import supertest from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { list, object, smallApi, text } from '../support/small-api';

/** A description of which each operation asks for a token. */
function secured(): object {
  const api = JSON.parse(smallApi({ 'GET /boxes': { answers: { 200: list(object({ id: text })), 401: null } } })) as {
    components: object;
  };
  const securitySchemes = { token: { type: 'http', scheme: 'bearer' }, password: { type: 'http', scheme: 'basic' } };
  return { ...api, security: [{ token: [] }, { password: [] }], components: { ...api.components, securitySchemes } };
}

type Options = NonNullable<Parameters<typeof createMockServer>[0]>;

async function statusOf(
  authorization: string | undefined,
  options: Options = { description: secured() },
): Promise<number> {
  const app = await createMockServer(options);
  const asked = supertest(app).get(options.description === undefined ? '/pets' : '/boxes');
  return (await (authorization === undefined ? asked : asked.set('Authorization', authorization))).status;
}

test.each([
  'Bearer sk_live_4242',
  'Bearer test-key',
  'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x',
  `Basic ${btoa('ann:secret')}`,
])('where nobody listed keys, %s is good', async (authorization) => {
  expect(await statusOf(authorization)).toBe(200);
});

test.each([
  undefined,
  'Bearer',
  'Token abc',
  'Bearer invalid',
  'Bearer invalid-key',
  'Bearer standin-unknown-key-1',
  'Bearer test-xey',
  'Bearer TEST-KEY',
  'Bearer test-keyxx',
  'Bearer xxtest-key',
  `Basic ${btoa('ann:invalid')}`,
  `Basic ${btoa('user:test-ke')}`,
])('%s is none', async (authorization) => {
  expect(await statusOf(authorization)).toBe(401);
});

test.each([
  ['a key is given', { description: secured(), apiKeys: ['k-12345678'] }],
  ['the mode says so', { description: secured(), auth: 'keys' as const }],
  ['it is the bundled Petstore', {}],
])('where %s, any other key is a 401', async (_, options) => {
  expect(await statusOf('Bearer sk_live_4242', options)).toBe(401);
});
