import { type ResponseCheck } from '../../response-check';
import type { CheckFinding } from '../../../core/errors/finding';
import { corsViolations, preflightOf, preflightViolations } from '../../../core/http/cors';

/**
 * A page of another origin may read the response, an error as well, and a preflight lets through what is documented.
 * Checked where the contract, or the service itself, says that pages of this origin call.
 */
export const cors: ResponseCheck = {
  id: 'cors',
  area: 'http',
  source: 'the contract, browser; Fetch §3.2, §4.8, §4.10',
  basis: 'http',
  scope: 'service',
  run({ browser, method, headers, requestHeaders, operation }) {
    if (browser === undefined || requestHeaders === undefined) return undefined;
    const asked = preflightOf(method, requestHeaders);
    const faults = [
      ...corsViolations(headers, browser),
      ...(asked === undefined ? [] : preflightViolations(headers, asked, browser)),
    ];
    return faults.map(({ header, message, rule, expected, actual = 'no header' }): CheckFinding => {
      const hint = 'A page sees a network error in place of the response.';
      const identity = rule === undefined ? undefined : { rule };
      return { at: `/response/headers/${header}`, message, identity, expected, actual, spec: operation?.pointer, hint };
    });
  },
};
