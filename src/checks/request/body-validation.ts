import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import type { MediaTypeEntry, Schema } from '../../openapi/model/operation';
import type { Violation } from '../../schema/validator';
import {
  fieldProblem,
  problem,
  type Problem,
  type ProblemDetail,
  type Refused,
  refused,
} from '../../core/http/problem';
import type { Warnings } from './warnings';
import { BOOLEAN_WORD, readLeniently, violationsOf } from './lenient-values';
import type { ViolationFilter } from './missing-properties';

export type BodyCheck =
  | {
      readonly kind: 'valid';
      readonly value: JsonValue;
      /** The first file among its parts. */
      readonly file?: UploadedFile | undefined;
    }
  | Refused;

/** A file that was sent, as a part (RFC 7578 §4.2) or as the whole body. */
export interface UploadedFile {
  /** The property of the body that it is; empty for the whole. */
  readonly property: string;
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Nesting beyond this is rejected: nobody means it, and it costs the stack (RFC 8259 §9). */
export const MAX_BODY_DEPTH = 64;

/** How a body is read beside its schema. */
export interface BodyOptions {
  /** Gets what is read leniently. */
  readonly warnings: Warnings;
  /** Leaves out violations that only miss what may be missing. */
  readonly filterViolations: ViolationFilter;
  readonly limits: BodyLimits;
}

/** What reading takes time by, beside the length of the whole. */
interface BodyLimits {
  /** Names that the fields of a form may have. */
  readonly names: number;
  /** Bytes of the parts that are no files, together. */
  readonly textBytes: number;
}

/** A body that has more than a bound allows. @param what - begins the message */
export function rejectTooLarge(what: string): BodyCheck {
  return refused(problem('body_too_large', `${what}; --max-body raises the limit of the mock`));
}

/** A body that is not what its Content-Type says. */
export function rejectUnreadable(message: string): BodyCheck {
  return refused(problem('invalid_body', message));
}

/** Checks a value by its schema; the first violation speaks. */
export function validateBody(schema: Schema | undefined, value: JsonValue): BodyCheck {
  return bodyCheckOf(value, violationsOf(schema, value));
}

function bodyCheckOf(value: JsonValue, violations: readonly Violation[]): BodyCheck {
  const [first] = violations;
  return first === undefined ? { kind: 'valid', value } : refused(problemOf(first, violations));
}

/** {@link validateBody} for a form, whose text may have other words for booleans. */
export function validateForm(
  { schema, shape }: MediaTypeEntry,
  value: JsonValue,
  { warnings, filterViolations }: BodyOptions,
): BodyCheck {
  const violations = filterViolations(violationsOf(schema, value));
  const invalid = { value, violations, schema, shape, title: 'A field of the body' };
  const read = violations.length === 0 ? value : readLeniently([BOOLEAN_WORD], invalid, warnings);
  return read === undefined ? bodyCheckOf(value, violations) : { kind: 'valid', value: read };
}

/** Nobody reads more faults of one body than this. */
const MAX_DETAILS = 50;

/** @param all - every fault of the body, that one first; for error bodies that have room for a list */
export function problemOf(first: Violation, all: readonly Violation[] = []): Problem {
  const single = problemOfOne(first);
  const shown = all.length === 0 ? [first] : all.slice(0, MAX_DETAILS);
  const more = first.isOneOfMany !== true || all.length < 2 ? '' : ` (and at least ${all.length - 1} more faults)`;
  return { ...single, message: `${single.message}${more}`, details: shown.map(detailOf) };
}

function detailOf({ keyword, pointer, property, message }: Violation): ProblemDetail {
  const place = property === undefined ? pointer : joinPointer(pointer, property);
  return { in: 'body', pointer: place, code: keyword, message: propertyMessage(keyword, property) ?? message };
}

/** What is said of a property itself; the violation speaks of the object that lacks it, or should not have it. */
function propertyMessage(keyword: string, property: string | undefined): string | undefined {
  if (property === undefined) return undefined;
  if (keyword === 'required') return 'is missing';
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties' ? 'is not allowed' : undefined;
}

function problemOfOne({ keyword, pointer, property, message }: Violation): Problem {
  const place = pointer === '' ? 'The body' : `The field ${pointer}`;
  if (keyword !== 'required' || property === undefined)
    return problem('invalid_field', `${place} ${message}`, { pointer });
  const what = `is missing: ${place.toLowerCase()} ${message}`;
  return fieldProblem('missing_field', joinPointer(pointer, property), what);
}
