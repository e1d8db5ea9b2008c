import { isFixdate, parseHttpDate } from '../../../core/http/http-date';
import { headerCheck } from './header-check';

/** Sunset is an HTTP-date in the one form that may still be sent. */
export const sunset = headerCheck({
  id: 'sunset',
  source: 'RFC 8594 §3; RFC 9110 §5.6.7',
  name: 'Sunset',
  what: 'an HTTP-date',
  expected: 'one date such as Thu, 05 Dec 2030 00:00:00 GMT',
  isValid: (value) => isFixdate(value.trim()),
  hint(value) {
    if (parseHttpDate(value.trim()) !== undefined) return 'This form is obsolete: it may be read, and not be sent.';
    if (/ (?:UTC|Z|[+-]\d{4})$/.test(value.trim())) return 'An HTTP-date always ends with GMT.';
    return value.trim().startsWith('@') ? 'Only Deprecation has this form.' : undefined;
  },
});
