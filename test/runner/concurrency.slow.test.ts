import { runContract } from '../../src/library/run-contract';
import { mapConcurrently } from '../../src/runner/transport/timing';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { startServer, type TestServer } from '../support/server';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

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

test.each([1, 3, 8])('the verdicts are the same with %d contracts at a time', async (concurrency) => {
  const result = await runContract({ baseUrl: server.url, concurrency, contracts: 'contracts/full' });
  const verdicts = allSteps(result).map(({ name, verdict }) => `${name}: ${verdict.kind}`);
  expect(verdicts.filter((line) => !line.endsWith(': pass'))).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

test('two shards are the whole', async () => {
  const parts: RunResult[] = [];
  for (const index of [1, 2]) {
    parts.push(await runContract({ baseUrl: server.url, contracts: 'contracts/full', shard: { index, count: 2 } }));
  }
  const whole = await runContract({ baseUrl: server.url, contracts: 'contracts/full' });
  const names = (results: typeof parts): string[] =>
    results.flatMap(({ contracts }) => contracts.map(({ name }) => name));
  expect(names(parts).sort()).toEqual(names([whole]).sort());
});
