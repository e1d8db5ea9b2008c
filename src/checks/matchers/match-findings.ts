import type { Finding } from '../finding';
import { shownText } from '../response/shown';
import type { Unevaluated } from './mismatch';

/** Id of the warning about an expectation that nothing was compared with. */
export const NOT_EVALUATED = 'not-evaluated';

/**
 * Says that a part of what a contract expects was not put to the test. Nothing is wrong with the answer; but a run
 * where it stays so has not shown what the contract claims.
 *
 * @param at - place in the exchange of the value that was compared
 * @param spec - JSON pointer into the description
 */
export function notEvaluated(
  { pointer, reason, expected }: Unevaluated,
  at: string,
  spec: string | undefined,
): Finding {
  return {
    check: NOT_EVALUATED,
    severity: 'warning',
    at: `${at}${pointer}`,
    message: `Nothing was compared with what the contract expects here: ${reason}`,
    expected: shownText(expected),
    actual: 'nothing',
    spec,
    hint: 'Let an earlier step make something that this answer then has.',
  };
}
