import express, { type Express } from 'express';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { list, object, smallApi, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';
import { failed, type Item } from './reach-service';

const folder = temporaryFolder();
const day = { type: 'string', format: 'date' };
const thing = object(
  { id: { ...text, readOnly: true }, name: text, seats: { ...whole, minimum: 1, maximum: 60 }, due: day },
  ['name', 'seats', 'due'],
);
const bound = (name: string, schema: object, description?: string): object => ({
  name,
  in: 'query',
  schema,
  description,
});

const description = (minimum?: string): string =>
  folder.write(
    'ranges.json',
    smallApi({
      'GET /things': {
        parameters: [
          bound('min_seats', whole, minimum),
          bound('due_before', day, 'Only what is due before this day.'),
          bound('due_to', day, 'Only what is due on or before this day.'),
        ],
        answers: { 200: list(thing) },
      },
      'POST /things': { body: thing, answers: { 201: thing, 400: null } },
      'GET /things/{id}': { answers: { 200: thing, 404: null } },
      'DELETE /things/{id}': { answers: { 204: null, 404: null } },
    }),
  );

type Leaves = (item: Item, query: Readonly<Record<string, string | undefined>>) => boolean;
const isLeft: Leaves = ({ seats, due }, { min_seats: least = '0', due_before: before, due_to: to }) =>
  Number(seats) >= Number(least) &&
  (before === undefined || String(due) < before) &&
  (to === undefined || String(due) <= to);

function service(leaves: Leaves): Express {
  const rows = new Map<string, Item>();
  const app = express();
  app.use(express.json());
  app.get('/things', ({ query }, response) =>
    response.json([...rows.values()].filter((row) => leaves(row, query as Readonly<Record<string, string>>))),
  );
  app.post('/things', ({ body }, response) => {
    const row = { ...(body as Item), id: `t${rows.size}x${Math.trunc(rows.size * 7)}` };
    rows.set(row.id, row);
    response.status(201).json(row);
  });
  app.get('/things/:id', ({ params }, response) => {
    const row = rows.get(params.id);
    if (row === undefined) response.status(404).end();
    else response.json(row);
  });
  app.delete('/things/:id', ({ params }, response) => {
    response.status(rows.has(params.id) ? 204 : 404).end();
    rows.set(params.id, { gone: true });
  });
  return app;
}

const AT_LEAST = 'Only things with at least so many seats.';

test.each<[string, Leaves, string | undefined, string[]]>([
  ['is right', isLeft, AT_LEAST, []],
  [
    'leaves out the bound',
    ({ seats, due }, query) => isLeft({ due, seats: Number(seats) - 1 }, query),
    AT_LEAST,
    ['list by min_seats: what has just that seats is in the list'],
  ],
  [
    'takes in the bound',
    (row, query) => isLeft(row, { ...query, due_before: undefined, due_to: query['due_before'] ?? query['due_to'] }),
    AT_LEAST,
    ['list by due_before: what has just that due is not in the list'],
  ],
  [
    'knows no bound',
    (row, { due_before: before, due_to: to }) => isLeft(row, { due_before: before, due_to: to }),
    AT_LEAST,
    ['list by min_seats: what has a lower seats is not in the list'],
  ],
  [
    'means something else by a name without words',
    (row, query) => isLeft(row, { ...query, min_seats: '0' }),
    undefined,
    [],
  ],
])('a service that %s', async (_, leaves, minimum, expected) => {
  const app = service((row, query) => row['gone'] !== true && leaves(row, query));
  const result = await runContract({ app, description: description(minimum), seed: 1, generate: ['lists'] });
  expect(failed(result).map((each) => each.replace(/(in the list): .*/, '$1'))).toEqual(expected);
});

test('the mock filters as the words say', async () => {
  const own = description(AT_LEAST);
  const app = await createMockServer({ description: own, seed: 1 });
  const result = await runContract({ app, description: own, seed: 1, generate: ['lists'] });
  expect(failed(result)).toEqual([]);
});
