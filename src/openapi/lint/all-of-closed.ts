import { joinPointer } from '../../core/json/json-pointer';
import { isSchemaObject } from '../../schema/schema-object';
import { oasVersionOf, type SourceDocument } from '../read/source-document';
import {
  fieldOf,
  fieldsOf,
  itemsOf,
  type Located,
  type LocatedObject,
  resolveParts,
  schemasAt,
} from '../read/references';
import type { Lint, LintFinding } from './lint';

/** What one of the schemas says that a value must keep together. */
interface Part {
  /** Which entry of the `allOf` it came from; -1 for what stands beside it. */
  readonly entry: number;
  readonly schema: LocatedObject;
}

/**
 * No schema of an `allOf` is closed to a property that another one has. `additionalProperties: false` knows only the
 * `properties` beside it, so that such a property can never be there; where it is required, no value is valid.
 */
export const allOfClosed: Lint = {
  id: 'all-of-closed',
  source: 'OAS 3.0.3 §4.7.24 Schema Object; JSON Schema 2020-12 Core §10.3.2.3, §11.3',
  severity: 'warning',
  run({ document, objects }) {
    return objects.flatMap(({ kind, at }) => {
      if (kind !== 'schema' || fieldOf(at, 'allOf') === undefined) return [];
      const schema = resolveParts(document, at);
      if (schema === undefined || schema.pointer !== at.pointer) return [];
      const parts = partsOf(document, schema);
      return parts.flatMap((closed) => findingOf(document, schema, closed, parts) ?? []);
    });
  },
};

function findingOf(
  document: SourceDocument,
  { pointer }: LocatedObject,
  closed: Part,
  parts: readonly Part[],
): LintFinding | undefined {
  const { value } = closed.schema;
  if (value['additionalProperties'] !== false || value['patternProperties'] !== undefined) return undefined;
  const listed = new Set(fieldsOf(fieldOf(closed.schema, 'properties')).map(({ name }) => name));
  // Parts of one entry that is composed itself are spoken of there.
  const others = parts.filter(({ entry }) => entry !== closed.entry);
  const missing = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => !listed.has(name));
  const required = missing(others.flatMap(({ schema }) => requiredBy(schema)));
  const declared = missing(
    others.flatMap(({ schema }) => fieldsOf(fieldOf(schema, 'properties')).map(({ name }) => name)),
  );
  if (required.length === 0 && declared.length === 0) return undefined;
  const names = required.length > 0 ? required : declared;
  const where = `the part at #${closed.schema.pointer} has additionalProperties: false and does not list`;
  const mend =
    oasVersionOf(document) === '3.0'
      ? 'List the properties there too, or leave additionalProperties out.'
      : 'Say unevaluatedProperties: false beside the allOf in place of it, list the properties there too, or leave it out.';
  return {
    pointer: joinPointer(pointer, 'allOf'),
    message:
      required.length > 0
        ? `No value is valid for this allOf: ${where} ${quoted(names)}, which another part requires`
        : `Of this allOf ${quoted(names)} can never be there: ${where} what another part declares`,
    expected: 'parts that one value can keep together',
    hint: mend,
  };
}

/** A schema and everything that its `allOf` takes in, through references. A circle is entered once. */
function partsOf(document: SourceDocument, schema: LocatedObject): Part[] {
  const parts: Part[] = [{ entry: -1, schema }];
  const enter = (located: Located, entry: number, visited: Set<string>): void => {
    for (const target of schemasAt(document, located)) {
      if (visited.has(target.pointer)) continue;
      visited.add(target.pointer);
      parts.push({ entry, schema: target });
      for (const part of itemsOf(fieldOf(target, 'allOf'))) enter(part, entry, visited);
    }
  };
  // What stands beside the `allOf` is a reference from OpenAPI 3.1 on.
  for (const target of schemasAt(document, schema).slice(1)) enter(target, -1, new Set([schema.pointer]));
  for (const [entry, part] of itemsOf(fieldOf(schema, 'allOf')).entries())
    if (isSchemaObject(part.value)) enter(part, entry, new Set([schema.pointer]));
  return parts;
}

function requiredBy(schema: LocatedObject): string[] {
  return itemsOf(fieldOf(schema, 'required')).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
