import { mergeResults, type ResultPart } from '../../src/report/result/merge-results';
import { rootCauses } from '../../src/report/causes/root-causes';
import type { RunResult, StepResult } from '../../src/runner/result/run-result';
import { contractOf, failed, findingOf, PASSED, resultOf, skipped, statusFinding } from './results';

const COVERAGE = [
  { operation: 'getBook', method: 'GET', path: '/books/{id}', steps: 0, statuses: [] },
  { operation: 'addBook', method: 'POST', path: '/books', steps: 0, statuses: [] },
];

function part(index: number, count: number, more: Partial<RunResult> = {}): ResultPart {
  return {
    file: `${index}.json`,
    result: resultOf({ runId: `run${index}`, shard: { index, count }, coverage: COVERAGE, ...more }),
  };
}

const parts = (...list: ResultPart[]) => list as [ResultPart, ...ResultPart[]];

const ONE = part(1, 2, {
  contracts: [contractOf('b', PASSED)],
  coverage: [{ ...COVERAGE[0]!, steps: 1, statuses: [200] }, COVERAGE[1]!],
  startedAt: '2026-11-20T10:00:01.000Z',
  durationMs: 500,
});
const TWO = part(2, 2, {
  contracts: [contractOf('a', failed([statusFinding(500, 200)], { status: 500 }))],
  coverage: [{ ...COVERAGE[0]!, steps: 1, statuses: [500] }, COVERAGE[1]!],
  probes: [{ ...PASSED, name: 'getBook without a key', phase: 'auth', status: 401 }],
  leftBehind: [{ url: 'http://localhost/books/1', operation: 'addBook', reason: '500', isAccepted: false }],
  startedAt: '2026-11-20T10:00:00.000Z',
  durationMs: 100,
});

test('shards become one run, whatever their order', () => {
  const result = mergeResults(parts(TWO, ONE));
  expect(result).toEqual(mergeResults(parts(ONE, TWO)));
  expect(result).toMatchObject({
    runId: 'run1+run2',
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 1500,
    shard: undefined,
    outcome: 'violations',
    coverage: [
      { operation: 'getBook', steps: 3, statuses: [200, 500] },
      { operation: 'addBook', steps: 0, statuses: [] },
    ],
  });
  expect(result.contracts.map(({ name }) => name)).toEqual(['a', 'b']);
  expect([result.probes.length, result.leftBehind.length]).toEqual([1, 1]);
});

describe('a probe that more than one shard sent', () => {
  const probe: StepResult = {
    ...PASSED,
    name: 'addBook without a key',
    phase: 'auth',
    operation: 'addBook',
    status: 401,
  };
  const merged = (...probes: StepResult[]): readonly StepResult[] => {
    return mergeResults(parts(...probes.map((each, index) => part(index + 1, probes.length, { probes: [each] }))))
      .probes;
  };
  const bad: StepResult = { ...probe, verdict: { kind: 'fail', findings: [statusFinding(201, 401)] }, status: 201 };
  const unsent: StepResult = {
    ...skipped('addBook without a key', 'not-harmless', 'no'),
    phase: 'auth',
    operation: 'addBook',
  };

  test('counts once', () => {
    expect(merged(probe, probe, probe)).toEqual([probe]);
    expect(merged({ ...probe, operation: 'other' }, probe)).toHaveLength(2);
  });

  test('counts as what says most', () => {
    expect(merged(unsent, probe, bad, probe)).toEqual([bad]);
    expect(merged(bad, bad)).toEqual([bad]);
  });

  test('loses nothing that was found', () => {
    const changed: StepResult = {
      ...probe,
      verdict: { kind: 'fail', findings: [findingOf('rejected-write-changed', '/response/body')] },
    };
    expect(merged(bad, changed)).toEqual([bad, changed]);
  });
});

test('an empty shard makes nothing inconclusive', () => {
  const empty = part(2, 2);
  expect(empty.result.outcome).toBe('conforms');
  expect(mergeResults(parts(ONE, empty)).outcome).toBe('conforms');
});

test('what failed in two shards for one reason is one cause', () => {
  const made = (index: number): ResultPart => {
    const finding = findingOf('body-expected', '/response/body/name', { expected: `"Contract run${index}"` });
    return part(index, 2, { contracts: [contractOf(`c${index}`, failed([finding]))] });
  };
  expect(rootCauses(mergeResults(parts(made(1), made(2))))).toMatchObject([{ count: 2 }]);
});

test('the result of a whole run alone stays what it is', () => {
  const whole = { ...ONE, result: { ...ONE.result, shard: undefined } };
  expect(mergeResults(parts(whole))).toMatchObject({ outcome: 'conforms', contracts: whole.result.contracts });
});

test.each<{ what: string; list: ResultPart[]; says: string }>([
  { what: 'a shard that is missing', list: [part(1, 3), part(3, 3)], says: 'Shard 2 of 3 is missing' },
  { what: 'several that are missing', list: [part(2, 4)], says: 'Shards 1, 3, 4 of 4 are missing' },
  {
    what: 'a shard that is there twice',
    list: [part(1, 2), part(1, 2)],
    says: 'Shard 1 of 2 is there 2 times: 1.json, 1.json',
  },
  { what: 'shards of another number', list: [part(1, 2), part(2, 3)], says: 'different numbers of shards' },
  {
    what: 'a shard beyond their number',
    list: [part(1, 2), part(3, 2)],
    says: '3.json is shard 3 of 2',
  },
  {
    what: 'hundreds that are missing',
    list: [part(1, 999), part(4, 999)],
    says: 'Shards 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, … of 999 are missing',
  },
  {
    what: 'a whole run beside a shard',
    list: [part(1, 2), { file: 'w.json', result: resultOf({ coverage: COVERAGE }) }],
    says: 'w.json is the result of a whole run',
  },
  {
    what: 'another base URL',
    list: [part(1, 2), part(2, 2, { baseUrl: 'http://other' })],
    says: 'its baseUrl is "http://other", not "http://localhost"',
  },
  {
    what: 'another mode',
    list: [part(1, 2), part(2, 2, { mode: 'observe' })],
    says: 'its mode is "observe", not "full"',
  },
  { what: 'another description', list: [part(1, 2), part(2, 2, { api: 'Other 2' })], says: 'its api is "Other 2"' },
  {
    what: 'other operations',
    list: [part(1, 2), part(2, 2, { coverage: [] })],
    says: '2.json knows other operations than 1.json',
  },
])('$what is refused', ({ list, says }) => {
  expect(() => mergeResults(list as [ResultPart, ...ResultPart[]])).toThrow(says);
});
