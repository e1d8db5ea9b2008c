import { runContract, type RunContractOptions } from '../../src/adapters/run-contract';

test.each<Partial<RunContractOptions>>([
  { concurrency: Number.NaN },
  { concurrency: 0 },
  { retries: -1 },
  { timeoutMs: 0 },
  { timeoutMs: Number.POSITIVE_INFINITY },
  { waitReadyMs: Number.NaN },
  { ratePerSecond: 0 },
  { seed: 1.5 },
  { shard: { index: 3, count: 2 } },
  { shard: { index: Number.NaN, count: 2 } },
  { mode: 'everything' as 'full' },
])('%j is refused, and nothing is sent', async (options) => {
  const [name] = Object.keys(options);
  const requests: unknown[] = [];
  const app = (request: unknown): unknown => requests.push(request);
  await expect(runContract({ app, ...options })).rejects.toThrow(`The option ${name} cannot be used: expected`);
  expect(requests).toEqual([]);
});

test('an identity without a key is refused by its name', async () => {
  const run = runContract({ baseUrl: 'http://127.0.0.1:1', identities: { buyer: '' } });
  await expect(run).rejects.toThrow('The key of the identity "buyer" is empty');
});
