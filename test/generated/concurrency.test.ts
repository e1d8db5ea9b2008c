import { stringifyJson } from '../../src/core/json/stringify-json';
import { loadApi } from '../../src/files/load-api';
import { generateContracts } from '../../src/generated/generate-contracts';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { TARGETS } from '../mutants/kill-rate/targets';
import { temporaryFolder } from '../support/temporary-folder';
import { type Race, Theatre, THEATRE } from '../support/theatre';

const folder = temporaryFolder();
const description = folder.write('theatre.json', THEATRE);
const OPTIONS = { generate: ['concurrency'], probesAuth: false, concurrency: 1 } satisfies Partial<RunContractOptions>;

const findings = (result: RunResult): string[] =>
  allSteps(result).flatMap(({ name, verdict }) =>
    verdict.kind === 'fail' ? verdict.findings.map(({ check }) => `${check}: ${name}`) : [],
  );

async function ask(races: readonly Race[], more: Partial<RunContractOptions> = {}): Promise<RunResult> {
  const { url, close } = await new Theatre(...races).listen();
  try {
    return await runContract({ ...OPTIONS, description, baseUrl: url, seed: 1, ...more });
  } finally {
    await close();
  }
}

test.each(['mock', 'second'] as const)('the %s Petstore does one request after the other', async (name) => {
  for (const seed of [1, 2, 3]) {
    const target = await TARGETS[name](false);
    const result = await runContract({ ...OPTIONS, baseUrl: target.url, seed, lockStep: seed === 3 });
    await target.close();
    expect(findings(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
    expect(allSteps(result).filter(({ verdict }) => verdict.kind === 'pass').length).toBeGreaterThan(150);
  }
});

test('a service without races has no findings, whatever the order', async () => {
  for (const races of [[], ['waits'], ['keeps-seats'], ['marks']] satisfies Race[][]) {
    const result = await ask(races);
    expect(findings(result)).toEqual([]);
    // Not because what it has to be found in was skipped.
    expect(allSteps(result).filter(({ verdict }) => verdict.kind === 'pass').length).toBeGreaterThan(90);
    // What is shown as removed is not left behind.
    expect(result.outcome).toBe('conforms');
  }
});

const RACES: Readonly<Record<Exclude<Race, 'waits' | 'keeps-seats' | 'marks'>, readonly string[]>> = {
  'lost-update': ['no-order: change seats of the show', 'no-order: change the show with one entity tag: 3 of 3'],
  'stale-tag': ['no-order: change the show with one entity tag: 3 of 3'],
  // What is changed in part is put together in the same way.
  'torn-put': [
    'no-order: replace the show: 3 of 3',
    'no-order: change seats of the show',
    'no-order: change the show with one entity tag: 3 of 3',
  ],
  'twice-removed': ['no-order: remove the show: 3 of 3'],
  'same-id': [
    'identity: add show 2 of 3',
    'body-expected: read show 2 of 3',
    'body-expected: read show 3 of 3',
    'identity: add one show: 2 of 3',
    'successes-expected: add one show: 3 of 3',
  ],
  'title-twice': ['successes-expected: add one show: 3 of 3'],
  oversold: ['successes-expected: add one booking: 3 of 3'],
};

test.each(Object.entries(RACES))('a race is found: %s', async (race, expected) => {
  const result = await ask([race as Race]);
  expect([...new Set(findings(result))]).toEqual(expected);
  expect(result.leftBehind).toEqual([]);
});

test('values follow from the seed', () => {
  const { api } = loadApi();
  const texts = (seed: string): string[] =>
    [...generateContracts(api, { seed, families: new Set(['concurrency']) })].map(stringifyJson);
  expect(texts('1')).toEqual(texts('1'));
  expect(texts('1')).not.toEqual(texts('2'));
});
