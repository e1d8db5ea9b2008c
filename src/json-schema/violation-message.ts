import type { ErrorObject } from 'ajv/dist/types';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { enumMessage, typeMessage } from './exact-keywords';
import { isBroken } from './judging-keyword';
import { FITS_SEVERAL, type Violation } from './violation';

type Params = Readonly<Record<string, unknown>>;

/** Says what ajv found in our words. Messages of our own keywords arrive finished. */
const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  required: ({ missingProperty }) => `must have the member "${String(missingProperty)}"`,
  additionalProperties: ({ additionalProperty }) => `must not have the member "${String(additionalProperty)}"`,
  enum: ({ allowedValues }) => enumMessage((allowedValues ?? []) as JsonValue[]),
  type: ({ type }) => typeMessage(Array.isArray(type) ? (type as string[]) : String(type).split(',')),
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format }) => `must be a valid ${String(format)}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'member')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'member')}`,
  not: () => 'must not match the schema under "not"',
  oneOf: ({ passingSchemas }) => (Array.isArray(passingSchemas) ? FITS_SEVERAL : 'must match one schema of "oneOf"'),
  const: ({ allowedValue }) => `must be ${stringifyJson(allowedValue as JsonValue)}`,
  dependentRequired: ({ property, missingProperty }) =>
    `must have the member "${String(missingProperty)}", because it has "${String(property)}"`,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must have at least ${counted(minContains, 'item')} that fits "contains"`
      : `must have ${String(minContains)} to ${counted(maxContains, 'item')} that fit "contains"`,
  items: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  unevaluatedItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  unevaluatedProperties: ({ unevaluatedProperty }) => `must not have the member "${String(unevaluatedProperty)}"`,
  anyOf: () => 'must match at least one schema of "anyOf"',
};

/** Errors that only say that others were found. */
const REPEATING: ReadonlySet<string> = new Set(['if', 'propertyNames']);

/** @returns `undefined` for an ajv error that only repeats others */
export function violationFromAjv(error: ErrorObject): Violation | undefined {
  const { instancePath: pointer, params, propertyName } = error;
  if (REPEATING.has(error.keyword)) return undefined;
  const { keyword, message } = wordsFor(error);
  // The name itself was judged: it is the member that should not be there.
  if (propertyName !== undefined) {
    const why = keyword === 'false' ? 'no name is allowed' : `its name ${message}`;
    const told = `must not have the member "${propertyName}": ${why}`;
    return { pointer, keyword: 'propertyNames', member: propertyName, message: told };
  }
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Params;
  const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return { pointer, keyword, member: typeof member === 'string' ? member : undefined, message };
}

function wordsFor({ keyword, params }: ErrorObject): { readonly keyword: string; readonly message: string } {
  if (isBroken(params)) return { keyword: params.brokenKeyword, message: params.message };
  return { keyword, message: MESSAGES[keyword]?.(params as Params) ?? `must satisfy "${keyword}"` };
}

function counted(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}
