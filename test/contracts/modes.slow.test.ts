import { createServerParts } from '../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../src/library/mock-options';
import { createInProcessTransport } from '../../src/network/target';
import { runContract } from '../../src/library/run-contract';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { allSteps } from '../../src/runner/result/outcome';
import { failures } from '../runner/peer';

const MOCKS: readonly { mock: string; options: CreateMockServerOptions }[] = [
  { mock: 'with its fixtures', options: {} },
  { mock: 'that starts empty', options: { state: 'empty' } },
];

test.each(MOCKS)(
  'where nothing may be changed, no step misses what another one would have made: a mock $mock',
  async (row) => {
    const { mock, app } = await createServerParts(row.options);
    const before = stringifyJson(app.state());
    const transport = createInProcessTransport(mock.engine);
    const result = await runContract({ baseUrl: 'http://localhost', transport, mode: 'observe' });
    expect(failures(result)).toEqual([]);
    expect(allSteps(result).some(({ verdict }) => verdict.kind === 'pass')).toBe(true);
    expect(stringifyJson(app.state())).toBe(before);
  },
);

test('where only what the run made may be changed, the contracts conform with fewer steps', async () => {
  const { mock } = await createServerParts({});
  const transport = createInProcessTransport(mock.engine);
  const result = await runContract({ baseUrl: 'http://localhost', transport, mode: 'own' });
  expect(failures(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  const skipped = allSteps(result).flatMap(({ verdict }) => (verdict.kind === 'skipped' ? [verdict.cause] : []));
  expect(new Set(skipped)).toEqual(new Set(['mode']));
});
