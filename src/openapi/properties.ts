import type { Property } from './model';
import { resolveObject, type LocatedObject } from './references';
import type { SourceDocument } from './source-document';
import { items, member, members } from './walk';

/** Members of an object schema through `allOf` and references, in document order. A circle is entered once. */
export function gatherProperties(document: SourceDocument, schema: LocatedObject): Map<string, Property> {
  const properties = new Map<string, Property>();
  const required = new Set<string>();
  const visited = new Set<string>();

  const visit = (located: LocatedObject): void => {
    const target = resolveObject(document, located);
    if (target === undefined || visited.has(target.pointer)) return;
    visited.add(target.pointer);
    for (const part of items(member(target, 'allOf'))) visit(part as LocatedObject);
    for (const { value } of items(member(target, 'required'))) if (typeof value === 'string') required.add(value);
    for (const { name, ...place } of members(member(target, 'properties'))) {
      const property = resolveObject(document, place);
      if (property === undefined) continue;
      const { value, pointer } = property;
      properties.set(name, {
        name,
        schema: value,
        pointer,
        required: false,
        readOnly: value['readOnly'] === true,
        writeOnly: value['writeOnly'] === true,
      });
    }
  };

  visit(schema);
  return new Map(
    [...properties.values()].map((property) => [property.name, { ...property, required: required.has(property.name) }]),
  );
}
