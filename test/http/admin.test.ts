import request, { type Response } from 'supertest';
import { ADMIN_ACTIONS } from '../../src/server/actions/registry';
import { createMockServer } from '../../src/express';
import { BIG, BISCUIT, expectError, ids, openPetstore, stored, usePetstore, type Method } from '../support/petstore';

const shop = usePetstore();
const NOVA = { name: 'Nova', categoryId: 1 };
const ADMIN = '/__standin';

/** Everything that the admin routes do. */
const ROUTES: readonly { method: Method; path: string; body?: object; status: number }[] = [
  { method: 'get', path: '/health', status: 200 },
  { method: 'get', path: '/state', status: 200 },
  { method: 'post', path: '/reset', body: {}, status: 204 },
  { method: 'post', path: '/snapshot', body: { name: 'a' }, status: 201 },
  { method: 'get', path: '/journal', status: 200 },
  { method: 'delete', path: '/journal', body: {}, status: 204 },
  { method: 'put', path: '/clock', body: { now: null }, status: 204 },
];

describe.each(ROUTES)('$method $path', ({ method, path, body, status }) => {
  test('needs no API key', async () => {
    const response = await shop.send(method, ADMIN + path, body, { Authorization: undefined }).expect(status);
    expect(response.headers['cache-control']).toBe('no-store');
    if (status !== 204) expect(response.headers['content-type']).toBe('application/json');
  });

  test('answers no web page', async () => {
    for (const origin of ['http://example.com', 'http://127.0.0.1:4010', 'null']) {
      const response = await shop.refuses(shop.send(method, ADMIN + path, body, { Origin: origin }), 403, 'forbidden');
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('answers nobody behind a proxy', async () => {
    for (const [name, value] of Object.entries({
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Host': 'mock.example',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'for=203.0.113.7',
      Via: '1.1 proxy',
      'X-Real-IP': '203.0.113.7',
      'True-Client-IP': '203.0.113.7',
      'CF-Connecting-IP': '203.0.113.7',
      'WL-Proxy-Client-IP': '203.0.113.7',
      'X-Vendor-Forwarded-For': '203.0.113.7',
      'X-Original-URL': '/admin',
      'Front-End-Https': 'on',
      'X-Scheme': 'https',
      'X-Envoy-External-Address': '203.0.113.7',
    })) {
      const answer = shop.send(method, ADMIN + path, body, { [name]: value });
      await shop.refuses(answer, 403, 'forbidden', '--admin-token');
    }
  });

  test('answers a page of its own, and none that a browser says to be of another site', async () => {
    for (const site of ['cross-site', 'same-site']) {
      await shop.refuses(shop.send(method, ADMIN + path, body, { 'Sec-Fetch-Site': site }), 403, 'forbidden');
    }
    const own = { Host: 'localhost:4010', Origin: 'http://localhost:4010', 'Sec-Fetch-Site': 'same-origin' };
    await shop.send(method, ADMIN + path, body, own).expect(status);
    await shop.send(method, ADMIN + path, body, { 'Sec-Fetch-Site': 'none' }).expect(status);
    const named = { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' };
    await shop.refuses(shop.send(method, ADMIN + path, body, named), 403, 'forbidden');
  });

  test('answers under no foreign name', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.0.1']) {
      await shop.refuses(shop.send(method, ADMIN + path, body, { Host: host }), 403, 'forbidden');
    }
    for (const host of ['localhost', 'localhost:4010', '127.0.0.1', '[::1]:4010']) {
      await shop.send(method, ADMIN + path, body, { Host: host }).expect(status);
    }
  });

  test('takes no body but JSON', async () => {
    if (method === 'get') return;
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      undefined,
    ]) {
      await shop.refuses(
        shop.send(method, ADMIN + path, '{}', { 'Content-Type': type }),
        400,
        'missing_content_type',
        'application/json',
      );
    }
    if (method !== 'delete') await shop.refuses(shop.send(method, ADMIN + path), 400, 'missing_content_type');
    await shop.refuses(shop.send(method, ADMIN + path, '{'), 400, 'invalid_json');
  });

  test('is not preflighted', async () => {
    const response = await shop.send('options', ADMIN + path, undefined, {
      Origin: 'http://example.com',
      'Access-Control-Request-Method': method.toUpperCase(),
    });
    expect(response.status).toBe(403);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

test('unknown admin routes are 404, wrong methods 405 with Allow', async () => {
  expectError(await shop.get(`${ADMIN}/nowhere`), 404, 'route_not_found', '/reset');
  const response = await shop.get(`${ADMIN}/reset`);
  expectError(response, 405, 'method_not_allowed', 'POST');
  expect(response.headers['allow']).toBe('POST');
});

test('health names the API', async () => {
  const { body } = await shop.get(`${ADMIN}/health`).expect(200);
  expect(body).toMatchObject({ status: 'ok', title: 'Petstore API', version: '1.0.0', operations: 18 });
});

test('a reset brings the fixture back, ids and journal included', async () => {
  const seed = shop.app.state();
  await shop.post('/pets', NOVA).expect(201);
  await shop.delete('/store/orders/1').expect(204);
  await shop.post(`${ADMIN}/reset`, {}).expect(204);
  expect(shop.app.state()).toEqual(seed);
  expect(shop.app.journal()).toEqual([]);
  expect(await shop.add('/pets', NOVA)).toBe(4);
});

describe('state', () => {
  test('is shown as a fixture, the same that the app gives', async () => {
    const { body } = await shop.get(`${ADMIN}/state`).expect(200);
    expect(body).toEqual(shop.app.state());
    expect(body).toMatchObject({ standin: 'fixture/1' });
    expect(body.collections['/pets']).toContainEqual(BISCUIT);
  });

  test('that was saved can be put back, ids and all', async () => {
    const created = await shop.add('/pets', NOVA);
    await shop.delete(`/pets/${created}`).expect(204);
    const saved = await shop.get(`${ADMIN}/state`).expect(200);
    await shop.post(`${ADMIN}/reset`, {}).expect(204);
    await shop.put(`${ADMIN}/state`, saved.text).expect(204);
    expect((await shop.get(`${ADMIN}/state`)).text).toBe(saved.text);
    expect(await shop.add('/pets', NOVA)).toBe(created + 1);
  });

  test('keeps ids beyond 2^53', async () => {
    const big = await openPetstore({ idStart: BigInt(BIG) });
    await big.post('/pets', NOVA).expect(201);
    const saved = await big.get(`${ADMIN}/state`).expect(200);
    expect(saved.text).toContain(`{"id":${BIG},"name":"Nova"`);
    await shop.put(`${ADMIN}/state`, saved.text).expect(204);
    await shop.get(`/inventory/${BIG}`).expect(200);
    const next = await shop.post('/pets', NOVA).expect(201);
    expect(next.text).toContain('"id":9007199254740994,');
  });

  test('may be replaced whole; what is left out is empty', async () => {
    const state = { standin: 'fixture/1', collections: { '/categories': [{ id: 7, name: 'Fish' }] } };
    await shop.put(`${ADMIN}/state`, state).expect(204);
    expect(ids(await shop.get('/categories'))).toEqual([7]);
    expect(ids(await shop.get('/pets'))).toEqual([]);
    expect(await shop.add('/categories', { name: 'Bird' })).toBe(8);
    await shop.post(`${ADMIN}/reset`, {}).expect(204);
    expect(ids(await shop.get('/categories'))).toEqual([1, 2]);
  });

  test.each([
    { fault: 'no fixture', state: {} },
    { fault: 'a list', state: [] },
    { fault: 'no collections', state: { standin: 'fixture/1' } },
    { fault: 'another format', state: { standin: 'fixture/2', collections: {} } },
    { fault: 'an unknown collection', state: fixture({ '/dogs': [] }) },
    { fault: 'a collection that is no list', state: fixture({ '/pets': {} }) },
    { fault: 'an item against its schema', state: fixture({ '/categories': [{ id: 1, name: '' }] }) },
    { fault: 'an item without id', state: fixture({ '/categories': [{ name: 'Fish' }] }) },
    {
      fault: 'an id twice',
      state: fixture({
        '/categories': [
          { id: 1, name: 'Fish' },
          { id: 1, name: 'Bird' },
        ],
      }),
    },
    {
      fault: 'a reference to nothing',
      state: fixture({
        '/pets': [{ id: 1, name: 'Nova', categoryId: 9, status: 'sold' }],
        '/inventory': [{ petId: 1, quantity: 0, status: 'sold' }],
      }),
    },
    {
      fault: 'a broken invariant',
      state: fixture({
        '/categories': [{ id: 1, name: 'Fish' }],
        '/pets': [{ id: 1, name: 'Nova', categoryId: 1, status: 'available' }],
        '/inventory': [{ petId: 1, quantity: 0, status: 'available' }],
      }),
    },
  ])('with $fault is refused, and nothing changes', async ({ state }) => {
    await shop.refuses(shop.put(`${ADMIN}/state`, state), 400, 'invalid_field');
  });
});

function fixture(collections: object): object {
  return { standin: 'fixture/1', collections };
}

describe('snapshots', () => {
  test('are kept by name, and restored as often as one likes', async () => {
    const before = shop.app.state();
    await shop.post(`${ADMIN}/snapshot`, { name: 'before' }).expect(201, { name: 'before' });
    await shop.post('/pets', NOVA).expect(201);
    const after = shop.app.state();
    await shop.post(`${ADMIN}/snapshot`, { name: 'after' }).expect(201);
    for (let index = 0; index < 2; index++) {
      await shop.delete('/store/orders/1');
      await shop.post(`${ADMIN}/restore`, { name: 'before' }).expect(204);
      expect(shop.app.state()).toEqual(before);
      await shop.post(`${ADMIN}/restore`, { name: 'after' }).expect(204);
      expect(shop.app.state()).toEqual(after);
    }
  });

  test('of one name: the later one counts', async () => {
    await shop.post(`${ADMIN}/snapshot`, { name: 'a' }).expect(201);
    await shop.delete('/store/orders/1').expect(204);
    await shop.post(`${ADMIN}/snapshot`, { name: 'a' }).expect(201);
    await shop.post(`${ADMIN}/reset`, {}).expect(204);
    await shop.post(`${ADMIN}/restore`, { name: 'a' }).expect(204);
    expect(ids(await shop.get('/store/orders'))).toEqual([2]);
  });

  test('of an unknown name are 404', async () => {
    await shop.refuses(shop.post(`${ADMIN}/restore`, { name: 'nothing' }), 404, 'resource_not_found', 'nothing');
  });

  test.each([
    { fault: 'a mistyped member', body: { nam: 'x' }, says: 'The field /nam is not known here; did you mean "name"?' },
    { fault: 'a member beside the name', body: { name: 'x', state: 1 }, says: 'The field /state is not known here' },
    { fault: 'a name that is no text', body: { name: 5 }, says: 'The field /name must be a string' },
    { fault: 'an empty name', body: { name: '' }, says: 'The field /name must be a string' },
  ])('with $fault are refused: no other snapshot is taken or overwritten', async ({ body, says }) => {
    await shop.post(`${ADMIN}/snapshot`, {}).expect(201, { name: 'default' });
    const before = shop.app.state();
    await shop.post('/pets', NOVA).expect(201);
    await shop.refuses(shop.post(`${ADMIN}/snapshot`, body), 400, 'invalid_field', says);
    await shop.refuses(shop.post(`${ADMIN}/restore`, body), 400, 'invalid_field', says);
    await shop.post(`${ADMIN}/restore`, {}).expect(204);
    expect(shop.app.state()).toEqual(before);
  });

  test('taken by the app are values of their own', async () => {
    const empty = shop.app.snapshot();
    await shop.post('/pets', NOVA).expect(201);
    const full = shop.app.snapshot();
    shop.app.restore(empty);
    expect(stored(shop.app).pets).toHaveLength(3);
    shop.app.restore(full);
    expect(stored(shop.app).pets).toHaveLength(4);
  });
});

describe('the journal', () => {
  interface Entry {
    readonly number: number;
    readonly method: string;
    readonly target: string;
    readonly status: number;
    readonly operation?: string;
    readonly code?: string;
    readonly requestBody: string;
    readonly responseBody: string;
  }

  async function entries(): Promise<Entry[]> {
    const response: Response = await shop.get(`${ADMIN}/journal`).expect(200);
    return response.body as Entry[];
  }

  test('has the requests in their order, and what each led to', async () => {
    await shop.get('/pets?limit=1');
    await shop.post('/pets', NOVA);
    await shop.delete('/pets/2');
    await shop.get('/nowhere');
    const [list, create, refused, unknown, ...more] = await entries();
    expect(list).toMatchObject({
      number: 1,
      method: 'GET',
      target: '/pets?limit=1',
      status: 200,
      operation: 'listPets',
    });
    expect(create).toMatchObject({ number: 2, method: 'POST', status: 201, operation: 'createPet' });
    expect(create?.requestBody).toBe(JSON.stringify(NOVA));
    expect(JSON.parse(create?.responseBody ?? '')).toMatchObject({ id: 4 });
    expect(refused).toMatchObject({ number: 3, status: 409, operation: 'deletePet', code: 'pet_in_use' });
    expect(unknown).toMatchObject({ number: 4, status: 404, code: 'route_not_found' });
    expect(more).toEqual([]);
    expect(shop.app.journal()).toHaveLength(4);
  });

  test('shows what a request changed', async () => {
    await shop.post('/store/orders', { petId: 1, quantity: 3 }).expect(201);
    await shop.get('/pets');
    const [placed, read] = shop.app.journal();
    expect(placed?.changes.map(({ collection }) => collection)).toEqual(
      expect.arrayContaining(['/store/orders', '/inventory', '/pets']),
    );
    expect(read?.changes).toEqual([]);
  });

  test('holds no credentials', async () => {
    await shop.get('/pets');
    await shop.get('/pets', { Authorization: 'Bearer secret-one' });
    await shop.get('/pets', { Authorization: 'Basic c2VjcmV0', Cookie: 'session=secret-two', 'X-Api-Key': 'secret-3' });
    await shop.get('/pets', { 'Proxy-Authorization': 'Basic c2VjcmV0' });
    const { text } = await shop.get(`${ADMIN}/journal`).expect(200);
    for (const secret of ['test-key', 'secret-one', 'c2VjcmV0', 'secret-two', 'secret-3']) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('[redacted]');
    expect(JSON.stringify(shop.app.journal())).not.toContain('test-key');
  });

  test('can be emptied without the state', async () => {
    await shop.post('/pets', NOVA).expect(201);
    await shop.delete(`${ADMIN}/journal`, { 'Content-Type': 'application/json' }).expect(204);
    expect(await entries()).toEqual([]);
    await shop.get('/inventory/4').expect(200);
    expect((await entries()).map(({ number }) => number)).toEqual([1]);
  });

  test('keeps the latest thousand', async () => {
    await shop.getManyTimes('/nowhere', 1005);
    const all = shop.app.journal();
    expect(all).toHaveLength(1000);
    expect([all[0]?.number, all.at(-1)?.number]).toEqual([6, 1005]);
  });
});

describe('the clock', () => {
  test('can be set, and set back', async () => {
    await shop.put(`${ADMIN}/clock`, { now: '2031-01-01T00:00:00Z' }).expect(204);
    await shop.get('/pets/1').expect(410);
    await shop.put(`${ADMIN}/clock`, { now: null }).expect(204);
    await shop.get('/pets/1').expect(200);
    await shop.put(`${ADMIN}/clock`, { now: '2030-12-05T00:00:00+01:00' }).expect(204);
    await shop.get('/pets/1').expect(200);
  });

  test('dates what the mock dates', async () => {
    await shop.put(`${ADMIN}/clock`, { now: '2027-03-04T05:06:07Z' }).expect(204);
    const { body } = await shop.post('/store/orders', { complete: true }).expect(201);
    expect(body.shipDate).toMatch(/^2027-03-04T05:06:/);
    expect(shop.app.journal().at(-1)?.at).toMatch(/^2027-03-04T05:06:/);
  });

  test('with a mistyped member is refused', async () => {
    expectError(await shop.put(`${ADMIN}/clock`, { nwo: null }), 400, 'invalid_field', 'did you mean "now"?');
  });

  test.each([{}, { now: 'tomorrow' }, { now: 1 }, { now: '2031-01-01' }, { now: '2031-02-30T00:00:00Z' }])(
    'refuses %j',
    async (body) => {
      expectError(await shop.put(`${ADMIN}/clock`, body), 400, 'invalid_field', '/now');
      await shop.get('/pets/1').expect(200);
    },
  );
});

describe('with an admin token', () => {
  test('only who has it may, from anywhere; a web page still may not', async () => {
    const guarded = await openPetstore({ adminToken: 'let-me-in' });
    const good = { Authorization: 'Bearer let-me-in' };
    await guarded.get(`${ADMIN}/health`, good).expect(200);
    await guarded.get(`${ADMIN}/health`, { ...good, Host: 'mock.example' }).expect(200);
    for (const headers of [{}, { Authorization: undefined }, { Authorization: 'Bearer let-me' }]) {
      const response = await guarded.get(`${ADMIN}/health`, headers);
      expectError(response, 403, 'forbidden');
      expect(response.text).not.toContain('let-me-in');
    }
    expectError(await guarded.get(`${ADMIN}/health`, { ...good, Origin: 'http://example.com' }), 403, 'forbidden');
  });
});

test('the docs page is HTML about every operation', async () => {
  const { headers, text } = await shop.get(`${ADMIN}/docs`, { Authorization: undefined }).expect(200);
  expect(headers['content-type']).toMatch(/^text\/html; charset=utf-8/i);
  for (const id of ['listPets', 'getPet', 'cancelOrder', 'updateInventory']) expect(text).toContain(`id="${id}"`);
  expect(text).toContain('deprecated');
  expect(text).toContain('experimental');
  expect(text).toContain('<a href="./#/api/getPet">Try it</a>');
  expect(text).toContain('<a href="./#/api/listOrders">Reference</a>');
});

describe('whoever opens the mock in a browser', () => {
  const browser = {
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    Authorization: undefined,
  };

  test('is led from the bare address to the window', async () => {
    const root = await shop.get('/', browser).expect(302);
    expect(root.headers['location']).toBe(`${ADMIN}/`);
    const { text, headers } = await shop.get(`${ADMIN}/`, browser).expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('<div id="window"></div>');
    expect((await shop.get(ADMIN, browser).expect(302)).headers['location']).toBe(`${ADMIN}/`);
  });

  test.each([
    ['a program', { Accept: '*/*' }],
    ['a program that takes JSON as well', { Accept: 'text/html, application/json' }],
    ['somebody behind a proxy', { ...browser, 'X-Forwarded-For': '192.0.2.7' }],
    ['a page of another origin', { ...browser, Origin: 'http://example.com' }],
  ])('%s is not', async (_, headers) => {
    await shop.refuses(shop.get('/', headers), 404, 'route_not_found');
  });

  test('is not where the description has a path of its own there', async () => {
    const answer = { description: 'ok', content: { 'text/plain': { example: 'own' } } };
    const description = {
      openapi: '3.0.3',
      info: { title: 'Rooted', version: '1' },
      paths: { '/': { get: { responses: { 200: answer } } } },
    };
    const app = await createMockServer({ description });
    const { text } = await request(app).get('/').set('Accept', browser.Accept).expect(200);
    expect(text).toBe('own');
  });
});

test('the path of the admin routes itself lists them all', async () => {
  for (const path of [ADMIN, `${ADMIN}/`]) {
    const { body } = await shop.send('get', path).expect(200);
    const { routes } = body as { routes: { method: string; path: string; does: string }[] };
    const listed = routes.map((route) => `${route.method} ${route.path.slice(ADMIN.length)}`);
    const there = ADMIN_ACTIONS.map((action) => `${action.method} ${action.path}`);
    expect(listed.toSorted()).toEqual(there.toSorted());
  }
});

test('ready answers everybody whether requests are served, and tells nothing else', async () => {
  const guarded = await openPetstore({ adminToken: 'let-me-in' });
  const strange = { Host: 'mock.example', 'X-Forwarded-For': '203.0.113.7' };
  const { body } = await guarded.get(`${ADMIN}/ready`, strange).expect(200);
  expect(body).toEqual({ status: 'ok' });
  expectError(await guarded.get(`${ADMIN}/health`, strange), 403, 'forbidden');
});
