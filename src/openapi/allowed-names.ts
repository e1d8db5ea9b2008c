import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';

/** What an object of the official schema may have as members. */
export interface AllowedNames {
  readonly names: readonly string[];
  /** Regular expressions that other names may match. */
  readonly patterns: readonly string[];
}

/** Keywords whose schemas judge the same object, and may declare members of it. */
const IN_PLACE = ['then', 'else', 'allOf', 'anyOf', 'oneOf'] as const;
/** Maps of such schemas; the official schema defines beside an object what is only for it, and at its root all others. */
const MAPS_IN_PLACE = ['dependentSchemas', '$defs'] as const;
const MAPS_AT_ROOT = ['dependentSchemas'] as const;

/** Names of the members that a schema declares, those of patterns like `^(get|put)$` among them, and its other patterns. */
export function allowedNames(schema: SchemaObject): AllowedNames {
  const names = new Set<string>();
  const patterns = new Set<string>();
  collect(schema, names, patterns);
  return { names: [...names], patterns: [...patterns] };
}

function collect(schema: JsonValue | undefined, names: Set<string>, patterns: Set<string>): void {
  if (!isSchemaObject(schema)) return;
  for (const name of Object.keys(objectOf(schema['properties']))) names.add(name);
  for (const pattern of Object.keys(objectOf(schema['patternProperties']))) {
    const listed = /^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1];
    if (listed !== undefined) for (const name of listed.split('|')) names.add(name);
    else if (pattern !== '^x-') patterns.add(pattern);
  }
  for (const keyword of IN_PLACE) for (const part of [schema[keyword]].flat()) collect(part, names, patterns);
  for (const part of partsOfMaps(schema)) collect(part, names, patterns);
}

function partsOfMaps(schema: SchemaObject): JsonValue[] {
  const keywords = schema['$schema'] === undefined ? MAPS_IN_PLACE : MAPS_AT_ROOT;
  return keywords.flatMap((keyword) => Object.values(objectOf(schema[keyword])));
}

function objectOf(value: JsonValue | undefined): SchemaObject {
  return isSchemaObject(value) ? value : {};
}
