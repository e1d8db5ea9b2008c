import type { Api } from './api';
import type { Sender } from './client';
import type { Alteration } from './defect';
import { TARGETS, type TargetName } from './kill-rate/targets';
import { startMutantProxy, type MutantProxy } from './proxy';

/** Longer than any test: a witness lets a slow answer go when it has seen that it is slow. */
const SLOW_MS = 3_600_000;

/** Tests that each defect and each variant shows to its witness, and that the conforming server shows none. */
export function testWitnesses<Caller extends Sender>(
  { dialect, defects, variants, classes }: Api<Caller>,
  server: TargetName,
  createClient: (proxy: MutantProxy) => Caller,
): void {
  /** Runs a witness at a fresh conforming server behind a proxy with this alteration, or behind a transparent one. */
  async function testify(
    witness: (client: Caller) => Promise<boolean>,
    defect: Alteration | undefined,
    largeIds = false,
  ): Promise<boolean> {
    const target = await TARGETS[server](largeIds);
    const options = { target: target.url, dialect, slow: SLOW_MS, ...(defect ? { defect } : {}) };
    const proxy = await startMutantProxy(options);
    try {
      return await witness(createClient(proxy));
    } finally {
      await proxy.close();
      await target.close();
    }
  }

  test.each(defects)('$id $title', async (defect) => {
    expect(await testify(defect.witness, undefined, defect.largeIds)).toBe(false);
    expect(await testify(defect.witness, defect, defect.largeIds)).toBe(true);
  });

  test('every id is there once, and begins with a class', () => {
    const ids = defects.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(ids.map((id) => id.slice(0, 2)))].sort()).toEqual(Object.keys(classes).sort());
  });

  test.each(variants)('$id: $title', async (variant) => {
    expect(await testify(variant.witness, undefined)).toBe(false);
    expect(await testify(variant.witness, variant)).toBe(true);
  });
}
