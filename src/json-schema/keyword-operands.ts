import { compareNumbers, isInteger, isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { messageOf } from '../errors/error-facts';
import { compilePattern } from './pattern/compile-pattern';
import { isSchemaObject, type SchemaObject } from './schema';
import { SchemaFault } from './schema-fault';

type Operand = JsonValue;

interface OperandRule {
  /** The rest of "must be". */
  readonly words: string;
  readonly fits: (operand: Operand) => boolean;
}

const TYPES: ReadonlySet<JsonValue> = new Set(['null', 'boolean', 'string', 'number', 'integer', 'array', 'object']);

const isText = (value: Operand): boolean => typeof value === 'string';
const isSchema = (value: Operand): boolean => typeof value === 'boolean' || isSchemaObject(value);
const isListOf = (value: Operand, fits: (item: JsonValue) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);
const isMapOf = (value: Operand, fits: (item: JsonValue) => boolean): boolean =>
  isSchemaObject(value) && Object.values(value).every(fits);

const count: OperandRule = {
  words: 'a whole number that is not below zero',
  fits: (value) => isJsonNumber(value) && isInteger(value) && compareNumbers(value, 0) >= 0,
};
const number: OperandRule = { words: 'a number', fits: isJsonNumber };
const text: OperandRule = { words: 'a text', fits: isText };
const flag: OperandRule = { words: 'true or false', fits: (value) => typeof value === 'boolean' };
const schema: OperandRule = { words: 'a schema', fits: isSchema };
const schemaMap: OperandRule = { words: 'an object of schemas', fits: (value) => isMapOf(value, isSchema) };
const schemaList: OperandRule = {
  words: 'a list of at least one schema',
  fits: (value) => isListOf(value, isSchema) && (value as readonly JsonValue[]).length > 0,
};
const names: OperandRule = { words: 'a list of names', fits: (value) => isListOf(value, isText) };

/** What the keywords of JSON Schema 2020-12 take (its meta-schema): with anything else, a schema says nothing sure. */
const OPERANDS: Readonly<Record<string, OperandRule>> = {
  $ref: text,
  $dynamicRef: text,
  type: {
    words: 'a type, or a list of types',
    fits: (value) =>
      TYPES.has(value) || (isListOf(value, (item) => TYPES.has(item)) && Array.isArray(value) && value.length > 0),
  },
  enum: { words: 'a list', fits: (value) => Array.isArray(value) },
  multipleOf: {
    words: 'a number above zero',
    fits: (value) => isJsonNumber(value) && compareNumbers(value, 0) > 0,
  },
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  pattern: text,
  format: text,
  uniqueItems: flag,
  required: names,
  dependentRequired: { words: 'an object of lists of names', fits: (value) => isMapOf(value, names.fits) },
  properties: schemaMap,
  patternProperties: schemaMap,
  dependentSchemas: schemaMap,
  $defs: schemaMap,
  prefixItems: schemaList,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  items: schema,
  contains: schema,
  additionalProperties: schema,
  propertyNames: schema,
  unevaluatedProperties: schema,
  unevaluatedItems: schema,
  not: schema,
  if: schema,
  then: schema,
  else: schema,
};

/** @throws SchemaFault when a keyword of the schema object has an operand that it cannot have */
export function requireOperands(schemaObject: SchemaObject, pointer: string): void {
  for (const [keyword, operand] of Object.entries(schemaObject)) {
    const rule = Object.hasOwn(OPERANDS, keyword) ? OPERANDS[keyword] : undefined;
    if (rule !== undefined && !rule.fits(operand)) {
      throw new SchemaFault(pointer, `"${keyword}" must be ${rule.words}`);
    }
  }
  requirePatterns(schemaObject, pointer);
}

/** @throws SchemaFault when a pattern is no regular expression */
export function requirePatterns({ pattern, patternProperties }: SchemaObject, pointer: string): void {
  const patterns = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : [];
  if (typeof pattern === 'string') patterns.push(pattern);
  for (const each of patterns) {
    try {
      compilePattern(each);
    } catch (cause) {
      throw new SchemaFault(pointer, messageOf(cause), cause);
    }
  }
}
