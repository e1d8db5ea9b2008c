/** The same runs each time; a failure prints its seed and path. `FUZZ_SEED` takes another, `FUZZ_RUNS` looks further. */
export function times(numRuns: number): { seed: number; numRuns: number } {
  const { FUZZ_SEED, FUZZ_RUNS } = process.env as Readonly<Record<string, string | undefined>>;
  return { seed: Number(FUZZ_SEED ?? 20_260_301), numRuns: Number(FUZZ_RUNS ?? numRuns) };
}
