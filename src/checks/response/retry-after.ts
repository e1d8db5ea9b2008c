import { headerValues } from '../../http/headers';
import { parseRetryAfter } from '../../http/retry-after';
import type { ResponseCheck } from './response-check';
import { shownText } from './shown';

/** Retry-After is a number of seconds or an HTTP-date: clients wait as long as it says, or not at all. */
export const retryAfter: ResponseCheck = {
  id: 'retry-after',
  source: 'RFC 9110 §10.2.3; RFC 6585 §4',
  run({ headers, documented }) {
    const lines = headerValues(headers, 'retry-after');
    const [value, another] = lines;
    if (value === undefined) return undefined;
    // Which moment a date means does not matter here, and with it what the time is now.
    if (another === undefined && parseRetryAfter(value, 0) !== undefined) return [];
    return [
      {
        check: 'retry-after',
        severity: 'error',
        at: '/response/headers/retry-after',
        message: another === undefined ? 'Retry-After is neither seconds nor a date' : 'Retry-After comes twice',
        expected: 'whole seconds such as 3, or a date such as Thu, 05 Dec 2030 00:00:00 GMT',
        actual: shownText(lines.join(', ')),
        spec: documented?.headers.get('retry-after')?.pointer,
      },
    ];
  },
};
