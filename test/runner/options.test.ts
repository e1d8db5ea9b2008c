import { cleanUp } from '../../src/library/clean-up';
import type { CleanUpOptions } from '../../src/library/clean-up-options';
import type { RunContractOptions } from '../../src/library/run-options';
import { runContract } from '../../src/library/run-contract';
import { describeContract, type DescribeContractOptions } from '../../src/jest';

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
  await expect(runContract({ app, ...options })).rejects.toThrow(`The option ${name} must be `);
  expect(requests).toEqual([]);
});

test.each([
  { options: { retries: '3' }, says: 'must be a whole number from 0 to 1000, got a string' },
  { options: { timeoutMs: null }, says: 'got null', hint: 'Leave it out, or give undefined.' },
  {
    options: { only: 'pets' },
    says: 'must be an array of strings, got a string',
    hint: 'Put it into brackets: ["pets"].',
  },
  { options: { skip: [1] }, says: 'must be an array of strings, got an array' },
  { options: { contracts: [] }, says: 'must be a path, or an array with at least one' },
  { options: { description: { openapi: '3.0.3' } }, says: 'must be a string, got an object' },
  { options: { probesAuth: 'no' }, says: 'must be true or false' },
  { options: { mode: 'owm' }, says: 'must be one of observe, own, full', hint: 'Did you mean "own"?' },
  { options: { generate: ['rejections'] }, says: 'an array of positive', hint: '"rejections" is none of them.' },
  { options: { shard: { index: 1, total: 3 } }, says: 'must be { index, count }' },
  { options: { shard: '1/3' }, says: 'must be { index, count }' },
  { options: { identities: { buyer: undefined } }, says: 'strings', hint: 'The property "buyer" is undefined.' },
  {
    options: { signal: new AbortController() },
    says: 'an AbortSignal',
    hint: 'Give the signal of the AbortController.',
  },
  { options: { transport: () => undefined }, says: 'must be an object with a method send' },
])('runContract refuses $options of another type', async ({ options, says, hint }) => {
  const [name = ''] = Object.keys(options);
  const refusal: unknown = await runContract({ baseUrl: 'http://127.0.0.1:1', ...(options as object) }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ code: 'CONFIG_INVALID', ...(hint === undefined ? {} : { hint }) });
  expect((refusal as Error).message).toContain(`The option ${name} must be `);
  expect((refusal as Error).message).toContain(says);
});

test('a key of another type is refused without being shown', async () => {
  const run = runContract({ baseUrl: 'http://127.0.0.1:1', apiKey: ['secret'] as unknown as string });
  await expect(run).rejects.toThrow(/^The option apiKey must be a string, got an array$/);
});

test.each([
  { written: 'mod', meant: 'mode' },
  { written: 'timeout', meant: 'timeoutMs' },
  { written: 'baseURL', meant: 'baseUrl' },
  { written: 'spec', meant: 'description' },
  { written: 'url', meant: 'baseUrl' },
  { written: 'probeAuth', meant: 'probesAuth' },
])('runContract asks whether $written is meant to be $meant', async ({ written, meant }) => {
  const run = runContract({ app: () => undefined, [written]: 1 });
  await expect(run).rejects.toThrow(`runContract has no option "${written}". Did you mean "${meant}"?`);
});

test('an option that is like no other: all are told', async () => {
  const run = runContract({ app: () => undefined, ...({ fastForward: true } as object) });
  await expect(run).rejects.toMatchObject({
    message: 'runContract has no option "fastForward"',
    hint: expect.stringContaining('There are baseUrl, app, contracts, ') as unknown,
  });
});

test.each([
  { options: {}, says: 'No target was given: expected baseUrl or app' },
  { options: { app: undefined }, says: 'No target was given: expected baseUrl or app; app is undefined' },
  { options: { baseUrl: 'http://127.0.0.1:1', app: () => undefined }, says: 'Two targets were given: baseUrl and app' },
  { options: { app: { listen: () => undefined } }, says: 'such as an Express app, got an object' },
  { options: undefined, says: 'The options of runContract must be an object, got undefined' },
  { options: 'http://127.0.0.1:1', says: 'The options of runContract must be an object, got a string' },
])('a target that cannot be known: $says', async ({ options, says }) => {
  await expect(runContract(options as RunContractOptions)).rejects.toThrow(says);
});

test('what is undefined was left out', async () => {
  const app = (): void => undefined;
  const run = runContract({ app, baseUrl: undefined, mode: undefined, only: undefined, description: 'none.yaml' });
  await expect(run).rejects.toThrow('none.yaml does not exist');
});

test('an identity without a key is refused by its name', async () => {
  const run = runContract({ baseUrl: 'http://127.0.0.1:1', identities: { buyer: '' } });
  await expect(run).rejects.toThrow('The key of the identity "buyer" is empty');
});

test.each([
  {
    options: { createAp: () => undefined },
    says: 'describeContract has no option "createAp". Did you mean "createApp"?',
  },
  {
    options: { baseUrl: 'http://127.0.0.1:1', shard: { index: 1, count: 2 } },
    says: 'describeContract has no option "shard"',
  },
  { options: { createApp: 'app' }, says: 'The option createApp must be a function, got a string' },
  { options: { baseUrl: 4010 }, says: 'must be a string, or a function that returns one, got 4010' },
  { options: {}, says: 'No target was given: expected baseUrl, app or createApp' },
  { options: { app: () => undefined, createApp: () => undefined }, says: 'Two targets were given: app and createApp' },
])('describeContract: $says', ({ options, says }) => {
  expect(() => {
    describeContract(options as DescribeContractOptions);
  }).toThrow(says);
});

test.each([
  { options: { ledgr: 'a' }, says: 'cleanUp has no option "ledgr". Did you mean "ledger"?' },
  { options: { ledger: 'a', app: () => undefined }, says: 'cleanUp has no option "app"' },
  { options: {}, says: 'cleanUp was given no ledger' },
  { options: { ledger: 1 }, says: 'The option ledger must be a string, got 1' },
])('cleanUp: $says', async ({ options, says }) => {
  await expect(cleanUp(options as unknown as CleanUpOptions)).rejects.toThrow(says);
});
