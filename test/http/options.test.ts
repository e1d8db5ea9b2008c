import express from 'express';
import {
  BISCUIT,
  Petstore,
  expectError,
  ids,
  linksOf,
  openPetstore,
  pathOf,
  stored,
  type Headers,
} from '../support/petstore';
import { createMockServer, type CreateMockServerOptions, type MockServer } from '../../src/express';

const NOVA = { name: 'Nova', categoryId: 1 };

describe('auth', () => {
  test('any takes every well-formed key', async () => {
    const shop = await openPetstore({ auth: 'any' });
    for (const key of ['x', 'abc.def-ghi_jkl~mno+pqr/stu==']) {
      await shop.get('/pets', { Authorization: `Bearer ${key}` }).expect(200);
    }
    expectError(await shop.get('/pets', { Authorization: undefined }), 401, 'missing_api_key');
    expectError(await shop.get('/pets', { Authorization: 'Basic x' }), 401, 'malformed_authorization');
    expectError(await shop.get('/pets', { Authorization: 'Bearer' }), 401, 'malformed_authorization');
  });

  test('off asks for nothing, and minds nothing', async () => {
    const shop = await openPetstore({ auth: 'off' });
    const all: Headers[] = [{ Authorization: undefined }, { Authorization: 'Basic x' }, { Authorization: 'Bearer' }];
    for (const headers of all) await shop.get('/pets', headers).expect(200);
    await shop.post('/pets', NOVA, { Authorization: undefined }).expect(201);
  });

  test('apiKeys are the good ones, and no other', async () => {
    const shop = await openPetstore({ apiKeys: ['one', 'two'] });
    for (const key of ['one', 'two']) await shop.get('/pets', { Authorization: `Bearer ${key}` }).expect(200);
    for (const key of ['test-key', 'One', 'on', 'onee']) {
      expectError(await shop.get('/pets', { Authorization: `Bearer ${key}` }), 401, 'invalid_api_key');
    }
  });
});

describe('basePath', () => {
  test.each(['/v1', '/v1/', '/api/v1'])('%s stands before every path, and in every address', async (basePath) => {
    const shop = await openPetstore({ basePath });
    const base = basePath.replace(/\/$/, '');
    const created = await shop.post(`${base}/pets`, NOVA).expect(201);
    expect(pathOf(created.headers['location']!)).toBe(`${base}/pets/4`);
    const read = await shop.get(pathOf(created.headers['location']!)).expect(200, created.text);
    expect(linksOf(read)['successor-version']).toBe(`${base}/pets?id=4`);
    await shop.get(linksOf(read)['deprecation']!).expect(200);
    const page = await shop.get(`${base}/pets?limit=2`).expect(200);
    expect(linksOf(page)['first']).toBe(`${base}/pets?limit=2`);
    expect(ids(await shop.get(linksOf(page)['next']!).expect(200))).toEqual([3, 4]);
    expectError(await shop.get('/pets'), 404, 'route_not_found', base);
    expectError(await shop.get(`${base}x/pets`), 404, 'route_not_found');
    await shop.get('/__standin/health').expect(200);
  });

  test('a mock mounted in another app gives addresses that lead back to it', async () => {
    const app = await createMockServer();
    const outer = express().use('/mock', app);
    const shop = new Petstore(() => outer as unknown as MockServer);
    const created = await shop.post('/mock/pets', NOVA).expect(201);
    expect(pathOf(created.headers['location']!)).toBe('/mock/pets/4');
    const read = await shop.get('/mock/pets/4').expect(200, created.text);
    expect(linksOf(read)['successor-version']).toBe('/mock/pets?id=4');
    await shop.get(linksOf(read)['successor-version']!).expect(200, [created.body]);
    await shop.get(linksOf(read)['deprecation']!).expect(200);
    const page = await shop.get('/mock/pets?limit=2').expect(200);
    expect(ids(await shop.get(linksOf(page)['next']!).expect(200))).toEqual([3, 4]);
    await shop.get('/mock/__standin/health').expect(200);
    expectError(await shop.get('/mock/nowhere'), 404, 'route_not_found');
  });
});

describe("rules 'off'", () => {
  let shop: Petstore;
  beforeAll(async () => {
    shop = await openPetstore({ rules: 'off' });
  });
  beforeEach(() => {
    shop.app.reset();
  });

  test('any status follows any other', async () => {
    for (const from of ['available', 'pending', 'sold']) {
      for (const to of ['available', 'pending', 'sold']) {
        await shop.put('/pets/1', { ...NOVA, status: from }).expect(200);
        await shop.put('/pets/1', { ...NOVA, status: to }).expect(200, { id: 1, ...NOVA, status: to });
      }
    }
  });

  test('complete goes back and forth', async () => {
    await shop.patch('/store/orders/2', { complete: false, quantity: 9 }).expect(200);
    const { body } = await shop.patch('/store/orders/2', { complete: true, petId: 1 }).expect(200);
    expect(body).toMatchObject({ id: 2, petId: 1, quantity: 9, complete: true });
    await shop.delete('/store/orders/2').expect(204);
  });

  test('pets, categories and orders can be created, read, changed and removed', async () => {
    for (const [path, body, change, method] of [
      ['/pets', { ...NOVA, status: 'sold' }, { name: 'Vega', categoryId: 2, status: 'available' }, 'put'],
      ['/categories', { name: 'Fish' }, { name: 'Bird', description: 'They fly' }, 'put'],
      ['/store/orders', { petId: 3, quantity: 99 }, { quantity: 1, complete: true }, 'patch'],
    ] as const) {
      const created = await shop.post(path, body).expect(201);
      expect(created.body).toMatchObject(body);
      const address = pathOf(created.headers['location']!);
      await shop.get(address).expect(200, created.text);
      await shop.send(method, address, change).expect(200);
      expect((await shop.get(address).expect(200)).body).toMatchObject(change);
      await shop.delete(address).expect(204);
      await shop.get(address).expect(404);
    }
  });

  test('what a request does not say stays unsaid, but for the state in which a new item is', async () => {
    await shop.post('/pets', NOVA).expect(201, { id: 4, ...NOVA, status: 'available' });
    await shop.post('/store/orders', {}).expect(201, { id: 3 });
  });

  test('the schema is still minded', async () => {
    await shop.refuses(shop.post('/pets', { ...NOVA, status: 'gone' }), 400, 'invalid_field', '/status');
    await shop.refuses(shop.patch('/inventory/1', { quantity: -1 }), 400, 'invalid_field', '/quantity');
  });

  test('stock can be set', async () => {
    await shop.patch('/inventory/1', { quantity: 0 }).expect(200, { petId: 1, quantity: 0, status: 'available' });
  });
});

describe('state and fixtures', () => {
  test('state empty begins with nothing, and counts from 1', async () => {
    const shop = await openPetstore({ state: 'empty' });
    for (const path of ['/pets', '/categories', '/store/orders', '/inventory']) await shop.get(path).expect(200, []);
    expect(await shop.add('/categories', { name: 'Dog' })).toBe(1);
    expect(await shop.add('/pets', NOVA)).toBe(1);
    shop.app.reset();
    expect(stored(shop.app)).toEqual({ pets: [], categories: [], orders: [], inventory: [] });
  });

  test('a document of fixtures takes the place of the bundled one', async () => {
    const shop = await openPetstore({
      fixtures: {
        standin: 'fixture/1',
        collections: {
          '/categories': [{ id: 9007199254740993n, name: 'Fish' }],
          '/pets': [{ id: 12, name: 'Wanda', categoryId: 9007199254740993n, status: 'available' }],
          '/inventory': [{ petId: 12, quantity: 2, status: 'available' }],
        },
      },
    });
    await shop
      .get('/pets')
      .expect(200, '[{"id":12,"name":"Wanda","categoryId":9007199254740993,"status":"available"}]');
    expect(await shop.add('/pets', '{"name":"Nova","categoryId":9007199254740993}')).toBe(13);
    await shop.post('/store/orders', { petId: 12, quantity: 2 }).expect(201);
    shop.app.reset();
    expect(await shop.pet(12)).toEqual({ status: 'available', stock: 2 });
  });

  test.each<{ fault: string; options: CreateMockServerOptions; message: RegExp }>([
    {
      fault: 'an item against its schema',
      options: { fixtures: { standin: 'fixture/1', collections: { '/categories': [{ id: 1 }] } } },
      message: /fixtures/i,
    },
    {
      fault: 'an unknown collection',
      options: { fixtures: { standin: 'fixture/1', collections: { '/dogs': [] } } },
      message: /fixtures/i,
    },
    { fault: 'a fixture file that is not there', options: { fixtures: '/nowhere/fixtures.json' }, message: /nowhere/ },
    { fault: 'a description that is not there', options: { description: '/nowhere/api.yaml' }, message: /nowhere/ },
    { fault: 'a rules file that is not there', options: { rules: '/nowhere/rules.cjs' }, message: /nowhere/ },
  ])('$fault is refused at once', async ({ options, message }) => {
    await expect(createMockServer(options)).rejects.toThrow(message);
  });

  test('two mocks know nothing of each other', async () => {
    const [one, two] = [await openPetstore(), await openPetstore()];
    await one.post('/pets', NOVA).expect(201);
    await one.patch('/inventory/1', { quantity: 9 }).expect(200);
    await two.get('/pets/1').expect(200, BISCUIT);
    expect(ids(await two.get('/pets'))).toEqual([1, 2, 3]);
    expect(await two.pet(1)).toEqual({ status: 'available', stock: 3 });
  });
});

test('idStart below the ids of the fixture takes the next free one', async () => {
  const shop = await openPetstore({ idStart: 2 });
  expect(await shop.add('/pets', NOVA)).toBe(4);
});

test('idStart may be a number beyond the fixture', async () => {
  const shop = await openPetstore({ idStart: 1000 });
  expect(await shop.add('/pets', NOVA)).toBe(1000);
  expect(await shop.add('/categories', { name: 'Fish' })).toBe(1000);
});

describe('corsOrigins', () => {
  const ORIGIN = 'http://app.example';
  const PREFLIGHT = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT', Authorization: undefined };

  test('by default any page may call, without credentials of the browser', async () => {
    const shop = await openPetstore();
    const preflight = await shop.send('options', '/pets/1', undefined, {
      ...PREFLIGHT,
      'Access-Control-Request-Headers': 'authorization,content-type,if-match,idempotency-key,prefer',
    });
    expect([200, 204]).toContain(preflight.status);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(preflight.headers['access-control-allow-methods']).toContain(method);
    }
    expect(preflight.headers['access-control-allow-headers']?.toLowerCase()).toContain('authorization');
    expect(preflight.headers['access-control-allow-headers']?.toLowerCase()).toContain('idempotency-key');
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('a page can read answers and errors, with their headers', async () => {
    const shop = await openPetstore();
    const answers = [
      await shop.get('/pets', { Origin: ORIGIN }).expect(200),
      await shop.post('/pets', NOVA, { Origin: ORIGIN }).expect(201),
      await shop.get('/pets', { Origin: ORIGIN, Authorization: undefined }).expect(401),
      await shop.get('/nowhere', { Origin: ORIGIN }).expect(404),
      await shop.patch('/pets', {}, { Origin: ORIGIN }).expect(405),
      await shop.delete('/pets/2', { Origin: ORIGIN }).expect(409),
      await shop.post('/pets', ' '.repeat(1024 * 1024 + 1), { Origin: ORIGIN }).expect(413),
    ];
    const wanted = ['Deprecation', 'ETag', 'Link', 'Location', 'Preference-Applied', 'RateLimit', 'RateLimit-Policy'];
    wanted.push('Retry-After', 'Sunset', 'WWW-Authenticate', 'X-Total-Count');
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe('*');
      const exposed = headers['access-control-expose-headers']?.split(/, ?/);
      expect(exposed).toEqual(expect.arrayContaining(wanted));
    }
  });

  test('a preflight changes nothing and needs no key', async () => {
    const shop = await openPetstore();
    const before = shop.app.state();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const headers = { ...PREFLIGHT, 'Access-Control-Request-Method': method };
      expect([200, 204]).toContain((await shop.send('options', '/pets/1', undefined, headers)).status);
    }
    expect(shop.app.state()).toEqual(before);
  });

  test('with a list only its pages may', async () => {
    const shop = await openPetstore({ corsOrigins: [ORIGIN] });
    const good = await shop.get('/pets', { Origin: ORIGIN }).expect(200);
    expect(good.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(good.headers['vary']).toMatch(/origin/i);
    const bad = await shop.get('/pets', { Origin: 'http://evil.example' });
    expect(bad.headers['access-control-allow-origin']).not.toBe('http://evil.example');
    expect(bad.headers['access-control-allow-origin']).not.toBe('*');
  });

  test('with an empty list no page may', async () => {
    const shop = await openPetstore({ corsOrigins: [] });
    const { headers } = await shop.get('/pets', { Origin: ORIGIN }).expect(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const preflight = await shop.send('options', '/pets/1', undefined, PREFLIGHT);
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
