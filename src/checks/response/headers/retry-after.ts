import { parseRetryAfter } from '../../../core/http/http-date';
import { headerCheck } from './header-check';

/** Retry-After is a number of seconds or an HTTP-date: clients wait as long as it says, or not at all. */
export const retryAfter = headerCheck({
  id: 'retry-after',
  source: 'RFC 9110 §10.2.3; RFC 6585 §4',
  name: 'Retry-After',
  what: 'a number of seconds or an HTTP-date',
  expected: 'whole seconds such as 3, or a date such as Thu, 05 Dec 2030 00:00:00 GMT',
  // Which moment a date means does not matter here, and with it what the time is now.
  isValid: (value) => parseRetryAfter(value, 0) !== undefined,
});
