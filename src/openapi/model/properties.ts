import type { JsonValue } from '../../core/json/json-value';
import type { SchemaObject } from '../../schema/schema-object';
import type { Property } from './operation';
import { oasVersionOf, type SourceDocument } from '../read/source-document';
import {
  fieldOf,
  fieldsOf,
  itemsOf,
  type Located,
  type LocatedObject,
  referenceOf,
  resolveObject,
} from '../read/references';

/** Properties of an object schema through `allOf` and references, in document order. A circle is entered once. */
export function gatherProperties(document: SourceDocument, schema: LocatedObject): Map<string, Property> {
  const properties = new Map<string, Writable<Property>>();
  const required = new Set<string>();
  const visited = new Set<string>();

  const visit = (located: LocatedObject): void => {
    const target = resolveObject(document, located);
    if (target !== undefined) gather(target);
    if (hasSiblings(document, located)) gather(located);
  };
  const gather = (target: LocatedObject): void => {
    if (visited.has(target.pointer)) return;
    visited.add(target.pointer);
    for (const part of itemsOf(fieldOf(target, 'allOf'))) visit(part as LocatedObject);
    for (const { value } of itemsOf(fieldOf(target, 'required'))) if (typeof value === 'string') required.add(value);
    for (const { name, ...place } of fieldsOf(fieldOf(target, 'properties'))) {
      const property = resolveObject(document, place);
      if (property === undefined) continue;
      const said = effectiveKeywords(document, place, property);
      properties.set(name, {
        name,
        schema: said,
        pointer: property.pointer,
        required: false,
        readOnly: said['readOnly'] === true,
        writeOnly: said['writeOnly'] === true,
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

/** Do keywords beside `$ref` count here (JSON Schema 2020-12 Core §8.2.3.1; OAS 3.0.3 §4.7.23 ignores them)? */
function hasSiblings(document: SourceDocument, { value }: Located): boolean {
  return (
    referenceOf(value) !== undefined && Object.keys(value as object).length > 1 && oasVersionOf(document) !== '3.0'
  );
}

/** What says what a value is like, and how it may be used; nothing that leads to other schemas. */
const DESCRIBING_KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'format', 'enum', 'const', 'nullable', 'pattern', 'minLength', 'maxLength', 'default', 'example'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'readOnly', 'writeOnly'],
]);

/**
 * The keywords of a property: those beside a reference to it, its own, and what an `allOf` around one adds:
 * `{ allOf: [{ $ref: … }, { readOnly: true }] }` is how OpenAPI 3.0 says something beside a reference.
 */
function effectiveKeywords(document: SourceDocument, place: Located, property: LocatedObject): SchemaObject {
  const inherited: Record<string, JsonValue> = {};
  for (const part of itemsOf(fieldOf(property, 'allOf'))) {
    const target = resolveObject(document, part);
    if (target === undefined || isContainerSchema(target.value)) continue;
    addDescribingKeywords(inherited, target.value);
    if (hasSiblings(document, part)) addDescribingKeywords(inherited, part.value as SchemaObject);
  }
  const beside = hasSiblings(document, place) ? describingKeywordsOf(place.value as SchemaObject) : {};
  if (Object.keys(inherited).length === 0 && Object.keys(beside).length === 0) return property.value;
  return { ...inherited, ...property.value, ...beside };
}

/** The type of an object is no news, and its properties are somewhere else. */
function isContainerSchema({ type, properties, items: entries, allOf }: SchemaObject): boolean {
  return type === 'object' || type === 'array' || [properties, entries, allOf].some((part) => part !== undefined);
}

function addDescribingKeywords(words: Record<string, JsonValue>, schema: SchemaObject): void {
  Object.assign(words, describingKeywordsOf(schema));
}

function describingKeywordsOf(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => DESCRIBING_KEYWORDS.has(keyword)));
}
