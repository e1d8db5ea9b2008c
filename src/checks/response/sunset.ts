import { headerValues } from '../../http/headers';
import { isFixdate, parseHttpDate } from '../../http/http-date';
import type { ResponseCheck } from './response-check';
import { shownText } from './shown';

/** Sunset is an HTTP-date in the one form that may still be sent. */
export const sunset: ResponseCheck = {
  id: 'sunset',
  source: 'RFC 8594 §3; RFC 9110 §5.6.7',
  run({ headers, documented, operation }) {
    const lines = headerValues(headers, 'sunset');
    const [value, another] = lines;
    if (value === undefined) return undefined;
    if (another === undefined && isFixdate(value.trim())) return [];
    return [
      {
        check: 'sunset',
        severity: 'error',
        at: '/response/headers/sunset',
        message: another === undefined ? 'Sunset is no HTTP-date' : 'Sunset comes twice',
        expected: 'one date such as Thu, 05 Dec 2030 00:00:00 GMT',
        actual: shownText(lines.join(', ')),
        spec: documented?.headers.get('sunset')?.pointer ?? operation?.pointer,
        hint: hintFor(value.trim()),
      },
    ];
  },
};

function hintFor(value: string): string | undefined {
  if (parseHttpDate(value) !== undefined) return 'This form is obsolete: it may be read, and not be sent.';
  if (/ (?:UTC|Z|[+-]\d{4})$/.test(value)) return 'An HTTP-date always ends with GMT.';
  return value.startsWith('@') ? 'Only Deprecation has this form.' : undefined;
}
