import { isJsonNumber, toCanonical } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { compilePattern } from './pattern/compile-pattern';
import { NUMBER_FORMATS } from './formats';
import type { NumberConstraints } from './number-keyword';
import type { SchemaObject } from './schema';

/** JSON Schema 2020-12 for ajv, with our exact-number keywords in place of ajv's. */
export type TranslatedSchema = Record<string, unknown>;

/** Keywords that mean the same in every dialect and hold no numbers of ours but small ones. */
const COPIED = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

/** Keywords that judge objects only, and that ajv would let judge an exact number too. */
const OBJECT_KEYWORDS = [
  'properties',
  'patternProperties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
] as const;

/** ajv compares so many members one by one in its code; more of them are looked up. */
const SHORT_ENUM = 50;

/** Lengths, counts and patterns. */
export function translateCopied(schema: SchemaObject, result: TranslatedSchema): void {
  for (const keyword of COPIED) if (schema[keyword] !== undefined) result[keyword] = plainNumber(schema[keyword]);
  const pattern = schema['pattern'];
  if (typeof pattern !== 'string') return;
  if (compilePattern(pattern).engine === 'native') result['pattern'] = pattern;
  else result['exactPattern'] = [pattern];
}

/**
 * The types that a schema allows: those that it names, and a whole number too where its format says so: `int-or-string`,
 * which is written beside `type: string`.
 */
export function withFormatTypes(types: readonly string[], { format }: SchemaObject): readonly string[] {
  return format === 'int-or-string' && types.length > 0 ? [...new Set([...types, 'integer', 'string'])] : types;
}

/** @param types - all that are allowed */
export function translateTypes(types: readonly string[], result: TranslatedSchema): void {
  // ajv takes an exact number for an object, and no bigint for an integer.
  const [only] = types;
  const isOurs = types.length > 1 || only === 'integer' || only === 'number' || only === 'object';
  if (isOurs) result['exactType'] = types;
  else if (only !== undefined) result['type'] = only;
}

/** A format speaks about the values that it knows, whatever `type` says; the formats of numbers are translated there. */
export function translateFormat(schema: SchemaObject, result: TranslatedSchema): void {
  const format = schema['format'];
  if (typeof format === 'string' && !NUMBER_FORMATS.has(format)) result['format'] = format;
}

/** @param bounds - `minimum` and the like, each with the number that it has in 2020-12 */
export function translateNumber(
  schema: SchemaObject,
  bounds: Readonly<Record<string, JsonValue>>,
  result: TranslatedSchema,
): void {
  const constraints: Record<string, JsonValue> = { ...bounds };
  if (isJsonNumber(schema['multipleOf'])) constraints['multipleOf'] = schema['multipleOf'];
  const format = schema['format'];
  if (typeof format === 'string' && NUMBER_FORMATS.has(format)) constraints['format'] = format;
  if (Object.keys(constraints).length > 0) result['exactNumber'] = constraints satisfies NumberConstraints;
}

export function translateEnum(schema: SchemaObject, result: TranslatedSchema): void {
  const values = schema['enum'];
  if (!Array.isArray(values)) return;
  result[values.length <= SHORT_ENUM && values.every(isPlain) ? 'enum' : 'exactEnum'] = values;
}

/** Can ajv compare with it? */
export function isPlain(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

/**
 * Schemas by the names of the members that they judge.
 *
 * @param translated - entries of `properties`, in their order
 */
export function writeProperties(translated: readonly (readonly [string, unknown])[], result: TranslatedSchema): void {
  const own = translated.filter(([name]) => isKnownToAjv(name));
  for (const [name, member] of translated) {
    if (isKnownToAjv(name)) continue;
    const patterns = result['patternProperties'] as TranslatedSchema | undefined;
    const pattern = patternOf(name);
    const known = patterns?.[pattern];
    const both = known === undefined ? member : { allOf: [known, member] };
    result['patternProperties'] = { ...patterns, [pattern]: both };
  }
  result['properties'] = Object.fromEntries(own);
}

/** ajv skips a property called `__proto__`, and cannot make a path of one with half a character; a pattern it takes. */
function isKnownToAjv(name: string): boolean {
  return name !== '__proto__' && name.isWellFormed();
}

/** A pattern that matches one name, in ASCII. */
function patternOf(name: string): string {
  const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index).toString(16).padStart(4, '0'));
  return `^${units.map((unit) => `\\u${unit}`).join('')}$`;
}

/** Lets the keywords about objects judge objects only: to ajv an exact number is one, which a `type` has refused. */
export function forObjectsOnly(schema: TranslatedSchema): TranslatedSchema {
  const types = schema['exactType'];
  if (schema['type'] !== undefined || (Array.isArray(types) && !types.some(isNumeric))) return schema;
  const guarded = OBJECT_KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  if (guarded.length === 0) return schema;
  const then = Object.fromEntries(guarded.map((keyword) => [keyword, schema[keyword]]));
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !Object.hasOwn(then, keyword)));
  const isObject = { exactType: ['object'] };
  // What is not evaluated is known only beside all the keywords that evaluate, and a schema has one `if`.
  return then['unevaluatedProperties'] === undefined && schema['if'] === undefined
    ? { ...rest, if: isObject, then }
    : { if: isObject, then: schema, else: rest };
}

function isNumeric(type: unknown): boolean {
  return type === 'number' || type === 'integer';
}

/** Lengths and counts are small; ajv wants them as plain numbers, `2.0` included. */
export function plainNumber(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonNumber(value)) return value;
  const number = toCanonical(value);
  return typeof number === 'bigint' ? Number(number) : number;
}
