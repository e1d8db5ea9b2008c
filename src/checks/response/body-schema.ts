import { matchMediaType } from '../../http/media-type';
import type { JsonValue } from '../../json/json-value';
import { jsonContent } from '../../openapi/error-schema';
import type { MediaTypeEntry } from '../../openapi/model';
import { readScalar } from '../../openapi/scalar-value';
import { bodyKind } from '../../http/body-kind';
import { decodeBodyText, octetText } from '../request/body-text';
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
    if (body.kind === 'empty' || status >= 400) return undefined;
    // One cause, one finding: `error-status` speaks.
    if (isErrorInSuccess(observed)) return undefined;
    const named = namedEntry(observed);
    const schema = (named ?? jsonContent(observed.documented))?.schema;
    const value = schema === undefined ? undefined : valueOfBody(observed, named);
    return schema === undefined || value === undefined
      ? undefined
      : schemaFindings('body-schema', observed.api, schema, value);
  },
};

/** What documents the body: by Content-Type; a body under a wrong one is judged as the JSON that it is. */
export function documentedEntry(observed: ObservedResponse): MediaTypeEntry | undefined {
  return namedEntry(observed) ?? jsonContent(observed.documented);
}

function namedEntry(observed: ObservedResponse): MediaTypeEntry | undefined {
  const { documented } = observed;
  const key = matchMediaType(contentTypeOf(observed) ?? '', documented?.mediaTypes ?? []);
  return documented?.content.find(({ mediaType }) => mediaType === key);
}

/**
 * What the schema judges. Where text or octets are documented as a scalar, that is the text itself, however much it
 * looks like JSON; where they are documented as an object or a list, it is the JSON that they hold.
 *
 * @returns `undefined` for a body that no schema can judge
 */
function valueOfBody(observed: ObservedResponse, named: MediaTypeEntry | undefined): JsonValue | undefined {
  const { body } = observed;
  const type = contentTypeOf(observed) ?? '';
  const kind = bodyKind(type);
  const isPlain = named?.shape.kind === 'scalar' && (kind === 'text' || kind === 'binary');
  if (!isPlain) return body.kind === 'json' ? body.value : undefined;
  const { scalars } = named.shape;
  if (kind === 'binary') return scalars.includes('string') ? octetText(bytesOf(observed)) : undefined;
  const text = decodeBodyText(bytesOf(observed), type);
  return text === undefined ? undefined : readScalar(text, scalars);
}

function bytesOf({ rawBody = '' }: ObservedResponse): Uint8Array {
  return typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
}
