import express, { type Express } from 'express';
import { loadApi } from '../../src/files/load-api';
import { generateContracts } from '../../src/generated/generate-contracts';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { list, object, smallApi, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

const folder = temporaryFolder();
const kind = { type: 'string', enum: ['hand', 'power'] };
const thing = object({ id: { ...text, readOnly: true }, name: text, kind, size: whole }, [
  'id',
  'name',
  'kind',
  'size',
]);
const bounded = { ...whole, minimum: 1, maximum: 50 };
const log = object({ id: text, size: whole }, ['id', 'size']);

/** Things by the number of the page, which a run makes; logs behind a cursor, which it can only look at. */
const DESCRIPTION = folder.write(
  'lists.json',
  smallApi({
    'GET /things': {
      query: {
        page: { ...whole, minimum: 1, default: 1 },
        perPage: bounded,
        kind,
        size: whole,
        sort: { type: 'string', enum: ['size', '-size'] },
      },
      answers: { 200: object({ data: list(thing), meta: object({ total: whole }) }, ['data', 'meta']) },
    },
    'POST /things': { body: thing, answers: { 201: thing } },
    'GET /things/{thingId}': { answers: { 200: thing, 404: null } },
    'DELETE /things/{thingId}': { answers: { 204: null, 404: null } },
    'GET /logs': {
      query: { cursor: text, limit: bounded },
      answers: { 200: object({ items: list(log), nextCursor: { ...text, nullable: true } }, ['items']) },
    },
    'GET /logs/{logId}': { answers: { 200: log, 404: null } },
  }),
);

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly size: number };
interface Page {
  readonly rows: readonly Row[];
  readonly start: number;
  readonly limit: number;
  readonly next: string | null;
  readonly total: number;
}
/** What is wrong with a page. */
type Break = (page: Page, query: Readonly<Record<string, string | undefined>>, all: readonly Row[]) => Page;

type Query = Readonly<Record<string, string | undefined>>;

function pageOf(all: readonly Row[], start: number, limit: number): Page {
  const end = start + limit;
  const next = end < all.length ? `c${end}` : null;
  return { rows: all.slice(start, end), start, limit, next, total: all.length };
}

function chosen(things: Iterable<Row>, { kind: wanted, size, sort = 'size' }: Query): Row[] {
  const sign = sort.startsWith('-') ? -1 : 1;
  return [...things]
    .filter((row) => (wanted ?? row['kind']) === row['kind'] && Number(size ?? row.size) === row.size)
    .sort((one, other) => sign * (one.size - other.size) || (one.id < other.id ? -1 : 1));
}

function service(breaks: Partial<Record<'things' | 'logs', Break>>): Express {
  const seeds = [1, 2, 3, 4].map((size): Row => ({ id: `t${size}`, name: `seed ${size}`, kind: 'hand', size }));
  const things = new Map(seeds.map((row) => [row.id, row]));
  const logs = Array.from({ length: 5 }, (_, index): Row => ({ id: `l${index}`, size: index }));
  const app = express();
  app.use(express.json());
  app.get('/things', ({ query: sent }, response) => {
    const query = sent as Query;
    const { page = '1', perPage = '20' } = query;
    const all = chosen(things.values(), query);
    const right = pageOf(all, (Number(page) - 1) * Number(perPage), Number(perPage));
    const { rows, total } = breaks.things?.(right, query, all) ?? right;
    response.json({ data: rows, meta: { total } });
  });
  app.post('/things', ({ body }, response) => {
    const row = { ...(body as Row), id: `t${things.size + 10}` };
    things.set(row.id, row);
    response.status(201).json(row);
  });
  app.get('/things/:id', ({ params }, response) => {
    response.status(things.has(params.id) ? 200 : 404).json(things.get(params.id));
  });
  app.delete('/things/:id', ({ params }, response) => {
    response.status(things.delete(params.id) ? 204 : 404).end();
  });
  app.get('/logs', ({ query: sent }, response) => {
    const query = sent as Query;
    const right = pageOf(logs, Number(query['cursor']?.slice(1) ?? 0), Number(query['limit'] ?? 20));
    const { rows, next } = breaks.logs?.(right, query, logs) ?? right;
    response.json({ items: rows, nextCursor: next });
  });
  app.get('/logs/:id', ({ params }, response) => {
    response.json(logs.find(({ id }) => id === params.id));
  });
  return app;
}

async function found(breaks: Parameters<typeof service>[0]): Promise<string[]> {
  const result = await runContract({
    app: service(breaks),
    description: DESCRIPTION,
    generate: ['lists'],
    seed: 1,
    probesAuth: false,
  });
  return failureLines(result, ({ operation = '' }, { check, message }) => `${operation} ${check}: ${message}`);
}

test('nothing is found at a service whose pages fit together', async () => {
  expect(await found({})).toEqual([]);
});

const begin = (page: Page, all: readonly Row[]): Page => ({
  ...page,
  rows: all.slice(page.start - 1, page.start - 1 + page.limit),
});

/** What is wrong with each of two lists, and what is said of it. */
const FAULTS: readonly { readonly breaks: Parameters<typeof service>[0]; readonly messages: readonly string[] }[] = [
  {
    breaks: {
      things: (page, _, all) => (page.start === 0 ? page : begin(page, all)),
      logs: (page, { cursor }) => (cursor === undefined ? page : { ...page, rows: page.rows.slice(1) }),
    },
    messages: [
      'GET /things shows one item at two places of the list',
      'GET /logs shows another item than another page has at the same place',
    ],
  },
  {
    breaks: {
      things: (page) => ({ ...page, total: page.rows.length }),
      logs: (page) => ({ ...page, next: page.next ?? 'c0' }),
    },
    messages: [
      'GET /things tells a total that is less than what it shows',
      'GET /logs leads on to items that it has shown before',
    ],
  },
  {
    breaks: {
      things: (page, { sort }) => (sort === '-size' ? { ...page, rows: page.rows.toReversed() } : page),
      logs: (page, { cursor }) => (cursor === undefined ? page : { ...page, next: cursor }),
    },
    messages: ['GET /things is not in the order of "sort"', 'GET /logs leads on to the same page'],
  },
  {
    breaks: {
      things: (page, { kind: wanted, size }) =>
        wanted === undefined || size === undefined
          ? page
          : { ...page, rows: [...page.rows, { id: 't1', name: 'seed 1', kind: 'hand', size: 1 }] },
    },
    messages: ['GET /things shows an item with another value than it was asked for by'],
  },
];

test.each(FAULTS)('a service is found where pages or filters are wrong: %#', async ({ breaks, messages }) => {
  const said = (await found(breaks)).join('\n');
  for (const message of messages) expect(said).toContain(message);
});

test('no list costs more than ten requests for that', () => {
  const { api } = loadApi(DESCRIPTION);
  const contracts = [...generateContracts(api, { seed: 'a', families: new Set(['lists']) })];
  const pages = contracts.map(
    ({ steps }) =>
      (steps as { name: string }[]).filter(({ name }) => /^(?:\d|the (?:\d|first page)|a? ?page|sorted)/.test(name))
        .length,
  );
  expect(Math.max(...pages)).toBeLessThanOrEqual(10);
});

test('a word of a filter that may stand for several words of the property is not asked for alone', async () => {
  const state = { type: 'string', enum: ['open', 'closing', 'closed'] };
  const ticket = object({ id: { ...text, readOnly: true }, name: text, state }, ['id', 'name', 'state']);
  const rows: Row[] = [];
  const app = express();
  app.use(express.json());
  app.get('/tickets', ({ query: { state: wanted } }, response) => {
    response.json(rows.filter((row) => wanted === undefined || (wanted === 'closed') === (row['state'] === 'closed')));
  });
  app.post('/tickets', ({ body }, response) => {
    const row = { ...(body as Row), state: 'closing', id: `t${rows.length}` };
    rows.push(row);
    response.status(201).json(row);
  });
  app.delete('/tickets/:id', ({ params }, response) => {
    response.status(rows.some(({ id }) => id === params.id) ? 204 : 404).end();
    rows.splice(0, rows.length, ...rows.filter(({ id }) => id !== params.id));
  });
  const filter = { type: 'string', enum: ['open', 'closed'] };
  const described = object({ id: { ...text, readOnly: true }, name: text, state: { ...state, readOnly: true } });
  const description = folder.write(
    'groups.json',
    smallApi({
      'GET /tickets': { query: { state: filter }, answers: { 200: list(ticket) } },
      'POST /tickets': { body: described, answers: { 201: ticket } },
      'DELETE /tickets/{ticketId}': { answers: { 204: null, 404: null } },
    }),
  );
  const result = await runContract({ app, description, generate: ['lists'], seed: 1, probesAuth: false });
  expect(allSteps(result).filter(({ verdict }) => verdict.kind === 'fail')).toEqual([]);
});
