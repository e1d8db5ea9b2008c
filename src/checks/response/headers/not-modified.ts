import { joinedHeader, type ObservedResponse, type ResponseCheck } from '../../response-check';
import { matchesWeak } from '../../../core/http/header-fields';
import { headerValue } from '../../../core/http/headers';
import { previewText } from '../../../core/json/stringify-json';
import { findResponse } from '../../../openapi/view/responses';

/**
 * A 304 has the entity tag that the 200 would have had, and it is one of those that the client has. That a 304 has no
 * body is for `no-body`.
 */
export const notModified: ResponseCheck = {
  id: 'not-modified',
  area: 'http',
  source: 'RFC 9110 §15.4.5, §13.1.2',
  basis: 'http',
  run(observed) {
    const { status, headers, documented, operation } = observed;
    if (status !== 304) return undefined;
    const known = joinedHeader({ headers: observed.requestHeaders ?? [] }, 'if-none-match');
    const tag = headerValue(headers, 'etag');
    const about = {
      severity: 'warning',
      at: '/response/headers/etag',
      spec: documented?.headers.get('etag')?.pointer ?? operation?.pointer,
    } as const;
    if (tag === undefined) {
      // Without a tag anywhere it may be the date that says what is new.
      if (known === undefined && !hasDocumentedTag(observed)) return undefined;
      const message = 'The 304 has no ETag';
      return [{ ...about, message, expected: 'the tag that the 200 would have', actual: 'no header' }];
    }
    if (known === undefined || matchesWeak(known, tag)) return [];
    const message = 'The 304 has a tag that the client did not name';
    return [{ ...about, message, expected: previewText(known), actual: previewText(tag) }];
  },
};

function hasDocumentedTag({ documented, operation }: ObservedResponse): boolean {
  const whole = operation === undefined ? undefined : findResponse(operation, 200);
  return documented?.headers.has('etag') === true || whole?.headers.has('etag') === true;
}
