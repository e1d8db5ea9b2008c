import { similarName } from '../errors/similar-name';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Capture, StepBody, StepRequest } from './contract';
import { MemberReader, type FormatJudge, type PlacedValue } from './member-reader';
import { countGroups, patternFault } from './pattern-text';
import { EXPRESSION_HEADS, parseRuntimeExpression, type RuntimeExpression } from './runtime-expression';

/** What a step sends, as far as a capture may name it; the request is `undefined` when it could not be read. */
export interface SentParts {
  readonly request: StepRequest | undefined;
  readonly body: StepBody | undefined;
}

const CAPTURE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Reads one entry of `capture`: an expression, or `{ from: expression, pattern: … }`. */
export function readCapture(
  { name, value, pointer }: PlacedValue & { readonly name: string },
  sent: SentParts,
  judge: FormatJudge,
): Capture[] {
  if (!CAPTURE_NAME.test(name)) {
    judge.refuse(pointer, `"${name}" cannot be the name of a capture`, 'a letter, then letters, digits and _');
    return [];
  }
  const isLong = isJsonObject(value);
  const pattern = isLong ? readPattern({ value, pointer }, judge) : undefined;
  if (isLong && pattern === undefined) return [];
  const text = isLong ? (value['from'] ?? null) : value;
  const at = isLong ? joinPointer(pointer, 'from') : pointer;
  const expression = typeof text === 'string' ? parseRuntimeExpression(text) : undefined;
  if (expression === undefined || typeof text !== 'string') {
    refuseExpression(name, text, at, judge);
    return [];
  }
  const fault = faultOf(expression, sent);
  if (fault === undefined) return [{ name, text, expression, pattern, pointer }];
  judge.refuse(at, `"${name}" captures what the step does not send`, fault.expected, fault.hint);
  return [];
}

/** @returns `undefined` when the object is not as it should be, which is noted */
function readPattern(placed: PlacedValue, judge: FormatJudge): string | undefined {
  const members = MemberReader.open(placed, 'capture', ['from', 'pattern'], judge);
  if (members === undefined) return undefined;
  const pattern = members.value('pattern');
  const expected = 'a regular expression of ECMAScript with one group, such as ([0-9]+)$';
  if (typeof pattern !== 'string' || !members.has('from')) {
    if (typeof pattern !== 'string') members.refuse('pattern', expected);
    if (!members.has('from')) members.refuse('from', 'an expression such as $response.header.Location');
    return undefined;
  }
  const fault = patternFault(pattern);
  const at = members.at('pattern');
  if (fault !== undefined) judge.refuse(at, `The regular expression does not compile: ${fault}`, expected);
  else if (pattern.includes('${')) judge.refuse(at, 'No placeholder can stand here', expected);
  else if (countGroups(pattern) !== 1) {
    const hint = 'Write (?: … ) for a group that captures nothing.';
    judge.refuse(at, `The regular expression has ${countGroups(pattern)} groups`, expected, hint);
  } else return pattern;
  return undefined;
}

function refuseExpression(name: string, value: JsonValue, pointer: string, judge: FormatJudge): void {
  const [head = ''] = typeof value === 'string' ? (/^\$?\w*(?:\.\w*)?/.exec(value) ?? []) : [];
  const near = EXPRESSION_HEADS.some((known) => known === head) ? undefined : similarName(head, EXPRESSION_HEADS);
  const hint = near === undefined ? undefined : `Did you mean "${near}"?`;
  judge.refuse(pointer, `"${name}" captures nothing`, '$response.body#/member or $response.header.Name', hint);
}

/** Why a part of the request cannot be captured: the step never sends it. */
function faultOf(
  expression: RuntimeExpression,
  { request, body }: SentParts,
): { readonly expected: string; readonly hint?: string } | undefined {
  if (expression.kind === 'request-body' && body?.kind !== 'json') return { expected: 'a step with a body' };
  const isPath = expression.kind === 'request-path';
  if ((!isPath && expression.kind !== 'request-query') || request === undefined) return undefined;
  if (request.kind === 'raw') {
    return isPath ? { expected: 'a step with an operation: only that has path parameters' } : undefined;
  }
  const names = request.parameters
    .filter((parameter) => parameter.in === (isPath ? 'path' : 'query'))
    .map((parameter) => parameter.name);
  if (names.includes(expression.name)) return undefined;
  const near = similarName(expression.name, names);
  const expected = names.length === 0 ? 'parameters with it' : `one of ${names.join(', ')}`;
  return near === undefined ? { expected } : { expected, hint: `Did you mean "${near}"?` };
}
