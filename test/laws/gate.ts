import type { Law, Trial } from './checks';
import { totalsOf } from './table';

/** The smallest share of holding checks that passes CI. At 7464adfb, 403 of 406 checks held: 99.3 %. */
const MIN_SHARE = 0.985;
/** Laws that no description may violate, whatever the share. */
const STRICT_LAWS: readonly Law[] = ['starts', 'no 5xx', 'no hang'];

/** Returns why `--ci` fails, one line for each reason; nothing where it passes. */
export function findFailures(trials: readonly Trial[]): string[] {
  const { holds, violated } = totalsOf(trials);
  const counted = holds + violated;
  if (counted === 0) return ['no check was made'];
  const strict = trials.flatMap(({ name, checks }) =>
    checks
      .filter(({ law, verdict }) => verdict === 'violated' && STRICT_LAWS.includes(law))
      .map(({ law, operation, answer = '' }) => `law "${law}" is violated: ${name} ${operation}: ${answer}`),
  );
  if (holds >= MIN_SHARE * counted) return strict;
  const share = ((100 * holds) / counted).toFixed(1);
  return [`${holds} of ${counted} checks hold (${share} %); at least ${100 * MIN_SHARE} % must hold`, ...strict];
}
