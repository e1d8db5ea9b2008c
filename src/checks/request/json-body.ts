import { decodeUtf8, parseJson } from '../../core/json/parse-json';
import { inDocumentOrder } from '../../core/json/document-order';
import { joinPointer } from '../../core/json/json-pointer';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { parseMediaType } from '../../core/http/media-type';
import type { Violation } from '../../schema/validator';
import type { MediaTypeEntry, Schema } from '../../openapi/model/operation';
import { problem } from '../../core/http/problem';
import type { Warnings } from './warnings';
import {
  expandKeys,
  hasNull,
  isUnset,
  readLocalTimes,
  withoutUnset,
  type WithoutUnset,
  wrapBareList,
} from './lenient-values';
import {
  validateBody,
  MAX_BODY_DEPTH,
  problemOf,
  rejectBody,
  type BodyCheck,
  type BodyOptions,
} from './body-validation';

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
    return rejectBody(problem('invalid_json', `The body is not valid JSON: ${error.message}`));
  }
  const violations = filterViolations(violationsOf(entry, value));
  if (violations.length === 0) return { kind: 'valid', value };
  const timed = readLocalTimes(entry.schema, value, violations, 'The body', warnings);
  return checkInvalidBody(entry, contentType, text, timed ?? { value, violations }, warnings);
}

/** What becomes of a body that breaks its schema. */
function checkInvalidBody(
  entry: MediaTypeEntry,
  contentType: string,
  text: string,
  { value, violations }: { readonly value: JsonValue; readonly violations: readonly Violation[] },
  warnings: Warnings,
): BodyCheck {
  // Of a body of faults that nobody counted to the end no part is the one that is not set.
  const mayBeUnset = violations[0]?.isOneOfMany !== true && text.includes('null') && hasNull(value);
  const read = readLeniently(entry, contentType, value, violations, warnings, mayBeUnset);
  if (read !== undefined) return { kind: 'valid', value: read };
  // What would be taken as left out is not what is wrong with it.
  const meant = warnings.isLenient && mayBeUnset ? violationsBesideUnset(entry.schema, value, violations) : violations;
  return rejectFirst(text, value, meant);
}

function violationsOf({ schema }: MediaTypeEntry, value: JsonValue): readonly Violation[] {
  return schema?.validate('request')(value) ?? [];
}

/** Of several faults the first one in the text speaks. */
function rejectFirst(text: string, value: JsonValue, meant: readonly Violation[]): BodyCheck {
  const ordered = meant.length <= 1 ? meant : inDocumentOrder(text, meant, ({ pointer }) => pointer);
  const [first] = ordered;
  return first === undefined ? { kind: 'valid', value } : rejectBody(problemOf(first, ordered));
}

/**
 * What a body that breaks its schema is taken for all the same; `undefined` where it is rejected.
 *
 * @param mayBeUnset - may nulls in it be what is wrong?
 */
function readLeniently(
  { schema }: MediaTypeEntry,
  contentType: string,
  value: JsonValue,
  violations: readonly Violation[],
  warnings: Warnings,
  mayBeUnset: boolean,
): JsonValue | undefined {
  const { essence = '' } = parseMediaType(contentType) ?? {};
  if (essence === 'application/json-patch+json' && Array.isArray(value)) {
    const message = 'The body is a JSON Patch, as its Content-Type says; the description has another schema for it';
    return violations[0]?.pointer === '' && warnings.allows('json_patch_schema', message) ? value : undefined;
  }
  const named =
    wrapBareList(schema, value, warnings) ??
    readKeysAsObjects(schema, value, violations, warnings) ??
    readAmbiguousUnion(schema, value, violations, warnings);
  return named ?? (mayBeUnset ? readUnsetValues(schema, essence, value, violations, warnings) : undefined);
}

function readKeysAsObjects(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
  warnings: Warnings,
): JsonValue | undefined {
  const named = expandKeys(schema, value, violations);
  if (named === undefined) return undefined;
  const message = `The key of a thing was taken for the thing: ${named.pointers.join(', ')}`;
  return warnings.allows('key_for_object', message) ? named.value : undefined;
}

/** A body that fits several branches of a `oneOf`, which the description does not distinguish. */
function readAmbiguousUnion(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
  warnings: Warnings,
): JsonValue | undefined {
  const union = violations.find(({ keyword }) => keyword === 'oneOf');
  if (schema === undefined || union === undefined || schema.validateLoosely(value).length > 0) return undefined;
  const message = `The body fits several of the schemas of a "oneOf", and the description does not tell them apart: ${union.pointer || 'the whole of it'}`;
  return warnings.allows('fits_several', message) ? value : undefined;
}

function readUnsetValues(
  schema: Schema | undefined,
  essence: string,
  value: JsonValue,
  violations: readonly Violation[],
  warnings: Warnings,
): JsonValue | undefined {
  const without = withoutInvalidNulls(schema, value, violations);
  if (without === undefined) return undefined;
  // In a merge patch null takes a property away (RFC 7396 §1), whatever the schema of the result says.
  if (essence.endsWith('merge-patch+json')) return value;
  const fields = without.removed.slice(0, MAX_LISTED_POINTERS).join(', ');
  const message = `What is not set was taken as left out, because the description does not allow null or empty values there: ${fields}`;
  return warnings.allows('null_member', message) ? without.value : undefined;
}

/** Nobody reads more pointers in one message. */
const MAX_LISTED_POINTERS = 10;

/** Without the properties whose `null` breaks the schema, where that makes the body valid. */
function withoutInvalidNulls(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
): WithoutUnset | undefined {
  const broken = new Set(violations.map(({ pointer }) => pointer));
  const isBelow = (pointer: string): boolean =>
    broken.has('') || pointerAndAncestors(pointer).some((place) => broken.has(place));
  // A union is broken as a whole: then the nulls in it may be the cause.
  for (const isMeant of [(pointer: string): boolean => broken.has(pointer), isBelow]) {
    const without = withoutUnset(value, isMeant);
    if (without.removed.length > 0 && schema?.accepts(without.value, 'request') !== false) return without;
  }
  // A client that sends null where nothing is set sends other empty values as well.
  const isBroken = (pointer: string): boolean => broken.has(pointer);
  const without = withoutUnset(value, isBroken, isUnset);
  const isMended = without.removed.length > 0 && schema?.accepts(without.value, 'request') !== false;
  return isMended ? without : undefined;
}

/** What is wrong with a body beside the values in it that are not set. */
function violationsBesideUnset(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
): readonly Violation[] {
  const broken = new Set(violations.map(({ pointer }) => pointer));
  const { value: rest, removed } = withoutUnset(value, (pointer) => broken.has(pointer), isUnset);
  const others = removed.length === 0 ? [] : (schema?.validate('request')(rest) ?? []);
  // A property that must be there is missed only because it was taken out.
  const known = others.filter(({ pointer }) => broken.has(pointer));
  return known.length === 0 ? violations : known;
}

/** The pointer itself and those of all that it lies in. */
function pointerAndAncestors(pointer: string): string[] {
  const places: string[] = [];
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) places.push(pointer.slice(0, end));
  return places;
}

/**
 * Parses a sequence of JSON texts, a line or a record separator each, and checks every item by `itemSchema`, the list
 * of all by `schema` (OAS 3.2.0 §4.14.2; RFC 7464). The value is that list.
 */
export function checkJsonSequence(entry: MediaTypeEntry, body: Uint8Array): BodyCheck {
  const values: JsonValue[] = [];
  let number = 0;
  try {
    for (const text of decodeUtf8(body).split(/[\n\u001e]/)) {
      number += 1;
      if (text.trim() === '') continue;
      const value = parseJson(text, { maxDepth: MAX_BODY_DEPTH });
      const [violation] = entry.itemSchema?.validate('request')(value) ?? [];
      if (violation !== undefined) {
        const pointer = `${joinPointer('', values.length)}${violation.pointer}`;
        return rejectBody(problemOf({ ...violation, pointer }));
      }
      values.push(value);
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return rejectBody(problem('invalid_json', `Text ${number} of the body is not valid JSON: ${error.message}`));
  }
  return validateBody(entry.schema, values);
}
