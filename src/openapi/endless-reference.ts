import { joinPointer } from '../json/json-pointer';
import { isSchemaObject } from '../json-schema/schema';
import { localPointer, referenceOf } from './references';
import type { SchemaResources } from './schema-resources';
import { valueAt, type SourceDocument } from './source-document';

/** Keywords whose schemas judge the same value, one, a list or an object of them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'] as const;
const IN_PLACE_30 = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/**
 * Finds schemas that would judge a value by themselves without end: they lead back to themselves through references,
 * `allOf`, `anyOf`, `oneOf`, `not` and the like without going down into the value, which JSON Schema forbids (Core,
 * "Schema References With "$ref""). A circle through `properties` or `items` ends with the value.
 *
 * Each schema is looked at once, whatever refers to it: a chain of a thousand costs a thousand looks.
 */
export class EndlessSchemas {
  private readonly document: SourceDocument;
  private readonly resources: SchemaResources | undefined;
  /** By pointer: the schema on a circle that it leads to, or `undefined` for one that comes to an end. */
  private readonly known = new Map<string, string | undefined>();

  /** @param resources - `undefined` for OpenAPI 3.0 */
  constructor(document: SourceDocument, resources: SchemaResources | undefined) {
    this.document = document;
    this.resources = resources;
  }

  /** @returns the pointer of the first such schema that the one at `pointer` applies to the same value, if any */
  find(pointer: string): string | undefined {
    if (this.known.has(pointer)) return this.known.get(pointer);
    // A stack of our own: a chain may be longer than the one of the engine.
    const path = [this.enter(pointer)];
    const open = new Map([[pointer, 0]]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.left.pop();
      if (next === undefined) {
        this.known.set(last.pointer, undefined);
        open.delete(last.pointer);
        path.pop();
        continue;
      }
      const found = open.has(next) ? next : this.known.get(next);
      if (found !== undefined) {
        const start = open.get(found) ?? path.length;
        // What stands on the circle is met again itself; what leads to it meets its first schema.
        path.forEach((entry, index) => this.known.set(entry.pointer, index >= start ? entry.pointer : found));
        return this.known.get(pointer);
      }
      if (this.known.has(next)) continue;
      open.set(next, path.length);
      path.push(this.enter(next));
    }
    return undefined;
  }

  private enter(pointer: string): { readonly pointer: string; readonly left: string[] } {
    return { pointer, left: appliedInPlace(this.document, pointer, this.resources).reverse() };
  }
}

/** Pointers of the schemas that a schema applies to the very value that it judges. */
function appliedInPlace(document: SourceDocument, pointer: string, resources: SchemaResources | undefined): string[] {
  const schema = valueAt(document, pointer);
  const reference = referenceOf(schema);
  if (resources === undefined && reference !== undefined) {
    const target = localPointer(reference);
    return target === undefined ? [] : [target];
  }
  if (!isSchemaObject(schema)) return [];
  const applied = (resources === undefined ? IN_PLACE_30 : IN_PLACE).flatMap((keyword) => {
    const operand = schema[keyword];
    const at = joinPointer(pointer, keyword);
    if (Array.isArray(operand)) return operand.map((_, index) => joinPointer(at, index));
    if (keyword !== 'dependentSchemas') return operand === undefined ? [] : [at];
    return isSchemaObject(operand) ? Object.keys(operand).map((name) => joinPointer(at, name)) : [];
  });
  if (resources === undefined) return applied;
  for (const each of [reference, schema['$dynamicRef']]) {
    const target = typeof each === 'string' ? resources.find(each, resources.around(pointer)) : undefined;
    if (target !== undefined) applied.push(target);
  }
  return applied;
}
