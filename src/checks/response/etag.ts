import { isEntityTag } from '../../http/entity-tag';
import { headerValues } from '../../http/headers';
import type { ResponseCheck } from './response-check';
import { shownText } from './shown';

/** ETag is one entity tag, in its quotes. */
export const etag: ResponseCheck = {
  id: 'etag',
  source: 'RFC 9110 §8.8.3',
  run({ headers, documented }) {
    const lines = headerValues(headers, 'etag');
    const [value, another] = lines;
    if (value === undefined) return undefined;
    if (another === undefined && isEntityTag(value.trim())) return [];
    const isBare = another === undefined && isEntityTag(`"${value.trim()}"`);
    return [
      {
        check: 'etag',
        severity: 'error',
        at: '/response/headers/etag',
        message: another === undefined ? 'ETag is no entity tag' : 'ETag comes twice',
        expected: 'one entity tag such as "4f2a9c" or W/"4f2a9c"',
        actual: shownText(lines.join(', ')),
        spec: documented?.headers.get('etag')?.pointer,
        hint: isBare ? 'The quotes are part of the tag.' : undefined,
      },
    ];
  },
};
