import { scalarText } from '../../core/json/stringify-json';
import { compareNumbers, isJsonNumber, type JsonNumber } from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import type { SchemaObject } from '../../schema/schema-object';
import type { Operation, Parameter, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { drawKey, WIDE } from '../../payload/sampler/drawn-key';
import { isSafe } from '../../core/http/message';
import { containsRunId } from './sent-content';

const LARGEST: Readonly<Record<string, number | bigint>> = { int32: 2_147_483_647, int64: 9_223_372_036_854_775_807n };
/** Below this a largest number may well be in use: the last of five slots exists. */
const SURELY_UNUSED = 2_147_483_647;
/** Keys that no service has come to count to. */
const UNUSED_NUMBERS: ReadonlySet<string> = new Set([...Object.values(LARGEST), Number.MAX_SAFE_INTEGER].map(String));
const RUN_ID = /^[\da-f]{8}$/;

interface AbsentPath {
  readonly text: string;
  /** Does it name something that does not exist? Without path parameters it cannot. */
  readonly isAbsent: boolean;
}

/** The description and the id of a run, which what nobody else names holds. */
interface RunScope {
  readonly api: ApiModel;
  readonly runId: string;
}

/**
 * @param known - encoded values of variables that are named as they are, such as a tenant: where nothing is below an
 *   absent one, not even a route, a service may say so before it asks who is there
 * @returns `undefined` when another path parameter takes no value that is likely to be absent
 */
export function absentPath(
  { path, parameters, method }: Operation,
  runId: string,
  known: ReadonlyMap<string, string> = new Map(),
): AbsentPath | undefined {
  let text = path;
  let isAbsent = false;
  for (const parameter of parameters) {
    if (parameter.in !== 'path') continue;
    const seen = known.get(parameter.name);
    if (seen !== undefined) {
      text = text.replace(`{${parameter.name}}`, () => seen);
      continue;
    }
    const value = absentValues(parameter, runId).find(({ isNarrow }) => isNarrow !== true || isSafe(method))?.value;
    if (value === undefined) return undefined;
    text = text.replace(`{${parameter.name}}`, () => encodeURIComponent(scalarText(value)));
    isAbsent = true;
  }
  return { text, isAbsent };
}

/**
 * Is the value of a path variable one that nothing of others has: its largest number, or a text that holds the id of
 * the run?
 *
 * @param value - percent-decoded
 */
export function isKnownAbsent(run: RunScope, path: string, variable: string, value: string): boolean {
  if (isAbsentValue(run, path, variable, value, true)) return true;
  const parameters = parametersOf(run.api, path, variable);
  // The digits of a number are the same as those of a run by chance, but no number begins with a letter.
  const isText = /^[a-z]/i.test(value) || parameters.every(({ schema }) => schema?.value['type'] === 'string');
  return isText && parameters.length > 0 && containsRunId(value, run.runId);
}

/** Is a key one that nothing of others has, whatever takes it? */
export function isAbsentKey(key: string, runId: string): boolean {
  return UNUSED_NUMBERS.has(key) || (!/^\d+$/.test(key) && containsRunId(key, runId));
}

/** Does a path end in a value that nothing should have, but that other runs may name as well? Then it is looked at first. */
export function isLikelyAbsent(run: RunScope, path: string): boolean {
  const last = Object.entries(run.api.routes.match(path)?.pathParameters ?? {}).at(-1);
  return last !== undefined && isAbsentValue(run, path, ...last, false);
}

function isAbsentValue(
  { api, runId }: RunScope,
  path: string,
  variable: string,
  text: string,
  isSure: boolean,
): boolean {
  const [parameter] = parametersOf(api, path, variable);
  const absent = parameter === undefined ? [] : absentValues(parameter, runId);
  return absent.some((candidate) => candidate.isSure === isSure && scalarText(candidate.value) === text);
}

/** What the operations at a path say of a variable of it. */
function parametersOf(api: ApiModel, path: string, variable: string): Parameter[] {
  const operations = [...(api.routes.match(path)?.route.operations.values() ?? [])];
  const parameters = operations.flatMap((operation) => operation.parameters);
  return parameters.filter(({ in: location, name }) => location === 'path' && name === variable);
}

interface AbsentValue {
  readonly value: JsonValue;
  /** Can nobody else have it? A text that every run has, another run may have put there. */
  readonly isSure: boolean;
  /** Are there so few others that somebody may well have it? Then it is only read. */
  readonly isNarrow?: boolean;
}

/**
 * Values that the schema allows and that nothing has, the best first: its largest number, where no service counts that
 * far, or a text with the id of the run; where that does not fit, a text that nobody would choose, or one by its pattern.
 */
function absentValues({ schema }: Parameter, runId: string): AbsentValue[] {
  const value = schema?.value ?? {};
  if (value['enum'] !== undefined) return [];
  const candidates = isNumeric(value) ? unusedNumbers(value) : unusedTexts(value, runId);
  const fitting = candidates.filter((candidate) => schema?.accepts(candidate.value, 'request') !== false);
  return fitting.length > 0 || schema === undefined || isNumeric(value) ? fitting : drawnTexts(schema, runId);
}

/** Drawn once for each schema and run: every probe names one. */
const DRAWN = new WeakMap<Schema, { readonly runId: string; readonly values: AbsentValue[] }>();

function drawnTexts(schema: Schema, runId: string): AbsentValue[] {
  const known = DRAWN.get(schema);
  if (known?.runId === runId) return known.values;
  const accepts = (text: string | number): boolean => schema.accepts(text, 'request');
  const drawn = drawKey({ value: schema.value, accepts }, runId, 'absent');
  const values =
    drawn === undefined
      ? []
      : [{ value: drawn.value, isSure: drawn.isOfRun, isNarrow: !drawn.isOfRun && drawn.space < WIDE }];
  DRAWN.set(schema, { runId, values });
  return values;
}

function isNumeric({ type }: SchemaObject): boolean {
  return type === 'integer' || type === 'number';
}

function unusedTexts({ format }: SchemaObject, runId: string): AbsentValue[] {
  if (format !== 'uuid') {
    return [
      { value: `standin-absent-${runId}`, isSure: true },
      { value: `absent-${runId}`, isSure: true },
      { value: 'standin-absent', isSure: false },
    ];
  }
  const own = RUN_ID.test(runId) ? [{ value: `ffffffff-ffff-4fff-bfff-ffff${runId}`, isSure: true }] : [];
  return [...own, { value: 'ffffffff-ffff-4fff-bfff-ffffffffffff', isSure: false }];
}

function unusedNumbers(schema: SchemaObject): AbsentValue[] {
  const largest = largestNumber(schema);
  return compareNumbers(largest, SURELY_UNUSED) < 0 ? [] : [{ value: largest, isSure: true }];
}

function largestNumber({ format, maximum, exclusiveMaximum }: SchemaObject): JsonNumber {
  if (isJsonNumber(maximum) && exclusiveMaximum !== true) return maximum;
  return (typeof format === 'string' ? LARGEST[format] : undefined) ?? Number.MAX_SAFE_INTEGER;
}
