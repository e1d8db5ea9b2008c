import { stringifyJson } from '../../src/core/json/stringify-json';
import { loadApi } from '../../src/files/load-api';
import { generateContracts } from '../../src/generated/generate-contracts';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { TARGETS } from '../mutants/kill-rate/targets';
import { askTheatre, BOOKINGS, description, findings, OPTIONS } from '../support/ask-theatre';
import type { Race } from '../support/theatre';

const passed = (result: RunResult): number => allSteps(result).filter(({ verdict }) => verdict.kind === 'pass').length;

test('the second Petstore has no findings, and answers as the mock beside it', async () => {
  const target = await TARGETS.second(false);
  const skip = loadApi().api.operations.flatMap(({ id }) => (/Categor/.test(id) ? [] : [id]));
  const result = await runContract({ ...OPTIONS, baseUrl: target.url, lockStep: true, skip });
  await target.close();
  expect(findings(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
  expect(passed(result)).toBeGreaterThan(30);
});

test.each([
  { server: 'handles one request after the other', races: [], skip: [] },
  {
    server: 'keeps seats, marks removed shows, and lets changes wait',
    races: ['waits', 'keeps-seats', 'marks'],
    skip: BOOKINGS,
  },
] satisfies { server: string; races: Race[]; skip: string[] }[])(
  'a server that $server has no findings',
  async ({ races, skip }) => {
    const result = await askTheatre(races, { skip });
    expect(findings(result)).toEqual([]);
    // The steps that would find a race were not skipped.
    expect(passed(result)).toBeGreaterThan(skip.length === 0 ? 90 : 40);
    // Items that are marked as removed are not left behind.
    expect(result.outcome).toBe('conforms');
  },
);

test('values follow from the seed', () => {
  const { api } = loadApi(description);
  const texts = (seed: string): string[] =>
    [...generateContracts(api, { seed, families: new Set(['concurrency']) })].map(stringifyJson);
  expect(texts('1')).toEqual(texts('1'));
  expect(texts('1')).not.toEqual(texts('2'));
});
