import { runContract } from '../../../src/library/run-contract';
import { allSteps } from '../../../src/runner/result/outcome';
import type { RunResult } from '../../../src/runner/result/run-result';
import { bareContracts } from '../../mutants/kill-rate/bare';
import { PETSTORE_API } from '../../mutants/apis';
import { DEFECTS } from '../../mutants/catalogue/index';
import type { Asked } from '../../mutants/kill-rate/asked';
import { measureDefect, measureVariant } from '../../mutants/kill-rate/measure';
import { TARGETS, type TargetName } from '../../mutants/kill-rate/targets';
import { VARIANTS } from '../../mutants/variants/index';
import { pickSample } from '../../support/sample';
import { differences } from './library';

const bare = bareContracts();
afterAll(() => {
  bare.remove();
});

/** A few, others with each commit: `npm run measure -- mutants-everything` tries all of them in lock-step. */
const few = <Item>(items: readonly Item[], size: number): Item[] =>
  pickSample(items, size, process.env['STANDIN_TEST_SEED'] ?? '');

const OPTIONS = { contracts: bare.file, lockStep: true };
const ASKED: Asked = { options: OPTIONS, short: OPTIONS, remove: () => undefined };

async function run(name: TargetName, contracts?: string): Promise<RunResult> {
  const target = await TARGETS[name](false);
  try {
    return await runContract({ baseUrl: target.url, contracts, lockStep: true });
  } finally {
    await target.close();
  }
}

test.each<TargetName>(['mock', 'second'])(
  'at the %s Petstore all bundled contracts differ in nothing, and nearly all steps are compared',
  async (name) => {
    const result = await run(name);
    expect(differences(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    const sent = allSteps(result).filter(({ phase, status }) => phase !== 'auth' && status !== undefined);
    expect(result.lockStep?.compared).toBeGreaterThan(0.95 * sent.length);
  },
);

test.each<TargetName>(few(['mock', 'second'], 1))(
  'at the %s Petstore the same requests without expectations are as silent',
  async (name) => {
    const result = await run(name, bare.file);
    expect(differences(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
  },
);

test.each(few(VARIANTS, 2))('what a conforming service may do otherwise is no difference: $title', async (variant) => {
  expect(await measureVariant(PETSTORE_API, variant, 'second', ASKED)).toMatchObject({
    isCaught: false,
    by: 'conforms',
  });
});

/** Found by the comparison, where nothing is expected of the responses. */
const FOUND = [
  ...['AU-02', 'AU-14', 'BR-01', 'BR-04', 'BR-05', 'CR-02', 'CR-04', 'CR-05', 'CR-07', 'DE-01', 'DE-06', 'DE-07'],
  ...['HD-09', 'ID-03', 'IV-02', 'IV-07', 'IV-10', 'IV-14', 'LI-01', 'LI-05', 'LI-08', 'NC-02', 'ST-14', 'TY-13'],
  ...['UP-01', 'UP-04', 'UP-06', 'UP-07', 'UP-09', 'UP-10'],
];

test.each(
  few(
    DEFECTS.filter(({ id }) => FOUND.includes(id)),
    4,
  ),
)('without an expectation it is found that $title', async (defect) => {
  const found = await measureDefect(PETSTORE_API, defect, 'second', ASKED);
  expect(found).toMatchObject({ isCaught: true, by: expect.stringContaining('lock-step') as string });
});
