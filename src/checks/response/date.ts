import { headerValue } from '../../http/headers';
import { isFixdate } from '../../http/http-date';
import type { ResponseCheck } from './response-check';
import { shownText } from './shown';

/** Date, where there is one, is an HTTP-date. */
export const date: ResponseCheck = {
  id: 'date',
  source: 'RFC 9110 §6.6.1, §5.6.7',
  run({ headers }) {
    const value = headerValue(headers, 'date');
    // A server without a clock sends none, and neither does one that is called in process.
    if (value === undefined) return undefined;
    if (isFixdate(value.trim())) return [];
    return [
      {
        check: 'date',
        severity: 'warning',
        at: '/response/headers/date',
        message: 'Date is no HTTP-date',
        expected: 'a date such as Thu, 05 Dec 2030 00:00:00 GMT',
        actual: shownText(value),
      },
    ];
  },
};
