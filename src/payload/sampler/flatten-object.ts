import { isSchemaObject, type SchemaObject, stringItems } from '../../schema/schema-object';
import { isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import type { Located } from '../../openapi/read/references';
import type { FlatSchema } from './flat-schema';
import { testOfPattern } from './pattern-text';
import { keywordsOf, type SchemaReader } from './schema-reader';

/** Adds what a schema says about the properties of an object. */
export function addObjectKeywords(
  flat: FlatSchema,
  keywords: SchemaObject,
  pointer: string,
  reader: SchemaReader,
): void {
  for (const name of stringItems(keywords['required'])) flat.required.add(name);
  addProperties(flat, entriesOf(keywords, 'properties', pointer), reader);
  for (const [pattern, place] of entriesOf(keywords, 'patternProperties', pointer)) {
    flat.patternProperties.push({ pattern, place });
  }
  addClosure(flat, keywords, pointer);
  const names = keywords['propertyNames'];
  if (isSchemaObject(names)) flat.propertyNames.push({ value: names, pointer: joinPointer(pointer, 'propertyNames') });
  addDependencies(flat, keywords, pointer);
  const { minProperties, maxProperties } = keywords;
  if (isJsonNumber(minProperties)) flat.minProperties = Math.max(flat.minProperties, Number(minProperties));
  if (isJsonNumber(maxProperties)) flat.maxProperties = Math.min(flat.maxProperties, Number(maxProperties));
  if (flat.minProperties > flat.maxProperties) flat.conflict ??= { pointer, keyword: 'minProperties' };
}

function addProperties(flat: FlatSchema, properties: readonly [string, Located][], reader: SchemaReader): void {
  const keyword = reader.direction === 'request' ? 'readOnly' : 'writeOnly';
  for (const [name, place] of properties) {
    const own = keywordsOf(place.value);
    const target = keywordsOf(reader.follow(place).value);
    const isHidden = target !== false && (target[keyword] === true || (own !== false && own[keyword] === true));
    if (isHidden) flat.hidden.add(name);
    const known = flat.properties.get(name);
    if (known === undefined) flat.properties.set(name, [place]);
    else known.push(place);
  }
}

/** `additionalProperties: false`, or `unevaluatedProperties: false`, and what speaks for properties without a name. */
function addClosure(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  const additional = keywords['additionalProperties'];
  if (isSchemaObject(additional)) {
    flat.additional.push({ value: additional, pointer: joinPointer(pointer, 'additionalProperties') });
  }
  if (additional === false) {
    flat.closures.push({
      names: new Set(namesOf(keywords['properties'])),
      patterns: namesOf(keywords['patternProperties']).flatMap((pattern) => testOfPattern(pattern) ?? []),
    });
  } else if (keywords['unevaluatedProperties'] === false) {
    // What the schemas around it declare counts as evaluated: only properties that nobody declares are stored out.
    flat.additional.push({ value: false, pointer: joinPointer(pointer, 'unevaluatedProperties') });
  }
}

function addDependencies(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, place] of entriesOf(keywords, keyword, pointer)) {
      if (Array.isArray(place.value)) flat.dependent.set(name, stringItems(place.value));
      else if (keyword !== 'dependentRequired') flat.dependentSchemas.set(name, place);
    }
  }
}

function entriesOf(keywords: SchemaObject, keyword: string, pointer: string): [string, Located][] {
  const map = keywords[keyword];
  if (!isSchemaObject(map)) return [];
  const parent = joinPointer(pointer, keyword);
  return Object.entries(map).map(([name, value]) => [name, { value, pointer: joinPointer(parent, name) }]);
}

function namesOf(map: JsonValue | undefined): string[] {
  return isSchemaObject(map) ? Object.keys(map) : [];
}
