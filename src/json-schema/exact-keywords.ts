import { equalJson } from '../json/equal-json';
import { ExactNumber, isInteger, isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { canonicalKey } from '../json/canonical-key';
import type { Broken, JudgingKeyword } from './judging-keyword';

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

/** Up to so many members of an `enum` are compared one by one. */
const FEW = 8;

/** `type` for values that may hold `bigint` and {@link ExactNumber} (JSON Schema Validation §6.1.1). */
export const exactTypeKeyword: JudgingKeyword<string[]> = {
  keyword: 'exactType',
  schemaType: 'array',
  judge(types) {
    const broken: Broken = { brokenKeyword: 'type', message: typeMessage(types) };
    const tests = types.map(testOfType);
    const [only] = tests;
    if (tests.length === 1 && only !== undefined) return (value) => (only(value) ? undefined : broken);
    return (value) => (tests.some((test) => test(value)) ? undefined : broken);
  },
};

/** @throws Error for a type that JSON Schema does not have */
function testOfType(type: string): (value: unknown) => boolean {
  const test = Object.hasOwn(IS_OF_TYPE, type) ? IS_OF_TYPE[type] : undefined;
  if (test === undefined) throw new Error(`there is no type ${JSON.stringify(type)}`);
  return test;
}

/** `enum` with members that ajv cannot compare (JSON Schema Validation §6.1.2). */
export const exactEnumKeyword: JudgingKeyword<JsonValue[]> = {
  keyword: 'exactEnum',
  schemaType: 'array',
  judge(allowed) {
    const broken: Broken = { brokenKeyword: 'enum', message: enumMessage(allowed) };
    const isAllowed = memberOf(allowed);
    return (value) => (isAllowed(value as JsonValue) ? undefined : broken);
  },
};

/** `const` (JSON Schema Validation §6.1.3). */
export const exactConstKeyword: JudgingKeyword<readonly [JsonValue]> = {
  keyword: 'exactConst',
  schemaType: 'array',
  judge([wanted]) {
    const broken: Broken = { brokenKeyword: 'const', message: `must be ${shortJson(wanted)}` };
    return (value) => (equalJson(wanted, value as JsonValue) ? undefined : broken);
  },
};

/** `uniqueItems` where `1` and `1.0` are the same item (JSON Schema Validation §6.4.3). */
export const exactUniqueItemsKeyword: JudgingKeyword<boolean> = {
  keyword: 'exactUniqueItems',
  schemaType: 'boolean',
  judge() {
    const broken: Broken = { brokenKeyword: 'uniqueItems', message: 'must not hold the same item twice' };
    return (value) => (Array.isArray(value) && hasDuplicates(value as JsonValue[]) ? broken : undefined);
  },
};

/** Few members are compared one by one; many are looked up, by a text that equal values share. */
function memberOf(allowed: readonly JsonValue[]): (value: JsonValue) => boolean {
  if (allowed.length <= FEW) return (value) => allowed.some((candidate) => equalJson(candidate, value));
  const keys = new Set(allowed.map(canonicalKey));
  return (value) => keys.has(canonicalKey(value));
}

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

/** A value as JSON for a message; a long one is cut. */
function shortJson(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
