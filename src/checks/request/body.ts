import { decodeUtf8 } from '../../json/decode-utf8';
import { joinPointer } from '../../json/json-pointer';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import type { JsonValue } from '../../json/json-value';
import { JsonPositions } from '../../json/locate-json';
import { parseJson } from '../../json/parse-json';
import type { Violation } from '../../json-schema/violation';
import type { MediaTypeEntry } from '../../openapi/model';
import { problem, type Problem } from '../problem';

export type BodyCheck =
  { readonly kind: 'valid'; readonly value: JsonValue } | { readonly kind: 'refused'; readonly problem: Problem };

/** Nesting beyond this is refused: nobody means it, and it costs the stack (RFC 8259 §9). */
export const MAX_BODY_DEPTH = 64;

/** Parses a JSON body exactly and judges it by its schema; of several faults, the first one in the text speaks. */
export function checkJsonBody(entry: MediaTypeEntry, body: Uint8Array): BodyCheck {
  let text: string;
  let value: JsonValue;
  try {
    text = decodeUtf8(body);
    value = parseJson(text, { maxDepth: MAX_BODY_DEPTH });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'refused', problem: problem('invalid_json', `The body is not valid JSON: ${error.message}`) };
  }
  const violations = entry.schema?.validate('request')(value) ?? [];
  const first = firstInText(text, violations);
  return first === undefined ? { kind: 'valid', value } : { kind: 'refused', problem: fromViolation(first) };
}

/** @param text - the body, to order the violations by where they stand in it */
function firstInText(text: string, violations: readonly Violation[]): Violation | undefined {
  if (violations.length <= 1) return violations[0];
  const positions = new JsonPositions(text);
  return violations.reduce((first, other) => (positions.compare(other.pointer, first.pointer) < 0 ? other : first));
}

function fromViolation({ keyword, pointer, member, message }: Violation): Problem {
  const place = pointer === '' ? 'The body' : `The field ${pointer}`;
  if (keyword === 'required' && member !== undefined) {
    const missing = joinPointer(pointer, member);
    return problem('missing_field', `The field ${missing} is missing: ${place.toLowerCase()} ${message}`, {
      pointer: missing,
    });
  }
  return problem('invalid_field', `${place} ${message}`, { pointer });
}
