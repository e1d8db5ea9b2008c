import type { AuthMode, Expectation } from '../formats/contract';
import { scalarText } from '../formats/placeholders';
import { isJsonMediaType } from '../http/media-type';
import { isJsonNumber, type JsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import type { SchemaObject } from '../json-schema/schema';
import type { Operation, Parameter } from '../openapi/model';
import { credentials, isSecured } from './credentials';
import { exchange, unsent } from './exchange';
import { acceptOf, makeRequest } from './interaction';
import { isSafe, type Run } from './run';
import type { StepResult } from './run-result';

/** Ways to come without a valid key, with the words that name them. */
const PROBES: readonly { readonly mode: AuthMode; readonly title: string }[] = [
  { mode: 'none', title: 'without a key' },
  { mode: 'malformed', title: 'with a key in another form than Bearer' },
  { mode: 'invalid', title: 'with an unknown key' },
];

const REFUSED: Expectation = { statuses: [401], codes: [], body: undefined, headers: [] };
/** No JSON: where the refusal is missing, nothing can be created from it. */
const HARMLESS_BODY = '{"standin"';
const LARGEST: Readonly<Record<string, number | bigint>> = { int32: 2_147_483_647, int64: 9_223_372_036_854_775_807n };
const ABSENT_UUID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

/**
 * Calls every secured operation in three ways that must be refused. What could change something names an id that is
 * known to be absent, and has a body that no server can use, so that a hole is found and nothing is lost in it.
 */
export async function probeAuthentication(run: Run, operations: readonly Operation[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const operation of operations.filter(isSecured)) {
    for (const { mode, title } of PROBES) results.push(await probe(run, operation, mode, title));
  }
  return results;
}

async function probe(run: Run, operation: Operation, mode: AuthMode, title: string): Promise<StepResult> {
  const about = { name: `${operation.id} ${title}`, phase: 'auth', place: undefined, operation } as const;
  const path = absentPath(operation);
  if (path === undefined) {
    const reason = 'nothing in its path could be named that is known to be absent';
    return unsent(about, { kind: 'skipped', reason, cause: 'not-harmless' }).result;
  }
  const { method, requestBody } = operation;
  const body = isSafe(method) || requestBody === undefined ? undefined : HARMLESS_BODY;
  const isHarmless = isSafe(method) || path.isAbsent || requestBody?.mediaTypes.every(isJsonMediaType) === true;
  if (!isHarmless) {
    const reason = 'it could change something: neither its path nor its body can be made harmless';
    return unsent(about, { kind: 'skipped', reason, cause: 'not-harmless' }).result;
  }
  const headers = [
    ...['Accept', acceptOf(run.api, operation)],
    ...(body === undefined ? [] : ['Content-Type', requestBody?.mediaTypes[0] ?? 'application/json']),
    ...credentials(run, operation, mode),
  ];
  const request = makeRequest(run, method, path.text, headers, body);
  return (await exchange(run, { ...about, request, expected: REFUSED, captures: [] })).result;
}

interface AbsentPath {
  readonly text: string;
  /** Does it name something that does not exist? Without path parameters it cannot. */
  readonly isAbsent: boolean;
}

/** @returns `undefined` when a path parameter takes no value that is known to be absent */
function absentPath({ path, parameters }: Operation): AbsentPath | undefined {
  let text = path;
  let isAbsent = false;
  for (const parameter of parameters) {
    if (parameter.in !== 'path') continue;
    const value = absentValue(parameter);
    if (value === undefined) return undefined;
    text = text.replace(`{${parameter.name}}`, () => encodeURIComponent(scalarText(value)));
    isAbsent = true;
  }
  return { text, isAbsent };
}

/** A value that the schema allows and that nothing has: its largest number, or a text that nobody would choose. */
function absentValue({ schema }: Parameter): JsonValue | undefined {
  const { type, format, enum: values } = schema?.value ?? {};
  if (values !== undefined) return undefined;
  const text = format === 'uuid' ? ABSENT_UUID : 'standin-absent';
  const value = type === 'integer' || type === 'number' ? largestNumber(schema?.value ?? {}) : text;
  const violations = schema?.validate('request')(value) ?? [];
  return violations.length === 0 ? value : undefined;
}

function largestNumber({ format, maximum, exclusiveMaximum }: SchemaObject): JsonNumber {
  if (isJsonNumber(maximum) && exclusiveMaximum !== true) return maximum;
  return (typeof format === 'string' ? LARGEST[format] : undefined) ?? Number.MAX_SAFE_INTEGER;
}
