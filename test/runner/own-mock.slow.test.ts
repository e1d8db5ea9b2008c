import { createMockServer } from '../../src/express';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import { createServerParts } from '../../src/library/create-mock-server';
import { createInProcessTransport } from '../../src/network/target';
import { runContract } from '../../src/library/run-contract';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { JsonObject, JsonValue } from '../../src/core/json/json-value';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps, tallyOf } from '../../src/runner/result/outcome';
import { failures, startPeer } from './peer';

const MOCKS: readonly { mock: string; options: CreateMockServerOptions; path?: string }[] = [
  { mock: 'with its fixtures', options: {} },
  { mock: 'that starts empty', options: { state: 'empty' } },
  { mock: 'whose ids need more than 53 bits', options: { idStart: 9007199254740993n } },
  { mock: 'below a path', options: { basePath: '/v1' }, path: '/v1' },
];

/** Address of each item, such as `/pets/1`, with what it is; stock has none of its own, it goes with its pet. */
function itemsOf(collections: JsonValue | undefined): ReadonlyMap<string, string> {
  const entries = Object.entries(collections as Record<string, JsonObject[]>);
  return new Map(
    entries
      .filter(([path]) => path !== '/inventory')
      .flatMap(([path, items]) => items.map((item) => [`${path}/${stringifyJson(item['id']!)}`, stringifyJson(item)])),
  );
}

function leftBehind(result: RunResult, baseUrl: string): string[] {
  return result.leftBehind.map(({ url }) => url.slice(baseUrl.length)).sort();
}

test.each(MOCKS)(
  'all of contracts/ passes on our own mock $mock, and leaves only what cannot be removed',
  async (row) => {
    const app = await createMockServer(row.options);
    const before = itemsOf(app.state()['collections']);
    const peer = await startPeer(app);
    const baseUrl = `${peer.url}${row.path ?? ''}`;
    try {
      const result = await runContract({ baseUrl: `${baseUrl}/` });
      expect(failures(result)).toEqual([]);
      expect(tallyOf(allSteps(result))).toEqual({ pass: allSteps(result).length, fail: 0, error: 0, skipped: 0 });
      expect(allSteps(result).flatMap(({ warnings }) => warnings)).toEqual([]);
      expect(result.outcome).toBe('conforms');

      const after = itemsOf(app.state()['collections']);
      const added = [...after.keys()].filter((address) => !before.has(address));
      expect(added.sort()).toEqual(leftBehind(result, baseUrl));
      // Two complete orders, their pet and its category.
      expect(added.map((address) => address.replace(/\/\d+$/, ''))).toEqual([
        '/categories',
        '/pets',
        '/store/orders',
        '/store/orders',
      ]);
      expect([...before].filter(([address, item]) => after.get(address) !== item)).toEqual([]);
    } finally {
      await peer.close();
    }
  },
);

test('a mock in this process gives the same verdicts without a socket, and when it is asked once more', async () => {
  const { mock, api } = await createServerParts({});
  const transport = createInProcessTransport(mock.engine);
  const first = await runContract({ baseUrl: 'http://localhost', transport });
  const second = await runContract({ baseUrl: 'http://localhost', transport });
  expect([first.outcome, second.outcome]).toEqual(['conforms', 'conforms']);
  const called = new Set(allSteps(first).map(({ operation }) => operation));
  expect(api.operations.filter(({ id }) => !called.has(id))).toEqual([]);
});
