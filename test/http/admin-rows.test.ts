import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { createMockServer } from '../../src/express';
import { serveText } from '../support/serve-text';

const list = (name: string): string =>
  `{ responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/${name}' } } } } } } }`;
const one = (name: string): string =>
  `{ responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } } } }`;

const SHOP = `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
paths:
  /makers: { get: ${list('Maker')} }
  /makers/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: ${one('Maker')}
  /makers/{makerId}/prices:
    parameters: [{ name: makerId, in: path, required: true, schema: { type: integer } }]
    get: ${list('Price')}
  /makers/{makerId}/prices/{code}:
    parameters:
      - { name: makerId, in: path, required: true, schema: { type: integer } }
      - { name: code, in: path, required: true, schema: { type: string } }
    get: ${one('Price')}
  /things: { get: ${list('Thing')} }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: ${one('Thing')}
    delete: { responses: { '204': { description: ok } } }
  /settings:
    get: ${one('Settings')}
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } } }
components:
  schemas:
    Maker: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
    Price: { type: object, required: [code], properties: { code: { type: string }, amount: { type: number } } }
    Settings: { type: object, properties: { theme: { type: string } } }
    Thing:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string, description: What it is called }
        makerId: { type: integer }
        state: { $ref: '#/components/schemas/State' }
        at: { type: string, format: date-time }
        parts: { type: array, items: { type: object, properties: { label: { type: string } } } }
        pin: { type: string, writeOnly: true }
    State: { type: string, enum: [new, used] }
`;

interface Row {
  readonly key: unknown;
  readonly version: string;
  readonly item: Record<string, unknown>;
  readonly change: string | null;
  readonly before: object | null;
}
interface Page {
  readonly collection: string;
  readonly total: number;
  readonly items: number;
  readonly offset: number;
  readonly rows: readonly Row[];
}

const FIXTURES = {
  standin: 'fixture/1',
  collections: {
    '/makers': [{ id: 1, name: 'Acme' }],
    '/things': [
      { id: 1, name: 'Lamp', makerId: 1, state: 'new', at: '2026-01-02T00:00:00Z', pin: 'secret' },
      { id: 2, name: 'chair', state: 'used', at: '2026-01-02T00:00:00+02:00' },
      { id: 3, name: 'Desk', parts: [{ label: 'LAMP holder' }] },
    ],
  },
};

let app: MockServer;
beforeEach(async () => {
  app = await serveText(SHOP);
  app.load(FIXTURES);
  app.setBaseline();
});

async function page(query: string, of: MockServer = app): Promise<Page> {
  return (await request(of).get(`/__standin/rows?${query}`).expect(200)).body as Page;
}

const keys = ({ rows }: Page): unknown[] => rows.map(({ key }) => key);

describe('collections', () => {
  interface Collection {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
  }
  const collections = async (of: MockServer, query = ''): Promise<readonly Collection[]> => {
    const { body } = await request(of).get(`/__standin/collections${query}`).expect(200);
    const { collections: found, isWhole } = body as { collections: Collection[]; isWhole: boolean };
    // Making all of them takes longer than one answer may where the machine has other work.
    return isWhole ? found : collections(of, query);
  };

  test('are told with their columns by the schema', async () => {
    const found = await collections(app);
    const things = found.find(({ name }) => name === '/things');
    expect(things).toStrictEqual({
      name: '/things',
      isSingle: false,
      items: 3,
      changed: 0,
      key: 'id',
      columns: [
        {
          name: 'id',
          type: 'integer int64',
          isRequired: true,
          isReadOnly: true,
          values: null,
          refersTo: null,
          description: '',
        },
        {
          name: 'name',
          type: 'string',
          isRequired: true,
          isReadOnly: false,
          values: null,
          refersTo: null,
          description: 'What it is called',
        },
        expect.objectContaining({ name: 'makerId', refersTo: '/makers' }),
        expect.objectContaining({ name: 'state', type: 'string', values: ['new', 'used'] }),
        expect.objectContaining({ name: 'at', type: 'string date-time' }),
        expect.objectContaining({ name: 'parts', type: 'array' }),
      ],
    });
  });

  test('say how many items changed since the baseline, in each sandbox', async () => {
    const changed = async (query = ''): Promise<unknown> =>
      (await collections(app, query)).flatMap((each) => {
        const { name, changed: count } = each as unknown as { name: string; changed: number };
        return count === 0 ? [] : [[name, count]];
      });
    app.removeRow('/things', 1);
    app.putRow('/things', { id: 9, name: 'Sofa' });
    app.patchRow('/things', 2, { name: 'Chair' });
    app.patchRow('/things', 3, { name: 'Desk' });
    app.putRow('/makers/1/prices', { code: 'A', amount: 2 });
    expect(await changed()).toStrictEqual([
      ['/makers/1/prices', 1],
      ['/things', 3],
    ]);
    expect(await changed('?sandbox=a')).toStrictEqual([]);
    expect(app.sandboxes()).toEqual([]);
  });

  test('of a state that nobody wrote to are all there, those below items and single records too', async () => {
    const seeded = await serveText(SHOP, { state: 'seeded' });
    const found = (await collections(seeded)).map(({ name }) => name);
    const makers = await page('collection=/makers', seeded);
    expect(makers.rows.length).toBeGreaterThan(0);
    expect(found).toStrictEqual([
      '/makers',
      ...keys(makers).map((key) => `/makers/${String(key)}/prices`),
      '/things',
      '/settings',
    ]);
    const prices = await page('collection=/makers/1/prices', seeded);
    expect(prices.total).toBe(prices.rows.length);
    expect((await page('collection=/settings', seeded)).rows).toMatchObject([{ key: '', change: null }]);
  });
});

describe('rows', () => {
  test('are shown in the order of their keys, a page at a time, without what is write-only', async () => {
    const first = await page('collection=/things&limit=2');
    expect(first).toMatchObject({ collection: '/things', total: 3, items: 3, offset: 0 });
    expect(first.rows[0]).toStrictEqual({
      key: 1,
      version: expect.stringMatching(/^[\w-]{12}$/) as string,
      item: { id: 1, name: 'Lamp', makerId: 1, state: 'new', at: '2026-01-02T00:00:00Z' },
      change: null,
      before: null,
    });
    expect(keys(await page('collection=things&limit=2&offset=2'))).toStrictEqual([3]);
    expect(keys(await page('collection=/things&offset=9'))).toStrictEqual([]);
  });

  test('are searched in all values, and ordered by a property', async () => {
    expect(keys(await page('collection=/things&search=lAmP'))).toStrictEqual([1, 3]);
    expect(keys(await page('collection=/things&search=used'))).toStrictEqual([2]);
    expect(keys(await page('collection=/things&search=secret'))).toStrictEqual([]);
    expect(keys(await page('collection=/things&search=2026-01&limit=1&offset=1'))).toStrictEqual([2]);
    expect(keys(await page('collection=/things&sort=-id'))).toStrictEqual([3, 2, 1]);
    expect(keys(await page('collection=/things&sort=name'))).toStrictEqual([3, 1, 2]);
    expect(keys(await page('collection=/things&sort=at'))).toStrictEqual([2, 1, 3]);
    expect(keys(await page('collection=/things&sort=-at'))).toStrictEqual([1, 2, 3]);
    expect(keys(await page('collection=/things&sort=nothing'))).toStrictEqual([1, 2, 3]);
  });

  test('say how they differ from the start; removed ones are shown where changes are asked for', async () => {
    await request(app).delete('/things/2').expect(204);
    app.putRow('/things', { id: 9, name: 'Sofa' });
    app.patchRow('/things', 1, { name: 'Light', pin: 'other' });
    const changed = await page('collection=/things&changed=true');
    expect(changed).toMatchObject({ total: 3, items: 3 });
    expect(changed.rows).toMatchObject([
      { key: 1, change: 'changed', item: { name: 'Light' }, before: { name: 'Lamp' } },
      { key: 2, change: 'removed', version: 'none', item: { name: 'chair' }, before: { name: 'chair' } },
      { key: 9, change: 'added', before: null },
    ]);
    expect(JSON.stringify(changed)).not.toContain('pin');
    expect((await page('collection=/things')).rows.map(({ change }) => change)).toStrictEqual([
      'changed',
      null,
      'added',
    ]);
    expect(keys(await page('collection=/things&changed=true&search=chair'))).toStrictEqual([2]);
    for (let count = 0; count < 3; count++) app.undo();
    expect(await page('collection=/things&changed=true')).toMatchObject({ total: 0, rows: [] });
  });

  test('say what is wrong with what is asked for', async () => {
    const rejected = async (query: string): Promise<string> =>
      ((await request(app).get(`/__standin/rows?${query}`).expect(400)).body as { message: string }).message;
    expect(await rejected('')).toContain('?collection=/books');
    expect(await rejected('collection=/thing')).toContain('Did you mean "/things"');
    expect(await rejected('collection=/things&limit=501')).toContain('from 0 to 500');
    expect(await rejected('collection=/things&limit=-1')).toContain('whole number from 0 to 500');
    expect((await request(app).get('/__standin/rows?collection=/things&limit=0').expect(200)).body).toMatchObject({
      total: 3,
      rows: [],
    });
    expect(await rejected('collection=/things&sorted=id')).toContain('did you mean "sort"');
  });

  test('are had by their key, also when they were removed', async () => {
    app.removeRow('/things', 2);
    expect(await page('collection=/things&key=1')).toMatchObject({ total: 1, rows: [{ key: 1, change: null }] });
    expect(await page('collection=/things&key=2')).toMatchObject({ total: 1, rows: [{ key: 2, change: 'removed' }] });
    expect(await page('collection=/things&key=77')).toMatchObject({ total: 0, rows: [] });
    expect(await page('collection=/things&key=no')).toMatchObject({ total: 0, rows: [] });
  });
});

test('a row that others refer to is removed only where that is not minded', async () => {
  const shop = await createMockServer();
  const remove = (query: string): request.Test =>
    request(shop).delete(`/__standin/row?collection=${query}`).type('json');
  const { body } = (await remove('/pets&key=2&unreferenced=true').expect(409)) as { body: unknown };
  expect(body).toMatchObject({
    code: 'still_referenced',
    message: expect.stringContaining('1 item of /store/orders still refers to 2 through petId') as string,
  });
  expect(shop.row('/pets', 2)).toBeDefined();
  await remove('/categories&key=404&unreferenced=true').expect(404);
  await remove('/pets&key=2').expect(204);
  expect(shop.row('/pets', 2)).toBeUndefined();
});

test('a row that refers to itself is removed, whatever is asked for', async () => {
  const rules = {
    standin: 'rules/1',
    references: [{ collection: '/things', member: 'makerId', to: '/things' }],
  } as const;
  const shop = await serveText(SHOP, { rules, state: 'empty' });
  shop.putRow('/things', { id: 1, name: 'Lamp', makerId: 1 });
  const remove = (): request.Test =>
    request(shop).delete('/__standin/row?collection=/things&key=1&unreferenced=true').type('json');
  shop.putRow('/things', { id: 2, name: 'Desk', makerId: 1 });
  await remove().expect(409);
  shop.removeRow('/things', 2);
  await remove().expect(204);
});

describe('versions', () => {
  const versionOf = async (key: number): Promise<string> =>
    (await page('collection=/things&limit=500')).rows.find((row) => row.key === key)?.version ?? '';
  const row = (query: string): string => `/__standin/row?collection=/things&${query}`;

  test('of two people who edit one row the second is told, with the row as it is', async () => {
    const version = await versionOf(1);
    await request(app)
      .patch(row(`key=1&version=${version}`))
      .send({ name: 'First' })
      .expect(200);
    const now = (await page('collection=/things')).rows[0];
    const second = await request(app)
      .patch(row(`key=1&version=${version}`))
      .send({ name: 'Second' })
      .expect(409);
    expect(second.body).toMatchObject({ status: 409, code: 'conflict', current: now });
    await request(app)
      .put(row(`version=${version}`))
      .send({ id: 1, name: 'Second' })
      .expect(409);
    await request(app)
      .delete(row(`key=1&version=${version}`))
      .set('Content-Type', 'application/json')
      .expect(409);
    expect(app.row('/things', 1)).toMatchObject({ name: 'First' });
    await request(app)
      .put(row(`version=${now?.version ?? ''}`))
      .send({ id: 1, name: 'Second' })
      .expect(200);
    await request(app).patch(row('key=1')).send({ name: 'Third' }).expect(200);
  });

  test('what was removed meanwhile is told so, and can be stored anew', async () => {
    const version = await versionOf(2);
    app.removeRow('/things', 2);
    for (const act of [
      request(app)
        .patch(row(`key=2&version=${version}`))
        .send({ name: 'Other' }),
      request(app)
        .put(row(`version=${version}`))
        .send({ id: 2, name: 'Other' }),
      request(app)
        .delete(row(`key=2&version=${version}`))
        .set('Content-Type', 'application/json'),
    ])
      expect((await act.expect(409)).body).toMatchObject({ code: 'conflict', current: null });
    await request(app).put(row('version=none')).send({ id: 2, name: 'Anew' }).expect(200);
    const taken = await request(app).put(row('version=none')).send({ id: 2, name: 'Again' }).expect(409);
    expect(taken.body).toMatchObject({ code: 'conflict', current: { key: 2, item: { name: 'Anew' } } });
  });

  test('an item that breaks its schema is told with what is wrong where', async () => {
    const { body } = await request(app).put(row('version=none')).send({ id: 5, name: 7, state: 'old' }).expect(400);
    const { findings } = body as { findings: { pointer: string; message: string }[] };
    expect(findings.map(({ pointer }) => pointer).sort()).toStrictEqual(['/name', '/state']);
    expect(app.row('/things', 5)).toBeUndefined();
  });
});
