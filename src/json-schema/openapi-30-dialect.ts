import { isJsonNumber, toCanonical } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { NUMBER_FORMATS } from './formats';
import type { NumberConstraints } from './number-keyword';
import { oneWayMembers, requiredMembers, textsOf, type ResolveSchema } from './one-way-members';
import { isSchemaObject, type Direction, type SchemaObject } from './schema';

/** What the translation needs to know about the document around a schema. */
export interface DialectContext {
  readonly direction: Direction;
  /** Gives the id under which the schema behind a `$ref` is registered, and sees to its registration. */
  refer(reference: string): string;
  /** For looking at what a schema behind a `$ref` declares. */
  readonly resolve: ResolveSchema;
}

type JsonSchema = Record<string, unknown>;

/** Keywords that mean the same in OpenAPI 3.0 and in JSON Schema draft-07 and hold no numbers of ours. */
const COPIED = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'pattern'] as const;

/** Keywords that judge objects only, and that ajv would let judge an exact number too. */
const OBJECT_KEYWORDS = [
  'properties',
  'patternProperties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
] as const;

const NONE: ReadonlySet<string> = new Set();

/**
 * Translates a Schema Object of OpenAPI 3.0 (OAS 3.0.3 §4.7.24) into JSON Schema for ajv, with our exact-number
 * keywords in place of ajv's, which know neither `bigint` nor decimals that a double cannot hold.
 *
 * Siblings of `$ref` are ignored, as OpenAPI 3.0 demands. Annotations are left out: they never change the outcome.
 */
export function translateOpenApi30(schema: SchemaObject, context: DialectContext): JsonSchema {
  return translate(schema, context, NONE);
}

/** @param oneWay - members that never travel in this direction by the word of a schema around this one's `allOf` */
function translate(schema: SchemaObject, context: DialectContext, oneWay: ReadonlySet<string>): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return { $ref: context.refer(reference) };

  const known = union(oneWay, oneWayMembers(schema, context.direction, context.resolve));
  const result: JsonSchema = {};
  for (const keyword of COPIED) if (schema[keyword] !== undefined) result[keyword] = plainNumber(schema[keyword]);
  translateType(schema, result);
  translateFormat(schema, result);
  translateNumber(schema, result);
  translateEnum(schema, result);
  translateMembers(schema, context, known, result);
  translateCombinators(schema, context, known, result);
  if (schema['uniqueItems'] === true) result['exactUniqueItems'] = true;
  return schema['type'] === 'object' ? result : forObjectsOnly(result);
}

/** Lets the keywords about objects judge objects only: to ajv an exact number is one. `type: object` has refused it. */
function forObjectsOnly(schema: JsonSchema): JsonSchema {
  const guarded = OBJECT_KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  if (guarded.length === 0) return schema;
  const then = Object.fromEntries(guarded.map((keyword) => [keyword, schema[keyword]]));
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !Object.hasOwn(then, keyword)));
  return { ...rest, if: { exactType: ['object'] }, then };
}

function translateType(schema: SchemaObject, result: JsonSchema): void {
  const type = schema['type'];
  if (typeof type !== 'string') return;
  // `nullable` counts only beside a `type` in the same schema object (OAS 3.0.4 clarification).
  const types = schema['nullable'] === true ? [type, 'null'] : [type];
  // ajv takes an exact number for an object, and no bigint for an integer.
  const isOurs = type === 'integer' || type === 'number' || type === 'object';
  result[isOurs ? 'exactType' : 'type'] = isOurs || types.length > 1 ? types : type;
}

/** A format speaks about the values that it knows, whatever `type` says; the formats of numbers are translated there. */
function translateFormat(schema: SchemaObject, result: JsonSchema): void {
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

function translateMembers(
  schema: SchemaObject,
  context: DialectContext,
  oneWay: ReadonlySet<string>,
  result: JsonSchema,
): void {
  translateProperties(schema, context, result);
  const required = textsOf(schema['required']).filter((name) => !oneWay.has(name));
  if (required.length > 0) result['required'] = required;
  const additional = schema['additionalProperties'];
  if (typeof additional === 'boolean') result['additionalProperties'] = additional;
  else if (isSchemaObject(additional)) result['additionalProperties'] = translateOpenApi30(additional, context);
  if (isSchemaObject(schema['items'])) result['items'] = translateOpenApi30(schema['items'], context);
}

function translateProperties(schema: SchemaObject, context: DialectContext, result: JsonSchema): void {
  const properties = schema['properties'];
  if (!isSchemaObject(properties)) return;
  const translated: [string, JsonSchema][] = [];
  for (const [name, member] of Object.entries(properties)) {
    if (!isSchemaObject(member)) continue;
    // ajv skips a property of this name, but not a pattern.
    if (name === '__proto__') result['patternProperties'] = { '^__proto__$': translateOpenApi30(member, context) };
    else translated.push([name, translateOpenApi30(member, context)]);
  }
  result['properties'] = Object.fromEntries(translated);
}

function translateCombinators(
  schema: SchemaObject,
  context: DialectContext,
  oneWay: ReadonlySet<string>,
  result: JsonSchema,
): void {
  const parts = schema['allOf'];
  if (Array.isArray(parts)) {
    result['allOf'] = parts.filter(isSchemaObject).map((part) => translatePart(part, context, oneWay));
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const members = schema[keyword];
    if (!Array.isArray(members)) continue;
    result[keyword] = members.filter(isSchemaObject).map((member) => translateOpenApi30(member, context));
  }
  if (isSchemaObject(schema['not'])) result['not'] = translateOpenApi30(schema['not'], context);
}

/** A member of `allOf`. One behind a reference is written out where its siblings change what it demands. */
function translatePart(part: SchemaObject, context: DialectContext, oneWay: ReadonlySet<string>): JsonSchema {
  if (typeof part['$ref'] !== 'string') return translate(part, context, oneWay);
  const target = context.resolve(part);
  const own = oneWayMembers(target, context.direction, context.resolve);
  const isChanged = requiredMembers(target, context.resolve).some((name) => oneWay.has(name) && !own.has(name));
  return translate(isChanged ? target : part, context, oneWay);
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return left.size === 0 ? right : new Set([...left, ...right]);
}

/** Lengths and counts are small; ajv wants them as plain numbers, `2.0` included. */
function plainNumber(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonNumber(value)) return value;
  const number = toCanonical(value);
  return typeof number === 'bigint' ? Number(number) : number;
}
