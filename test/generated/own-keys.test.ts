import express, { type Express } from 'express';
import { OwnKeys } from '../../src/generated/own-keys';
import { runContract } from '../../src/library/run-contract';
import type { RunResult } from '../../src/runner/result/run-result';
import { list, object, smallApi, type SmallOperation, text } from '../support/small-api';
import { failed, folder, left, run, Service } from './reach-service';

const PATTERN = '^[A-Z]{3}[0-9]{2}$';
const code = { type: 'string', pattern: PATTERN };
const depot = object({ code, name: text }, ['code', 'name']);
const THEIRS = { code: 'BER01', name: 'theirs' };

/** Depots under keys that clients choose; what was written to, and how it was answered. */
interface Depots {
  readonly app: Express;
  readonly rows: Map<string, object>;
  readonly written: { readonly key: string; readonly method: string; readonly status: number }[];
}

type Answer = readonly [status: number, row?: object | undefined];

function depots({ insists = false, hides = false, first = [THEIRS] } = {}): Depots {
  const rows = new Map<string, object>(first.map((row) => [row.code, row]));
  const tags = new Map<string, string>(first.map((row) => [row.code, '"v0"']));
  const written: Depots['written'] = [];
  const put = (key: string, body: unknown, given: string | undefined): Answer => {
    const { name, code: again = key } = Object(body) as { name?: unknown; code?: unknown };
    const isValid = typeof name === 'string' && again === key && new RegExp(PATTERN).test(key);
    if (!isValid) return [400, {}];
    const isNew = !rows.has(key);
    if (!isNew && insists && given === undefined) return [428, {}];
    if (given !== undefined && given !== tags.get(key)) return [412, {}];
    rows.set(key, { code: key, name });
    tags.set(key, `"v${written.length + 1}"`);
    return [isNew && !hides ? 201 : 200, { code: key, name }];
  };
  const answerTo = (method: string, key: string): Answer => {
    const isThere = rows.has(key) && (!hides || key === THEIRS.code);
    if (!isThere) return [404, {}];
    if (method === 'GET' || method === 'HEAD') return [200, rows.get(key)];
    if (method !== 'DELETE') return [405, {}];
    rows.delete(key);
    tags.delete(key);
    return [204];
  };
  const app = express();
  app.use(express.json({ strict: false }));
  app.get('/status', (_, response) => {
    response.json({});
  });
  app.get('/depots', (_, response) => {
    response.json([...rows.values()]);
  });
  app.all('/depots/:code', ({ method, params: { code: key }, body, headers }, response) => {
    const [status, row] = method === 'PUT' ? put(key, body, headers['if-match']) : answerTo(method, key);
    if (method !== 'GET' && method !== 'HEAD') written.push({ key, method, status });
    const tag = tags.get(key);
    if (status < 300 && tag !== undefined) response.set('ETag', tag);
    response.set('Allow', 'GET, HEAD, PUT, DELETE').status(status).json(row);
  });
  // What is no JSON.
  app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
    response.status(400).json({});
  });
  return { app, rows, written };
}

function described(more: Readonly<Record<string, SmallOperation>> = {}, without: readonly string[] = []): string {
  const operations: Record<string, SmallOperation> = {
    'GET /status': { answers: { 200: object({}) } },
    'GET /depots': { answers: { 200: list(depot) } },
    'GET /depots/{code}': { answers: { 200: depot, 404: null }, headers: ['ETag'] },
    'PUT /depots/{code}': { body: object({ name: text }, ['name']), answers: { 200: depot, 201: depot, 400: null } },
    'DELETE /depots/{code}': { answers: { 204: null, 404: null } },
    ...more,
  };
  const kept = Object.entries(operations).filter(([name]) => !without.includes(name));
  return folder.write('depots.json', smallApi(Object.fromEntries(kept), {}, { code }));
}

async function verify({ app }: Depots, description: string): Promise<RunResult> {
  return runContract({ app, description, seed: 1, mode: 'own', auth: 'off', generate: ['lifecycle', 'http'] });
}

const keysPut = ({ written }: Depots): Set<string> =>
  new Set(written.flatMap(({ key, method, status }) => (method === 'PUT' && status < 300 ? [key] : [])));

test('keys that clients choose by a pattern are drawn, and nothing of others is written to', async () => {
  const service = depots();
  const result = await verify(service, described());
  expect([failed(result), result.uncalled ?? [], result.leftBehind]).toEqual([[], [], []]);
  expect([...service.rows.values()]).toEqual([THEIRS]);
  const keys = keysPut(service);
  expect(keys.size).toBeGreaterThan(4);
  expect([...keys].filter((key) => key === THEIRS.code || !new RegExp(PATTERN).test(key))).toEqual([]);
  // Another run has other ones, and the body says them once more, where it has a place for them.
  const again = depots();
  const put = { body: depot, answers: { 200: depot, 201: depot, 400: null } };
  const other = await verify(again, described({ 'PUT /depots/{code}': put }));
  expect([failed(other), other.uncalled ?? [], other.leftBehind]).toEqual([[], [], []]);
  expect(keysPut(again).size).toBeGreaterThan(4);
  expect([...keysPut(again)].filter((key) => keys.has(key))).toEqual([]);
});

test.each([
  ['nothing can be looked at', ['GET /depots/{code}'], {}],
  ['nothing shows that a look finds what is there', ['GET /depots'], {}],
  ['nothing is removed again', ['DELETE /depots/{code}'], {}],
  ['no response says that it was made', [], { 200: depot, 400: null }],
])('where %s, nothing is put at such a key, and the report says so', async (_, without, answers) => {
  const service = depots();
  const put = { body: object({ name: text }, ['name']), answers };
  const more = Object.keys(answers).length === 0 ? {} : { 'PUT /depots/{code}': put };
  const result = await verify(service, described(more, without));
  expect(service.written.filter(({ status }) => status < 300)).toEqual([]);
  expect(result.uncalled?.find(({ operation }) => operation === 'PUT /depots/{code}')?.reason).toMatch(
    /client chooses|made there/,
  );
});

test('where nothing was ever found by its key, none is made', async () => {
  const service = depots({ first: [] });
  await verify(service, described());
  expect(keysPut(service).size).toBe(0);
});

test('a service that changes what a look did not show gets no more of them', async () => {
  const service = depots({ hides: true });
  const result = await verify(service, described());
  // Those that are made at the same time are sent before the first answer tells.
  expect(keysPut(service).size).toBeLessThan(5);
  expect(result.leftBehind.length).toBe(keysPut(service).size);
  expect(service.rows.get(THEIRS.code)).toEqual(THEIRS);
});

const TAGGED = [
  ['428 is documented', [{ name: 'If-Match', in: 'header', schema: text }], { 412: null, 428: null }, undefined],
  ['428 alone is documented', [], { 428: null }, undefined],
  [
    'words ask for it',
    [{ name: 'If-Match', in: 'header', schema: text }],
    { 412: null },
    'To replace one, `If-Match` is required.',
  ],
] as const;

test.each(TAGGED)(
  'a replacement has the entity tag of what is there, where %s',
  async (_, parameters, more, description) => {
    const service = depots({ insists: true });
    const answers = { 200: depot, 201: depot, 400: null, ...more };
    const put = { body: object({ name: text }, ['name']), parameters, answers, ...(description && { description }) };
    const result = await verify(service, described({ 'PUT /depots/{code}': { ...put, headers: ['ETag'] } }));
    expect([failed(result), result.uncalled ?? [], result.leftBehind]).toEqual([[], [], []]);
    const puts = service.written.filter(({ method }) => method === 'PUT').map(({ status }) => status);
    expect(puts).toEqual(expect.arrayContaining([200, 201]));
  },
);

test('the same thing of a run has the same key, another one another, also where there are few', () => {
  const schema = { value: code, accepts: (key: string | number) => new RegExp(PATTERN).test(String(key)) };
  const keys = new OwnKeys('0a1b2c3d');
  const things = Array.from({ length: 2000 }, (_, index) => String(index));
  const drawn = things.map((thing) => keys.keyOf(schema, thing)?.value);
  expect(new Set(drawn).size).toBe(things.length);
  expect(things.map((thing) => keys.keyOf(schema, thing)?.value)).toEqual(drawn);
});

test('such a key in the body of a creation is drawn as well', async () => {
  const runs = await Promise.all(
    [1, 2].map(async () => {
      const service = new Service();
      const keys: string[] = [];
      service.create = (name, { code, name: called }) => {
        if (typeof code !== 'string' || !new RegExp(PATTERN).test(code)) return [400, {}];
        if (service.of(name).has(code)) return [409, {}];
        keys.push(code);
        return [201, service.store(name, { code, name: called }, code)];
      };
      service.store('depots', THEIRS, THEIRS.code);
      await run(service, {
        'GET /depots': { answers: { 200: list(depot) } },
        'POST /depots': { body: depot, answers: { 201: depot, 400: null, 409: null } },
        'GET /depots/{code}': { answers: { 200: depot, 404: null } },
        'DELETE /depots/{code}': { answers: { 204: null, 404: null } },
      });
      expect(left(service)).toMatchObject([THEIRS]);
      return keys;
    }),
  );
  const [one = [], other = []] = runs;
  expect(one.length).toBeGreaterThan(3);
  expect(one.filter((key) => other.includes(key))).toEqual([]);
});
