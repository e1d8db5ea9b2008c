import { compareNumbers, isInteger, isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { messageOf } from '../errors/error-facts';
import { nearestWord } from '../errors/similar-name';
import { joinPointer } from '../json/json-pointer';
import { compilePattern } from './pattern/compile-pattern';
import { isSchemaObject, type SchemaObject } from './schema';
import { SchemaFault, type FaultDetails } from './schema-fault';

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
  const [fault] = operandFaults(schemaObject, pointer);
  if (fault !== undefined) throw fault;
}

/**
 * @param pointer - of the schema that the schema object is a part of
 * @throws SchemaFault about that schema when a pattern is no regular expression
 */
export function requirePatterns(schemaObject: SchemaObject, pointer: string): void {
  const [fault] = patternFaults(schemaObject, pointer);
  if (fault !== undefined) throw new SchemaFault(pointer, fault.message, fault);
}

/** Every keyword of a schema object that has an operand it cannot have, patterns included. */
export function operandFaults(schemaObject: SchemaObject, pointer: string): SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const keyword of Object.keys(schemaObject)) {
    const rule = Object.hasOwn(OPERANDS, keyword) ? OPERANDS[keyword] : undefined;
    const operand = schemaObject[keyword] ?? null;
    if (rule === undefined || rule.fits(operand)) continue;
    const details = keyword === 'type' ? typeDetails(operand) : {};
    faults.push(new SchemaFault(joinPointer(pointer, keyword), `"${keyword}" must be ${rule.words}`, details));
  }
  return [...faults, ...patternFaults(schemaObject, pointer)];
}

/** Every pattern of a schema object that is no regular expression. */
export function patternFaults({ pattern, patternProperties }: SchemaObject, pointer: string): SchemaFault[] {
  const places = typeof pattern === 'string' ? [{ text: pattern, at: joinPointer(pointer, 'pattern') }] : [];
  for (const name of isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []) {
    places.push({ text: name, at: joinPointer(joinPointer(pointer, 'patternProperties'), name) });
  }
  return places.flatMap(({ text: written, at }) => {
    try {
      compilePattern(written);
      return [];
    } catch (cause) {
      return [new SchemaFault(at, messageOf(cause), { cause })];
    }
  });
}

function typeDetails(operand: Operand): FaultDetails {
  const words = [...TYPES].map(String);
  const wrong = [operand].flat().find((each) => typeof each === 'string' && !TYPES.has(each));
  const near = typeof wrong === 'string' ? nearestWord(wrong, words) : undefined;
  return {
    expected: `one of ${words.join(', ')}, or a list of them`,
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  };
}
