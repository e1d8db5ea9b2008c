import { isJsonNumber } from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import { type Direction, isSchemaObject, type SchemaObject, stringItems } from '../schema-object';
import { requirePatterns } from './keyword-operands';
import {
  discriminatedUnion,
  forObjectsOnly,
  translateCopied,
  type TranslatedSchema,
  translateEnum,
  translateFormat,
  translateNumber,
  translateTypes,
  withFormatTypes,
  writeProperties,
} from './translated-keywords';

/** What the translation needs to know about the document around a schema. */
interface DialectContext {
  /** JSON pointer of the schema that is translated. */
  readonly pointer: string;
  readonly direction: Direction;
  /** Is there any property that travels one way only, here or in what is referred to? */
  readonly dependsOnDirection: boolean;
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

/** @param directional - properties that never travel in this direction by the word of a schema around this one's `allOf` */
function translate(schema: SchemaObject, context: DialectContext, directional: ReadonlySet<string>): TranslatedSchema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return { $ref: context.refer(reference) };

  // Asked of every part of a long `allOf`, this would take the square of its length.
  const own = context.dependsOnDirection ? excludedByDirection(schema, context.direction, context.resolve) : NONE;
  const known = union(directional, own);
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
  directional: ReadonlySet<string>,
  result: TranslatedSchema,
): void {
  translateProperties(schema, context, result);
  const required = stringItems(schema['required']).filter((name) => !directional.has(name));
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
    members.map(([name, property]) => [name, translateOpenApi30(property, context)] as const),
    result,
  );
}

function translateCombinators(
  schema: SchemaObject,
  context: DialectContext,
  directional: ReadonlySet<string>,
  result: TranslatedSchema,
): void {
  const properties = schema['allOf'];
  const parts: TranslatedSchema[] = [];
  if (Array.isArray(properties)) {
    parts.push(...properties.filter(isSchemaObject).map((part) => translatePart(part, context, directional)));
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    const branches = list.filter(isSchemaObject);
    const translated = branches.map((branch) => translateOpenApi30(branch, context));
    const hinted = discriminatedUnion(schema, keyword, branches, translated);
    if (hinted === undefined) result[keyword] = translated;
    else parts.push(hinted);
  }
  if (Array.isArray(properties) || parts.length > 0) result['allOf'] = parts;
  if (isSchemaObject(schema['not'])) result['not'] = translateOpenApi30(schema['not'], context);
}

/** A property of `allOf`. One behind a reference is written out where its siblings change what it demands. */
function translatePart(
  part: SchemaObject,
  context: DialectContext,
  directional: ReadonlySet<string>,
): TranslatedSchema {
  if (typeof part['$ref'] !== 'string' || directional.size === 0) return translate(part, context, directional);
  const target = context.resolve(part);
  const own = excludedByDirection(target, context.direction, context.resolve);
  const isChanged = composedRequired(target, context.resolve).some((name) => directional.has(name) && !own.has(name));
  return translate(isChanged ? target : part, context, directional);
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return left.size === 0 ? right : new Set([...left, ...right]);
}

/** Gives the schema behind a `$ref`; a schema without one is itself. */
type ResolveSchema = (schema: SchemaObject) => SchemaObject;

/**
 * Names of the properties that never travel in a direction, so that `required` does not count for them (OAS 3.0.3
 * §4.7.24, `readOnly` and `writeOnly`). The properties of `allOf` describe one object together: what one of them declares,
 * another one may demand.
 */
function excludedByDirection(schema: SchemaObject, direction: Direction, resolve: ResolveSchema): Set<string> {
  const marker = direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = new Set<string>();
  for (const part of composedOf(schema, resolve)) {
    for (const [name, property] of Object.entries(isSchemaObject(part['properties']) ? part['properties'] : {})) {
      if (isSchemaObject(property) && resolve(property)[marker] === true) names.add(name);
    }
  }
  return names;
}

/** Every name that a schema or a part of its `allOf` demands. */
function composedRequired(schema: SchemaObject, resolve: ResolveSchema): string[] {
  return [...composedOf(schema, resolve)].flatMap((part) => stringItems(part['required']));
}

/** The schema and, through `allOf` and references, every schema that it is composed of. */
function composedOf(schema: SchemaObject, resolve: ResolveSchema): Set<SchemaObject> {
  const parts = new Set([resolve(schema)]);
  // A set gives what is added to it while it is walked, each once, so that a circle ends.
  for (const part of parts) {
    const properties = part['allOf'];
    if (!Array.isArray(properties)) continue;
    for (const property of properties) if (isSchemaObject(property)) parts.add(resolve(property));
  }
  return parts;
}
