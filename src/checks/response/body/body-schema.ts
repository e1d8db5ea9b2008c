import { type CheckFinding, type FindingIdentity, limitFindings } from '../../../core/errors/finding';
import { decodeBodyText, octetText } from '../../../core/http/body-text';
import { bodyKind, matchMediaType } from '../../../core/http/media-type';
import { getAtPointer, joinPointer } from '../../../core/json/json-pointer';
import type { JsonValue } from '../../../core/json/json-value';
import { previewValue } from '../../../core/json/stringify-json';
import { counted } from '../../../core/text/printable';
import type { ApiModel } from '../../../openapi/model/api-model';
import type { MediaTypeEntry, Schema } from '../../../openapi/model/operation';
import { readScalar } from '../../../openapi/parameters/text-shape';
import { jsonContent } from '../../../openapi/view/responses';
import { pointerOfSchema } from '../../../openapi/view/schema-place';
import { canValidateOctets } from '../../request/body';
import { contentTypeOf, type ObservedResponse, type ResponseCheck } from '../../response-check';

/** The body is valid against the schema of its status: every item of every list, every format. */
export const bodySchema: ResponseCheck = {
  id: 'body-schema',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.14 Media Type Object, §4.7.24 Schema Object',
  basis: 'description',
  supersededBy: { checks: ['error-status'], at: '/response/body' },
  run(observed) {
    const { body, status } = observed;
    // Errors are for `error-contract`.
    if (body.kind === 'empty' || status >= 400) return undefined;
    const named = namedEntry(observed);
    const schema = (named ?? jsonContent(observed.documented))?.schema;
    const value = schema === undefined ? undefined : valueOfBody(observed, named);
    return schema === undefined || value === undefined ? undefined : schemaFindings(observed.api, schema, value);
  },
};

/** What documents the body: by Content-Type; a body under a wrong one is checked as the JSON that it is. */
export function documentedEntry(observed: ObservedResponse): MediaTypeEntry | undefined {
  return namedEntry(observed) ?? jsonContent(observed.documented);
}

function namedEntry(observed: ObservedResponse): MediaTypeEntry | undefined {
  const { documented } = observed;
  const key = matchMediaType(contentTypeOf(observed) ?? '', documented?.mediaTypes ?? []);
  return documented?.content.find(({ mediaType }) => mediaType === key);
}

/**
 * What the schema checks. Where text or bytes are documented as a scalar, that is the text itself, however much it
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
  if (kind === 'binary') return canValidateOctets(named) ? octetText(bytesOf(observed)) : undefined;
  const text = decodeBodyText(bytesOf(observed), type);
  return text === undefined ? undefined : readScalar(text, scalars);
}

function bytesOf({ rawBody = '' }: ObservedResponse): Uint8Array {
  return typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
}

/** So many violations are listed; the rest are counted. */
const MAX_LISTED = 10;

/**
 * Validates a body.
 *
 * @throws SpecError when the schema does not compile: being unable to check is never "valid"
 */
export function schemaFindings(api: ApiModel, schema: Schema, body: JsonValue): CheckFinding[] {
  const violations = schema.validate('response')(body);
  return limitFindings(
    violations,
    MAX_LISTED,
    ({ pointer, keyword, property, message }): CheckFinding => {
      const isMissing = keyword === 'required' && property !== undefined;
      const location = isMissing ? joinPointer(pointer, property) : pointer;
      const subject = pointer === '' ? 'The body' : `The field ${pointer}`;
      return {
        at: `/response/body${location}`,
        message: `${subject} ${message}`,
        expected: expectedBy(message),
        actual: previewValue(getAtPointer(body, location)),
        spec: pointerOfSchema(api, schema, location),
        identity: { subject, ...frozenRule(message) },
      };
    },
    violations.at(-1)?.isOneOfMany,
  );
}

/** As the first releases said it, who called properties members. */
function frozenRule(message: string): FindingIdentity {
  const rule = message
    .replace(/\bproperty "/, 'member "')
    .replace(/ (\d+) propert(?:y|ies)$/, (_, count: string) => ` ${counted(Number(count), 'member')}`);
  const expected = rule.replace(/^must (?:be )?/, '');
  return expected === expectedBy(message) ? { rule } : { rule, expected };
}

/** What was expected, by the words of a violation: `must have the property "id"` expects `the property "id"`. */
function expectedBy(message: string): string {
  return message.replace(/^must (?:be |have )?/, '');
}
