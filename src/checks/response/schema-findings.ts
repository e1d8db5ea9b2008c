import { getAtPointer, joinPointer, parsePointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import type { ApiModel, Schema } from '../../openapi/model';
import { resolveObject, type LocatedObject } from '../../openapi/references';
import type { Finding } from '../finding';
import { remainderMessage } from '../remainder';
import { shownValue } from './shown';

/** So many disagreements are listed; the rest are counted. */
const MOST_FINDINGS = 10;

/**
 * Judges a body by its schema.
 *
 * @throws SpecError when the schema does not compile: being unable to judge is never "valid"
 */
export function schemaFindings(check: string, api: ApiModel, schema: Schema, body: JsonValue): Finding[] {
  const violations = schema.validate('response')(body);
  const findings = violations.slice(0, MOST_FINDINGS).map(({ pointer, keyword, member, message }): Finding => {
    const isMissing = keyword === 'required' && member !== undefined;
    const place = isMissing ? joinPointer(pointer, member) : pointer;
    return {
      check,
      severity: 'error',
      at: `/response/body${place}`,
      message: `${pointer === '' ? 'The body' : `The field ${pointer}`} ${message}`,
      expected: message.replace(/^must (?:be )?/, ''),
      actual: shownValue(getAtPointer(body, place)),
      spec: pointerOfSchema(api, schema, place),
    };
  });
  const more = violations.length - findings.length;
  const [last] = findings.slice(-1);
  if (more <= 0 || last === undefined) return findings;
  const message = remainderMessage(more, violations.at(-1)?.isOneOfMany);
  return [...findings, { ...last, message, expected: undefined, actual: undefined }];
}

/** Where the description speaks of a part of the body; the nearest place above it when that cannot be told. */
function pointerOfSchema(api: ApiModel, schema: Schema, place: string): string {
  let at: LocatedObject = schema;
  for (const segment of parsePointer(place)) {
    const next = memberSchema(api, at, segment);
    if (next === undefined) break;
    at = next;
  }
  return at.pointer;
}

function memberSchema(api: ApiModel, { value, pointer }: LocatedObject, segment: string): LocatedObject | undefined {
  const items = value['items'];
  if (items !== undefined) return resolveObject(api.document, { value: items, pointer: joinPointer(pointer, 'items') });
  const owner = api.schemaAt(pointer);
  const property = owner === undefined ? undefined : api.propertiesOf(owner).get(segment);
  return property === undefined ? undefined : { value: property.schema, pointer: property.pointer };
}
