import { joinedHeader, type ResponseCheck } from '../../response-check';
import { isEntityTag, isLinkHeader, parseLinkHeader } from '../../../core/http/header-fields';
import { headerValue, headerValues } from '../../../core/http/headers';
import { isFixdate, parseHttpDate, parseRetryAfter, parseStructuredDate } from '../../../core/http/http-date';
import { previewText } from '../../../core/json/stringify-json';

/** What a check of one header needs to know, which is sent once or not at all. */
interface HeaderRule extends Pick<ResponseCheck, 'id' | 'source'> {
  /** As the RFC spells it. */
  readonly name: string;
  readonly severity?: 'error' | 'warning';
  /** Says what the header must be: `an HTTP-date`. */
  readonly what: string;
  /** With an example: `one date such as @1767225600`. */
  readonly expected: string;
  readonly isValid: (value: string) => boolean;
  /** What is probably meant by an invalid value. */
  readonly hint?: (value: string) => string | undefined;
}

/** A check that a header, where there is one, is sent once and is valid, whatever the description says of it. */
function headerCheck({ id, source, name, severity, what, expected, isValid, hint }: HeaderRule): ResponseCheck {
  const key = name.toLowerCase();
  return {
    id,
    area: 'http',
    source,
    basis: 'http',
    run({ headers, documented, operation }) {
      const lines = headerValues(headers, key);
      const [value, another] = lines;
      if (value === undefined) return undefined;
      if (another === undefined && isValid(value)) return [];
      return [
        {
          severity: severity ?? 'error',
          at: `/response/headers/${key}`,
          message: another === undefined ? `${name} must be ${what}` : `${name} must not be sent twice`,
          expected,
          actual: previewText(lines.join(', ')),
          spec: documented?.headers.get(key)?.pointer ?? operation?.pointer,
          hint: another === undefined ? hint?.(value) : undefined,
        },
      ];
    },
  };
}

/** ETag is one entity tag, in its quotes. */
export const etag = headerCheck({
  id: 'etag',
  source: 'RFC 9110 §8.8.3',
  name: 'ETag',
  what: 'an entity tag',
  expected: 'one entity tag such as "4f2a9c" or W/"4f2a9c"',
  isValid: (value) => isEntityTag(value.trim()),
  hint: (value) => (isEntityTag(`"${value.trim()}"`) ? 'The quotes are part of the tag.' : undefined),
});

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

/** What is deprecated does not end before it is deprecated. */
export const sunsetOrder: ResponseCheck = {
  id: 'sunset-order',
  area: 'http',
  source: 'RFC 9745 §4',
  basis: 'http',
  run({ headers, documented, operation }) {
    const since = (headerValue(headers, 'deprecation') ?? '').trim();
    const end = (headerValue(headers, 'sunset') ?? '').trim();
    const sinceMs = parseStructuredDate(since);
    const endMs = parseHttpDate(end);
    if (sinceMs === undefined || endMs === undefined) return undefined;
    if (endMs >= sinceMs) return [];
    return [
      {
        at: '/response/headers/sunset',
        message: 'Sunset is before Deprecation',
        expected: `not before ${since}`,
        actual: `${end}, which is @${endMs / 1000}`,
        spec: documented?.headers.get('sunset')?.pointer ?? operation?.pointer,
      },
    ];
  },
};

/** Link keeps to its grammar, and each link says what it is. */
export const link: ResponseCheck = {
  id: 'link',
  area: 'http',
  source: 'RFC 8288 §3, §3.3',
  basis: 'http',
  run(observed) {
    const value = joinedHeader(observed, 'link');
    if (value === undefined) return undefined;
    const isLink = isLinkHeader(value);
    const nameless = isLink && parseLinkHeader(value).find(({ parameters }) => (parameters['rel'] ?? '').trim() === '');
    if (isLink && (nameless === undefined || nameless === false)) return [];
    return [
      {
        at: '/response/headers/link',
        message: isLink ? 'A link has no relation' : 'Link breaks its grammar',
        expected: 'links such as </books?page=2>; rel="next"',
        actual: previewText(typeof nameless === 'object' ? `<${nameless.target}> without rel` : value),
        spec: observed.documented?.headers.get('link')?.pointer,
      },
    ];
  },
};
