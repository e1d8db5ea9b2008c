import { createServerParts } from '../../src/library/create-mock-server';
import { createInProcessTransport } from '../../src/network/target';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { failures } from '../runner/peer';
import { filesOf } from './bundled';

/** The same numbers from the same seed (a linear congruential generator with the constants of Numerical Recipes). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const keyed = items.map((item) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return { item, key: state };
  });
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}

test.each([
  { seed: 1, concurrency: 1 },
  { seed: 2, concurrency: 3 },
  { seed: 3, concurrency: 8 },
  { seed: 4, concurrency: 100 },
])('contracts hold in any order and beside each other: seed $seed, $concurrency at a time', async (row) => {
  const { mock } = await createServerParts({});
  const transport = createInProcessTransport(mock.engine);
  const contracts = shuffled([...filesOf('core'), ...filesOf('full')], row.seed);
  const result = await runContract({ baseUrl: 'http://localhost', transport, contracts, ...row });
  expect(failures(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

test.each(filesOf('full'))('%s holds alone, on an empty service', async (file) => {
  const { mock } = await createServerParts({ state: 'empty' });
  const transport = createInProcessTransport(mock.engine);
  const result = await runContract({ baseUrl: 'http://localhost', transport, contracts: file, probesAuth: false });
  expect(allSteps(result).filter(({ verdict }) => verdict.kind !== 'pass')).toEqual([]);
  expect(result.outcome).toBe('conforms');
});
