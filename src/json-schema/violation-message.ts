import type { ErrorObject } from 'ajv';
import type { JsonValue } from '../json/json-value';
import { enumMessage, typeMessage } from './exact-keywords';
import { FINISHED } from './finished-error';
import type { Violation } from './violation';

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
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? 'must match exactly one schema of "oneOf", not several'
      : 'must match one schema of "oneOf"',
  anyOf: () => 'must match at least one schema of "anyOf"',
};

/** @returns `undefined` for an ajv error that only repeats others */
export function violationFromAjv(error: ErrorObject): Violation | undefined {
  if (error.keyword === 'if') return undefined;
  const params = error.params as Params;
  const say = params === FINISHED ? undefined : MESSAGES[error.keyword];
  const member = params['missingProperty'] ?? params['additionalProperty'];
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    member: typeof member === 'string' ? member : undefined,
    message: say === undefined ? (error.message ?? `must satisfy "${error.keyword}"`) : say(params),
  };
}

function counted(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}
