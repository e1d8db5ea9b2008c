import { runContract } from '../../src/library/run-contract';
import { applyBaseline, makeBaseline } from '../../src/report/causes/baseline';
import { foldPointer } from '../../src/report/causes/fingerprint';
import { type LocatedFinding, type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { DEFECTS } from '../mutants/catalogue/index';
import type { Defect } from '../mutants/defect';
import { startMutantProxy } from '../mutants/proxy';
import { createSecondPetstore, type SecondPetstore } from '../second-petstore/index';

/** Of each kind some: shapes, types, errors, credentials, headers, input, what is kept, what is removed, identity. */
const CHOSEN = [
  ...['ST-11', 'SH-05', 'TY-10', 'ER-10', 'AU-05', 'HD-06', 'HD-09'],
  ...['IV-04', 'CR-07', 'UP-01', 'UP-09', 'DE-03', 'ID-03'],
];

const CONTRACTS = [
  ...['categories', 'pets-create', 'pets-create-refused', 'pets-replace', 'pets-delete', 'conditional'],
  ...['orders-place', 'orders-place-refused', 'orders-change'],
].map((name) => `contracts/full/${name}.yaml`);

let shop: SecondPetstore;
let target: string;
beforeAll(async () => {
  shop = createSecondPetstore();
  target = await shop.listen();
});
afterAll(() => shop.close());

/** A proxy of its own for each run: its memory is no part of what is looked at. */
async function runAt(defect: Defect, manner: Manner): Promise<RunResult> {
  const proxy = await startMutantProxy({ target, defect });
  try {
    return await runContract({ baseUrl: proxy.url, contracts: CONTRACTS, ...manner });
  } finally {
    await proxy.close();
  }
}

interface Manner {
  readonly contracts?: readonly string[];
  readonly concurrency: number;
  readonly seed: number;
}

const ABOUT = { owner: 'team-shop', reason: 'see issue 12', expires: '2099-12-31' };

/** Every finding without where in a list and in which step it showed. */
function said(result: RunResult): string[] {
  const texts = allSteps(result).flatMap(({ verdict, warnings, operation = '-' }) => {
    const findings: readonly LocatedFinding[] = verdict.kind === 'fail' ? verdict.findings : [];
    // A busy machine may let go of a connection, so that a request is sent again.
    const told = [...findings, ...warnings].filter(({ check }) => check !== 'sent-again');
    return told.map(({ check, severity, at, message, identity }) => {
      // Ids and names are given out anew in each run; what is violated is the same.
      const rule = [identity?.subject, identity?.rule ?? message].join(' ').replaceAll(/\bid is \d+/g, 'id is …');
      return `${severity} ${check} of ${operation} ${foldPointer(at)}: ${rule}`;
    });
  });
  return [...new Set(texts)].sort();
}

describe.each(CHOSEN.map((id) => DEFECTS.find((defect) => defect.id === id)!))('$id $title', (defect) => {
  test('a baseline accepts the same faults in another run, in another order and beside each other', async () => {
    const first = await runAt(defect, { concurrency: 1, seed: 1 });
    const baseline = makeBaseline(first, ABOUT);
    expect(baseline.entries.length).toBeGreaterThan(0);
    const again = await runAt(defect, { concurrency: 8, seed: 2, contracts: CONTRACTS.toReversed() });
    const { result, unused } = applyBaseline(again, baseline, '2026-11-20');
    const isNew = ({ verdict }: RunResult['probes'][number]): boolean => verdict.kind === 'fail';
    expect(allSteps(result).filter(isNew)).toEqual([]);
    expect(unused).toEqual([]);
    expect(said(again)).toEqual(said(first));
  });
});
