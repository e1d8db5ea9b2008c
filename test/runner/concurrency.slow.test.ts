import { runContract } from '../../src/library/run-contract';
import { mapConcurrently } from '../../src/runner/transport/timing';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { serverOfTests } from '../support/server';

const server = serverOfTests();

test('a pool works on a few at a time, and gives what came of each in its place', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([30, 1, 20, 5, 10], 2, async (turns) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return turns * 2;
  });
  expect(results).toEqual([60, 2, 40, 10, 20]);
  expect(most).toBe(2);
});

test('a pool of nothing is done at once', async () => {
  expect(await mapConcurrently([], 4, () => Promise.reject(new Error('never called')))).toEqual([]);
});

const inFull = (more: object): Promise<RunResult> =>
  runContract({ baseUrl: server.url, contracts: 'contracts/full', ...more });
const namesOf = (results: readonly RunResult[]): string[] =>
  results.flatMap(({ contracts }) => contracts.map(({ name }) => name)).sort();

// More of them at a time, in any order: test/contracts/any-order.
test('the verdicts are the same with one contract at a time, with three, and with two shards', async () => {
  const alone = await inFull({ concurrency: 1 });
  const beside = await inFull({ concurrency: 3 });
  const shards = [await inFull({ shard: { index: 1, count: 2 } }), await inFull({ shard: { index: 2, count: 2 } })];
  for (const result of [alone, beside, ...shards]) {
    const verdicts = allSteps(result).map(({ name, verdict }) => `${name}: ${verdict.kind}`);
    expect(verdicts.filter((line) => !line.endsWith(': pass'))).toEqual([]);
    expect(result.outcome).toBe('conforms');
  }
  expect(namesOf([beside])).toEqual(namesOf([alone]));
  expect(namesOf(shards)).toEqual(namesOf([alone]));
});
