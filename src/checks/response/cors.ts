import { preflightFaults, preflightOf, readFaults } from '../../http/cross-origin';
import type { Finding } from '../finding';
import type { ResponseCheck } from './response-check';

/**
 * A page of another origin may read the answer, an error as well, and a preflight lets through what is documented.
 * Judged where the contract, or the service itself, says that pages of this origin call.
 */
export const cors: ResponseCheck = {
  id: 'cors',
  source: 'the contract, browser; Fetch §3.2, §4.8, §4.10',
  run({ browser, method, headers, requestHeaders, operation }) {
    if (browser === undefined || requestHeaders === undefined) return undefined;
    const asked = preflightOf(method, requestHeaders);
    const faults = [
      ...readFaults(headers, browser),
      ...(asked === undefined ? [] : preflightFaults(headers, asked, browser)),
    ];
    return faults.map(({ header, message, expected, actual = 'no header' }): Finding => {
      const at = `/response/headers/${header}`;
      return { check: 'cors', severity: 'error', at, message, expected, actual, spec: operation?.pointer, hint: HINT };
    });
  },
};

const HINT = 'A page sees a network error in place of the answer.';
