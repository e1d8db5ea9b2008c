import { oneOrMore, plainNumber } from '../decode';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { didYouMean } from '../../core/text/similar-name';
import type { FormatDiagnostics, LocatedValue } from '../decode';
import { type ReadFile, readBody, type WrittenBody } from './body-reader';
import type {
  Capture,
  EventExpectation,
  Expectation,
  KnownOperation,
  ParameterValue,
  Phase,
  Repeat,
  Step,
  StepBody,
  StepRequest,
} from './contract';
import { readMatcher } from './matcher-reader';
import { countGroups, patternFault } from './placeholders';
import { parseRuntimeExpression, type RuntimeExpression } from './runtime-expression';

/** A step as `contracts/contract.schema.json` describes it; what a file lacks is missing in it. */
export interface WrittenStep
  extends
    Partial<
      Pick<
        Step,
        | 'name'
        | 'tags'
        | 'pending'
        | 'leaves'
        | 'touches'
        | 'removes'
        | 'mayBeRefused'
        | 'auth'
        | 'maxDurationMs'
        | 'together'
      >
    >,
    WrittenBody {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly parameters?: JsonObject;
  readonly headers?: JsonObject;
  readonly expect?: WrittenExpectation;
  readonly capture?: Readonly<Record<string, WrittenCapture>>;
  readonly repeat?: { readonly until?: WrittenExpectation } & Partial<Omit<Repeat, 'until'>>;
  readonly successes?: JsonValue;
  readonly expectEvent?: WrittenEvent | readonly WrittenEvent[];
}

interface WrittenEvent extends Pick<WrittenExpectation, 'body' | 'headers'> {
  readonly event?: string;
  readonly path?: string;
  readonly times?: number;
  readonly withinMs?: number;
  readonly secret?: string;
}

interface WrittenExpectation {
  readonly status?: number | readonly number[];
  readonly code?: string | readonly string[];
  readonly body?: JsonValue;
  readonly headers?: JsonObject;
}

/** What steps are read by. */
interface StepContext {
  readonly operations: readonly KnownOperation[];
  readonly readFile: ReadFile;
  readonly eventNames: (() => readonly string[]) | undefined;
  readonly diagnostics: FormatDiagnostics;
}

/** @returns `undefined` for a step without a request or an expectation, which is noted */
export function readStep(step: WrittenStep, pointer: string, phase: Phase, context: StepContext): Step | undefined {
  const { operations, readFile, diagnostics } = context;
  const request = readRequest(step, pointer, operations, diagnostics);
  const body = readBody(step, pointer, readFile, diagnostics);
  const captures = Object.entries(step.capture ?? {}).flatMap(([name, value]) => {
    return readCapture(name, value, joinPointer(`${pointer}/capture`, name), { request, body }, diagnostics);
  });
  const expect = step.expect && readExpectation(step.expect, `${pointer}/expect`, diagnostics);
  const repeat = step.repeat && readRepeat(step.repeat, `${pointer}/repeat`, diagnostics);
  if (request === undefined || expect === undefined) return undefined;
  const { pending, leaves, touches, removes, mayBeRefused = false, auth = 'valid', maxDurationMs, tags = [] } = step;
  const name = step.name ?? (request.kind === 'operation' ? request.operationId : `${request.method} ${request.path}`);
  const headers = Object.entries(step.headers ?? {}).flatMap(([header, value]) => {
    return oneOrMore(value).map((line) => ({ name: header, value: line === null ? null : scalarText(line) }));
  });
  const about = { name, phase, tags, pending, leaves, touches, removes, mayBeRefused, pointer };
  const group = readGroup(step, pointer, diagnostics);
  const events = readEvents(step, pointer, context);
  return { ...about, ...group, request, headers, body, auth, expect, events, captures, repeat, maxDurationMs };
}

function readGroup(
  { together, successes }: WrittenStep,
  pointer: string,
  diagnostics: FormatDiagnostics,
): Pick<Step, 'together' | 'successes'> {
  if (successes === undefined) return { together, successes };
  const placed = { value: successes, pointer: `${pointer}/successes` };
  return { together, successes: readMatcher(placed, { diagnostics, isHeader: false }) };
}

function readRequest(
  step: WrittenStep,
  pointer: string,
  operations: readonly KnownOperation[],
  diagnostics: FormatDiagnostics,
): StepRequest | undefined {
  const { operation: id, method, path, parameters: written = {} } = step;
  if (method !== undefined && path !== undefined) return { kind: 'raw', method, path };
  if (id === undefined) return undefined;
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) {
    const ids = operations.map((candidate) => candidate.id);
    const hint = 'Is it the right description? --spec chooses it.';
    diagnostics.addUnknownName(`${pointer}/operation`, `The description has no operation "${id}"`, id, ids, hint);
    return undefined;
  }
  const entries = Object.entries(written).map(([name, value]) => {
    return readParameter({ name, value, pointer: joinPointer(`${pointer}/parameters`, name) }, operation, diagnostics);
  });
  const parameters = entries.filter((entry) => entry !== undefined);
  for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
    const isGiven = parameters.some((parameter) => parameter.in === 'path' && parameter.name === name);
    if (!isGiven && entries.length === parameters.length)
      diagnostics.add(pointer, `${id} needs the path parameter "${name}"`, `parameters: { ${name}: … }`);
  }
  return { kind: 'operation', operationId: id, parameters };
}

/** `id`, or `path.id` where two parameters share a name, as in a Link Object (OAS 3.0.3 §4.7.20). */
function readParameter(
  { name: key, value, pointer }: LocatedValue & { readonly name: string },
  { id, parameters }: KnownOperation,
  diagnostics: FormatDiagnostics,
): ParameterValue | undefined {
  const isSame = (left: string, right: string, location: string): boolean =>
    location === 'header' ? left.toLowerCase() === right.toLowerCase() : left === right;
  const named = parameters.filter((parameter) => isSame(parameter.name, key, parameter.in));
  const found =
    named.length > 0
      ? named
      : parameters.filter((parameter) => isSame(`${parameter.in}.${parameter.name}`, key, parameter.in));
  const [parameter] = found;
  if (parameter === undefined) {
    const names = parameters.map(({ name }) => name);
    diagnostics.addUnknownName(pointer, `${id} has no parameter "${key}"`, key, names);
    return undefined;
  }
  if (found.length > 1) {
    const qualified = found.map(({ in: location, name }) => `${location}.${name}`).join(' or ');
    diagnostics.add(pointer, `${id} has several parameters "${key}"`, qualified);
    return undefined;
  }
  return { name: parameter.name, in: parameter.in, value };
}

function readExpectation(
  { status = [], code = [], body, headers = {} }: WrittenExpectation,
  pointer: string,
  diagnostics: FormatDiagnostics,
): Expectation {
  return {
    statuses: oneOrMore(status).map(plainNumber),
    codes: oneOrMore(code),
    body:
      body === undefined
        ? undefined
        : readMatcher({ value: body, pointer: `${pointer}/body` }, { diagnostics, isHeader: false }),
    headers: Object.entries(headers).map(([name, value]) => {
      const placed = { value, pointer: joinPointer(`${pointer}/headers`, name) };
      return { name, matcher: readMatcher(placed, { diagnostics, isHeader: true }) };
    }),
  };
}

/** What comes is awaited longer than what must not come, which always takes the whole time. */
const EVENT_WAIT_MS = 5000;
const NO_EVENT_WAIT_MS = 1000;

function readEvents(
  { expectEvent = [] }: WrittenStep,
  pointer: string,
  { eventNames, diagnostics }: StepContext,
): EventExpectation[] {
  const isList = Array.isArray(expectEvent);
  return oneOrMore(expectEvent).flatMap((written, index) => {
    const at = isList ? `${pointer}/expectEvent/${index}` : `${pointer}/expectEvent`;
    const { event, path, secret, times: count = 1 } = written;
    if (event === undefined) return [];
    const names = [...new Set(eventNames?.() ?? [event])];
    if (!names.includes(event)) {
      const message = `The description has no callback or webhook "${event}"`;
      diagnostics.addUnknownName(`${at}/event`, message, event, names, 'standin explain lists them.');
    }
    const times = plainNumber(count);
    const withinMs = plainNumber(written.withinMs ?? (times === 0 ? NO_EVENT_WAIT_MS : EVENT_WAIT_MS));
    const { body, headers } = readExpectation(written, at, diagnostics);
    return [{ event, pointer: at, path, times, withinMs, secret, body, headers }];
  });
}

/** What has no bound in the file has one of its own: a run has to end. */
function readRepeat(
  { until, attempts = 30, timeoutMs = 30_000, intervalMs = 1000 }: NonNullable<WrittenStep['repeat']>,
  pointer: string,
  diagnostics: FormatDiagnostics,
): Repeat | undefined {
  const condition = until && readExpectation(until, `${pointer}/until`, diagnostics);
  return (
    condition && {
      until: condition,
      attempts: plainNumber(attempts),
      timeoutMs: plainNumber(timeoutMs),
      intervalMs: plainNumber(intervalMs),
    }
  );
}

/** What a step sends, as far as a capture may name it; the request is `undefined` when it could not be read. */
interface CapturedRequestParts {
  readonly request: StepRequest | undefined;
  readonly body: StepBody | undefined;
}

/** An expression, or `{ from: expression, pattern: … }`. */
type WrittenCapture = string | { readonly from?: string; readonly pattern?: string };

/** Reads one entry of `capture`. */
function readCapture(
  name: string,
  value: WrittenCapture,
  pointer: string,
  sent: CapturedRequestParts,
  diagnostics: FormatDiagnostics,
): Capture[] {
  const { from: text, pattern } = typeof value === 'string' ? { from: value } : value;
  const isLong = typeof value !== 'string';
  if (pattern !== undefined) checkPattern(pattern, `${pointer}/pattern`, diagnostics);
  const expression = text === undefined ? undefined : parseRuntimeExpression(text);
  if (expression === undefined || text === undefined) return [];
  const fault = unsentPart(expression, sent);
  if (fault === undefined) return [{ name, text, expression, pattern, pointer }];
  const at = isLong ? `${pointer}/from` : pointer;
  diagnostics.add(at, `"${name}" captures what the step does not send`, fault.expected, fault.hint);
  return [];
}

function checkPattern(pattern: string, pointer: string, diagnostics: FormatDiagnostics): void {
  const expected = 'a regular expression of ECMAScript with one group, such as ([0-9]+)$';
  const fault = patternFault(pattern);
  if (fault !== undefined) {
    diagnostics.add(pointer, `The regular expression does not compile: ${fault}`, expected);
  } else if (countGroups(pattern) !== 1) {
    const hint = 'Write (?: … ) for a group that captures nothing.';
    diagnostics.add(pointer, `The regular expression has ${countGroups(pattern)} groups`, expected, hint);
  }
}

/** Why a part of the request cannot be captured: the step never sends it. */
function unsentPart(
  expression: RuntimeExpression,
  { request, body }: CapturedRequestParts,
): { readonly expected: string; readonly hint?: string | undefined } | undefined {
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
  const expected = names.length === 0 ? 'parameters with it' : `one of ${names.join(', ')}`;
  return { expected, hint: didYouMean(expression.name, names) };
}
