import express, { type Express } from 'express';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { list, object, smallApi, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const thing = object({ id: { ...text, readOnly: true }, name: text, kind: text }, ['id', 'name', 'kind']);
const DESCRIPTION = folder.write(
  'things.json',
  smallApi({
    'GET /things': {
      query: { cursor: text, limit: { ...whole, minimum: 1, maximum: 50, default: 20 }, kind: text, name: text },
      answers: { 200: object({ items: list(thing), nextCursor: { ...text, nullable: true } }, ['items']) },
    },
    'POST /things': { body: thing, answers: { 201: thing } },
    'GET /things/{thingId}': { answers: { 200: thing, 404: null } },
    'DELETE /things/{thingId}': { answers: { 204: null, 404: null } },
  }),
);

type Row = Readonly<Record<string, string>>;
type Rows = ReadonlyMap<string, Row>;

/** @param mostOnPage - however many are asked for @param isLate - does a list show a write only when it is read again? */
function service(mostOnPage: number, isLate: boolean): Express {
  const things = new Map(['a', 'b', 'c'].map((id): [string, Row] => [id, { id, name: id, kind: 'seed' }]));
  let listed: Rows = new Map(things);
  let made = 0;
  const app = express();
  app.use(express.json());
  app.get('/things', ({ query }, response) => {
    const shown = isLate ? listed : things;
    listed = new Map(things);
    const { cursor = '', limit = '20', kind, name } = query as Partial<Row>;
    const rows = [...shown.values()].filter((row) => [row['kind'], undefined].includes(kind));
    const all = rows.filter((row) => (name ?? row['name']) === row['name']);
    const start = all.findIndex(({ id }) => id === cursor) + 1;
    const items = all.slice(start, start + Math.min(Number(limit), mostOnPage));
    const isLast = start + items.length >= all.length;
    response.json({ items, nextCursor: isLast ? null : items.at(-1)?.['id'] });
  });
  app.post('/things', ({ body }, response) => {
    const row = { ...(body as Row), id: `t${(made += 1)}` };
    things.set(row.id, row);
    response.status(201).json(row);
  });
  app.get('/things/:id', ({ params }, response) => {
    response.status(things.has(params.id) ? 200 : 404).json(things.get(params.id));
  });
  app.delete('/things/:id', ({ params }, response) => {
    response.status(things.delete(params.id) ? 204 : 404).end();
  });
  return app;
}

async function run(app: Express): Promise<{ readonly failed: string[]; readonly warned: string[] }> {
  const options = { app, description: DESCRIPTION, seed: 1, probesAuth: false } as const;
  const result = await runContract({ ...options, generate: ['lifecycle', 'lists', 'concurrency'] });
  const steps = allSteps(result);
  const failed = steps.flatMap(({ name, verdict }) =>
    verdict.kind === 'fail' ? verdict.findings.map(({ check, message }) => `${name} ${check}: ${message}`) : [],
  );
  return { failed, warned: steps.flatMap(({ warnings }) => warnings.map(({ check }) => check)) };
}

test('pages that are shorter than was asked for, and lead on, are not the whole list', async () => {
  expect((await run(service(1, false))).failed).toEqual([]);
});

test('a list that shows a write only when it is read once more is warned of', async () => {
  const { failed, warned } = await run(service(50, true));
  expect(failed).toEqual([]);
  expect(warned).toContain('repeat-until');
});
