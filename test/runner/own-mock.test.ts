import { createMockServer } from '../../src/express';
import type { CreateMockServerOptions } from '../../src/adapters/create-mock-server';
import { createServerParts } from '../../src/adapters/create-mock-server';
import { createInProcessTransport } from '../../src/adapters/in-process-transport';
import { runContract } from '../../src/adapters/run-contract';
import { allSteps, tallyOf } from '../../src/runner/run-result';
import { failures, startPeer } from './peer';

const MOCKS: readonly { mock: string; options: CreateMockServerOptions; path?: string }[] = [
  { mock: 'with its fixtures', options: {} },
  { mock: 'that starts empty', options: { state: 'empty' } },
  { mock: 'whose ids need more than 53 bits', options: { idStart: 9007199254740993n } },
  { mock: 'below a path', options: { basePath: '/v1' }, path: '/v1' },
];

test.each(MOCKS)('all of contracts/ passes on our own mock $mock, and leaves nothing behind', async (row) => {
  const app = await createMockServer(row.options);
  const before = app.state()['collections'];
  const peer = await startPeer(app);
  try {
    const result = await runContract({ baseUrl: `${peer.url}${row.path ?? ''}/` });
    expect(failures(result)).toEqual([]);
    expect(tallyOf(allSteps(result))).toEqual({ pass: allSteps(result).length, fail: 0, error: 0, skipped: 0 });
    expect(allSteps(result).flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(app.state()['collections']).toEqual(before);
  } finally {
    await peer.close();
  }
});

test('a mock in this process gives the same verdicts without a socket', async () => {
  const { mock, api } = await createServerParts({});
  const transport = createInProcessTransport(mock.engine);
  const result = await runContract({ baseUrl: 'http://localhost', transport });
  expect(result.outcome).toBe('conforms');
  const called = new Set(allSteps(result).map(({ operation }) => operation));
  expect(api.operations.filter(({ id }) => !called.has(id))).toEqual([]);
});

test('the same contract runs twice on one mock', async () => {
  const { mock } = await createServerParts({});
  const transport = createInProcessTransport(mock.engine);
  const first = await runContract({ baseUrl: 'http://localhost', transport });
  const second = await runContract({ baseUrl: 'http://localhost', transport });
  expect([first.outcome, second.outcome]).toEqual(['conforms', 'conforms']);
});
