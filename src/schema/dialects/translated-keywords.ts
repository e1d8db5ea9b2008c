import { isJsonNumber, toCanonical } from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import type { NumberConstraints } from '../number-keyword';
import { NUMBER_FORMATS } from '../formats';
import { compilePattern } from '../pattern/compile-pattern';
import { isSchemaObject, SCHEMA_MAPS, type SchemaObject } from '../schema-object';

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

/** ajv compares so many properties one by one in its code; more of them are looked up. */
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
 * Schemas by the names of the properties that they judge.
 *
 * @param translated - entries of `properties`, in their order
 */
export function writeProperties(translated: readonly (readonly [string, unknown])[], result: TranslatedSchema): void {
  const own = translated.filter(([name]) => isKnownToAjv(name));
  for (const [name, property] of translated) {
    if (isKnownToAjv(name)) continue;
    const patterns = result['patternProperties'] as TranslatedSchema | undefined;
    const pattern = patternOf(name);
    const known = patterns?.[pattern];
    const both = known === undefined ? property : { allOf: [known, property] };
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

/** Lets the keywords about objects judge objects only: to ajv an exact number is one, which a `type` has rejected. */
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

const NAME = /^[\w.-]+$/;

/**
 * A `oneOf` or `anyOf` with a `discriminator` (OAS 3.0.4 §4.7.25: it never changes the outcome). Where no branch fits,
 * only the branch that the value names speaks, not all of them.
 *
 * @param branches - the branches as the description has them
 * @param translated - the same, for ajv
 * @returns `undefined` where there is no discriminator that could choose
 */
export function discriminatedUnion(
  schema: SchemaObject,
  keyword: 'oneOf' | 'anyOf',
  branches: readonly JsonValue[],
  translated: readonly TranslatedSchema[],
): TranslatedSchema | undefined {
  const hint = schema['discriminator'];
  if (!isSchemaObject(hint) || typeof hint['propertyName'] !== 'string') return undefined;
  const property = hint['propertyName'];
  const choices = choicesOf(hint, branches);
  if (choices.size === 0) return undefined;
  const speaks = [...choices].map(([value, index]) => ({
    if: namesOneOf(property, [value]),
    then: translated[index] ?? {},
  }));
  const fallback = branchOf(hint['defaultMapping'], branches);
  const otherwise = {
    if: namesOneOf(property, [...choices.keys()]),
    else:
      fallback === undefined
        ? { exactHint: { keyword, property, values: [...choices.keys()] } }
        : (translated[fallback] ?? {}),
  };
  return { if: { [keyword]: translated }, else: { allOf: [...speaks, otherwise, { exactUnion: [keyword] }] } };
}

/** Which branch each value of the property chooses: by the mapping, else by the name of the schema. */
function choicesOf(hint: SchemaObject, branches: readonly JsonValue[]): Map<string, number> {
  const choices = new Map<string, number>();
  branches.forEach((branch, index) => {
    const reference = referenceOf(branch);
    const name = reference?.split('/').pop();
    if (name !== undefined) choices.set(name, index);
  });
  const mapping = hint['mapping'];
  for (const [value, target] of Object.entries(isSchemaObject(mapping) ? mapping : {})) {
    const index = branchOf(target, branches);
    if (index !== undefined) choices.set(value, index);
  }
  return choices;
}

/** A mapping names a schema of the components, or refers to one; what could be both is a name (OAS 3.0.4 §4.7.25). */
function branchOf(target: JsonValue | undefined, branches: readonly JsonValue[]): number | undefined {
  if (typeof target !== 'string') return undefined;
  const wanted = NAME.test(target) ? [`#/components/schemas/${target}`, target] : [target];
  for (const reference of wanted) {
    const index = branches.findIndex((branch) => referenceOf(branch) === reference);
    if (index >= 0) return index;
  }
  return undefined;
}

function referenceOf(branch: JsonValue): string | undefined {
  const reference = isSchemaObject(branch) ? branch['$ref'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

function namesOneOf(property: string, values: readonly string[]): TranslatedSchema {
  return {
    exactType: ['object'],
    required: [property],
    properties: { [property]: { exactEnum: values } },
  };
}

const BY_NAME: ReadonlySet<string> = new Set(SCHEMA_MAPS);
/** Keywords with values, which are no schemas whatever is in them. */
const WITH_VALUES = new Set(['const', 'enum', 'exactConst', 'exactEnum', 'exactHint', 'dependentRequired']);

/**
 * A translated schema that is content where a value fits several branches of a `oneOf`: each is an `anyOf`. What it
 * refers to is left as it is.
 */
export function withOneOfAsAnyOf(schema: TranslatedSchema): TranslatedSchema {
  const { oneOf, ...rest } = schema;
  const loose: TranslatedSchema = {};
  for (const [keyword, operand] of Object.entries(rest)) loose[keyword] = operandOf(keyword, operand);
  if (oneOf === undefined) return loose;
  const branches = inLists(oneOf);
  if (loose['anyOf'] === undefined) return { ...loose, anyOf: branches };
  const parts = Array.isArray(loose['allOf']) ? (loose['allOf'] as unknown[]) : [];
  return { ...loose, allOf: [...parts, { anyOf: branches }] };
}

function operandOf(keyword: string, operand: unknown): unknown {
  if (WITH_VALUES.has(keyword)) return operand;
  if (!BY_NAME.has(keyword) || !isObject(operand)) return inLists(operand);
  return Object.fromEntries(Object.entries(operand).map(([name, schema]) => [name, inLists(schema)]));
}

function inLists(operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map(inLists);
  return isObject(operand) ? withOneOfAsAnyOf(operand) : operand;
}

/** Numbers that a double cannot hold are objects of a class of their own. */
function isObject(value: unknown): value is TranslatedSchema {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
