import { createSecondPetstore, type SecondPetstore } from '../second-petstore/index';
import { DEFECTS } from './catalogue/index';
import { Client } from './client';
import type { Alteration } from './defect';
import { startMutantProxy, type MutantProxyOptions } from './proxy';
import { VARIANTS } from './variants/index';

/** Longer than any test: a witness lets a slow answer go when it has seen that it is slow. */
const SLOW_MS = 3_600_000;

type Witness = (client: Client) => Promise<boolean>;

/** Runs a witness at a fresh conforming server behind a proxy with this alteration, or behind a transparent one. */
async function testify(witness: Witness, defect: Alteration | undefined, largeIds = false): Promise<boolean> {
  const petstore: SecondPetstore = createSecondPetstore({ largeIds });
  const options: MutantProxyOptions = { target: await petstore.listen(), slow: SLOW_MS, ...(defect ? { defect } : {}) };
  const proxy = await startMutantProxy(options);
  try {
    return await witness(new Client(proxy));
  } finally {
    await proxy.close();
    await petstore.close();
  }
}

describe('defects', () => {
  test.each(DEFECTS)('$id $title', async (defect) => {
    expect(await testify(defect.witness, undefined, defect.largeIds)).toBe(false);
    expect(await testify(defect.witness, defect, defect.largeIds)).toBe(true);
  });

  test('every id is there once', () => {
    const ids = DEFECTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('variants', () => {
  test.each(VARIANTS)('$id: $title', async (variant) => {
    expect(await testify(variant.witness, undefined)).toBe(false);
    expect(await testify(variant.witness, variant)).toBe(true);
  });
});
