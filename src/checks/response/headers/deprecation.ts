import { parseHttpDate, parseStructuredDate } from '../../../core/http/http-date';
import { headerCheck } from './header-check';

/** Deprecation is a date in the form of Structured Fields. Older drafts had `true` and HTTP-dates. */
export const deprecation = headerCheck({
  id: 'deprecation',
  source: 'RFC 9745 §2.1; RFC 9651 §3.3.7',
  name: 'Deprecation',
  what: 'a date of Structured Fields',
  expected: 'one date such as @1767225600',
  isValid: (value) => parseStructuredDate(value) !== undefined,
  hint(value) {
    if (/^\s*(?:true|\?1)\s*$/i.test(value)) return 'Drafts before RFC 9745 had "true"; send the date instead.';
    const dateMs = parseHttpDate(value.trim());
    return dateMs === undefined ? undefined : `Drafts before RFC 9745 had HTTP-dates; this one is @${dateMs / 1000}.`;
  },
});
