import { isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { hintedUnion } from './discriminator';
import { requirePatterns } from './keyword-operands';
import { oneWayMembers, requiredMembers, textsOf, type ResolveSchema } from './one-way-members';
import { isSchemaObject, type Direction, type SchemaObject } from './schema';
import {
  forObjectsOnly,
  translateCopied,
  translateEnum,
  translateFormat,
  translateNumber,
  translateTypes,
  withFormatTypes,
  writeProperties,
  type TranslatedSchema,
} from './translated-keywords';

/** What the translation needs to know about the document around a schema. */
export interface DialectContext {
  /** JSON pointer of the schema that is translated. */
  readonly pointer: string;
  readonly direction: Direction;
  /** Is there any member that travels one way only, here or in what is referred to? */
  readonly hasOneWayMembers: boolean;
  /** Gives the id under which the schema behind a `$ref` is registered, and sees to its registration. */
  refer(reference: string): string;
  /** For looking at what a schema behind a `$ref` declares. */
  readonly resolve: ResolveSchema;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Translates a Schema Object of OpenAPI 3.0 (OAS 3.0.3 §4.7.24) into JSON Schema for ajv, with our exact-number
 * keywords in place of ajv's, which know neither `bigint` nor decimals that a double cannot hold.
 *
 * Siblings of `$ref` are ignored, as OpenAPI 3.0 demands. Annotations are left out: they never change the outcome.
 */
export function translateOpenApi30(schema: SchemaObject, context: DialectContext): TranslatedSchema {
  return translate(schema, context, NONE);
}

/** @param oneWay - members that never travel in this direction by the word of a schema around this one's `allOf` */
function translate(schema: SchemaObject, context: DialectContext, oneWay: ReadonlySet<string>): TranslatedSchema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return { $ref: context.refer(reference) };

  // Asked of every part of a long `allOf`, this would take the square of its length.
  const own = context.hasOneWayMembers ? oneWayMembers(schema, context.direction, context.resolve) : NONE;
  const known = union(oneWay, own);
  const result: TranslatedSchema = {};
  requirePatterns(schema, context.pointer);
  translateCopied(schema, result);
  translateType(schema, result);
  translateFormat(schema, result);
  translateNumber(schema, boundsOf(schema), result);
  translateEnum(schema, result);
  translateMembers(schema, context, known, result);
  translateCombinators(schema, context, known, result);
  if (schema['uniqueItems'] === true) result['exactUniqueItems'] = true;
  return forObjectsOnly(result);
}

function translateType(schema: SchemaObject, result: TranslatedSchema): void {
  const type = schema['type'];
  // `nullable` counts only beside a `type` in the same schema object (OAS 3.0.4 clarification).
  if (typeof type !== 'string') return;
  translateTypes(withFormatTypes(schema['nullable'] === true ? [type, 'null'] : [type], schema), result);
}

function boundsOf(schema: SchemaObject): Record<string, JsonValue> {
  const bounds: Record<string, JsonValue> = {};
  for (const bound of ['minimum', 'maximum'] as const) {
    const limit = schema[bound];
    if (!isJsonNumber(limit)) continue;
    const exclusive = bound === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    bounds[schema[exclusive] === true ? exclusive : bound] = limit;
  }
  return bounds;
}

function translateMembers(
  schema: SchemaObject,
  context: DialectContext,
  oneWay: ReadonlySet<string>,
  result: TranslatedSchema,
): void {
  translateProperties(schema, context, result);
  const required = textsOf(schema['required']).filter((name) => !oneWay.has(name));
  if (required.length > 0) result['required'] = required;
  const additional = schema['additionalProperties'];
  if (typeof additional === 'boolean') result['additionalProperties'] = additional;
  else if (isSchemaObject(additional)) result['additionalProperties'] = translateOpenApi30(additional, context);
  if (isSchemaObject(schema['items'])) result['items'] = translateOpenApi30(schema['items'], context);
}

function translateProperties(schema: SchemaObject, context: DialectContext, result: TranslatedSchema): void {
  const properties = schema['properties'];
  if (!isSchemaObject(properties)) return;
  const members = Object.entries(properties).filter((entry): entry is [string, SchemaObject] =>
    isSchemaObject(entry[1]),
  );
  writeProperties(
    members.map(([name, member]) => [name, translateOpenApi30(member, context)] as const),
    result,
  );
}

function translateCombinators(
  schema: SchemaObject,
  context: DialectContext,
  oneWay: ReadonlySet<string>,
  result: TranslatedSchema,
): void {
  const members = schema['allOf'];
  const parts: TranslatedSchema[] = [];
  if (Array.isArray(members)) {
    parts.push(...members.filter(isSchemaObject).map((part) => translatePart(part, context, oneWay)));
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    const branches = list.filter(isSchemaObject);
    const translated = branches.map((branch) => translateOpenApi30(branch, context));
    const hinted = hintedUnion(schema, keyword, branches, translated);
    if (hinted === undefined) result[keyword] = translated;
    else parts.push(hinted);
  }
  if (Array.isArray(members) || parts.length > 0) result['allOf'] = parts;
  if (isSchemaObject(schema['not'])) result['not'] = translateOpenApi30(schema['not'], context);
}

/** A member of `allOf`. One behind a reference is written out where its siblings change what it demands. */
function translatePart(part: SchemaObject, context: DialectContext, oneWay: ReadonlySet<string>): TranslatedSchema {
  if (typeof part['$ref'] !== 'string' || oneWay.size === 0) return translate(part, context, oneWay);
  const target = context.resolve(part);
  const own = oneWayMembers(target, context.direction, context.resolve);
  const isChanged = requiredMembers(target, context.resolve).some((name) => oneWay.has(name) && !own.has(name));
  return translate(isChanged ? target : part, context, oneWay);
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return left.size === 0 ? right : new Set([...left, ...right]);
}
