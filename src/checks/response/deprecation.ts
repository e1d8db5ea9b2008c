import { headerValues } from '../../http/headers';
import { parseHttpDate } from '../../http/http-date';
import { parseStructuredDate } from '../../http/structured-date';
import type { ResponseCheck } from './response-check';
import { shownText } from './shown';

/** Deprecation is a moment in the form of Structured Fields. Older drafts had `true` and HTTP-dates. */
export const deprecation: ResponseCheck = {
  id: 'deprecation',
  source: 'RFC 9745 §2.1; RFC 9651 §3.3.7',
  run({ headers, documented, operation }) {
    const lines = headerValues(headers, 'deprecation');
    const [value, another] = lines;
    if (value === undefined) return undefined;
    if (another === undefined && parseStructuredDate(value) !== undefined) return [];
    return [
      {
        check: 'deprecation',
        severity: 'error',
        at: '/response/headers/deprecation',
        message: another === undefined ? 'Deprecation is no date of Structured Fields' : 'Deprecation comes twice',
        expected: 'one date such as @1767225600',
        actual: shownText(lines.join(', ')),
        spec: documented?.headers.get('deprecation')?.pointer ?? operation?.pointer,
        hint: hintFor(value),
      },
    ];
  },
};

function hintFor(value: string): string | undefined {
  if (/^\s*(?:true|\?1)\s*$/i.test(value)) return 'Drafts before RFC 9745 said "true"; say since when.';
  const dateMs = parseHttpDate(value.trim());
  return dateMs === undefined ? undefined : `Drafts before RFC 9745 had HTTP-dates; this one is @${dateMs / 1000}.`;
}
