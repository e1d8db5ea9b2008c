import type { Server } from 'node:http';
import request, { type Response, type Test } from 'supertest';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { createMockServer, type CreateMockServerOptions, type MockServer } from '../../src/express';
import { connections, getManyTimes, startAppServer } from './app-server';

/** A value is sent as JSON; a string or a buffer byte for byte. */
export type Body = object | string | Buffer | undefined;
/** `undefined` takes a header away that would be sent otherwise. */
export type Headers = Readonly<Record<string, string | undefined>>;
export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';

/** An int64 that `JSON.parse` would round. */
export const BIG = '9007199254740993';
export const HIGHEST = '9223372036854775807';
export const TOO_HIGH = '9223372036854775808';

/** The fixture of the Petstore, as its answers show it. */
export const DOG = { id: 1, name: 'Dog', description: 'Dogs of all breeds and sizes' };
export const CAT = { id: 2, name: 'Cat' };
export const BISCUIT = { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' };
export const MISO = { id: 2, name: 'Miso', categoryId: 2, status: 'pending' };
export const CLEMENTINE = { id: 3, name: 'Clementine', categoryId: 2, status: 'sold' };
export const OPEN_ORDER = { id: 1, petId: 2, quantity: 1, complete: false };
export const COMPLETE_ORDER = { id: 2, petId: 3, quantity: 1, shipDate: '2026-01-15T10:30:00Z', complete: true };

const servers = new WeakMap<MockServer, Server>();

async function startMock(options: CreateMockServerOptions | undefined): Promise<MockServer> {
  const app = await createMockServer(options);
  servers.set(app, await startAppServer(app));
  return app;
}

/** A mock of the Petstore and a client for it: every request carries the valid key and, with a body, the JSON type. */
export class Petstore {
  private readonly current: () => MockServer;

  /** @param current - asked before each request, so that tests can share a client that opens its mock later */
  constructor(current: () => MockServer) {
    this.current = current;
  }

  get app(): MockServer {
    return this.current();
  }

  send(method: Method, path: string, body?: Body, headers: Headers = {}): Test {
    const all: Record<string, string | undefined> = { Authorization: 'Bearer test-key', ...headers };
    if (body !== undefined && !('Content-Type' in headers)) all['Content-Type'] = 'application/json';
    const server = servers.get(this.app);
    let test =
      server === undefined ? request(this.app)[method](path) : request(server)[method](path).agent(connections);
    for (const [name, value] of Object.entries(all)) if (value !== undefined) test = test.set(name, value);
    if (body === undefined) return test;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    // Without this a buffer under a JSON type would be serialised once more.
    return test.serialize((data: unknown) => data as string).send(bytes);
  }

  get(path: string, headers?: Headers): Test {
    return this.send('get', path, undefined, headers);
  }

  /** Sends the same GET request many times, each before the response to the one before. */
  async getManyTimes(path: string, count: number): Promise<void> {
    await getManyTimes(servers.get(this.app)!, path, count, { Authorization: 'Bearer test-key' });
  }

  head(path: string, headers?: Headers): Test {
    return this.send('head', path, undefined, headers);
  }

  post(path: string, body: Body, headers?: Headers): Test {
    return this.send('post', path, body, headers);
  }

  put(path: string, body: Body, headers?: Headers): Test {
    return this.send('put', path, body, headers);
  }

  patch(path: string, body: Body, headers?: Headers): Test {
    return this.send('patch', path, body, headers);
  }

  delete(path: string, headers?: Headers): Test {
    return this.send('delete', path, undefined, headers);
  }

  /** Sends a request that must be refused, and checks that it changed nothing. */
  async refuses(test: Test, status: number, code: string, ...says: (string | RegExp)[]): Promise<Response> {
    const before = stringifyJson(this.app.state());
    const response = await test;
    expectError(response, status, code, ...says);
    expect(stringifyJson(this.app.state())).toBe(before);
    return response;
  }

  /** Adds something and gives the id that it got. */
  async add(path: string, body: Body): Promise<number> {
    const response = await this.post(path, body).expect(201);
    return (response.body as { id: number }).id;
  }

  /** Status and free stock of a pet, as the API shows them. */
  async pet(id: number): Promise<{ status: string; stock: number }> {
    const [pets, item] = await Promise.all([this.get(`/pets?id=${id}`), this.get(`/inventory/${id}`)]);
    const [pet] = pets.body as { status: string }[];
    const { petId, quantity, status } = item.body as { petId: number; quantity: number; status: string };
    expect({ petId, status }).toEqual({ petId: id, status: pet?.status });
    return { status, stock: quantity };
  }

  /** Items of all pages, beginning with the path given and following the `next` links. */
  async walk(path: string): Promise<{ items: Record<string, unknown>[]; pages: number }> {
    const items: Record<string, unknown>[] = [];
    let pages = 0;
    for (let next: string | undefined = path; next !== undefined; pages++) {
      if (pages > 200) throw new Error(`${path} has no end`);
      const response: Response = await this.get(next).expect(200);
      items.push(...(response.body as Record<string, unknown>[]));
      next = linksOf(response)['next'];
    }
    return { items, pages };
  }
}

export async function openPetstore(options?: CreateMockServerOptions): Promise<Petstore> {
  const app = await startMock(options);
  return new Petstore(() => app);
}

/** One mock for the tests of a file, back at its seed before each of them. */
export function usePetstore(options?: CreateMockServerOptions): Petstore {
  let app: MockServer;
  beforeAll(async () => {
    app = await startMock(options);
  });
  beforeEach(() => {
    app.reset();
    app.setClock(options?.clock);
  });
  return new Petstore(() => app);
}

/** The answer is an Error object and nothing more, in which each of the texts is said. */
export function expectError(response: Response, status: number, code: string, ...says: (string | RegExp)[]): void {
  const isAdmin = (response.request as unknown as { url: string }).url.includes('/__standin');
  const more = isAdmin ? { findings: expect.any(Array) as unknown[], current: null } : {};
  expect({ status: response.status, body: JSON.parse(response.text) as unknown }).toEqual({
    status,
    body: { code, message: expect.any(String) as string, status, ...more },
  });
  expect(response.headers['content-type']).toBe('application/json');
  const { message } = response.body as { message: string };
  for (const text of says) {
    if (typeof text === 'string') expect(message).toContain(text);
    else expect(message).toMatch(text);
  }
  expect(message).not.toBe('');
  expect(response.text).not.toContain('test-key');
}

/** The links of a response by their rel, as paths: each request of a test has a port of its own. */
export function linksOf(response: Response): Record<string, string> {
  const links: Record<string, string> = {};
  for (const [, url = '', rel = ''] of (response.headers['link'] ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g)) {
    links[rel] = pathOf(url);
  }
  return links;
}

/** Path and query of an absolute URL or of a path. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://any');
  return pathname + search;
}

/** Headers that every answer has anew, or that are about the connection. */
const CHANGING = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export function lastingHeaders(response: Response, ...without: string[]): Record<string, string> {
  const port = /127\.0\.0\.1:\d+/g;
  return Object.fromEntries(
    Object.entries(response.headers as Record<string, string>)
      .filter(([name]) => !CHANGING.has(name) && !without.includes(name))
      .map(([name, value]) => [name, value.replace(port, 'host')]),
  );
}

/** Ids of a list, in its order. */
export function ids(response: Response): unknown[] {
  return (response.body as { id?: number; petId?: number }[]).map(({ id, petId }) => id ?? petId);
}

export interface StoredPet {
  readonly id: number | bigint;
  readonly categoryId: number | bigint;
  readonly status: string;
}
export interface StoredOrder {
  readonly id: number | bigint;
  readonly petId?: number | bigint;
  readonly quantity?: number;
  readonly shipDate?: string;
  readonly complete: boolean;
}
export interface StoredItem {
  readonly petId: number | bigint;
  readonly quantity: number;
  readonly status: string;
}

export interface Stored {
  readonly pets: readonly StoredPet[];
  readonly categories: readonly { readonly id: number | bigint }[];
  readonly orders: readonly StoredOrder[];
  readonly inventory: readonly StoredItem[];
}

/** Everything that the mock holds. */
export function stored(app: MockServer): Stored {
  const collections = app.state()['collections'] as unknown as Record<string, unknown>;
  return {
    pets: collections['/pets'],
    categories: collections['/categories'],
    orders: collections['/store/orders'],
    inventory: collections['/inventory'],
  } as Stored;
}

/** What in the state breaks an invariant of the contract; empty when all is well. */
export function brokenInvariants(state: Stored): string[] {
  const { pets, categories, orders, inventory } = state;
  const isPet = (key: number | bigint | undefined): boolean => pets.some(({ id }) => id === key);
  const claims: [boolean, string][] = [
    ...pets.flatMap((pet) => claimsOfPet(pet, state)),
    ...pets.map(({ id, categoryId }): [boolean, string] => [
      categories.some((category) => category.id === categoryId),
      `pet ${id} has no category`,
    ]),
    ...inventory.map(({ petId }): [boolean, string] => [isPet(petId), `item ${petId} has no pet`]),
    ...orders.map(({ id, petId }): [boolean, string] => [
      petId === undefined || isPet(petId),
      `order ${id} has no pet`,
    ]),
  ];
  return claims.filter(([holds]) => !holds).map(([, text]) => text);
}

function claimsOfPet({ id, status }: StoredPet, { orders, inventory }: Stored): [boolean, string][] {
  const items = inventory.filter(({ petId }) => petId === id);
  const open = orders.filter(({ petId, complete }) => petId === id && !complete);
  const quantity = items[0]?.quantity ?? -1;
  return [
    [items.length === 1, `pet ${id} has ${items.length} inventory items`],
    [items[0]?.status === status, `pet ${id} is ${status}, its item ${String(items[0]?.status)}`],
    [quantity >= 0 && Number.isInteger(quantity), `pet ${id} has ${quantity} units`],
    [status !== 'available' || quantity > 0, `pet ${id} is available without stock`],
    [status !== 'sold' || quantity === 0, `pet ${id} is sold with stock`],
    [status !== 'sold' || open.length === 0, `pet ${id} is sold with an open order`],
  ];
}
