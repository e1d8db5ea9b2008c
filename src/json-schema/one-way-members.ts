import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type Direction, type SchemaObject } from './schema';

/** Gives the schema behind a `$ref`; a schema without one is itself. */
export type ResolveSchema = (schema: SchemaObject) => SchemaObject;

/**
 * Names of the members that never travel in a direction, so that `required` does not count for them (OAS 3.0.3
 * §4.7.24, `readOnly` and `writeOnly`). The members of `allOf` describe one object together: what one of them declares,
 * another one may demand.
 */
export function oneWayMembers(schema: SchemaObject, direction: Direction, resolve: ResolveSchema): Set<string> {
  const marker = direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = new Set<string>();
  for (const part of composedOf(schema, resolve)) {
    for (const [name, member] of Object.entries(isSchemaObject(part['properties']) ? part['properties'] : {})) {
      if (isSchemaObject(member) && resolve(member)[marker] === true) names.add(name);
    }
  }
  return names;
}

/** Every name that a schema or a part of its `allOf` demands. */
export function requiredMembers(schema: SchemaObject, resolve: ResolveSchema): string[] {
  return [...composedOf(schema, resolve)].flatMap((part) => textsOf(part['required']));
}

/** The texts of a list; none for anything that is no list. */
export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The schema and, through `allOf` and references, every schema that it is composed of. */
function composedOf(schema: SchemaObject, resolve: ResolveSchema): Set<SchemaObject> {
  const parts = new Set([resolve(schema)]);
  // A set gives what is added to it while it is walked, each once, so that a circle ends.
  for (const part of parts) {
    const members = part['allOf'];
    if (!Array.isArray(members)) continue;
    for (const member of members) if (isSchemaObject(member)) parts.add(resolve(member));
  }
  return parts;
}
