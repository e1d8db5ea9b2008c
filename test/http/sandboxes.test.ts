import type { Response } from 'supertest';
import {
  BISCUIT,
  expectError,
  ids,
  linksOf,
  openPetstore,
  pathOf,
  usePetstore,
  type Body,
  type Headers,
  type Method,
} from '../support/petstore';

const shop = usePetstore();
const ADMIN = '/__standin';
const NOVA = { name: 'Nova', categoryId: 1 };

beforeEach(async () => {
  shop.app.sandboxes().forEach(({ id }) => {
    shop.app.sandbox(id).remove();
  });
  await shop.delete(`${ADMIN}/sandboxes`, { 'Content-Type': 'application/json' }).expect(204);
});

/** A request in a sandbox, named by header. */
function inside(id: string, method: Method, path: string, body?: Body, headers: Headers = {}): Promise<Response> {
  return Promise.resolve(shop.send(method, path, body, { 'X-Standin-Sandbox': id, ...headers }));
}

describe('a sandbox', () => {
  test('has a state of its own, which begins as the fixtures', async () => {
    await inside('a', 'post', '/pets', NOVA);
    expect(ids(await inside('a', 'get', '/pets'))).toEqual([1, 2, 3, 4]);
    expect(ids(await inside('b', 'get', '/pets'))).toEqual([1, 2, 3]);
    expect(ids(await shop.get('/pets'))).toEqual([1, 2, 3]);
  });

  test('sees nothing of what the main state becomes', async () => {
    await shop.delete('/store/orders/1').expect(204);
    expect(ids(await inside('a', 'get', '/store/orders'))).toEqual([1, 2]);
  });

  test('comes to be with its first write; a read or a refused write leaves nothing', async () => {
    await inside('a', 'get', '/pets');
    await inside('a', 'post', '/pets', { name: 'Nova', categoryId: 99 });
    await inside('a', 'post', '/pets', {});
    expect(shop.app.sandboxes()).toEqual([]);
    await inside('a', 'post', '/pets', NOVA);
    expect(shop.app.sandboxes()).toMatchObject([{ id: 'a', snapshots: [] }]);
  });

  test('is named by a cookie as well', async () => {
    await inside('a', 'post', '/pets', NOVA);
    const cookie = { Cookie: 'theme=dark; standin-sandbox=a' };
    expect(ids(await shop.get('/pets', cookie))).toEqual([1, 2, 3, 4]);
  });

  test('that is named in the path keeps it in every link', async () => {
    const posted = await shop.post('/_s/a/pets', NOVA).expect(201);
    expect(pathOf(posted.headers['location'] as string)).toBe('/_s/a/pets/4');
    const page = await shop.get('/_s/a/pets?limit=2').expect(200);
    expect(linksOf(page)['next']).toMatch(/^\/_s\/a\/pets\?/);
    expect(ids(await shop.get(linksOf(page)['next'] ?? ''))).toEqual([3, 4]);
    expect(ids(await shop.get('/pets'))).toEqual([1, 2, 3]);
  });

  test('called "default" is the main state', async () => {
    await inside('default', 'post', '/pets', NOVA);
    expect(ids(await shop.get('/pets'))).toEqual([1, 2, 3, 4]);
  });

  test('of a name that is none is refused', async () => {
    for (const id of ['a b', '../x', 'x'.repeat(65)]) {
      expectError(await inside(id, 'get', '/pets'), 400, 'invalid_sandbox', 'letters, digits');
    }
    expectError(await inside('', 'get', '/pets'), 400, 'invalid_sandbox', 'x-standin-sandbox is empty');
  });

  test('has idempotency keys of its own', async () => {
    const key = { 'Idempotency-Key': '"k"' };
    const first = await inside('a', 'post', '/pets', NOVA, key);
    const again = await inside('a', 'post', '/pets', NOVA, key);
    const other = await inside('b', 'post', '/pets', { ...NOVA, name: 'Other' }, key);
    expect(again.body).toEqual(first.body);
    expect(other.status).toBe(201);
  });

  test('has a journal of its own, from its first request on', async () => {
    await inside('a', 'get', '/pets/1');
    await inside('b', 'get', '/pets/2');
    expect(shop.app.sandbox('a').journal()).toMatchObject([{ number: 1, target: '/pets/1' }]);
    await inside('a', 'post', '/pets', NOVA);
    expect(shop.app.sandbox('a').journal()).toMatchObject([
      { number: 1, target: '/pets/1', status: 200 },
      { number: 2, target: '/pets', status: 201 },
    ]);
    expect(shop.app.journal().filter(({ target }) => target.startsWith('/pets'))).toEqual([]);
  });

  test('has a clock of its own', async () => {
    const future = shop.app.sandbox('future');
    future.setClock(new Date('2031-01-01T00:00:00Z'), { fixed: true });
    expect((await inside('future', 'get', '/pets/1')).status).toBe(410);
    expect((await inside('a', 'get', '/pets/1')).status).toBe(200);
    await shop.get('/pets/1').expect(200);
    expect(future.journal()[0]?.at).toBe('2031-01-01T00:00:00.000Z');
  });

  test('does not see the main clock', async () => {
    shop.app.setClock(new Date('2031-01-01T00:00:00Z'));
    await shop.get('/pets/1').expect(410);
    expect((await inside('a', 'get', '/pets/1')).status).toBe(200);
    shop.app.setClock(undefined);
  });
});

test('each has a rate of its own, which its first write does not refill', async () => {
  const limited = await openPetstore({ rateLimit: { requests: 3, seconds: 60 } });
  const from = (id: string): Headers => ({ 'X-Standin-Sandbox': id });
  await limited.get('/pets', from('a')).expect(200);
  await limited.get('/pets', from('a')).expect(200);
  await limited.post('/pets', NOVA, from('a')).expect(201);
  await limited.get('/pets', from('a')).expect(429);
  await limited.get('/pets', from('b')).expect(200);
  await limited.get('/pets').expect(200);
  limited.app.sandbox('a').reset();
  await limited.get('/pets', from('a')).expect(200);
});

test('a page may name one: preflights let the header through', async () => {
  const response = await shop.send('options', '/pets', undefined, {
    Origin: 'http://localhost:5173',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'x-standin-sandbox,x-standin-fault',
  });
  expect(response.headers['access-control-allow-headers']).toBe('x-standin-sandbox,x-standin-fault');
});

describe('sandboxes that are too many or too old', () => {
  test('make room, and say so', async () => {
    const small = await openPetstore({ maxSandboxes: 2 });
    const from = (id: string): Headers => ({ 'X-Standin-Sandbox': id });
    for (const id of ['a', 'b', 'a', 'c']) await small.post('/pets', NOVA, from(id)).expect(201);
    expect(small.app.sandboxes().map(({ id }) => id)).toEqual(['a', 'c']);
    expectError(await small.get('/pets', from('b')), 410, 'sandbox_gone', 'sandbox b', '--max-sandboxes');
    expectError(await small.post('/pets', NOVA, from('b')), 410, 'sandbox_gone');
    expectError(await small.get(`${ADMIN}/state?sandbox=b`), 410, 'sandbox_gone');
    await small.post(`${ADMIN}/reset?sandbox=b`, {}).expect(204);
    expect(ids(await small.get('/pets', from('b')))).toEqual([1, 2, 3]);
  });

  test('are over when nobody used them for an hour of the mock', async () => {
    const slow = await openPetstore({ clock: new Date('2030-01-01T00:00:00Z') });
    const from = { 'X-Standin-Sandbox': 'a' };
    await slow.post('/pets', NOVA, from).expect(201);
    slow.app.setClock(new Date('2030-01-01T00:59:00Z'));
    await slow.get('/pets', from).expect(200);
    slow.app.setClock(new Date('2030-01-01T01:58:00Z'));
    await slow.get('/pets', from).expect(200);
    slow.app.setClock(new Date('2030-01-01T02:59:00Z'));
    await slow.get('/pets', from).expect(410);
    expect(slow.app.sandboxes()).toEqual([]);
  });
});

describe('the app', () => {
  test('steers each by itself, and gives the headers that name it', async () => {
    const one = shop.app.sandbox('one');
    expect(one.headers).toEqual({ 'X-Standin-Sandbox': 'one' });
    await shop.post('/pets', NOVA, one.headers).expect(201);
    const before = one.snapshot();
    await shop.delete('/pets/4', one.headers).expect(204);
    one.restore(before);
    await shop.get('/inventory/4', one.headers).expect(200);
    one.reset();
    expect(one.state()).toEqual(shop.app.state());
    expect(one.journal()).toEqual([]);
  });

  test('forks one from another; later changes stay apart', async () => {
    const one = shop.app.sandbox('one');
    await shop.post('/pets', NOVA, one.headers).expect(201);
    const two = one.fork('two');
    await shop.post('/pets', NOVA, two.headers).expect(201);
    expect(ids(await shop.get('/pets', one.headers))).toEqual([1, 2, 3, 4]);
    expect(ids(await shop.get('/pets', two.headers))).toEqual([1, 2, 3, 4, 5]);
  });

  test('tells what changed in one', async () => {
    const one = shop.app.sandbox('one');
    expect(one.diff()).toEqual({});
    await shop.post('/pets', NOVA, one.headers).expect(201);
    const since = one.snapshot();
    await shop.put('/pets/1', { ...BISCUIT, name: 'Crumb' }, one.headers).expect(200);
    await shop.delete('/store/orders/1', one.headers).expect(204);
    expect(one.diff()).toMatchObject({
      '/pets': {
        added: [{ id: 4, name: 'Nova' }],
        removed: [],
        changed: expect.arrayContaining([{ before: BISCUIT, after: { ...BISCUIT, name: 'Crumb' } }]) as unknown,
      },
      '/store/orders': { added: [], removed: [{ id: 1 }], changed: [] },
    });
    expect(one.diff(since)['/pets']?.added).toEqual([]);
  });

  test('changes the baseline; what was forked before stays as it is', async () => {
    const [early, late] = [shop.app.sandbox('early'), shop.app.sandbox('late')];
    const seed = shop.app.snapshot();
    await shop.delete('/store/orders/1', early.headers).expect(204);
    await shop.post('/pets', NOVA).expect(201);
    shop.app.setBaseline();
    expect(ids(await shop.get('/pets', early.headers))).toEqual([1, 2, 3]);
    expect(ids(await shop.get('/pets', late.headers))).toEqual([1, 2, 3, 4]);
    early.reset();
    expect(ids(await shop.get('/pets', early.headers))).toEqual([1, 2, 3, 4]);
    shop.app.setBaseline(seed);
  });

  test('takes a document in the place of what is stored in one', async () => {
    const one = shop.app.sandbox('one');
    await shop.post('/pets', NOVA).expect(201);
    one.load(shop.app.state());
    expect(one.state()['collections']).toEqual(shop.app.state()['collections']);
  });

  test('has one for each worker of a test runner', () => {
    expect(shop.app.workerSandbox().id).toBe(`worker-${process.env['JEST_WORKER_ID'] ?? '0'}`);
  });

  test.each([{ id: undefined }, { id: '' }, { id: 'a b' }, { id: 'default' }])('refuses the id $id', ({ id }) => {
    expect(() => shop.app.sandbox(id)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }) as Error);
  });
});

describe('the admin routes', () => {
  test('make, list and delete sandboxes', async () => {
    await shop.post('/pets', NOVA).expect(201);
    await shop.post(`${ADMIN}/sandboxes`, { id: 'fresh' }).expect(201, { id: 'fresh' });
    await shop.post(`${ADMIN}/sandboxes`, { id: 'copy', from: 'default' }).expect(201);
    expectError(await shop.post(`${ADMIN}/sandboxes`, { id: 'copy' }), 409, 'sandbox_exists', 'copy');
    const { body } = await shop.get(`${ADMIN}/sandboxes`).expect(200);
    expect(body).toMatchObject({ sandboxes: [{ id: 'fresh' }, { id: 'copy' }] });
    expect(ids(await inside('fresh', 'get', '/pets'))).toEqual([1, 2, 3]);
    expect(ids(await inside('copy', 'get', '/pets'))).toEqual([1, 2, 3, 4]);
    const json = { 'Content-Type': 'application/json' };
    await shop.delete(`${ADMIN}/sandboxes?sandbox=copy`, json).expect(204);
    await shop.delete(`${ADMIN}/sandboxes?sandbox=copy`, json).expect(404);
    expect(ids(await inside('copy', 'get', '/pets'))).toEqual([1, 2, 3]);
  });

  test('keep snapshots of each sandbox, and make new sandboxes from them', async () => {
    await inside('a', 'post', '/pets', NOVA);
    await shop.post(`${ADMIN}/snapshot?sandbox=a`, { name: 's' }).expect(201);
    await inside('a', 'delete', '/store/orders/1');
    await shop.post(`${ADMIN}/restore?sandbox=b`, { name: 's' }).expect(404);
    await shop.post(`${ADMIN}/restore`, { name: 's' }).expect(404);
    await shop.post(`${ADMIN}/sandboxes`, { id: 'c', from: 'a', snapshot: 's' }).expect(201);
    expect(ids(await inside('c', 'get', '/pets'))).toEqual([1, 2, 3, 4]);
    expect(ids(await inside('c', 'get', '/store/orders'))).toEqual([1, 2]);
    const { body } = await shop.get(`${ADMIN}/diff?sandbox=a&snapshot=s`).expect(200);
    expect(body).toMatchObject({ collections: { '/store/orders': { removed: [{ id: 1 }] } } });
    await shop.post(`${ADMIN}/restore?sandbox=a`, { name: 's' }).expect(204);
    expect(ids(await inside('a', 'get', '/store/orders'))).toEqual([1, 2]);
    await shop.get(`${ADMIN}/diff?sandbox=a&snapshot=none`).expect(404);
  });

  test('show, replace and reset the state, the journal and the clock of each', async () => {
    await inside('a', 'post', '/pets', NOVA);
    const saved = await shop.get(`${ADMIN}/state?sandbox=a`).expect(200);
    await shop.put(`${ADMIN}/state?sandbox=b`, saved.text).expect(204);
    expect(ids(await inside('b', 'get', '/pets'))).toEqual([1, 2, 3, 4]);
    expect((await shop.get(`${ADMIN}/journal?sandbox=a`)).body).toMatchObject([{ method: 'POST', target: '/pets' }]);
    await shop.put(`${ADMIN}/clock?sandbox=a`, { now: '2031-01-01T00:00:00Z', fixed: true }).expect(204);
    expect((await inside('a', 'get', '/pets/1')).status).toBe(410);
    expect((await inside('b', 'get', '/pets/1')).status).toBe(200);
    await shop.post(`${ADMIN}/reset?sandbox=a`, {}).expect(204);
    expect(ids(await inside('a', 'get', '/pets'))).toEqual([1, 2, 3]);
    expect(ids(await inside('b', 'get', '/pets'))).toEqual([1, 2, 3, 4]);
  });

  test('make a state the baseline', async () => {
    const seed = shop.app.snapshot();
    await inside('a', 'post', '/pets', NOVA);
    await shop.post(`${ADMIN}/baseline?sandbox=a`, {}).expect(204);
    expect(ids(await inside('z', 'get', '/pets'))).toEqual([1, 2, 3, 4]);
    shop.app.setBaseline(seed);
  });

  test.each([
    { query: '?sandbx=a', code: 'invalid_parameter' },
    { query: '?sandbox=a&sandbox=b', code: 'invalid_parameter' },
    { query: '?sandbox=a%20b', code: 'invalid_sandbox' },
  ])('refuse the query $query: nothing else is reset', async ({ query, code }) => {
    await shop.refuses(shop.post(`${ADMIN}/reset${query}`, {}), 400, code);
  });
});
