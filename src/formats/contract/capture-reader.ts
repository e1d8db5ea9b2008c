import { similarName } from '../../core/text/similar-name';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import type { Capture, StepBody, StepRequest } from './contract';
import { PropertyReader, type FormatDiagnostics, type LocatedValue } from '../property-reader';
import { countGroups, patternFault } from './placeholders';
import { EXPRESSION_HEADS, parseRuntimeExpression, type RuntimeExpression } from './runtime-expression';

/** What a step sends, as far as a capture may name it; the request is `undefined` when it could not be read. */
export interface CapturedRequestParts {
  readonly request: StepRequest | undefined;
  readonly body: StepBody | undefined;
}

const CAPTURE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Reads one entry of `capture`: an expression, or `{ from: expression, pattern: … }`. */
export function readCapture(
  { name, value, pointer }: LocatedValue & { readonly name: string },
  sent: CapturedRequestParts,
  validate: FormatDiagnostics,
): Capture[] {
  if (!CAPTURE_NAME.test(name)) {
    validate.add(pointer, `"${name}" cannot be the name of a capture`, 'a letter, then letters, digits and _');
    return [];
  }
  const isLong = isJsonObject(value);
  const pattern = isLong ? readPattern({ value, pointer }, validate) : undefined;
  if (isLong && pattern === undefined) return [];
  const text = isLong ? (value['from'] ?? null) : value;
  const at = isLong ? joinPointer(pointer, 'from') : pointer;
  const expression = typeof text === 'string' ? parseRuntimeExpression(text) : undefined;
  if (expression === undefined || typeof text !== 'string') {
    addInvalidExpression(name, text, at, validate);
    return [];
  }
  const fault = unsentPart(expression, sent);
  if (fault === undefined) return [{ name, text, expression, pattern, pointer }];
  validate.add(at, `"${name}" captures what the step does not send`, fault.expected, fault.hint);
  return [];
}

/** @returns `undefined` when the object is not as it should be, which is noted */
function readPattern(placed: LocatedValue, validate: FormatDiagnostics): string | undefined {
  const properties = PropertyReader.open(placed, 'capture', ['from', 'pattern'], validate);
  if (properties === undefined) return undefined;
  const pattern = properties.value('pattern');
  const expected = 'a regular expression of ECMAScript with one group, such as ([0-9]+)$';
  if (typeof pattern !== 'string' || !properties.has('from')) {
    if (typeof pattern !== 'string') properties.addExpected('pattern', expected);
    if (!properties.has('from')) properties.addExpected('from', 'an expression such as $response.header.Location');
    return undefined;
  }
  const fault = patternFault(pattern);
  const at = properties.at('pattern');
  if (fault !== undefined) validate.add(at, `The regular expression does not compile: ${fault}`, expected);
  else if (pattern.includes('${')) validate.add(at, 'No placeholder can stand here', expected);
  else if (countGroups(pattern) !== 1) {
    const hint = 'Write (?: … ) for a group that captures nothing.';
    validate.add(at, `The regular expression has ${countGroups(pattern)} groups`, expected, hint);
  } else return pattern;
  return undefined;
}

function addInvalidExpression(name: string, value: JsonValue, pointer: string, validate: FormatDiagnostics): void {
  const [head = ''] = typeof value === 'string' ? (/^\$?\w*(?:\.\w*)?/.exec(value) ?? []) : [];
  const near = EXPRESSION_HEADS.some((known) => known === head) ? undefined : similarName(head, EXPRESSION_HEADS);
  const hint = near === undefined ? undefined : `Did you mean "${near}"?`;
  validate.add(pointer, `"${name}" captures nothing`, '$response.body#/member or $response.header.Name', hint);
}

/** Why a part of the request cannot be captured: the step never sends it. */
function unsentPart(
  expression: RuntimeExpression,
  { request, body }: CapturedRequestParts,
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
