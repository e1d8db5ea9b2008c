import fc from 'fast-check';
import { createBench, headerOf, NOW, textOf, type Bench, type FreshMock } from './fresh-mock';
import { brokenByState } from './judge';
import { ReferencePetstore, type Expected, type NewCategory, type NewOrder, type NewPet } from './reference-petstore';
import { times } from './seed';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});

/** The mock, with the entity tags that it gave so far: by path, what was read there last and under which tag. */
interface Real {
  readonly fresh: FreshMock;
  readonly read: Map<string, { readonly body: string; readonly etag: string }>;
}

type Step = fc.Command<ReferencePetstore, Real>;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly prefer?: string | undefined;
}

function send({ fresh }: Real, { method, path, body, prefer }: Call): { status: number; text: string; etag: string } {
  const response = fresh.send({
    method,
    target: path,
    headers: [
      ['Host', 'mock.example'],
      ['Authorization', 'Bearer test-key'],
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...(prefer === undefined ? [] : [['Prefer', prefer] as const]),
    ],
    body: body === undefined ? '' : JSON.stringify(body),
  });
  return { status: response.status, text: textOf(response), etag: headerOf(response, 'ETag') ?? '' };
}

/** One write, done to both; their answers, their states and their entity tags are compared. */
function write(call: Call, reference: (model: ReferencePetstore) => Expected): Step {
  return {
    check: () => true,
    toString: () =>
      `${call.method} ${call.path} ${JSON.stringify(call.body)}${call.prefer === undefined ? '' : ' min'}`,
    run(model, real) {
      const before = real.fresh.stateText();
      const { status, text } = send(real, call);
      const expected = reference(model);
      const isMinimal = call.prefer !== undefined && expected.status < 300;
      const minimalStatus = expected.status === 200 ? 204 : expected.status;
      expect({ status, ...bodyOf(text) }).toEqual(
        isMinimal ? { status: minimalStatus } : { status: expected.status, ...rest(expected) },
      );
      expect(collectionsOf(real.fresh)).toEqual(model.collections());
      if (status >= 400) expect(real.fresh.stateText()).toBe(before);
      expect(brokenByState(real.fresh.stateText())).toEqual([]);
      compareTags(real);
    },
  };
}

function rest({ code, body }: Expected): object {
  return { ...(code === undefined ? {} : { code }), ...(body === undefined ? {} : { body }) };
}

function bodyOf(text: string): object {
  if (text === '') return {};
  const body = JSON.parse(text) as Record<string, unknown>;
  return 'code' in body ? { code: body['code'] } : { body };
}

function collectionsOf(fresh: FreshMock): unknown {
  return (JSON.parse(fresh.stateText()) as { collections: unknown }).collections;
}

/** A strong entity tag changes when, and only when, the representation does (petstore.md §4). */
function compareTags(real: Real): void {
  const collections = collectionsOf(real.fresh) as Record<string, { id?: number; petId?: number }[]>;
  for (const [collection, items] of Object.entries(collections)) {
    for (const { id, petId } of items) {
      const path = `${collection}/${String(collection === '/inventory' ? petId : id)}`;
      const { status, text: body, etag } = send(real, { method: 'GET', path });
      expect([path, status]).toEqual([path, 200]);
      expect(etag).toMatch(/^"[^"]+"$/);
      const last = real.read.get(path);
      if (last !== undefined) expect([path, etag === last.etag]).toEqual([path, body === last.body]);
      real.read.set(path, { body, etag });
    }
  }
}

// 😀 comes after the last character of the basic plane by code point, and before it by UTF-16.
const NAMES = ['Nova', 'nova', 'Zoé', 'Zoe\u0301', '\uffff', '😀', 'a b', '0'];
const STATUSES = ['available', 'pending', 'sold'] as const;
const name = fc.constantFrom(...NAMES);
const status = fc.constantFrom(...STATUSES);
const key = fc.integer({ min: 1, max: 6 });
const quantity = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constantFrom(5, 10_000));
const stock = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 4 }) }, fc.constant(1_000_000));
const minimal = fc.option(fc.constant('return=minimal'), { nil: undefined, freq: 8 });

const pet: fc.Arbitrary<NewPet> = fc.record(
  { name, categoryId: key, status },
  { requiredKeys: ['name', 'categoryId'] },
);
const category: fc.Arbitrary<NewCategory> = fc.record({ name, description: name }, { requiredKeys: ['name'] });
const order: fc.Arbitrary<NewOrder> = fc.record(
  {
    petId: key,
    quantity,
    shipDate: fc.constantFrom('2026-02-01T09:00:00+01:00', '2026-02-01t08:00:00z', '2024-02-29T00:00:00Z'),
    complete: fc.boolean(),
  },
  { requiredKeys: [] },
);
const patch = fc
  .tuple(order, fc.option(key, { freq: 10, nil: undefined }))
  .map(([members, id]): NewOrder => (id === undefined ? members : { ...members, id }));

const writes: fc.Arbitrary<Step>[] = [
  fc
    .tuple(category, minimal)
    .map(([body, prefer]) =>
      write({ method: 'POST', path: '/categories', body, prefer }, (model) => model.createCategory(body)),
    ),
  fc
    .tuple(key, category, minimal)
    .map(([id, body, prefer]) =>
      write({ method: 'PUT', path: `/categories/${id}`, body, prefer }, (model) => model.replaceCategory(id, body)),
    ),
  key.map((id) => write({ method: 'DELETE', path: `/categories/${id}` }, (model) => model.deleteCategory(id))),
  fc
    .tuple(pet, minimal)
    .map(([body, prefer]) => write({ method: 'POST', path: '/pets', body, prefer }, (model) => model.createPet(body))),
  fc
    .tuple(key, pet, minimal)
    .map(([id, body, prefer]) =>
      write({ method: 'PUT', path: `/pets/${id}`, body, prefer }, (model) => model.replacePet(id, body)),
    ),
  key.map((id) => write({ method: 'DELETE', path: `/pets/${id}` }, (model) => model.deletePet(id))),
  fc
    .tuple(order, minimal)
    .map(([body, prefer]) =>
      write({ method: 'POST', path: '/store/orders', body, prefer }, (model) => model.placeOrder(body)),
    ),
  fc
    .tuple(key, patch, minimal)
    .map(([id, body, prefer]) =>
      write({ method: 'PATCH', path: `/store/orders/${id}`, body, prefer }, (model) => model.updateOrder(id, body)),
    ),
  key.map((id) => write({ method: 'DELETE', path: `/store/orders/${id}` }, (model) => model.cancelOrder(id))),
  fc
    .tuple(key, stock, minimal)
    .map(([id, units, prefer]) =>
      write({ method: 'PATCH', path: `/inventory/${id}`, body: { quantity: units }, prefer }, (model) =>
        model.updateInventory(id, units),
      ),
    ),
];

type Item = Readonly<Record<string, unknown>>;

/** A list read page by page, against the same list made from the model. */
function list(path: string, filters: Readonly<Record<string, readonly unknown[]>>, sort: string, limit: number): Step {
  const pairs = Object.entries(filters).flatMap(([member, values]) =>
    member === 'id' || (member === 'petId' && path === '/inventory')
      ? [`${member}=${values.join(',')}`]
      : values.map((value) => `${member}=${encodeURIComponent(String(value))}`),
  );
  const first = `${path}?${[...pairs, `sort=${sort}`, `limit=${limit}`].join('&')}`;
  return {
    check: () => true,
    toString: () => `GET ${first}`,
    run(model, real) {
      const wanted = (model.collections()[path] as Item[])
        .filter((item) => Object.entries(filters).every(([member, values]) => values.includes(item[member])))
        .sort(comparator(sort, path));
      const found: unknown[] = [];
      let next: string | undefined = first;
      for (let page = 0; next !== undefined && page < 100; page++) {
        const response = real.fresh.send({
          method: 'GET',
          target: next,
          headers: [
            ['Host', 'mock.example'],
            ['Authorization', 'Bearer test-key'],
          ],
          body: '',
        });
        expect([response.status, headerOf(response, 'X-Total-Count')]).toEqual([200, String(wanted.length)]);
        const items = JSON.parse(textOf(response)) as unknown[];
        expect(items.length).toBeLessThanOrEqual(limit);
        found.push(...items);
        next = /<http:\/\/mock\.example([^<>]*)>; rel="next"/.exec(headerOf(response, 'Link') ?? '')?.[1];
      }
      expect(found).toEqual(wanted);
    },
  };
}

/** By member, then by key; in both when descending. What has no value is after all that has. */
function comparator(sort: string, path: string): (left: Item, right: Item) => number {
  const member = sort.replace('-', '');
  const keyMember = path === '/inventory' ? 'petId' : 'id';
  const direction = sort.startsWith('-') ? -1 : 1;
  return (left, right) =>
    direction * (compare(left[member], right[member]) || compare(left[keyMember], right[keyMember]));
}

function compare(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  if (typeof left === 'number') return left - (right as number);
  const [first, second] = [left, right] as [string, string];
  // Dates are compared as times: two of those below are the same time in two spellings.
  if (/^\d{4}-/.test(first)) return instant(first) - instant(second);
  return Buffer.compare(Buffer.from(first), Buffer.from(second));
}

function instant(text: string): number {
  return Date.parse(text.toUpperCase());
}

const limit = fc.integer({ min: 1, max: 5 });
const some = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const one = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => value.map((only) => [only]);

const reads: fc.Arbitrary<Step>[] = [
  fc
    .tuple(
      fc.record({ status: some(status), categoryId: one(key), id: some(key), name: one(name) }, { requiredKeys: [] }),
      fc.constantFrom('id', '-id', 'name', '-name'),
      limit,
    )
    .map(([filters, sort, size]) => list('/pets', filters, sort, size)),
  fc
    .tuple(fc.record({ name: one(name) }, { requiredKeys: [] }), fc.constantFrom('id', '-id', 'name', '-name'), limit)
    .map(([filters, sort, size]) => list('/categories', filters, sort, size)),
  fc
    .tuple(
      fc.record({ petId: one(key), complete: one(fc.boolean()) }, { requiredKeys: [] }),
      fc.constantFrom('id', '-id', 'shipDate', '-shipDate'),
      limit,
    )
    .map(([filters, sort, size]) => list('/store/orders', filters, sort, size)),
  fc
    .tuple(
      fc.record({ petId: some(key), status: some(status) }, { requiredKeys: [] }),
      fc.constantFrom('petId', '-petId', 'quantity', '-quantity'),
      limit,
    )
    .map(([filters, sort, size]) => list('/inventory', filters, sort, size)),
];

test('whatever is done to pets, orders and stock, the mock does what the reference does', () => {
  fc.assert(
    fc.property(fc.commands([...writes, ...reads], { maxCommands: 60, size: 'max' }), (steps) => {
      fc.modelRun(
        () => ({
          model: new ReferencePetstore(new Date(NOW).toISOString()),
          real: { fresh: bench.create(), read: new Map() },
        }),
        steps,
      );
    }),
    times(120),
  );
});

test('ids are never given out twice, whatever is removed', () => {
  const steps = fc.array(fc.constantFrom('POST /categories', 'POST /pets', 'POST /store/orders', 'DELETE'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, (calls) => {
      const real: Real = { fresh: bench.create(), read: new Map() };
      const given: string[] = [];
      for (const call of calls) {
        if (call === 'DELETE') {
          const last = given.at(-1);
          if (last !== undefined) send(real, { method: 'DELETE', path: last });
          continue;
        }
        const path = call.slice('POST '.length);
        const { text } = send(real, { method: 'POST', path, body: { name: 'Nova', categoryId: 1 } });
        given.push(`${path}/${String((JSON.parse(text) as { id: number }).id)}`);
      }
      expect(new Set(given).size).toBe(given.length);
    }),
    times(60),
  );
});
