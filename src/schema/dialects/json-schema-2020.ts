import { isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import {
  discriminatedUnion,
  forObjectsOnly,
  isPlain,
  plainNumber,
  translateCopied,
  type TranslatedSchema,
  translateEnum,
  translateFormat,
  translateNumber,
  translateTypes,
  withFormatTypes,
  writeProperties,
} from './translated-keywords';
import { requireOperands, requirePatterns } from './keyword-operands';
import { composedOf, propertiesExcludedByDirection, type SchemaInContext, upgradeDialect } from './schema-context';
import { ALLOWS_NULL, isSchemaObject, type SchemaObject, stringItems } from '../schema-object';

const NONE: ReadonlySet<string> = new Set();

/** What no value satisfies, with a violation in our words. */
const NEVER: TranslatedSchema = { exactNever: true };

/** Keywords with one schema that may also be `false`, for which ajv has a better word than ours. */
const WITH_FALSE = ['items', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'] as const;
const WITH_SCHEMA = ['contains', 'propertyNames', 'not', 'if', 'then', 'else'] as const;
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'] as const;
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/**
 * Translates a schema of JSON Schema 2020-12, or of an older dialect that it is written in, for ajv: exact
 * numbers are checked by our own keywords, references are ids of registered schemas, dynamic ones are resolved.
 * Annotations are left out, `discriminator` among them: they never change the outcome.
 *
 * Properties that never travel in the direction are not required: JSON Schema would require them, but a description that
 * was moved from OpenAPI 3.0 still means what it meant there.
 *
 * @throws SchemaFault when a keyword has an operand that it cannot have, or a reference leads nowhere
 */
export function translateJsonSchema(placed: SchemaInContext): TranslatedSchema {
  return translate(placed, NONE);
}

/** A schema below another one. */
function translateBelow(placed: SchemaInContext, directional: ReadonlySet<string> = NONE): TranslatedSchema {
  const { schema, pointer, context } = placed;
  // Only in a function of its own does ajv begin anew to keep account of what was looked at.
  const keepsAccount = isSchemaObject(schema) && UNEVALUATED.some((keyword) => schema[keyword] !== undefined);
  if (keepsAccount && directional.size === 0) return { $ref: context.register(pointer) };
  return translate(placed, directional);
}

/** @param directional - properties that never travel in this direction by the word of a schema around this one */
function translate(placed: SchemaInContext, directional: ReadonlySet<string>): TranslatedSchema {
  const { pointer, schema: raw } = placed;
  if (raw === true) return {};
  if (!isSchemaObject(raw)) return NEVER;
  const context = placed.context.within(raw, pointer);
  const schema = upgradeDialect(raw, context.dialect);
  if (context.dialect === 'openapi-3.0') requirePatterns(schema, pointer);
  else requireOperands(schema, pointer);
  const at: At = { schema, pointer, context };
  const own = propertiesExcludedByDirection(at);
  const known = own.size === 0 ? directional : new Set([...directional, ...own]);

  const result: TranslatedSchema = {};
  translateCopied(schema, result);
  translateTypes(withFormatTypes(stringItems([schema['type'] ?? []].flat()), schema), result);
  translateFormat(schema, result);
  translateNumber(schema, boundsOf(schema), result);
  translateEnum(schema, result);
  translateConst(schema, result);
  if (schema['uniqueItems'] === true) result['exactUniqueItems'] = true;
  translateObject(at, known, result);
  translateApplicators(at, result);
  translateInPlace(at, known, result);
  const translated = forObjectsOnly(result);
  return raw[ALLOWS_NULL] === true ? { if: { type: 'null' }, then: {}, else: translated } : translated;
}

/** A schema object, its dialect's keywords written in those of 2020-12. */
interface At extends SchemaInContext {
  readonly schema: SchemaObject;
}

function below({ pointer, context }: At, path: readonly (string | number)[], schema: JsonValue): SchemaInContext {
  return { schema, pointer: path.reduce<string>(joinPointer, pointer), context };
}

function boundsOf(schema: SchemaObject): Record<string, JsonValue> {
  const bounds: Record<string, JsonValue> = {};
  for (const bound of BOUNDS) if (isJsonNumber(schema[bound])) bounds[bound] = schema[bound];
  return bounds;
}

function translateConst(schema: SchemaObject, result: TranslatedSchema): void {
  const wanted = schema['const'];
  if (wanted === undefined) return;
  if (isPlain(wanted)) result['const'] = wanted;
  else result['exactConst'] = [wanted];
}

function translateObject(at: At, directional: ReadonlySet<string>, result: TranslatedSchema): void {
  const { schema } = at;
  const required = stringItems(schema['required']).filter((name) => !directional.has(name));
  if (required.length > 0) result['required'] = required;
  for (const keyword of ['patternProperties', 'dependentSchemas'] as const) {
    const map = schema[keyword];
    if (isSchemaObject(map)) result[keyword] = Object.fromEntries(translateMap(at, keyword, map));
  }
  const properties = schema['properties'];
  if (isSchemaObject(properties)) writeProperties(translateMap(at, 'properties', properties), result);
  const dependent = schema['dependentRequired'];
  if (!isSchemaObject(dependent)) return;
  result['dependentRequired'] = Object.fromEntries(
    Object.entries(dependent).map(([name, names]) => [
      name,
      stringItems(names).filter((other) => !directional.has(other)),
    ]),
  );
}

function translateMap(at: At, keyword: string, map: SchemaObject): (readonly [string, TranslatedSchema])[] {
  return Object.entries(map).map(([name, property]) => [name, translateBelow(below(at, [keyword, name], property))]);
}

function translateList(at: At, keyword: string, directional = NONE): TranslatedSchema[] {
  const operands = at.schema[keyword];
  if (!Array.isArray(operands)) return [];
  return operands.map((operand, index) => translateBelow(below(at, [keyword, index], operand), directional));
}

function translateApplicators(at: At, result: TranslatedSchema): void {
  const { schema } = at;
  for (const keyword of WITH_FALSE) {
    const operand = schema[keyword];
    if (operand === undefined) continue;
    result[keyword] = typeof operand === 'boolean' ? operand : translateBelow(below(at, [keyword], operand));
  }
  for (const keyword of WITH_SCHEMA) {
    const operand = schema[keyword];
    if (operand !== undefined) result[keyword] = translateBelow(below(at, [keyword], operand));
  }
  // ajv passes over an `if` that nothing follows from; what it looked at counts as evaluated all the same.
  if (schema['if'] !== undefined && result['then'] === undefined) result['then'] = { exactNever: false };
  if (schema['unevaluatedItems'] !== undefined) exceptContained(at, result);
  // Without `contains` they say nothing, and ajv wants plain numbers.
  if (schema['contains'] === undefined) return;
  for (const keyword of ['minContains', 'maxContains'] as const) {
    if (schema[keyword] !== undefined) result[keyword] = plainNumber(schema[keyword]);
  }
}

/** What a `contains` of the schema, or of one that it is composed of, matches is evaluated. */
function exceptContained(at: At, result: TranslatedSchema): void {
  const contained = composedOf(at).flatMap(({ schema, pointer, context }) => {
    const operand = schema['contains'];
    const place = { schema: operand ?? null, pointer: joinPointer(pointer, 'contains'), context };
    return operand === undefined ? [] : [translateBelow(place)];
  });
  if (contained.length === 0) return;
  const rest = result['unevaluatedItems'];
  result['unevaluatedItems'] = { anyOf: [...contained, rest] };
}

/** Unions, and references and `allOf`: schemas that describe the same value together with the one around them. */
function translateInPlace(at: At, directional: ReadonlySet<string>, result: TranslatedSchema): void {
  const { schema, pointer, context } = at;
  const parts = translateList(at, 'allOf', directional);
  if (schema['prefixItems'] !== undefined) {
    // By itself, with the keyword that it concerns: of an empty array ajv passes over the keywords after it.
    const { items } = result;
    parts.push({ prefixItems: translateList(at, 'prefixItems'), ...(items === undefined ? {} : { items }) });
    delete result['items'];
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const translated = translateList(at, keyword);
    const hinted = discriminatedUnion(schema, keyword, branches, translated);
    if (hinted === undefined) result[keyword] = translated;
    else parts.push(hinted);
  }
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    // The target is asked for in every case: a reference that leads nowhere is a fault.
    const id = context.refer(reference, pointer);
    const target = context.target(reference);
    if (target !== undefined && isChanged(target, directional)) parts.push(translate(target, directional));
    else result['$ref'] = id;
  }
  const dynamic = schema['$dynamicRef'];
  if (typeof dynamic === 'string') parts.push({ $ref: context.referDynamically(dynamic, pointer) });
  if (parts.length > 0) result['allOf'] = parts;
}

/** Would a schema behind a reference demand a property that the schema around the reference says does not travel? */
function isChanged(target: SchemaInContext, directional: ReadonlySet<string>): boolean {
  if (directional.size === 0) return false;
  const parts = composedOf(target);
  return parts.some(({ schema, ...place }) => {
    const own = propertiesExcludedByDirection({ schema, ...place });
    return stringItems(schema['required']).some((name) => directional.has(name) && !own.has(name));
  });
}
