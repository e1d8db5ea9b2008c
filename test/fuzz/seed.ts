/** How often a property is tried: `FUZZ_RUNS` looks further. `STANDIN_TEST_SEED` chooses other values. */
export function times(numRuns: number): { numRuns: number } {
  const { FUZZ_RUNS } = process.env as Readonly<Record<string, string | undefined>>;
  return { numRuns: Number(FUZZ_RUNS ?? numRuns) };
}
