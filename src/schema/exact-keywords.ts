import { ExactNumber, isInteger, isJsonNumber } from '../core/json/exact-number';
import { canonicalKey, equalJson, type JsonValue } from '../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import type { ExactKeyword, KeywordValidator, KeywordViolation } from './exact-keyword';
import { exactNumberKeyword } from './number-keyword';
import { compilePattern } from './pattern/compile-pattern';

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

/** Up to so many properties of an `enum` are compared one by one. */
const FEW = 8;

/** `type` for values that may hold `bigint` and {@link ExactNumber} (JSON Schema Validation §6.1.1). */
const exactTypeKeyword: ExactKeyword<string[]> = {
  keyword: 'exactType',
  schemaType: 'array',
  createValidator(types) {
    const broken: KeywordViolation = { brokenKeyword: 'type', message: typeMessage(types), expected: types };
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

/** `enum` with properties that ajv cannot compare (JSON Schema Validation §6.1.2). */
const exactEnumKeyword: ExactKeyword<JsonValue[]> = {
  keyword: 'exactEnum',
  schemaType: 'array',
  createValidator(allowed) {
    const broken: KeywordViolation = { brokenKeyword: 'enum', message: enumMessage(allowed) };
    const isAllowed = membershipTest(allowed);
    return (value) => (isAllowed(value as JsonValue) ? undefined : broken);
  },
};

/** `const` (JSON Schema Validation §6.1.3). */
const exactConstKeyword: ExactKeyword<readonly [JsonValue]> = {
  keyword: 'exactConst',
  schemaType: 'array',
  createValidator([wanted]) {
    const broken: KeywordViolation = { brokenKeyword: 'const', message: `must be ${shortJson(wanted)}` };
    return (value) => (equalJson(wanted, value as JsonValue) ? undefined : broken);
  },
};

/** `uniqueItems` where `1` and `1.0` are the same item (JSON Schema Validation §6.4.3). */
const exactUniqueItemsKeyword: ExactKeyword<boolean> = {
  keyword: 'exactUniqueItems',
  schemaType: 'boolean',
  createValidator() {
    const broken: KeywordViolation = { brokenKeyword: 'uniqueItems', message: 'must not hold the same item twice' };
    return (value) => (Array.isArray(value) && hasDuplicates(value as JsonValue[]) ? broken : undefined);
  },
};

/** Few properties are compared one by one; many are looked up, by a text that equal values share. */
function membershipTest(allowed: readonly JsonValue[]): (value: JsonValue) => boolean {
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

/** Rejects every value: the schema `false` (JSON Schema Core §4.3.2). With `false` it rejects none. */
const neverKeyword: ExactKeyword<boolean> = {
  keyword: 'exactNever',
  schemaType: 'boolean',
  createValidator(rejects) {
    const broken: KeywordViolation = { brokenKeyword: 'false', message: 'must not be there: no value is allowed here' };
    return () => (rejects ? broken : undefined);
  },
};

/** Stands where a `oneOf` or `anyOf` has failed already. */
const unionKeyword: ExactKeyword<readonly ['oneOf' | 'anyOf']> = {
  keyword: 'exactUnion',
  schemaType: 'array',
  createValidator([keyword]) {
    const many = keyword === 'oneOf' ? 'exactly one schema' : 'at least one schema';
    const broken: KeywordViolation = { brokenKeyword: keyword, message: `must match ${many} of "${keyword}"` };
    return () => broken;
  },
};

interface DiscriminatorOperand {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly property: string;
  readonly values: readonly string[];
}

/** Stands where a `oneOf` or `anyOf` has failed, and the value does not name the branch that it is meant for. */
const discriminatorKeyword: ExactKeyword<DiscriminatorOperand> = {
  keyword: 'exactHint',
  schemaType: 'object',
  createValidator({ keyword, property, values }) {
    const message = `must say in "${property}" what it is: ${enumMessage(values).replace(/^must be /, '')}`;
    const broken: KeywordViolation = { brokenKeyword: keyword, message };
    return () => broken;
  },
};

/** `pattern`, where the engine of Node alone could be kept busy for ever. */
const exactPatternKeyword: ExactKeyword<readonly [string]> = {
  keyword: 'exactPattern',
  schemaType: 'array',
  createValidator([source]) {
    const pattern = compilePattern(source);
    const message = `must match the pattern ${source}`;
    const differs: KeywordViolation = { brokenKeyword: 'pattern', message };
    const why = 'this one would take too long';
    const undecided: KeywordViolation = { brokenKeyword: 'pattern', message: `${message}; ${why}` };
    return (value) => {
      if (typeof value !== 'string') return undefined;
      const verdict = pattern.match(value);
      if (verdict === 'matches') return undefined;
      return verdict === 'differs' ? differs : undecided;
    };
  },
};

/** Keywords of our own that a translated schema may have. */
export const EXACT_KEYWORDS: readonly ExactKeyword[] = [
  exactTypeKeyword,
  exactNumberKeyword,
  exactEnumKeyword,
  exactConstKeyword,
  exactUniqueItemsKeyword,
  exactPatternKeyword,
  neverKeyword,
  unionKeyword,
  discriminatorKeyword,
];

/**
 * The judge of a keyword, made from the text of its operand.
 *
 * @param operand - exact JSON
 */
export function keywordValidator(name: string, operand: string): KeywordValidator {
  const found = EXACT_KEYWORDS.find(({ keyword }) => keyword === name);
  if (found === undefined) throw new Error(`there is no keyword ${name}`);
  return found.createValidator(parseJson(operand, { maxDepth: MAX_DEPTH }) as never);
}
