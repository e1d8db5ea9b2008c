import { isFixdate } from '../../../core/http/http-date';
import { headerCheck } from './header-check';

/** Date, where there is one, is an HTTP-date. A server without a clock sends none. */
export const date = headerCheck({
  id: 'date',
  source: 'RFC 9110 §6.6.1, §5.6.7',
  name: 'Date',
  severity: 'warning',
  what: 'an HTTP-date',
  expected: 'a date such as Thu, 05 Dec 2030 00:00:00 GMT',
  isValid: (value) => isFixdate(value.trim()),
});
