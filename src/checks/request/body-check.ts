import { joinPointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import type { MediaTypeEntry, Schema } from '../../openapi/model';
import type { Violation } from '../../json-schema/violation';
import { problem, type Problem, type ProblemDetail } from '../problem';
import type { Warnings } from '../warnings';
import { readBooleans } from './lenient-values';
import { NOTHING_MISSING, type MissingMembers } from './may-be-missing';

export type BodyCheck =
  | {
      readonly kind: 'valid';
      readonly value: JsonValue;
      /** The first file among its parts. */
      readonly file?: SentFile | undefined;
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** A file that was sent, as a part (RFC 7578 §4.2) or as the whole body. */
export interface SentFile {
  /** The member of the body that it is; empty for the whole. */
  readonly member: string;
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Nesting beyond this is refused: nobody means it, and it costs the stack (RFC 8259 §9). */
export const MAX_BODY_DEPTH = 64;

export function refuseBody(refusal: Problem): BodyCheck {
  return { kind: 'refused', problem: refusal };
}

/** How a body is read beside its schema. */
export interface BodyReading {
  /** Gets what is read leniently. */
  readonly warnings: Warnings;
  /** Leaves out violations that only miss what may be missing. */
  readonly asked: MissingMembers;
  readonly bounds: BodyBounds;
}

/** What reading takes time by, beside the length of the whole. */
export interface BodyBounds {
  /** Names that the fields of a form may have. */
  readonly names: number;
  /** Bytes of the parts that are no files, together. */
  readonly textBytes: number;
}

/** A body that has more than a bound allows. @param what - begins the message */
export function refuseTooMuch(what: string): BodyCheck {
  return refuseBody(problem('body_too_large', `${what}; --max-body raises the limit of the mock`));
}

/** A body that is not what its Content-Type says. */
export function unreadableBody(message: string): BodyCheck {
  return refuseBody(problem('invalid_body', message));
}

/** Judges a value by its schema; the first violation speaks. */
export function judgeBody(schema: Schema | undefined, value: JsonValue, asked = NOTHING_MISSING): BodyCheck {
  const violations = asked(schema?.validate('request')(value) ?? []);
  const [first] = violations;
  return first === undefined ? { kind: 'valid', value } : refuseBody(problemOf(first, violations));
}

/** {@link judgeBody} for a form, whose text may have other words for booleans. */
export function judgeForm(
  { schema, shape }: MediaTypeEntry,
  value: JsonValue,
  { warnings, asked }: BodyReading,
): BodyCheck {
  const check = judgeBody(schema, value, asked);
  if (check.kind === 'valid') return check;
  const read = readBooleans(value, shape, schema, 'A field of the body', warnings);
  return read === undefined ? check : { kind: 'valid', value: read };
}

/** Nobody reads more faults of one body than this. */
const MAX_DETAILS = 50;

/** @param all - every fault of the body, that one first; for error bodies that have room for a list */
export function problemOf(first: Violation, all: readonly Violation[] = []): Problem {
  const single = problemOfOne(first);
  const told = all.length === 0 ? [first] : all.slice(0, MAX_DETAILS);
  const more = first.isOneOfMany !== true || all.length < 2 ? '' : ` (and at least ${all.length - 1} more faults)`;
  return { ...single, message: `${single.message}${more}`, details: told.map(detailOf) };
}

function detailOf({ keyword, pointer, member, message }: Violation): ProblemDetail {
  const place = member === undefined ? pointer : joinPointer(pointer, member);
  return { in: 'body', pointer: place, code: keyword, message: memberMessage(keyword, member) ?? message };
}

/** What is said of a member itself; the violation speaks of the object that lacks it, or should not have it. */
function memberMessage(keyword: string, member: string | undefined): string | undefined {
  if (member === undefined) return undefined;
  if (keyword === 'required') return 'is missing';
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties' ? 'is not allowed' : undefined;
}

function problemOfOne({ keyword, pointer, member, message }: Violation): Problem {
  const place = pointer === '' ? 'The body' : `The field ${pointer}`;
  if (keyword === 'required' && member !== undefined) {
    const missing = joinPointer(pointer, member);
    return problem('missing_field', `The field ${missing} is missing: ${place.toLowerCase()} ${message}`, {
      pointer: missing,
    });
  }
  return problem('invalid_field', `${place} ${message}`, { pointer });
}
