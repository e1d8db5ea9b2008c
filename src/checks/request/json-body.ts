import { decodeUtf8, parseJson } from '../../core/json/parse-json';
import { inDocumentOrder } from '../../core/json/document-order';
import { joinPointer } from '../../core/json/json-pointer';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { parseMediaType } from '../../core/http/media-type';
import type { Violation } from '../../schema/validator';
import type { MediaTypeEntry } from '../../openapi/model/operation';
import { problem, refused } from '../../core/http/problem';
import type { Warnings } from './warnings';
import {
  BARE_LIST,
  FITS_SEVERAL,
  type InvalidValue,
  KEY_FOR_OBJECT,
  LOCAL_TIMES,
  readLeniently,
  type ValueReading,
  violationsOf,
} from './lenient-values';
import { mayBeUnset, UNSET_VALUES, violationsBesideUnset } from './unset-values';
import { validateBody, MAX_BODY_DEPTH, problemOf, type BodyCheck, type BodyOptions } from './body-validation';

/**
 * Parses a JSON body exactly and checks it by its schema; of several faults, the first one in the text speaks.
 *
 * @param contentType - as it was sent
 */
export function checkJsonBody(
  entry: MediaTypeEntry,
  contentType: string,
  body: Uint8Array,
  { warnings, filterViolations }: Pick<BodyOptions, 'warnings' | 'filterViolations'>,
): BodyCheck {
  let text: string;
  let value: JsonValue;
  try {
    text = decodeUtf8(body);
    value = parseJson(text, { maxDepth: MAX_BODY_DEPTH });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refused(problem('invalid_json', `The body is not valid JSON: ${error.message}`));
  }
  const { schema, shape } = entry;
  const violations = filterViolations(violationsOf(schema, value));
  if (violations.length === 0) return { kind: 'valid', value };
  const invalid = { schema, shape, value, violations, title: 'The body' };
  const timed = readLeniently([LOCAL_TIMES], invalid, warnings);
  const rest = timed === undefined ? invalid : { ...invalid, value: timed, violations: violationsOf(schema, timed) };
  return checkInvalidBody(rest, contentType, text, warnings);
}

/** What becomes of a body that breaks its schema. */
function checkInvalidBody(invalid: InvalidValue, contentType: string, text: string, warnings: Warnings): BodyCheck {
  const { essence = '' } = parseMediaType(contentType) ?? {};
  const read = readLeniently(jsonReadings(essence, invalid.value), invalid, warnings);
  if (read !== undefined) return { kind: 'valid', value: read };
  // What would be taken as left out is not what is wrong with it.
  const meant = warnings.isLenient && mayBeUnset(invalid) ? violationsBesideUnset(invalid) : invalid.violations;
  return rejectFirst(text, invalid.value, meant);
}

/** How a JSON body is read that breaks its schema, by its media type; the first reading that helps counts. */
function jsonReadings(essence: string, value: JsonValue): readonly ValueReading[] {
  if (essence === 'application/json-patch+json' && Array.isArray(value)) return JSON_PATCH_READINGS;
  return essence.endsWith('merge-patch+json') ? MERGE_PATCH_READINGS : JSON_READINGS;
}

const JSON_READINGS: readonly ValueReading[] = [BARE_LIST, KEY_FOR_OBJECT, FITS_SEVERAL, UNSET_VALUES];

const JSON_PATCH_READINGS: readonly ValueReading[] = [
  {
    code: 'json_patch_schema',
    read: ({ value, violations: [first] }) => (first?.pointer === '' ? { value, named: '' } : undefined),
  },
];

const MERGE_PATCH_READINGS: readonly ValueReading[] = [
  ...JSON_READINGS.slice(0, -1),
  {
    ...UNSET_VALUES,
    // In a merge patch null takes a property away (RFC 7396 §1), whatever the schema of the result says.
    read: (invalid) =>
      UNSET_VALUES.read(invalid) === undefined ? undefined : { value: invalid.value, named: undefined },
  },
];

/** Of several faults the first one in the text speaks. */
function rejectFirst(text: string, value: JsonValue, meant: readonly Violation[]): BodyCheck {
  const ordered = meant.length <= 1 ? meant : inDocumentOrder(text, meant, ({ pointer }) => pointer);
  const [first] = ordered;
  return first === undefined ? { kind: 'valid', value } : refused(problemOf(first, ordered));
}

/**
 * Parses a sequence of JSON texts, a line or a record separator each, and checks every item by `itemSchema`, the list
 * of all by `schema` (OAS 3.2.0 §4.14.2; RFC 7464). The value is that list. Before 3.2 a schema that is no list is that of
 * an item.
 */
export function checkJsonSequence(entry: MediaTypeEntry, body: Uint8Array): BodyCheck {
  const isOfItem = entry.itemSchema === undefined && entry.shape.kind === 'object';
  const [ofItem, ofAll] = isOfItem ? [entry.schema, undefined] : [entry.itemSchema, entry.schema];
  const values: JsonValue[] = [];
  let number = 0;
  try {
    for (const text of decodeUtf8(body).split(/[\n\u001e]/)) {
      number += 1;
      if (text.trim() === '') continue;
      const value = parseJson(text, { maxDepth: MAX_BODY_DEPTH });
      const [violation] = ofItem?.validate('request')(value) ?? [];
      if (violation !== undefined) {
        const pointer = `${joinPointer('', values.length)}${violation.pointer}`;
        return refused(problemOf({ ...violation, pointer }));
      }
      values.push(value);
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refused(problem('invalid_json', `Text ${number} of the body is not valid JSON: ${error.message}`));
  }
  return validateBody(ofAll, values);
}
