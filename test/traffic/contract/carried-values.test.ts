import { loadApi } from '../../../src/files/load-api';
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value';
import { type Derivation, deriveContract } from '../../../src/traffic/contract/derive-contract';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { recordSession, type Send } from '../../support/recorded-traffic';
import { startServer, type TestServer } from '../../support/server';

const { api } = loadApi();
let server: TestServer;
beforeAll(async () => (server = await startServer()));
beforeEach(() => {
  server.app.reset();
});
afterAll(() => server.close());

function derive(exchanges: readonly CleanExchange[]): Derivation {
  return deriveContract({ api, exchanges, basePath: '', name: 'Recorded', header: [] });
}

async function derivedFrom(session: (send: Send) => Promise<void>): Promise<Derivation> {
  return derive(await recordSession(server.url, session));
}

function stepsOf({ draft }: Derivation, section: 'setup' | 'steps' = 'steps'): JsonObject[] {
  return (draft.value[section] ?? []) as JsonObject[];
}

/** What the only step of an operation, or the one of a number, sends and expects. */
function step(derivation: Derivation, operation: string, place = 0): JsonObject {
  return stepsOf(derivation).filter((each) => each['operation'] === operation)[place] ?? {};
}

function expected(derivation: Derivation, operation: string, place = 0): JsonValue | undefined {
  return (step(derivation, operation, place)['expect'] as JsonObject | undefined)?.['body'];
}

/** A category with a pet in it, which a session makes. */
async function pair(send: Send): Promise<{ readonly category: number; readonly pet: number }> {
  const { body: category } = await send('POST', '/categories', { name: 'Rodents' });
  const { body: pet } = await send('POST', '/pets', { name: 'Hazel', categoryId: category.id });
  return { category: category.id as number, pet: pet.id as number };
}

test('a credential that was refused each time is not asked of who runs the contract', async () => {
  const exchanges = await recordSession(server.url, async (send) => {
    await send('GET', '/pets');
    await send('GET', '/pets', undefined, { Authorization: 'Bearer ~secret.old_key~' });
  });
  const derivation = derive(exchanges);
  expect(stepsOf(derivation)).toContainEqual(
    expect.objectContaining({ auth: 'invalid', expect: { status: 401, code: 'invalid_api_key' } }),
  );
  expect(derivation.environment).toEqual([]);
});

test.each([500, 503, 429])('no step expects of a service that it fails: %i', async (status) => {
  const [made, read] = await recordSession(server.url, async (send) => {
    await send('GET', '/pets');
    await send('GET', '/categories');
  });
  const failed = { ...read!, response: { ...read!.response!, status } };
  const derivation = derive([made!, failed, read!]);
  expect(stepsOf(derivation).map((each) => each['operation'])).toEqual(['listPets', 'listCategories']);
  expect(derivation.notes).toEqual([
    `GET /categories had the response ${status} (exchange 2): a service that fails, or has no time, is nothing that a contract expects`,
  ]);
});

test.each([
  { who: 'the cache of a browser', headers: { 'Sec-Fetch-Site': 'same-site' }, isSent: false },
  { who: 'a program', headers: {}, isSent: true },
])('a condition of $who is sent again: $isSent', async ({ headers, isSent }) => {
  const derivation = await derivedFrom(async (send) => {
    const { pet } = await pair(send);
    const read = await send('GET', `/pets/${pet}`);
    await send('PATCH', `/inventory/${pet}`, { quantity: 0 });
    const tag = read.headers.get('etag') ?? '';
    await send('GET', `/pets/${pet}`, undefined, { ...headers, 'If-None-Match': tag });
  });
  const parameters = step(derivation, 'getPet', 1)['parameters'] as JsonObject;
  expect(Object.keys(parameters)).toEqual(isSent ? ['petId', 'If-None-Match'] : ['petId']);
});

test('what a list is filtered by is carried on in what its items must be', async () => {
  const derivation = await derivedFrom(async (send) => {
    const { category } = await pair(send);
    await send('GET', `/pets?categoryId=${category}`);
  });
  expect(expected(derivation, 'listPets')).toMatchObject({ $each: { categoryId: '${categoryId}' } });
});

describe('an own thing in a list', () => {
  test('is there where the list is of own things alone', async () => {
    const derivation = await derivedFrom(async (send) => {
      const { category } = await pair(send);
      await send('GET', `/pets?categoryId=${category}&limit=5`);
    });
    expect(expected(derivation, 'listPets')).toMatchObject({ $contains: { id: '${petId}' } });
  });

  test('is awaited by a list that is empty until then', async () => {
    const derivation = await derivedFrom(async (send) => {
      const { body: category } = await send('POST', '/categories', { name: 'Rodents' });
      await send('GET', `/pets?categoryId=${category.id}`);
      await send('GET', '/pets?name=Nobody');
    });
    expect([0, 1].map((place) => expected(derivation, 'listPets', place))).toEqual([{ $length: 0 }, undefined]);
  });

  test('may be on another page where others have as much to list', async () => {
    const derivation = await derivedFrom(async (send) => {
      await pair(send);
      await send('GET', '/pets?status=available&limit=100');
    });
    expect(expected(derivation, 'listPets')).toMatchObject({
      $contains: { id: '${petId}', name: 'Hazel ${runId}' },
      $unlessItems: 100,
    });
  });

  test('is nowhere certain on a page behind the first', async () => {
    const derivation = await derivedFrom(async (send) => {
      await pair(send);
      const first = await send('GET', '/pets?limit=3');
      const [, cursor = ''] = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '') ?? [];
      await send('GET', `/pets?limit=3&cursor=${cursor}`);
    });
    expect(expected(derivation, 'listPets', 1)).toBeUndefined();
  });

  test.each([
    { order: 'of the service', query: 'limit=1', isCertain: false },
    { order: 'by what was sent', query: 'limit=1&sort=-name', isCertain: true },
  ])('is on another page for certain in an order $order: $isCertain', async ({ query, isCertain }) => {
    const derivation = await derivedFrom(async (send) => {
      const { category } = await pair(send);
      await send('POST', '/pets', { name: 'Bigwig', categoryId: category });
      await send('GET', `/pets?categoryId=${category}&${query}`);
    });
    const others = { $not: { $contains: { id: '${petId_2}' } } };
    const list = expect.objectContaining({
      $contains: expect.objectContaining({ id: '${petId}' }) as unknown,
      ...others,
    });
    if (isCertain) expect(expected(derivation, 'listPets')).toEqual(list);
    else expect(expected(derivation, 'listPets')).toEqual({ $each: { categoryId: '${categoryId}' }, $minItems: 0 });
  });
});

test('what the address of the next page asks by is sent as it stands there, escaped', async () => {
  const derivation = await derivedFrom(async (send) => {
    const first = await send('GET', '/pets?limit=1');
    const [, cursor = ''] = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '') ?? [];
    await send('GET', `/pets?limit=1&cursor=${cursor}`);
  });
  expect(stepsOf(derivation)[1]).toMatchObject({ method: 'GET', path: '/pets?limit=1&cursor=${cursor}' });
});

describe('a record that has the key of another thing', () => {
  test('is reached by the thing that the session made', async () => {
    const derivation = await derivedFrom(async (send) => {
      const { pet } = await pair(send);
      await send('PATCH', `/inventory/${pet}`, { quantity: 5 });
      await send('GET', `/inventory/${pet}`);
    });
    expect(stepsOf(derivation, 'setup').map(({ operation }) => operation)).not.toContain('listInventory');
    expect(step(derivation, 'updateInventory')).toMatchObject({ parameters: { petId: '${petId}' } });
    expect(expected(derivation, 'getInventoryItem')).toEqual({ petId: '${petId}', quantity: 5 });
  });

  test('has nothing certain any more when the service shows another value', async () => {
    const derivation = await derivedFrom(async (send) => {
      const { pet } = await pair(send);
      await send('PATCH', `/inventory/${pet}`, { quantity: 5 });
      await send('POST', '/store/orders', { petId: pet, quantity: 2 });
      await send('GET', `/inventory/${pet}`);
    });
    expect(expected(derivation, 'getInventoryItem')).toEqual({ petId: '${petId}' });
  });
});
