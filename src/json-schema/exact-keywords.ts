import type { FuncKeywordDefinition } from 'ajv';
import { equalJson } from '../json/equal-json';
import { ExactNumber, isInteger, isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { canonicalKey } from '../json/canonical-key';
import { finishedError } from './finished-error';

const IS_OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  number: isJsonNumber,
  // OAS 3.0.4 and JSON Schema 2020-12 take the number, not its spelling: `1.0` is an integer.
  integer: (value) => isJsonNumber(value) && isInteger(value),
  object: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber),
};

/** `type` for values that may hold `bigint` and {@link ExactNumber} (JSON Schema Validation §6.1.1). */
export const exactTypeKeyword: FuncKeywordDefinition = {
  keyword: 'exactType',
  schemaType: 'array',
  errors: true,
  compile(types: string[]) {
    const tests = types.map((type) => IS_OF_TYPE[type] ?? (() => false));
    const [only] = tests;
    const message = typeMessage(types);
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (value: unknown) => {
      if (tests.length === 1 ? only?.(value) === true : tests.some((test) => test(value))) return true;
      validate.errors = [finishedError('type', message)];
      return false;
    };
    return validate;
  },
};

/** `enum` with members that ajv cannot compare (JSON Schema Validation §6.1.2). */
export const exactEnumKeyword: FuncKeywordDefinition = {
  keyword: 'exactEnum',
  schemaType: 'array',
  errors: true,
  compile(allowed: JsonValue[]) {
    const message = enumMessage(allowed);
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (value: JsonValue) => {
      if (allowed.some((candidate) => equalJson(candidate, value))) return true;
      validate.errors = [finishedError('enum', message)];
      return false;
    };
    return validate;
  },
};

/** `uniqueItems` where `1` and `1.0` are the same item (JSON Schema Validation §6.4.3). */
export const exactUniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'exactUniqueItems',
  schemaType: 'boolean',
  errors: true,
  compile() {
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (value: unknown) => {
      if (!Array.isArray(value) || !hasDuplicates(value as JsonValue[])) return true;
      validate.errors = [finishedError('uniqueItems', 'must not hold the same item twice')];
      return false;
    };
    return validate;
  },
};

function hasDuplicates(items: readonly JsonValue[]): boolean {
  const keys = new Set<string>();
  for (const item of items) {
    // Most lists hold texts, which need no escaping to be told from everything else.
    const key = typeof item === 'string' ? `"${item}` : canonicalKey(item);
    if (keys.has(key)) return true;
    keys.add(key);
  }
  return false;
}

/** `must be an integer`, `must be a string or null`. */
export function typeMessage(types: readonly string[]): string {
  const words = types.map((type) => (type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`));
  return `must be ${words.join(' or ')}`;
}

/** `must be one of "available", "pending", "sold"`; a long list is cut. */
export function enumMessage(allowed: readonly JsonValue[]): string {
  const shown = allowed.slice(0, 12).map((value) => stringifyJson(value));
  const more = allowed.length > shown.length ? ` and ${allowed.length - shown.length} more` : '';
  return `must be one of ${shown.join(', ')}${more}`;
}
