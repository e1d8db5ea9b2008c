import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { JsonValue } from '../../../src/core/json/json-value';
import { DIMENSIONS, joinCoverage, missedLimits, percentOf } from '../../../src/runner/coverage/dimensions';
import { CoverageCounter } from '../../../src/runner/coverage/coverage-counter';
import { loadApi } from '../../../src/files/load-api';

const { api } = loadApi();

/** Requests of a run, of which each shard has some. */
const exchange = fc.record({
  operation: fc.constantFrom(...api.operations.slice(0, 5).map(({ id }) => id)),
  path: fc.constantFrom('/pets', '/pets/1', '/categories'),
  query: fc.constantFrom('', 'limit=2', 'sort=name'),
  status: fc.constantFrom(200, 201, 401, 404),
  body: fc.constantFrom<JsonValue | undefined>(
    [],
    { id: 1, name: 'a', status: 'sold' },
    { items: [{ status: 'pending' }] },
    undefined,
  ),
  requestBody: fc.constantFrom<JsonValue | undefined>(undefined, { name: 'a' }, { status: 'available' }),
});
type Exchange = typeof exchange extends fc.Arbitrary<infer Value> ? Value : never;

function count(exchanges: readonly Exchange[]) {
  const counter = new CoverageCounter(api, '');
  for (const each of exchanges) counter.add({ requestHeaders: [], requestText: '', ...each });
  return counter.result();
}

test('the parts of a run saw together what the whole run saw', () => {
  fc.assert(
    fc.property(fc.array(fc.array(exchange, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (parts) => {
      const byUnit = (list: ReturnType<typeof count>) =>
        list.map(({ unseen, ...each }) => ({ ...each, unseen: unseen.map((unit) => JSON.stringify(unit)).sort() }));
      expect(byUnit(joinCoverage(parts.map(count)))).toEqual(byUnit(count(parts.flat())));
    }),
    { numRuns: 60 },
  );
});

const words = (seen: number, total: number) => ({ dimension: 'words' as const, seen, total, unseen: [] });

test.each([
  { seen: 9, total: 10, limit: 90, isMissed: false },
  { seen: 9, total: 10, limit: 90.1, isMissed: true },
  { seen: 0, total: 0, limit: 100, isMissed: false },
  { seen: 0, total: 3, limit: 0, isMissed: false },
  { seen: 999, total: 1000, limit: 100, isMissed: true },
])('$seen of $total, where $limit % were asked for', ({ seen, total, limit, isMissed }) => {
  expect(missedLimits([words(seen, total)], { words: limit })).toHaveLength(isMissed ? 1 : 0);
  expect(missedLimits([words(seen, total)], { operations: limit })).toEqual([]);
});

test('100 % means all', () => {
  expect([percentOf(words(999, 1000)), percentOf(words(3, 3)), percentOf(words(0, 0))]).toEqual([99, 100, undefined]);
});

test('the docs have the table', () => {
  const docs = readFileSync('docs/reference/verify.md', 'utf8').replaceAll(/ +/g, ' ');
  const rows = Object.entries(DIMENSIONS).map(([id, { unit, seen }]) => `| \`${id}\` | ${unit} | ${seen} |`);
  expect(rows.filter((row) => !docs.includes(row))).toEqual([]);
});
