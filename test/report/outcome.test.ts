import { outcomeOf, isEmptyShard } from '../../src/runner/result/outcome';
import { runProblems } from '../../src/report/causes/run-summary';
import { contractOf, PASSED, resultOf, skipped } from './results';

const probe = { ...PASSED, name: 'listBooks without a key', phase: 'auth' as const };
const tidy = { ...PASSED, name: 'tidy up', phase: 'cleanup' as const };
const leftOut = skipped('add a book', 'mode', 'it could change staging');
const notChosen = skipped('add a book', 'selection', 'it was not selected');
const shard = { index: 2, count: 3 };

test.each([
  { what: 'probes alone', contracts: [], probes: [probe] },
  { what: 'probes beside a step that the mode left out', contracts: [contractOf('Books', leftOut)], probes: [probe] },
  { what: 'a cleanup alone', contracts: [contractOf('Books', leftOut, tidy)], probes: [] },
  { what: 'nothing', contracts: [], probes: [] },
  {
    what: 'probes beside a step that the mode left out of a shard',
    contracts: [contractOf('Books', leftOut)],
    probes: [probe],
    shard,
  },
])('$what says nothing of the contracts, and every report says so', ({ what, ...parts }) => {
  const result = resultOf(parts);
  expect([what, result.outcome]).toEqual([what, 'inconclusive']);
  expect(runProblems(result).map(({ id }) => id)).toEqual(['nothing-judged']);
});

test.each([
  { what: 'a step', contracts: [contractOf('Books', PASSED)] },
  { what: 'a step that sets up', contracts: [contractOf('Books', { ...PASSED, phase: 'setup' as const }, leftOut)] },
  { what: 'a shard that nothing fell to', shard },
  { what: 'a shard that probes fell to alone', probes: [probe], shard },
  { what: 'a shard without a chosen step', contracts: [contractOf('Books', notChosen)], probes: [probe], shard },
])('$what that met nothing wrong conforms', ({ what, ...parts }) => {
  const result = resultOf(parts);
  expect([what, result.outcome]).toEqual([what, 'conforms']);
  expect(runProblems(result)).toEqual([]);
});

test('a shard that probes fell to alone says what they found', () => {
  const failing = { ...probe, verdict: { kind: 'fail' as const, findings: [] } };
  const parts = { shard, contracts: [], probes: [failing], leftBehind: [] };
  expect(outcomeOf([failing], [], { isEmpty: isEmptyShard(parts) })).toBe('violations');
});

test('shards that nothing but probes fell to do not conform together', () => {
  expect(outcomeOf([probe, probe], [])).toBe('inconclusive');
});
