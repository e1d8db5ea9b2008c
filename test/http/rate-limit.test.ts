import { expectError, usePetstore } from '../support/petstore';

const START = new Date('2027-01-01T00:00:00Z');
/** Two at once, then one in each half hour. */
const shop = usePetstore({
  rateLimit: { requests: 2, seconds: 3600 },
  clock: START,
  apiKeys: ['test-key', 'other-key'],
});
const unlimited = usePetstore();

function after(seconds: number): void {
  shop.app.setClock(new Date(START.getTime() + seconds * 1000));
}

test('the third of two requests is 429, and says when to come again', async () => {
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  const response = await shop.refuses(shop.post('/pets', { name: 'Nova', categoryId: 1 }), 429, 'rate_limited');
  const seconds = Number(response.headers['retry-after']);
  expect(seconds).toBeGreaterThan(1700);
  expect(seconds).toBeLessThanOrEqual(1800);

  after(seconds - 60);
  await shop.refuses(shop.get('/pets'), 429, 'rate_limited');
  after(seconds + 1);
  await shop.get('/pets').expect(200);
  await shop.refuses(shop.get('/pets'), 429, 'rate_limited');
});

test('after the whole window there are as many again, and no more', async () => {
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  after(10 * 3600);
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(429);
});

test('every answer says how many remain', async () => {
  const first = await shop.get('/pets').expect(200);
  expect(first.headers['ratelimit-policy']).toBe('"default";q=2;w=3600');
  expect(first.headers['ratelimit']).toMatch(/^"default";r=1;t=\d+$/);
  expect(first.headers).not.toHaveProperty('retry-after');
  const second = await shop.get('/pets/99').expect(404);
  expect(second.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
  const third = await shop.get('/pets').expect(429);
  expect(third.headers['ratelimit-policy']).toBe('"default";q=2;w=3600');
  const [, remaining, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(third.headers['ratelimit']!) ?? [];
  expect(remaining).toBe('0');
  expect(Number(third.headers['retry-after'])).toBeGreaterThanOrEqual(Number(reset));
});

test('each key has a bucket of its own', async () => {
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(429);
  await shop.get('/pets', { Authorization: 'Bearer other-key' }).expect(200);
});

test('one key is one bucket, however the scheme is written', async () => {
  await shop.get('/pets').expect(200);
  await shop.get('/pets', { Authorization: 'bearer test-key' }).expect(200);
  await shop.get('/pets', { Authorization: 'BEARER test-key' }).expect(429);
});

test('a request without a key, or with an unknown one, is limited too', async () => {
  for (const headers of [{ Authorization: undefined }, { Authorization: 'Bearer unknown' }]) {
    const first = await shop.get('/pets', headers).expect(401);
    expect(first.headers).toHaveProperty('ratelimit');
    await shop.get('/pets', headers).expect(401);
    expectError(await shop.get('/pets', headers), 429, 'rate_limited');
  }
});

test('paths and methods that do not exist take nothing', async () => {
  for (let index = 0; index < 5; index++) {
    await shop.get('/nowhere').expect(404);
    await shop.patch('/pets', {}).expect(405);
    await shop.send('options', '/pets').expect(204);
  }
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
});

test('a HEAD that is refused has no body', async () => {
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  const head = await shop.head('/pets').expect(429);
  expect(head.body).toEqual({});
  expect(head.headers).toHaveProperty('retry-after');
});

test('a reset fills the bucket', async () => {
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  shop.app.reset();
  await shop.get('/pets').expect(200);
});

test('the admin routes are not limited', async () => {
  for (let index = 0; index < 5; index++) await shop.get('/__standin/health').expect(200);
});

test('without the option nothing is limited, and nothing is said', async () => {
  for (let index = 0; index < 30; index++) {
    const { headers } = await unlimited.get('/pets').expect(200);
    for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after']) expect(headers).not.toHaveProperty(name);
  }
});
