import type { Outcome } from '../runner/run-result';

const EXIT_CODES = { conforms: 0, violations: 1, 'cannot-judge': 2, inconclusive: 3, 'left-behind': 4 } as const;

/** The exit code that says the same as an outcome; `docs/reports.md` lists them. */
export function exitCodeOf(outcome: Outcome): 0 | 1 | 2 | 3 | 4 {
  return EXIT_CODES[outcome];
}
