import type { JsonValue } from '../json/json-value';
import type { SchemaObject } from '../json-schema/schema';
import type { Property } from './model';
import { oasVersionOf } from './oas-version';
import { referenceOf, resolveObject, type Located, type LocatedObject } from './references';
import type { SourceDocument } from './source-document';
import { items, member, members } from './walk';

/** Members of an object schema through `allOf` and references, in document order. A circle is entered once. */
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
    for (const part of items(member(target, 'allOf'))) visit(part as LocatedObject);
    for (const { value } of items(member(target, 'required'))) if (typeof value === 'string') required.add(value);
    for (const { name, ...place } of members(member(target, 'properties'))) {
      const property = resolveObject(document, place);
      if (property === undefined) continue;
      const said = wordsOf(document, place, property);
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
const WORDS: ReadonlySet<string> = new Set([
  ...['type', 'format', 'enum', 'const', 'nullable', 'pattern', 'minLength', 'maxLength', 'default', 'example'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'readOnly', 'writeOnly'],
]);

/**
 * The keywords of a member: those beside a reference to it, its own, and what an `allOf` around one adds:
 * `{ allOf: [{ $ref: … }, { readOnly: true }] }` is how OpenAPI 3.0 says something beside a reference.
 */
function wordsOf(document: SourceDocument, place: Located, property: LocatedObject): SchemaObject {
  const inherited: Record<string, JsonValue> = {};
  for (const part of items(member(property, 'allOf'))) {
    const target = resolveObject(document, part);
    if (target === undefined || speaksOfParts(target.value)) continue;
    addWords(inherited, target.value);
    if (hasSiblings(document, part)) addWords(inherited, part.value as SchemaObject);
  }
  const beside = hasSiblings(document, place) ? ownWords(place.value as SchemaObject) : {};
  if (Object.keys(inherited).length === 0 && Object.keys(beside).length === 0) return property.value;
  return { ...inherited, ...property.value, ...beside };
}

/** The type of an object is no news, and its members are somewhere else. */
function speaksOfParts({ type, properties, items: entries, allOf }: SchemaObject): boolean {
  return type === 'object' || type === 'array' || [properties, entries, allOf].some((part) => part !== undefined);
}

function addWords(words: Record<string, JsonValue>, schema: SchemaObject): void {
  Object.assign(words, ownWords(schema));
}

function ownWords(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => WORDS.has(keyword)));
}
