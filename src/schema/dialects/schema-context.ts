import { isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { type Direction, isSchemaObject, type SchemaObject } from '../schema-object';

/** A schema of JSON Schema in its place, and how its references are read there. */
export interface SchemaInContext {
  readonly schema: JsonValue;
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly context: SchemaContext;
}

/**
 * What the translation of JSON Schema needs to know about the resource around a schema (JSON Schema Core §4.3.5): the
 * document, or what has a `$id` of its own.
 */
export interface SchemaContext {
  readonly direction: Direction;
  /** Whether anything that is reached from here is marked `readOnly` or `writeOnly`; most schemas are spared the search. */
  readonly dependsOnDirection: boolean;
  readonly dialect: JsonSchemaDialect;
  /**
   * Gives the id under which the schema behind a `$ref` is registered, and sees to its registration.
   *
   * @throws SchemaFault about the schema at `pointer` when the reference leads nowhere
   */
  refer(reference: string, pointer: string): string;
  /** The same for a `$dynamicRef` (JSON Schema Core §8.2.3.2). */
  referDynamically(reference: string, pointer: string): string;
  /** Gives the id under which the schema at a pointer is registered, and sees to its registration. */
  register(pointer: string): string;
  /** For looking at what the schema behind a `$ref` declares. */
  target(reference: string): SchemaInContext | undefined;
  /** The context inside of a schema: this one, unless the schema says that it is a resource of its own. */
  within(schema: SchemaObject, pointer: string): SchemaContext;
}

/** A version of JSON Schema that schemas can be written in, or the Schema Object of OpenAPI 3.0 (OAS 3.0.3 §4.7.24). */
export type JsonSchemaDialect = 'openapi-3.0' | 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

const BY_URI: readonly (readonly [RegExp, JsonSchemaDialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-04\/schema$/, 'draft-04'],
  [/^https?:\/\/json-schema\.org\/draft-06\/schema$/, 'draft-06'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/, '2020-12'],
  // The dialects of OpenAPI 3.1 and 3.2, one for each patch: 2020-12 and a vocabulary of annotations.
  [/^https:\/\/spec\.openapis\.org\/oas\/3\.[12]\/(?:dialect|schema-base)\/[\w-]+$/, '2020-12'],
];

/**
 * The dialect that a `$schema` or `jsonSchemaDialect` names (OAS 3.1 §4.8.24.7 "Specifying Schema Dialects").
 *
 * @returns `undefined` for one that is not known: nothing can be checked by it
 */
export function dialectOf(uri: string): JsonSchemaDialect | undefined {
  const name = uri.replace(/#$/, '');
  return BY_URI.find(([known]) => known.test(name))?.[1];
}

/** Keywords that came with a dialect: in an older one they say nothing. */
const SINCE: Readonly<Record<string, readonly string[]>> = {
  'draft-06': ['const', 'contains', 'propertyNames', 'examples'],
  'draft-07': ['if', 'then', 'else'],
  '2019-09': [
    'minContains',
    'maxContains',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
    'unevaluatedItems',
    '$anchor',
  ],
  '2020-12': ['prefixItems', '$dynamicRef', '$dynamicAnchor'],
};

const ORDER: readonly JsonSchemaDialect[] = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'];

/**
 * Writes one schema object of an older dialect in the keywords of 2020-12; what is below it stays as it is. Lists under
 * `items` became `prefixItems`, `dependencies` became two keywords, the exclusive bounds of draft-04 were booleans, and
 * beside `$ref` nothing counted before 2019-09.
 */
export function upgradeDialect(schema: SchemaObject, dialect: JsonSchemaDialect): SchemaObject {
  if (dialect === '2020-12') return schema;
  const reference = schema['$ref'];
  if (dialect === 'openapi-3.0') return typeof reference === 'string' ? { $ref: reference } : upgradeOpenApi30(schema);
  if (isBefore(dialect, '2019-09') && typeof reference === 'string') return { $ref: reference };
  const silent = new Set(
    Object.entries(SINCE).flatMap(([since, keywords]) => (isBefore(dialect, since) ? keywords : [])),
  );
  const known = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !silent.has(keyword)));
  const bounded = dialect === 'draft-04' ? upgradeBounds(known) : known;
  const { dependencies, $recursiveRef, ...result } = upgradeItems(bounded);
  if (isBefore(dialect, '2019-09')) return { ...result, ...upgradeDependencies(dependencies) };
  return $recursiveRef === '#' ? { $ref: '#', ...result } : result;
}

function isBefore(dialect: JsonSchemaDialect, other: string): boolean {
  return ORDER.indexOf(dialect) < ORDER.indexOf(other as JsonSchemaDialect);
}

type ReadOperand = (operand: JsonValue) => JsonValue | undefined;

const asIs: ReadOperand = (operand) => operand;
const asSchema: ReadOperand = (operand) => (isSchemaObject(operand) ? operand : undefined);
const asSchemas: ReadOperand = (operand) => (Array.isArray(operand) ? operand.filter(isSchemaObject) : undefined);

/** What OpenAPI 3.0 has of JSON Schema, where schemas are objects and a type is one word: anything else says nothing. */
const OPENAPI_30: ReadonlyMap<string, ReadOperand> = new Map([
  ...['format', 'enum', 'pattern', 'minLength', 'maxLength', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum']
    .concat('exclusiveMaximum', 'uniqueItems', 'minItems', 'maxItems', 'required', 'minProperties', 'maxProperties')
    .concat('discriminator', 'readOnly', 'writeOnly')
    .map((keyword) => [keyword, asIs] as const),
  ...['allOf', 'anyOf', 'oneOf'].map((keyword) => [keyword, asSchemas] as const),
  ['type', (operand) => (typeof operand === 'string' ? operand : undefined)],
  ['items', asSchema],
  ['not', asSchema],
  ['additionalProperties', (operand) => (typeof operand === 'boolean' ? operand : asSchema(operand))],
  [
    'properties',
    (operand) =>
      isSchemaObject(operand)
        ? Object.fromEntries(Object.entries(operand).filter(([, property]) => isSchemaObject(property)))
        : undefined,
  ],
]);

function upgradeOpenApi30(schema: SchemaObject): SchemaObject {
  const known = Object.entries(schema).flatMap(([keyword, operand]): [string, JsonValue][] => {
    const read = OPENAPI_30.get(keyword)?.(operand);
    return read === undefined ? [] : [[keyword, read]];
  });
  const { type, ...rest } = upgradeBounds(Object.fromEntries(known));
  if (type === undefined) return rest;
  // `nullable` counts only beside a `type` in the same schema object (OAS 3.0.4 clarification).
  return { ...rest, type: schema['nullable'] === true ? [type, 'null'] : type };
}

function upgradeItems(schema: SchemaObject): SchemaObject {
  const { items, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  const { additionalItems } = schema;
  return {
    ...rest,
    // An empty list says nothing of any item; 2020-12 does not have one.
    ...(items.length > 0 ? { prefixItems: items } : {}),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

function upgradeDependencies(dependencies: JsonValue | undefined): SchemaObject {
  if (!isSchemaObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const lists = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...(lists.length > 0 ? { dependentRequired: Object.fromEntries(lists) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  };
}

function upgradeBounds({ exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest }: SchemaObject): SchemaObject {
  return {
    ...rest,
    ...upgradeBound('inimum', minimum, exclusiveMinimum),
    ...upgradeBound('aximum', maximum, exclusiveMaximum),
  };
}

function upgradeBound(
  name: 'inimum' | 'aximum',
  limit: JsonValue | undefined,
  isExclusive: JsonValue | undefined,
): SchemaObject {
  if (!isJsonNumber(limit)) return {};
  return { [isExclusive === true ? `exclusiveM${name}` : `m${name}`]: limit };
}

type ObjectInContext = SchemaInContext & { readonly schema: SchemaObject };

/** A schema and every schema that describes the same value with it, through `$ref` and `allOf`, each once. */
export function composedOf(placed: SchemaInContext): ObjectInContext[] {
  const parts = new Map<string, ObjectInContext>();
  const add = ({ schema, pointer, context }: SchemaInContext): void => {
    if (!isSchemaObject(schema) || parts.has(pointer)) return;
    const within = context.within(schema, pointer);
    parts.set(pointer, { schema: upgradeDialect(schema, within.dialect), pointer, context: within });
  };
  add(placed);
  // A map gives what is added to it while it is walked, so that a circle ends.
  for (const { schema, pointer, context } of parts.values()) {
    const reference = schema['$ref'];
    const target = typeof reference === 'string' ? context.target(reference) : undefined;
    if (target !== undefined) add(target);
    const properties = schema['allOf'];
    if (!Array.isArray(properties)) continue;
    properties.forEach((property, index) => {
      add({ schema: property, pointer: joinPointer(joinPointer(pointer, 'allOf'), index), context });
    });
  }
  return [...parts.values()];
}

/**
 * Names of the properties that never travel in the context's direction: `readOnly` ones in a request, `writeOnly` ones in
 * a response, by the word of the property's schema or of one that it is composed of.
 */
export function propertiesExcludedByDirection(placed: SchemaInContext): Set<string> {
  const marker = placed.context.direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = new Set<string>();
  if (!placed.context.dependsOnDirection) return names;
  for (const { schema, pointer, context } of composedOf(placed)) {
    const properties = schema['properties'];
    for (const [name, property] of Object.entries(isSchemaObject(properties) ? properties : {})) {
      const at = joinPointer(joinPointer(pointer, 'properties'), name);
      const parts = composedOf({ schema: property, pointer: at, context });
      if (parts.some((part) => part.schema[marker] === true)) names.add(name);
    }
  }
  return names;
}
