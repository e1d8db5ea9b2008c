import { headerValue } from '../../../core/http/headers';
import { parseHttpDate, parseStructuredDate } from '../../../core/http/http-date';
import type { ResponseCheck } from '../../response-check';

/** What is deprecated does not end before it is deprecated. */
export const sunsetOrder: ResponseCheck = {
  id: 'sunset-order',
  source: 'RFC 9745 §4',
  basis: 'http',
  run({ headers, documented, operation }) {
    const deprecation = headerValue(headers, 'deprecation') ?? '';
    const sunset = headerValue(headers, 'sunset') ?? '';
    const sinceMs = parseStructuredDate(deprecation);
    const endMs = parseHttpDate(sunset.trim());
    if (sinceMs === undefined || endMs === undefined) return undefined;
    if (endMs >= sinceMs) return [];
    return [
      {
        at: '/response/headers/sunset',
        message: 'Sunset is before Deprecation',
        expected: `not before ${deprecation.trim()}`,
        actual: `${sunset.trim()}, which is @${endMs / 1000}`,
        spec: documented?.headers.get('sunset')?.pointer ?? operation?.pointer,
      },
    ];
  },
};
