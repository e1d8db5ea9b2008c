import express, { type Express } from 'express';
import type { FamilyId } from '../../src/generated/generate-contracts';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { rootCauses } from '../../src/report/causes/root-causes';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const whole = { type: 'integer' };
type Item = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body?: unknown];

/** A service of collections by name. `create` and `act` answer what the collection does in its own way. */
class Service {
  readonly stored = new Map<string, Map<string, Item>>();
  readonly calls: string[] = [];
  private counter = 0;
  /** Answers a creation; `undefined` to store it as it is. */
  create: (name: string, body: Item) => Answer | undefined = () => undefined;
  /** Answers what stands below an item. */
  act: (item: Item, verb: string) => Answer = () => [404, {}];

  of(name: string): Map<string, Item> {
    const rows = this.stored.get(name) ?? new Map<string, Item>();
    this.stored.set(name, rows);
    return rows;
  }

  store(name: string, item: Item, key = this.keyOf(item)): Item {
    const row = { id: key, ...item };
    this.of(name).set(key, row);
    return row;
  }

  private keyOf({ id }: Item): string {
    if (typeof id === 'string') return id;
    this.counter += 1;
    return String(this.counter);
  }

  get app(): Express {
    const app = express();
    app.use(express.json({ strict: false }));
    app.use((request, response) => {
      const [, name = '', key, verb] = request.path.split('/');
      const [status, body] = this.answer(request.method, name, { key, verb, body: request.body as Item });
      this.calls.push(
        `${request.method} ${name}${key === undefined ? '' : `/{id}${verb === undefined ? '' : `/${verb}`}`} ${status}`,
      );
      if (body === undefined) response.status(status).end();
      else response.status(status).json(body);
    });
    return app;
  }

  private answer(
    method: string,
    name: string,
    { key, verb, body }: { key: string | undefined; verb: string | undefined; body: Item },
  ): Answer {
    const rows = this.of(name);
    if (key === undefined && method === 'GET') return [200, [...rows.values()]];
    if (key === undefined)
      return method === 'POST' ? (this.create(name, body) ?? [201, this.store(name, body)]) : [405, {}];
    if (method === 'PUT')
      return rows.has(key)
        ? [200, this.store(name, { ...body, id: key })]
        : [201, this.store(name, { ...body, id: key })];
    const item = rows.get(key);
    if (item === undefined) return [404, {}];
    if (verb !== undefined) return this.act(item, verb);
    if (method === 'DELETE') rows.delete(key);
    return method === 'DELETE' ? [204] : [200, item];
  }
}

type Sketches = Parameters<typeof smallApi>[0];

/** A collection as most are: listed, made, read and removed. */
function collection(name: string, item: object, body: object = item): Sketches {
  return {
    [`GET /${name}`]: { answers: { 200: list(item) } },
    [`POST /${name}`]: { body, answers: { 201: item, 400: null, 409: null, 422: null } },
    [`GET /${name}/{id}`]: { answers: { 200: item, 404: null } },
    [`DELETE /${name}/{id}`]: { answers: { 204: null, 404: null } },
  };
}

const ID = { id: { type: 'string', readOnly: true } };

async function run(
  service: Service,
  sketches: Sketches,
  generate: readonly FamilyId[] = ['lifecycle'],
): Promise<{ result: RunResult; called: Set<string>; learnt: string }> {
  const description = folder.write('reach.json', smallApi(sketches));
  const result = await runContract({ app: service.app, description, seed: 1, mode: 'own', generate });
  const called = new Set(
    result.coverage.flatMap(({ operation, statuses }) => (statuses.some((each) => each < 300) ? [operation] : [])),
  );
  return { result, called, learnt: (result.learnt ?? []).map(({ message }) => message).join('\n') };
}

const failed = (result: RunResult): string[] =>
  allSteps(result).flatMap(({ name, verdict }) =>
    verdict.kind === 'fail' ? verdict.findings.map(({ message }) => `${name}: ${message}`) : [],
  );

const left = (service: Service): Item[] => [...service.stored.values()].flatMap((rows) => [...rows.values()]);

test('after a 500 the one property that the service fails at is found and left out', async () => {
  const service = new Service();
  service.create = (_, body) => ('address' in body ? [500, { message: 'Internal Server Error' }] : undefined);
  const body = object({ ...ID, title: text, address: text, note: text, color: text });
  const { learnt, result } = await run(service, collection('jobs', body));
  expect(learnt).toContain('address is left out, after 500');
  expect(learnt).not.toContain('note');
  expect(result.leftBehind.filter(({ url }) => !url.endsWith('/jobs'))).toEqual([]);
  expect(left(service)).toEqual([]);
});

test('what is named after, or described as, a thing of another kind gets the key of one that the run made', async () => {
  const service = new Service();
  const amounts = new Map<unknown, unknown>();
  service.create = (name, body) => {
    if (name !== 'loans') return undefined;
    amounts.set(body['item'], body['count']);
    const isKnown = service.of('items').has(String(body['item'])) && service.of('members').has(String(body['by']));
    return isKnown ? undefined : [422, { message: 'cannot be processed' }];
  };
  const by = { type: 'string', description: 'The member who borrows it' };
  const { called } = await run(service, {
    ...collection('items', object({ ...ID, label: text })),
    ...collection('members', object({ ...ID, name: text })),
    ...collection('loans', { ...object({ ...ID, item: text, by, count: whole }), required: ['item', 'by', 'count'] }),
  });
  expect(called).toContain('DELETE /loans/{id}');
  expect(left(service)).toEqual([]);
});

test('what a client puts at a key of its own is made so, and removed', async () => {
  const service = new Service();
  service.store('flags', { id: 'theirs', on: true });
  const flag = object({ id: text, on: { type: 'boolean' }, note: text });
  const { called } = await run(service, {
    'GET /flags': { answers: { 200: list(flag) } },
    'GET /flags/{id}': { answers: { 200: flag, 404: null } },
    'PUT /flags/{id}': { body: object({ on: { type: 'boolean' }, note: text }), answers: { 200: flag, 201: flag } },
    'DELETE /flags/{id}': { answers: { 204: null, 404: null } },
  });
  expect([...called].sort()).toEqual(['DELETE /flags/{id}', 'GET /flags', 'GET /flags/{id}', 'PUT /flags/{id}']);
  expect(left(service)).toEqual([{ id: 'theirs', on: true }]);
});

test.each([undefined, 'uuid'])(
  'the body of a PUT says the key of its path wherever it says a key (%s)',
  async (format) => {
    const service = new Service();
    const bodies = new Map<string, unknown>();
    const id = format === undefined ? text : { type: 'string', format };
    const flag = object({ id, on: { type: 'boolean' } });
    const app = express();
    app.use(express.json(), (request, _, next) => {
      const { id } = (request.body ?? {}) as Item;
      if (request.method === 'PUT') bodies.set(decodeURIComponent(request.path.split('/')[2] ?? ''), id);
      next();
    });
    app.use(service.app);
    const description = folder.write(
      'keyed.json',
      smallApi({
        'GET /flags': { answers: { 200: list(flag) } },
        'GET /flags/{id}': { answers: { 200: flag, 404: null } },
        'PUT /flags/{id}': { body: { ...flag, required: ['id'] }, answers: { 200: flag, 201: flag } },
        'DELETE /flags/{id}': { answers: { 204: null, 404: null } },
      }),
    );
    const { outcome, uncalled = [] } = await runContract({ app, description, seed: 1, generate: ['lifecycle'] });
    expect([outcome, uncalled, left(service)]).toEqual(['conforms', [], []]);
    expect(bodies.size).toBeGreaterThan(2);
    expect([...bodies].filter(([key, id]) => key !== id)).toEqual([]);
  },
);

test.each([true, false])(
  'nothing is wrong at a mock of items that a PUT makes (with the key in the body: %s)',
  async (hasKey) => {
    const flag = object({ id: text, on: { type: 'boolean' }, note: text });
    const body = hasKey ? { ...flag, required: ['id'] } : object({ on: { type: 'boolean' }, note: text });
    const description = folder.write(
      'flags.json',
      smallApi({
        'GET /flags': { answers: { 200: list(flag) } },
        'GET /flags/{id}': { answers: { 200: flag, 404: null } },
        'PUT /flags/{id}': { body, answers: { 200: flag, 201: flag, 400: null } },
        'DELETE /flags/{id}': { answers: { 204: null, 404: null } },
      }),
    );
    const mock = await createMockServer({ description, auth: 'off' });
    const result = await runContract({ app: mock, description, seed: 1, auth: 'off' });
    expect(result.uncalled ?? []).toEqual([]);
    expect(result.contracts.flatMap(({ steps }) => steps).filter(({ verdict }) => verdict.kind === 'fail')).toEqual([]);
    expect(result.leftBehind).toEqual([]);
  },
);

test.each(['items', 'keys'])('a creation that takes a list is sent one item, and is answered with %s', async (form) => {
  const service = new Service();
  service.create = (name, body) => {
    const made = (body as unknown as Item[]).map((item) => service.store(name, item));
    return [201, form === 'items' ? made : made.map(({ id }) => id)];
  };
  const item = object({ ...ID, value: text, scope: text });
  const sketches = collection('rules', item, list(object({ value: text, scope: text })));
  const answers = { 201: form === 'items' ? list(item) : list(text), 400: null };
  const { called } = await run(service, { ...sketches, 'POST /rules': { ...sketches['POST /rules'], answers } });
  expect(called).toContain('DELETE /rules/{id}');
  expect(left(service)).toEqual([]);
});

describe('an action below an item', () => {
  const state = { type: 'string', enum: ['open', 'cancelled'] };
  const order = object({ ...ID, title: text, status: state });
  const withAction = (path: string, sketch: object): Sketches => ({
    ...collection('orders', order, object({ title: text })),
    [`POST /orders/{id}/${path}`]: { answers: { 200: order, 409: null }, ...sketch },
  });

  test('is sent at what the run made where it plainly changes that alone', async () => {
    const service = new Service();
    service.act = (item) => [200, service.store('orders', { ...item, status: 'cancelled' })];
    const { called } = await run(service, withAction('cancel', {}));
    expect(called).toContain('POST /orders/{id}/cancel');
    expect(left(service)).toEqual([]);
  });

  test.each([
    {
      what: 'needs a body that names something',
      path: 'cancel',
      sketch: { body: { ...object({ other: text }), required: ['other'] } },
    },
    { what: 'is of an unknown kind', path: 'notify', sketch: {} },
  ])('is not sent where it $what, and that is told', async ({ path, sketch }) => {
    const service = new Service();
    const { called, result } = await run(service, withAction(path, sketch));
    expect(called).not.toContain(`POST /orders/{id}/${path}`);
    expect(service.calls.filter((call) => call.includes(`/${path}`))).toEqual([]);
    expect(result.uncalled).toEqual([
      { operation: `POST /orders/{id}/${path}`, reason: 'may do more than the description tells' },
    ]);
  });
});

test('what refers to a row of others that has an amount is not made', async () => {
  const service = new Service();
  service.store('accounts', { id: 'alice', balance: 1000 });
  const account = object({ id: text, balance: whole });
  const sketches = collection('withdrawals', object({ ...ID, accountId: text, note: text }));
  const { called } = await run(service, {
    'GET /accounts': { answers: { 200: list(account) } },
    'GET /accounts/{id}': { answers: { 200: account, 404: null } },
    ...sketches,
    'POST /withdrawals': {
      ...sketches['POST /withdrawals'],
      body: { ...object({ accountId: text, note: text }), required: ['accountId'] },
    },
  });
  expect(called).not.toContain('POST /withdrawals');
});

test('an e-mail address is another one for each thing, in every contract', async () => {
  const service = new Service();
  const seen = new Set<unknown>();
  service.create = (name, body) => {
    if (seen.has(body['email'])) return [409, { message: 'conflict' }];
    seen.add(body['email']);
    return [201, service.store(name, body)];
  };
  const { learnt } = await run(
    service,
    collection('people', {
      ...object({ ...ID, name: text, email: { type: 'string', format: 'email' } }),
      required: ['name', 'email'],
    }),
  );
  expect(learnt).toBe('');
  expect(seen.size).toBeGreaterThan(3);
});

test('things that a list is asked for together have an e-mail address each', async () => {
  const service = new Service();
  const sent: unknown[] = [];
  service.create = (_, body) => {
    sent.push(body['email']);
    return undefined;
  };
  const person = { ...object({ ...ID, email: text, name: text }), required: ['email', 'name'] };
  const sketches = collection('people', person);
  const query = { email: text, name: text };
  await run(service, { ...sketches, 'GET /people': { ...sketches['GET /people'], query } }, ['lists']);
  expect(sent.length).toBeGreaterThan(4);
  expect(new Set(sent).size).toBe(sent.length);
});

test('a number as key is not chosen where it may be left out, also where everything else is sent', async () => {
  const service = new Service();
  const taken: Item[] = [];
  service.create = (name, body) => {
    if (!('flagged' in body)) return [422, { message: 'cannot be processed' }];
    taken.push(body);
    return [201, service.store(name, body)];
  };
  const item = object({ id: whole, title: text, flagged: { type: 'boolean' } });
  await run(service, collection('orders', item));
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.filter((body) => 'id' in body)).toEqual([]);
});

test('a number as key that has to be sent is another one for each thing, in every contract', async () => {
  const service = new Service();
  const ids: unknown[] = [];
  service.create = (name, body) => {
    ids.push(body['id']);
    return [201, service.store(name, body, String(body['id']))];
  };
  const item = { ...object({ id: whole, title: text }), required: ['id', 'title'] };
  await run(service, collection('orders', item));
  expect(ids.length).toBeGreaterThan(3);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a key that is answered as a text and shown as a number is the same key', async () => {
  const service = new Service();
  let count = 0;
  service.create = (name, body) => {
    const made = (body as unknown as Item[]).map((row) =>
      service.store(name, { ...row, id: (count += 1) }, `${count}`),
    );
    return [201, made.map(({ id }) => String(id))];
  };
  const rule = object({ value: text });
  const sketches = collection('rules', { ...object({ id: whole, value: text }), required: ['id'] }, list(rule));
  const answers = { 201: list(text), 400: null };
  const { result, called } = await run(service, {
    ...sketches,
    'POST /rules': { ...sketches['POST /rules'], answers },
  });
  expect(called).toContain('DELETE /rules/{id}');
  expect(failed(result)).toEqual([]);
  expect(left(service)).toEqual([]);
});

test('where the key is made of the name, a change keeps the name', async () => {
  const slug = (item: Item): string => String(item['name']).toLowerCase().replaceAll(' ', '-');
  const service = new Service();
  const replaced: Item[] = [];
  const store = service.store.bind(service);
  service.create = (name, body) => [201, store(name, body, slug(body))];
  service.store = (name, item) => {
    replaced.push(item);
    return store(name, item);
  };
  const tag = object({ ...ID, name: text, color: text });
  const { learnt } = await run(service, {
    ...collection('tags', tag),
    'PUT /tags/{id}': { body: tag, answers: { 200: tag, 404: null } },
  });
  expect(learnt).toContain('makes the key of name');
  expect(replaced.length).toBeGreaterThan(0);
  expect(replaced.filter((item) => slug(item) !== item['id'])).toEqual([]);
});

test('a property whose description has its only value is sent with that', async () => {
  const service = new Service();
  const types = new Set<unknown>();
  service.create = (_, body) => {
    types.add(body['type']);
    return undefined;
  };
  await run(service, collection('tags', object({ ...ID, type: { ...text, description: 'set to "Tag"' }, name: text })));
  expect([...types]).toEqual(['Tag']);
});

test('a property that never comes back as it was made up is one cause for each operation', async () => {
  const service = new Service();
  service.create = (name, body) => [201, service.store(name, { ...body, color: 'grey' })];
  const { result } = await run(service, collection('tags', object({ ...ID, name: text, color: text })), [
    'lifecycle',
    'positive',
  ]);
  const causes = rootCauses(result).filter(({ check }) => check === 'body-expected');
  expect(causes.map(({ operations }) => operations)).toEqual([['POST /tags'], ['GET /tags/{id}']]);
});

test('what is below a thing of others is read, and what a HEAD alone reads', async () => {
  const service = new Service();
  service.store('machines', { id: 'theirs' });
  const asked: string[] = [];
  service.act = (_, verb) => {
    asked.push(verb);
    return [200, {}];
  };
  await run(
    service,
    {
      'GET /machines': { answers: { 200: list(object({ id: text })) } },
      'GET /machines/{id}': { answers: { 200: object({ id: text }), 404: null } },
      'GET /machines/{id}/load': { answers: { 200: object({}) } },
      'GET /machines/{id}/search': {
        parameters: [{ name: 'q', in: 'query', required: true, schema: text }],
        answers: { 200: object({}) },
      },
      'HEAD /stream': { answers: { 200: null } },
    },
    ['lists'],
  );
  expect(asked).toEqual(['load', 'search']);
  expect(service.calls).toContain('HEAD stream 405');
});

test('of what is not called the reason is told: a change below an item is none of all rows', async () => {
  const thing = object({ ...ID, title: text });
  const { result } = await run(new Service(), {
    ...collection('orders', thing),
    'PUT /orders/{id}/rebuild': { answers: { 200: null } },
    'GET /alerts': { answers: { 200: list(thing) } },
    'POST /alerts': { body: list(thing), answers: { 200: null } },
  });
  expect(result.uncalled).toEqual([
    { operation: 'PUT /orders/{id}/rebuild', reason: 'may do more than the description tells' },
    { operation: 'POST /alerts', reason: 'makes something that no DELETE of the description removes' },
  ]);
});

test('a WebSocket is not asked for, and what could change all rows neither', async () => {
  const service = new Service();
  const { result } = await run(service, {
    ...collection('orders', object({ ...ID, title: text })),
    'GET /events': { answers: { 101: null } },
    'PATCH /orders': { body: object({ title: text }), answers: { 200: null } },
  });
  expect(result.uncalled).toEqual([
    { operation: 'PATCH /orders', reason: 'could change all rows: its path names no single one' },
    { operation: 'GET /events', reason: 'opens a WebSocket, which is not spoken here' },
  ]);
});
