import { decodeUtf8 } from '../../json/decode-utf8';
import { joinPointer } from '../../json/json-pointer';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import type { JsonValue } from '../../json/json-value';
import { JsonPositions } from '../../json/locate-json';
import { parseJson } from '../../json/parse-json';
import type { Violation } from '../../json-schema/violation';
import type { MediaTypeEntry } from '../../openapi/model';
import { problem } from '../problem';
import { judgeBody, MAX_BODY_DEPTH, problemOf, refuseBody, type BodyCheck } from './body-check';

/** Parses a JSON body exactly and judges it by its schema; of several faults, the first one in the text speaks. */
export function checkJsonBody(entry: MediaTypeEntry, body: Uint8Array): BodyCheck {
  let text: string;
  let value: JsonValue;
  try {
    text = decodeUtf8(body);
    value = parseJson(text, { maxDepth: MAX_BODY_DEPTH });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refuseBody(problem('invalid_json', `The body is not valid JSON: ${error.message}`));
  }
  const violations = entry.schema?.validate('request')(value) ?? [];
  const ordered = inTextOrder(text, violations);
  const [first] = ordered;
  return first === undefined ? { kind: 'valid', value } : refuseBody(problemOf(first, ordered));
}

/** @param text - the body, to order the violations by where they stand in it */
function inTextOrder(text: string, violations: readonly Violation[]): readonly Violation[] {
  if (violations.length <= 1) return violations;
  const positions = new JsonPositions(text);
  return [...violations].sort((left, right) => positions.compare(left.pointer, right.pointer));
}

/**
 * Parses a sequence of JSON texts, a line or a record separator each, and judges every item by `itemSchema`, the list
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
        return refuseBody(problemOf({ ...violation, pointer }));
      }
      values.push(value);
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refuseBody(problem('invalid_json', `Text ${number} of the body is not valid JSON: ${error.message}`));
  }
  return judgeBody(entry.schema, values);
}
