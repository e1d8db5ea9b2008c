import type { JsonValue } from '../../core/json/json-value';
import type { SchemaObject } from '../../schema/schema-object';
import type { Property } from './operation';
import type { SourceDocument } from '../read/source-document';
import {
  fieldOf,
  firstOfParts,
  fieldsOf,
  itemsOf,
  type Located,
  type LocatedObject,
  referenceOf,
  schemasAt,
} from '../read/references';

/** Properties of an object schema through `allOf` and references, in document order. A circle is entered once. */
export function gatherProperties(document: SourceDocument, schema: LocatedObject): Map<string, Property> {
  const properties = new Map<string, Writable<Property>>();
  const required = new Set<string>();
  const visited = new Set<string>();

  const visit = (located: Located): void => {
    schemasAt(document, located).toReversed().forEach(gather);
  };
  const gather = (target: LocatedObject): void => {
    if (visited.has(target.pointer)) return;
    visited.add(target.pointer);
    for (const part of itemsOf(fieldOf(target, 'allOf'))) visit(part);
    for (const { value } of itemsOf(fieldOf(target, 'required'))) if (typeof value === 'string') required.add(value);
    for (const { name, ...place } of fieldsOf(fieldOf(target, 'properties'))) {
      const parts = schemasAt(document, place);
      const property = firstOfParts(parts);
      if (property === undefined) continue;
      const said = effectiveKeywords(document, parts, property);
      properties.set(name, {
        name,
        schema: said,
        pointer: property.pointer,
        required: false,
        readOnly: isMarked(document, parts, 'readOnly'),
        writeOnly: isMarked(document, parts, 'writeOnly'),
      });
    }
  };

  visit(schema);
  for (const name of required) {
    const property = properties.get(name);
    if (property !== undefined) property.required = true;
  }
  return properties;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Is a value marked by any schema that it satisfies, through `allOf` and references (JSON Schema 2020-12 Validation §9.4)?
 * In OpenAPI 3.0 an `allOf` is how something is said beside a reference.
 */
function isMarked(
  document: SourceDocument,
  parts: readonly LocatedObject[],
  marker: 'readOnly' | 'writeOnly',
  visited = new Set<string>(),
): boolean {
  return parts.some((part) => {
    if (part.value[marker] === true) return true;
    if (part.value['allOf'] === undefined || visited.has(part.pointer)) return false;
    visited.add(part.pointer);
    const inner = itemsOf(fieldOf(part, 'allOf'));
    return inner.some((each) => isMarked(document, schemasAt(document, each), marker, visited));
  });
}

/** What says what a value is like, and how it may be used; nothing that leads to other schemas. */
const DESCRIBING_KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'format', 'enum', 'const', 'nullable', 'pattern', 'minLength', 'maxLength', 'default', 'example'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'readOnly', 'writeOnly'],
]);

/**
 * The keywords of a property: those beside a reference to it, its own, and what an `allOf` around one adds:
 * `{ allOf: [{ $ref: … }, { readOnly: true }] }` is how OpenAPI 3.0 says something beside a reference.
 *
 * @param parts - what stands at the place of the property, see {@link schemasAt}
 * @param property - the one of them that it leads to, or one on the way that says something of the parts of a value
 */
function effectiveKeywords(
  document: SourceDocument,
  parts: readonly LocatedObject[],
  property: LocatedObject,
): SchemaObject {
  const [target = property, ...beside] = parts.toReversed();
  const inherited: Record<string, JsonValue> = {};
  for (const part of itemsOf(fieldOf(target, 'allOf'))) {
    const [inner, ...around] = schemasAt(document, part).toReversed();
    if (inner === undefined || isContainerSchema(inner.value)) continue;
    for (const each of [inner, ...around]) Object.assign(inherited, describingKeywordsOf(each.value));
  }
  if (Object.keys(inherited).length === 0 && beside.length === 0) return property.value;
  const said = beside.map(({ value }) => describingKeywordsOf(value));
  return Object.assign(
    inherited,
    property.pointer === target.pointer ? target.value : { ...describingKeywordsOf(target.value), ...property.value },
    ...said,
  ) as SchemaObject;
}

/** The keywords of a schema, and what describes a value where its reference leads, when it says more than that one. */
export function withReferred(document: SourceDocument, schema: LocatedObject): SchemaObject {
  if (referenceOf(schema.value) === undefined) return schema.value;
  const [, ...referred] = schemasAt(document, schema);
  return Object.assign(
    {},
    ...referred.toReversed().map(({ value }) => describingKeywordsOf(value)),
    schema.value,
  ) as SchemaObject;
}

/** The type of an object is no news, and its properties are somewhere else. */
function isContainerSchema({ type, properties, items: entries, allOf }: SchemaObject): boolean {
  return type === 'object' || type === 'array' || [properties, entries, allOf].some((part) => part !== undefined);
}

function describingKeywordsOf(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => DESCRIBING_KEYWORDS.has(keyword)));
}
