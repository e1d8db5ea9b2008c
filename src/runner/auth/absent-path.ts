import { scalarText } from '../../formats/placeholders';
import { compareNumbers, isJsonNumber, type JsonNumber } from '../../json/exact-number';
import type { JsonValue } from '../../json/json-value';
import type { SchemaObject } from '../../json-schema/schema';
import type { ApiModel, Operation, Parameter } from '../../openapi/model';

const LARGEST: Readonly<Record<string, number | bigint>> = { int32: 2_147_483_647, int64: 9_223_372_036_854_775_807n };
/** Below this a largest number may well be in use: the last of five slots exists. */
const SURELY_UNUSED = 2_147_483_647;
const ABSENT_UUID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

export interface AbsentPath {
  readonly text: string;
  /** Does it name something that does not exist? Without path parameters it cannot. */
  readonly isAbsent: boolean;
}

/** @returns `undefined` when a path parameter takes no value that is known to be absent */
export function absentPath({ path, parameters }: Operation): AbsentPath | undefined {
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

/** Is the value of a path variable one that nothing has? @param value - percent-decoded */
export function isKnownAbsent(api: ApiModel, path: string, variable: string, value: string): boolean {
  const operations = [...(api.routes.match(path)?.route.operations.values() ?? [])];
  const parameters = operations.flatMap((operation) => operation.parameters);
  const parameter = parameters.find(({ in: location, name }) => location === 'path' && name === variable);
  const absent = parameter === undefined ? undefined : absentValue(parameter);
  return absent !== undefined && scalarText(absent) === value;
}

/**
 * A value that the schema allows and that nothing has: its largest number, where no service counts that far, or a text
 * that nobody would choose.
 */
function absentValue({ schema }: Parameter): JsonValue | undefined {
  const value = schema?.value ?? {};
  const candidate = isNumeric(value) ? unusedNumber(value) : unusedText(value);
  if (candidate === undefined || value['enum'] !== undefined) return undefined;
  const violations = schema?.validate('request')(candidate) ?? [];
  return violations.length === 0 ? candidate : undefined;
}

function isNumeric({ type }: SchemaObject): boolean {
  return type === 'integer' || type === 'number';
}

function unusedText({ format }: SchemaObject): string {
  return format === 'uuid' ? ABSENT_UUID : 'standin-absent';
}

function unusedNumber(schema: SchemaObject): JsonNumber | undefined {
  const largest = largestNumber(schema);
  return compareNumbers(largest, SURELY_UNUSED) < 0 ? undefined : largest;
}

function largestNumber({ format, maximum, exclusiveMaximum }: SchemaObject): JsonNumber {
  if (isJsonNumber(maximum) && exclusiveMaximum !== true) return maximum;
  return (typeof format === 'string' ? LARGEST[format] : undefined) ?? Number.MAX_SAFE_INTEGER;
}
