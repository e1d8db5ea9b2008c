import { compareNumbers, isInteger, isJsonNumber } from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import { messageOf } from '../../core/errors/standin-error';
import { nearestWord } from '../../core/text/similar-name';
import { joinPointer } from '../../core/json/json-pointer';
import { compilePattern } from '../pattern/compile-pattern';
import { type InvalidSchemaDetails, InvalidSchemaError, isSchemaObject, type SchemaObject } from '../schema-object';

type Operand = JsonValue;

interface OperandRule {
  /** The rest of "must be". */
  readonly expected: string;
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
  expected: 'a whole number that is not below zero',
  fits: (value) => isJsonNumber(value) && isInteger(value) && compareNumbers(value, 0) >= 0,
};
const number: OperandRule = { expected: 'a number', fits: isJsonNumber };
const text: OperandRule = { expected: 'a text', fits: isText };
const flag: OperandRule = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const schema: OperandRule = { expected: 'a schema', fits: isSchema };
const schemaMap: OperandRule = { expected: 'an object of schemas', fits: (value) => isMapOf(value, isSchema) };
const schemaList: OperandRule = {
  expected: 'a list of at least one schema',
  fits: (value) => isListOf(value, isSchema) && (value as readonly JsonValue[]).length > 0,
};
const names: OperandRule = { expected: 'a list of names', fits: (value) => isListOf(value, isText) };

/** What the keywords of JSON Schema 2020-12 take (its meta-schema): with anything else, a schema says nothing sure. */
const OPERANDS: Readonly<Record<string, OperandRule>> = {
  $ref: text,
  $dynamicRef: text,
  type: {
    expected: 'a type, or a list of types',
    fits: (value) =>
      TYPES.has(value) || (isListOf(value, (item) => TYPES.has(item)) && Array.isArray(value) && value.length > 0),
  },
  enum: { expected: 'a list', fits: (value) => Array.isArray(value) },
  multipleOf: {
    expected: 'a number above zero',
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
  dependentRequired: { expected: 'an object of lists of names', fits: (value) => isMapOf(value, names.fits) },
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

/** The keywords of JSON Schema 2020-12 that take what not everything is. */
export const KEYWORDS: readonly string[] = Object.keys(OPERANDS);

/** @throws SchemaFault when a keyword of the schema object has an operand that it cannot have */
export function requireOperands(schemaObject: SchemaObject, pointer: string): void {
  const [fault] = operandErrors(schemaObject, pointer);
  if (fault !== undefined) throw fault;
}

/**
 * @param pointer - of the schema that the schema object is a part of
 * @throws SchemaFault about that schema when a pattern is not a regular expression
 */
export function requirePatterns(schemaObject: SchemaObject, pointer: string): void {
  const [fault] = patternErrors(schemaObject, pointer);
  if (fault !== undefined) throw new InvalidSchemaError(pointer, fault.message, fault);
}

/** Every keyword of a schema object that has an operand it cannot have, patterns included. */
export function operandErrors(schemaObject: SchemaObject, pointer: string): InvalidSchemaError[] {
  const faults: InvalidSchemaError[] = [];
  for (const keyword of Object.keys(schemaObject)) {
    const rule = Object.hasOwn(OPERANDS, keyword) ? OPERANDS[keyword] : undefined;
    const operand = schemaObject[keyword] ?? null;
    if (rule === undefined || rule.fits(operand)) continue;
    const details = keyword === 'type' ? typeDetails(operand) : {};
    faults.push(
      new InvalidSchemaError(joinPointer(pointer, keyword), `"${keyword}" must be ${rule.expected}`, details),
    );
  }
  return [...faults, ...patternErrors(schemaObject, pointer)];
}

/** Every pattern of a schema object that is not a regular expression. */
export function patternErrors({ pattern, patternProperties }: SchemaObject, pointer: string): InvalidSchemaError[] {
  const places = typeof pattern === 'string' ? [{ text: pattern, at: joinPointer(pointer, 'pattern') }] : [];
  for (const name of isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []) {
    places.push({ text: name, at: joinPointer(joinPointer(pointer, 'patternProperties'), name) });
  }
  return places.flatMap(({ text: written, at }) => {
    try {
      compilePattern(written);
      return [];
    } catch (cause) {
      return [new InvalidSchemaError(at, messageOf(cause), { cause })];
    }
  });
}

function typeDetails(operand: Operand): InvalidSchemaDetails {
  const words = [...TYPES].map(String);
  const wrong = [operand].flat().find((each) => typeof each === 'string' && !TYPES.has(each));
  const near = typeof wrong === 'string' ? nearestWord(wrong, words) : undefined;
  return {
    expected: `one of ${words.join(', ')}, or a list of them`,
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  };
}
