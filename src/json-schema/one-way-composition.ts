import { joinPointer } from '../json/json-pointer';
import { modernised } from './older-dialects';
import { isSchemaObject, type SchemaObject } from './schema';
import type { PlacedSchema } from './schema-context';

type PlacedObject = PlacedSchema & { readonly schema: SchemaObject };

/** A schema and every schema that describes the same value with it, through `$ref` and `allOf`, each once. */
export function composedOf(placed: PlacedSchema): PlacedObject[] {
  const parts = new Map<string, PlacedObject>();
  const add = ({ schema, pointer, context }: PlacedSchema): void => {
    if (!isSchemaObject(schema) || parts.has(pointer)) return;
    const within = context.within(schema, pointer);
    parts.set(pointer, { schema: modernised(schema, within.dialect), pointer, context: within });
  };
  add(placed);
  // A map gives what is added to it while it is walked, so that a circle ends.
  for (const { schema, pointer, context } of parts.values()) {
    const reference = schema['$ref'];
    const target = typeof reference === 'string' ? context.target(reference) : undefined;
    if (target !== undefined) add(target);
    const members = schema['allOf'];
    if (!Array.isArray(members)) continue;
    members.forEach((member, index) => {
      add({ schema: member, pointer: joinPointer(joinPointer(pointer, 'allOf'), index), context });
    });
  }
  return [...parts.values()];
}

/**
 * Names of the members that never travel in the context's direction: `readOnly` ones in a request, `writeOnly` ones in
 * a response, by the word of the member's schema or of one that it is composed of.
 */
export function membersThatNeverTravel(placed: PlacedSchema): Set<string> {
  const marker = placed.context.direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = new Set<string>();
  if (!placed.context.hasOneWayMembers) return names;
  for (const { schema, pointer, context } of composedOf(placed)) {
    const properties = schema['properties'];
    for (const [name, member] of Object.entries(isSchemaObject(properties) ? properties : {})) {
      const at = joinPointer(joinPointer(pointer, 'properties'), name);
      const parts = composedOf({ schema: member, pointer: at, context });
      if (parts.some((part) => part.schema[marker] === true)) names.add(name);
    }
  }
  return names;
}
