import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { runProblems } from '../../src/report/causes/run-summary';
import { readResultJson } from '../../src/report/result/merge-results';
import type { DimensionCoverage } from '../../src/runner/coverage/dimensions';
import { outcomeOfResult } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { checkRunOptions } from '../../src/library/run-options';
import { contractOf, failed, PASSED, resultOf, skipped, statusFinding } from './results';

const pointer = '/paths/~1books~1{id}/delete';
const DIMENSIONS: readonly DimensionCoverage[] = [
  {
    dimension: 'operations',
    total: 3,
    seen: 2,
    unseen: [{ operation: 'removeBook', pointer, name: 'DELETE /books/{id}' }],
  },
  {
    dimension: 'statuses',
    total: 9,
    seen: 5,
    unseen: [{ operation: 'removeBook', pointer, name: 'all: not called', units: 4 }],
  },
  { dimension: 'words', total: 0, seen: 0, unseen: [] },
];

function covered(more: Partial<RunResult> = {}): RunResult {
  const result = resultOf({
    contracts: [contractOf('Books', PASSED)],
    dimensions: DIMENSIONS,
    minCoverage: { operations: 90, words: 100 },
    ...more,
  });
  return { ...result, outcome: outcomeOfResult(result) };
}

test.each(REPORT_KINDS)('%s has what was seen, and what is missing of a threshold', (kind) => {
  const report = formatReport(kind, covered(), { kind: 'set' });
  const plain = report.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll('%25', '%');
  expect(plain).toContain('Coverage of operations is 66 % (2 of 3), below the 90 % of --min-coverage.');
  expect(plain).toContain('removeBook DELETE /books/{id}');
  expect(plain).toContain('or lower --min-coverage operations=90.');
  const figures = {
    ...{ text: 'statuses 5/9 (55 %) · words –', github: 'statuses 5/9 (55 %) · words –' },
    ...{ markdown: 'statuses 5/9 (55 %) · words –', html: '<td>55 %</td><td>5 of 9</td><td>–</td>' },
    ...{ junit: '<property name="coverage.statuses" value="55"/>', ctrf: '"statuses": 55', sarif: '"statuses": 55' },
    json: '"total": 9',
  }[kind];
  expect(plain).toContain(figures);
});

test('the JSON report is valid by its schema, and can be read again', () => {
  const result = covered();
  const read = readResultJson(formatReport('json', result, { kind: 'set' }));
  expect(read).toMatchObject({ dimensions: DIMENSIONS, minCoverage: result.minCoverage, outcome: 'violations' });
});

test('to be verbose names what was not seen', () => {
  const dimensions: DimensionCoverage[] = [
    ...DIMENSIONS,
    {
      dimension: 'properties',
      total: 40,
      seen: 10,
      unseen: Array.from({ length: 30 }, (_, index) => ({
        operation: 'getBook',
        pointer,
        name: `response /p${index}`,
      })),
    },
  ];
  const text = formatTextReport(covered({ dimensions }), false, { kind: 'set' }, { isVerbose: true });
  expect(text).toMatch(/ {2}properties not seen: getBook response \/p0, .* getBook response \/p19 and 10 more\n/);
});

const passing = { contracts: [contractOf('Books', PASSED)] };
const broken = failed([statusFinding(500, 200)]);

test.each([
  { what: 'a run', is: 'violations', ...passing },
  { what: 'a limit that is met', is: 'conforms', ...passing, minCoverage: { operations: 66, words: 100 } },
  { what: 'nothing that was asked for', is: 'conforms', ...passing, minCoverage: undefined },
  { what: 'a result of before', is: 'conforms', ...passing, dimensions: undefined },
  { what: 'a shard', is: 'conforms', ...passing, shard: { index: 1, count: 2 } },
  {
    what: 'a run that was interrupted',
    is: 'inconclusive',
    contracts: [contractOf('Books', PASSED, skipped('b', 'interrupted', 'the run was stopped'))],
  },
  {
    what: 'a target that was lost',
    is: 'violations',
    isOpen: true,
    contracts: [contractOf('Books', broken, skipped('b', 'target-lost', 'gone'))],
  },
  { what: 'nothing that was sent', is: 'inconclusive', contracts: [] },
  {
    what: 'a mode that held back most',
    is: 'inconclusive',
    contracts: [contractOf('Books', PASSED, skipped('a', 'mode', 'no'), skipped('b', 'mode', 'no'))],
  },
])('$what: $is', ({ what, is, isOpen = false, ...more }) => {
  const result = covered(more);
  expect([what, result.outcome]).toEqual([what, is]);
  const isMissed = runProblems(result).some(({ id }) => id === 'coverage-missed');
  expect(isMissed).toBe(is === 'violations' && !isOpen);
});

test('what is not judged is said, where something was asked for', () => {
  const shard = { index: 1, count: 2 };
  expect(formatTextReport(covered({ shard }), false)).toContain('  --min-coverage was not judged: this is a shard;');
  expect(formatTextReport(covered({ shard, minCoverage: undefined }), false)).not.toContain('--min-coverage');
});

test.each([
  { minCoverage: { operation: 90 }, says: '"operation" is no dimension. Did you mean "operations"?' },
  { minCoverage: { operations: 101 }, says: 'operations is 101.' },
  { minCoverage: { operations: '90' }, says: 'operations is a string.' },
  { minCoverage: 90, says: 'Such as { operations: 90 }.' },
])('a program that gives $minCoverage is told what is wrong', ({ minCoverage, says }) => {
  const check = (): void => {
    checkRunOptions({ baseUrl: 'http://localhost', minCoverage } as never);
  };
  expect(check).toThrow('The option minCoverage must be an object with numbers from 0 to 100 by dimension');
  expect(check).toThrow(expect.objectContaining({ hint: expect.stringContaining(says) }));
});
