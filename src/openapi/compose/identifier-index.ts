import { joinPointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import { isSchemaObject } from '../../json-schema/schema';

/**
 * The names that schemas of a file give themselves (JSON Schema 2020-12 Core §8.2): by absolute URI, the JSON pointer of
 * each `$id`, and with a fragment that of each `$anchor`.
 */
export type IdentifierIndex = ReadonlyMap<string, string>;

/** @param uri - where the file was read */
export function indexIdentifiers(root: JsonValue, uri: string): IdentifierIndex {
  const index = new Map<string, string>();
  const enter = (value: JsonValue, pointer: string, around: string): void => {
    if (Array.isArray(value)) {
      for (const [position, item] of value.entries()) enter(item, joinPointer(pointer, position), around);
      return;
    }
    if (!isSchemaObject(value)) return;
    const base = baseOf(value, around);
    if (base !== around) index.set(base, pointer);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = value[keyword];
      // The first of two that have one name: a document may hold examples of itself.
      if (typeof name === 'string' && !index.has(`${base}#${name}`)) index.set(`${base}#${name}`, pointer);
    }
    for (const [name, member] of Object.entries(value)) enter(member, joinPointer(pointer, name), base);
  };
  enter(root, '', uri);
  return index;
}

/** The URI that references in a schema are relative to: its `$id`, else that of what is around it. */
export function baseOf(schema: JsonValue, around: string): string {
  const id = isSchemaObject(schema) ? schema['$id'] : undefined;
  if (typeof id !== 'string' || !URL.canParse(id, around)) return around;
  const url = new URL(id, around);
  url.hash = '';
  return url.href;
}
