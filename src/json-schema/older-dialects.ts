import type { JsonValue } from '../json/json-value';
import { isJsonNumber } from '../json/exact-number';
import type { JsonSchemaDialect } from './json-schema-dialect';
import { isSchemaObject, type SchemaObject } from './schema';

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
export function modernised(schema: SchemaObject, dialect: JsonSchemaDialect): SchemaObject {
  if (dialect === '2020-12') return schema;
  const reference = schema['$ref'];
  if (isBefore(dialect, '2019-09') && typeof reference === 'string') return { $ref: reference };
  const silent = new Set(
    Object.entries(SINCE).flatMap(([since, keywords]) => (isBefore(dialect, since) ? keywords : [])),
  );
  const known = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !silent.has(keyword)));
  const bounded = dialect === 'draft-04' ? withModernBounds(known) : known;
  const { dependencies, $recursiveRef, ...result } = withModernItems(bounded);
  if (isBefore(dialect, '2019-09')) return { ...result, ...modernDependencies(dependencies) };
  return $recursiveRef === '#' ? { $ref: '#', ...result } : result;
}

function isBefore(dialect: JsonSchemaDialect, other: string): boolean {
  return ORDER.indexOf(dialect) < ORDER.indexOf(other as JsonSchemaDialect);
}

function withModernItems(schema: SchemaObject): SchemaObject {
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

function modernDependencies(dependencies: JsonValue | undefined): SchemaObject {
  if (!isSchemaObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const lists = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...(lists.length > 0 ? { dependentRequired: Object.fromEntries(lists) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  };
}

function withModernBounds({
  exclusiveMinimum,
  exclusiveMaximum,
  minimum,
  maximum,
  ...rest
}: SchemaObject): SchemaObject {
  return {
    ...rest,
    ...modernBound('inimum', minimum, exclusiveMinimum),
    ...modernBound('aximum', maximum, exclusiveMaximum),
  };
}

function modernBound(
  name: 'inimum' | 'aximum',
  limit: JsonValue | undefined,
  isExclusive: JsonValue | undefined,
): SchemaObject {
  if (!isJsonNumber(limit)) return {};
  return { [isExclusive === true ? `exclusiveM${name}` : `m${name}`]: limit };
}
