import { contentTypeOf, isUnwantedError, type ObservedResponse, type ResponseCheck } from '../../response-check';
import { isJsonMediaType, isUtf8MediaType, matchMediaType } from '../../../core/http/media-type';
import { documentedErrors } from '../../../openapi/view/responses';

/** The Content-Type is one that the response documents, and JSON is UTF-8. */
export const contentType: ResponseCheck = {
  id: 'content-type',
  area: 'http',
  source: 'OAS 3.0.3 §4.7.17 Response Object; RFC 9110 §8.3; RFC 8259 §8.1',
  basis: 'description',
  scope: 'service',
  run(observed) {
    const { offered, spec } = documentedTypes(observed);
    if (observed.body.kind === 'empty' || offered.length === 0) return undefined;
    const sent = contentTypeOf(observed);
    const about = { at: '/response/headers/content-type', spec } as const;
    const expected = offered.join(' or ');
    if (sent === undefined) {
      return [{ ...about, message: 'The body has no Content-Type', expected, actual: 'no header' }];
    }
    if (matchMediaType(sent, offered) === undefined) {
      if (isUnwantedError(observed, offered)) return [];
      return [{ ...about, message: 'The Content-Type is not documented', expected, actual: sent }];
    }
    if (isJsonMediaType(sent) && !isUtf8MediaType(sent)) {
      return [{ ...about, message: 'JSON is always UTF-8; the charset says otherwise', expected, actual: sent }];
    }
    return [];
  },
};

/** An error that the operation does not document is written like the others are. */
function documentedTypes({ status, documented, operation, commonError }: ObservedResponse): {
  readonly offered: readonly string[];
  readonly spec: string | undefined;
} {
  if (documented !== undefined) return { offered: documented.mediaTypes, spec: documented.pointer };
  const promised = status < 400 ? [] : documentedErrors(operation, status, commonError);
  return { offered: [...new Set(promised.map(({ mediaType }) => mediaType))], spec: promised[0]?.pointer };
}
