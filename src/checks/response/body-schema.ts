import { matchMediaType } from '../../http/media-type';
import { jsonContent } from '../../openapi/error-schema';
import type { MediaTypeEntry } from '../../openapi/model';
import { isErrorInSuccess } from './error-object';
import { contentTypeOf, type ObservedResponse, type ResponseCheck } from './response-check';
import { schemaFindings } from './schema-findings';

/** The body is valid against the schema of its status: every item of every list, every format. */
export const bodySchema: ResponseCheck = {
  id: 'body-schema',
  source: 'OAS 3.0.3 §4.7.14 Media Type Object, §4.7.24 Schema Object',
  run(observed) {
    const { body, status } = observed;
    // Errors are for `error-contract`.
    if (body.kind !== 'json' || status >= 400) return undefined;
    // One cause, one finding: `error-status` speaks.
    if (isErrorInSuccess(observed)) return undefined;
    const schema = documentedEntry(observed)?.schema;
    return schema === undefined ? undefined : schemaFindings('body-schema', observed.api, schema, body.value);
  },
};

/** What documents the body: by Content-Type; a body under a wrong one is judged as the JSON that it is. */
export function documentedEntry(observed: ObservedResponse): MediaTypeEntry | undefined {
  const { documented } = observed;
  const key = matchMediaType(contentTypeOf(observed) ?? '', documented?.mediaTypes ?? []);
  return documented?.content.find(({ mediaType }) => mediaType === key) ?? jsonContent(documented);
}
