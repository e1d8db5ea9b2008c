import { isJsonMediaType } from '../../../core/http/media-type';
import { contentTypeOf, type ResponseCheck } from '../../response-check';

/** A body that calls itself JSON is JSON: UTF-8, one value, no property twice. */
export const bodyJson: ResponseCheck = {
  id: 'body-json',
  source: 'RFC 8259 §2, §4, §8.1',
  basis: 'http',
  scope: 'service',
  run(observed) {
    const { body, status, documented } = observed;
    // Errors are for `error-contract`.
    if (body.kind === 'empty' || status >= 400) return undefined;
    if (!isJsonMediaType(contentTypeOf(observed) ?? '')) return undefined;
    if (body.kind === 'json') return [];
    return [
      {
        at: '/response/body',
        message: `The body is not valid JSON: ${body.reason}`,
        expected: 'JSON',
        spec: documented?.pointer,
      },
    ];
  },
};
