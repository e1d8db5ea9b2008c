import { isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import type { NumberConstraints } from './number-keyword';
import { isSchemaObject, type Direction, type SchemaObject } from './schema';

/** What the translation needs to know about the document around a schema. */
export interface DialectContext {
  readonly direction: Direction;
  /** Gives the id under which the schema behind a `$ref` is registered, and sees to its registration. */
  refer(reference: string): string;
  /** The schema behind a `$ref`, for looking at its annotations. */
  resolve(schema: SchemaObject): SchemaObject;
}

type JsonSchema = Record<string, unknown>;

/** Keywords that mean the same in OpenAPI 3.0 and in JSON Schema draft-07 and hold no numbers of ours. */
const COPIED = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'pattern'] as const;

const NUMBER_FORMATS = new Set(['int32', 'int64', 'float', 'double']);

/**
 * Translates a Schema Object of OpenAPI 3.0 (OAS 3.0.3 §4.7.24) into JSON Schema for ajv, with our exact-number
 * keywords in place of ajv's, which know neither `bigint` nor decimals that a double cannot hold.
 *
 * Siblings of `$ref` are ignored, as OpenAPI 3.0 demands. Annotations are left out: they never change the outcome.
 */
export function translateOpenApi30(schema: SchemaObject, context: DialectContext): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return { $ref: context.refer(reference) };

  const result: JsonSchema = {};
  for (const keyword of COPIED) if (schema[keyword] !== undefined) result[keyword] = plainNumber(schema[keyword]);
  translateType(schema, result);
  translateNumber(schema, result);
  translateEnum(schema, result);
  translateMembers(schema, context, result);
  translateCombinators(schema, context, result);
  if (schema['uniqueItems'] === true) result['exactUniqueItems'] = true;
  return result;
}

function translateType(schema: SchemaObject, result: JsonSchema): void {
  const type = schema['type'];
  if (typeof type !== 'string') return;
  // `nullable` counts only beside a `type` in the same schema object (OAS 3.0.4 clarification).
  const types = schema['nullable'] === true ? [type, 'null'] : [type];
  // ajv takes an exact number for an object, and no bigint for an integer.
  const isOurs = type === 'integer' || type === 'number' || type === 'object';
  result[isOurs ? 'exactType' : 'type'] = isOurs || types.length > 1 ? types : type;

  const format = schema['format'];
  if (typeof format === 'string' && !NUMBER_FORMATS.has(format)) result['format'] = format;
}

function translateNumber(schema: SchemaObject, result: JsonSchema): void {
  const constraints: Record<string, JsonValue> = {};
  for (const bound of ['minimum', 'maximum'] as const) {
    const limit = schema[bound];
    if (!isJsonNumber(limit)) continue;
    const exclusive = bound === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    constraints[schema[exclusive] === true ? exclusive : bound] = limit;
  }
  if (isJsonNumber(schema['multipleOf'])) constraints['multipleOf'] = schema['multipleOf'];
  const format = schema['format'];
  if (typeof format === 'string' && NUMBER_FORMATS.has(format)) constraints['format'] = format;
  if (Object.keys(constraints).length > 0) result['exactNumber'] = constraints satisfies NumberConstraints;
}

function translateEnum(schema: SchemaObject, result: JsonSchema): void {
  const values = schema['enum'];
  if (!Array.isArray(values)) return;
  const isPlain = values.every((value) => typeof value === 'string' || typeof value === 'boolean' || value === null);
  result[isPlain ? 'enum' : 'exactEnum'] = values;
}

function translateMembers(schema: SchemaObject, context: DialectContext, result: JsonSchema): void {
  const properties = schema['properties'];
  if (isSchemaObject(properties)) {
    const translated: [string, JsonSchema][] = [];
    for (const [name, member] of Object.entries(properties)) {
      if (isSchemaObject(member)) translated.push([name, translateOpenApi30(member, context)]);
    }
    // fromEntries defines members, so a property called `__proto__` stays a property.
    result['properties'] = Object.fromEntries(translated);
  }
  const required = schema['required'];
  if (Array.isArray(required)) {
    const names = required.filter((name) => typeof name === 'string');
    const counted = names.filter((name) => !isOneWay(schema, name, context));
    if (counted.length > 0) result['required'] = counted;
  }
  const additional = schema['additionalProperties'];
  if (typeof additional === 'boolean') result['additionalProperties'] = additional;
  else if (isSchemaObject(additional)) result['additionalProperties'] = translateOpenApi30(additional, context);
  if (isSchemaObject(schema['items'])) result['items'] = translateOpenApi30(schema['items'], context);
}

/** Is the member one that never travels in this direction, so that `required` does not count for it? */
function isOneWay(schema: SchemaObject, name: string, context: DialectContext): boolean {
  const properties = schema['properties'];
  if (!isSchemaObject(properties) || !Object.hasOwn(properties, name)) return false;
  const member = properties[name];
  if (!isSchemaObject(member)) return false;
  return context.resolve(member)[context.direction === 'request' ? 'readOnly' : 'writeOnly'] === true;
}

function translateCombinators(schema: SchemaObject, context: DialectContext, result: JsonSchema): void {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const members = schema[keyword];
    if (!Array.isArray(members)) continue;
    result[keyword] = members.filter(isSchemaObject).map((member) => translateOpenApi30(member, context));
  }
  if (isSchemaObject(schema['not'])) result['not'] = translateOpenApi30(schema['not'], context);
}

/** Lengths and counts are small; ajv wants them as plain numbers. */
function plainNumber(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'bigint' ? Number(value) : value;
}
