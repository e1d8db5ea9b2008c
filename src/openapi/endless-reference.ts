import { joinPointer } from '../json/json-pointer';
import { isSchemaObject } from '../json-schema/schema';
import { localPointer, referenceOf } from './references';
import { valueAt, type SourceDocument } from './source-document';

/**
 * A schema that would judge a value by itself without end: it leads back to itself through references, `allOf`,
 * `anyOf`, `oneOf` and `not` without going down into the value, which JSON Schema forbids (Core, "Schema References
 * With "$ref""). A circle through `properties` or `items` ends with the value.
 *
 * @returns the pointer of the first such schema that the one at `pointer` applies to the same value, if any
 */
export function endlessSchema(document: SourceDocument, pointer: string): string | undefined {
  const finished = new Set<string>();
  const open = new Set<string>();
  const enter = (at: string): string | undefined => {
    if (open.has(at)) return at;
    if (finished.has(at)) return undefined;
    open.add(at);
    for (const next of appliedInPlace(document, at)) {
      const found = enter(next);
      if (found !== undefined) return found;
    }
    open.delete(at);
    finished.add(at);
    return undefined;
  };
  return enter(pointer);
}

/** Pointers of the schemas that a schema applies to the very value that it judges. */
function appliedInPlace(document: SourceDocument, pointer: string): string[] {
  const schema = valueAt(document, pointer);
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const target = localPointer(reference);
    return target === undefined ? [] : [target];
  }
  if (!isSchemaObject(schema)) return [];
  const inLists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const members = schema[keyword];
    if (!Array.isArray(members)) return [];
    return members.map((_, index) => joinPointer(joinPointer(pointer, keyword), index));
  });
  return schema['not'] === undefined ? inLists : [...inLists, joinPointer(pointer, 'not')];
}
