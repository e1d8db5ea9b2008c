import { isJsonNumber } from '../../core/json/exact-number';
import { getAtPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { compilePattern } from '../../schema/pattern/compile-pattern';
import { isSchemaObject, type SchemaObject, stringItems } from '../../schema/schema-object';
import { fieldsOf, itemsOf, localPointer, type Located } from '../read/references';

/**
 * Finds which schemas of the official JSON Schema each part of a document is written for. The schema offers "X or
 * Reference" and the like nearly everywhere, and a validator reports every branch: only the branch that the author
 * meant is worth a word.
 *
 * @param schema - the official schema
 * @returns by JSON pointer into the document, the schemas that are meant to describe what stands there
 */
export function matchingSchemas(schema: SchemaObject, root: Located): ReadonlyMap<string, readonly SchemaObject[]> {
  const meant = new Map<string, SchemaObject[]>();

  const enter = (candidate: JsonValue | undefined, at: Located): void => {
    if (!isSchemaObject(candidate)) return;
    const reference = candidate['$ref'];
    const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
    if (pointer !== undefined) enter(getAtPointer(schema, pointer), at);
    // From JSON Schema 2019-09 on what stands beside a `$ref` counts; before, nothing stands there.
    if (pointer === undefined || Object.keys(candidate).length > 1) enterKeywords(candidate, at);
  };

  const enterKeywords = (description: SchemaObject, at: Located): void => {
    const known = meant.get(at.pointer);
    if (known === undefined) meant.set(at.pointer, [description]);
    else known.push(description);

    for (const part of listOf(description['allOf'])) enter(part, at);
    for (const keyword of ['then', 'else']) enter(description[keyword], at);
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const branches = listOf(description[keyword]).map((branch) => definitionOf(branch, schema));
      for (const branch of matchingBranches(branches.filter(isSchemaObject), at.value)) enter(branch, at);
    }
    for (const child of itemsOf(at)) enter(description['items'], child);
    for (const child of fieldsOf(at)) {
      const declared = declaredSchemas(description, child.name);
      if (declared.length === 0) enter(description['additionalProperties'], child);
      for (const found of declared) enter(found, child);
    }
  };

  enter(schema, root);
  return meant;
}

/** The schemas that an object schema declares for a property of this name. */
export function declaredSchemas(description: SchemaObject, name: string): JsonValue[] {
  const properties = description['properties'];
  const found: JsonValue[] = [];
  if (isSchemaObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name] ?? null);
  const patterns = description['patternProperties'];
  for (const [pattern, value] of Object.entries(isSchemaObject(patterns) ? patterns : {})) {
    if (compilePattern(pattern).test(name)) found.push(value);
  }
  return found;
}

function definitionOf(candidate: JsonValue | undefined, schema: SchemaObject): SchemaObject | undefined {
  if (!isSchemaObject(candidate)) return undefined;
  const reference = candidate['$ref'];
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  return pointer === undefined ? candidate : definitionOf(getAtPointer(schema, pointer), schema);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The branches of a `oneOf` or `anyOf` of the official schema that a value tries to be, told by what the branches
 * differ in: being a reference, the type, and the one word (`in`, `type`) that says what kind of object it is. Where
 * that word fits no branch, one made-up branch asks for a word that does.
 */
function matchingBranches(branches: readonly SchemaObject[], value: JsonValue): readonly SchemaObject[] {
  const isReference = isSchemaObject(value) && Object.hasOwn(value, '$ref');
  const sameKind = branches.filter((branch) => stringItems(branch['required']).includes('$ref') === isReference);
  const candidates = sameKind.length === 0 ? branches : sameKind;

  const ofType = candidates.filter(({ type }) => typeof type !== 'string' || type === typeOf(value));
  if (ofType.length === 0 && candidates.length > 0)
    return [{ type: [...new Set(candidates.flatMap(({ type }) => type ?? []))] }];
  return isSchemaObject(value) && ofType.length > 1 ? byKindProperty(ofType, value) : ofType;
}

/** Chooses by a property for which every branch lists words, and no two branches the same one. */
function byKindProperty(branches: readonly SchemaObject[], value: SchemaObject): readonly SchemaObject[] {
  const [first] = branches;
  const names = isSchemaObject(first?.['properties']) ? Object.keys(first['properties']) : [];
  for (const name of names) {
    const words = branches.map((branch) => allowedStrings(branch, name));
    const all = words.flat();
    if (words.some((list) => list.length === 0) || new Set(all).size < all.length) continue;
    const fitting = branches.filter((_, index) => words[index]?.some((word) => word === value[name]));
    return fitting.length > 0 ? fitting : [{ required: [name], properties: { [name]: { enum: all } } }];
  }
  return branches;
}

function allowedStrings(branch: SchemaObject, name: string): string[] {
  const properties = branch['properties'];
  const property = isSchemaObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isSchemaObject(property) ? stringItems(property['enum']) : [];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isJsonNumber(value) ? 'number' : typeof value;
}

/** What an object of the official schema may have as properties. */
interface AllowedNames {
  readonly names: readonly string[];
  /** Regular expressions that other names may match. */
  readonly patterns: readonly string[];
}

/** Keywords whose schemas judge the same object, and may declare properties of it. */
const IN_PLACE = ['then', 'else', 'allOf', 'anyOf', 'oneOf'] as const;
/** Maps of such schemas; the official schema defines beside an object what is only for it, and at its root all others. */
const MAPS_IN_PLACE = ['dependentSchemas', '$defs'] as const;
const MAPS_AT_ROOT = ['dependentSchemas'] as const;

/** Names of the properties that a schema declares, those of patterns like `^(get|put)$` among them, and its other patterns. */
export function allowedNames(schema: SchemaObject): AllowedNames {
  const names = new Set<string>();
  const patterns = new Set<string>();
  collect(schema, names, patterns);
  return { names: [...names], patterns: [...patterns] };
}

function collect(schema: JsonValue | undefined, names: Set<string>, patterns: Set<string>): void {
  if (!isSchemaObject(schema)) return;
  for (const name of Object.keys(objectOf(schema['properties']))) names.add(name);
  for (const pattern of Object.keys(objectOf(schema['patternProperties']))) {
    const listed = /^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1];
    if (listed !== undefined) for (const name of listed.split('|')) names.add(name);
    else if (pattern !== '^x-') patterns.add(pattern);
  }
  for (const keyword of IN_PLACE) for (const part of [schema[keyword]].flat()) collect(part, names, patterns);
  for (const part of partsOfMaps(schema)) collect(part, names, patterns);
}

function partsOfMaps(schema: SchemaObject): JsonValue[] {
  const keywords = schema['$schema'] === undefined ? MAPS_IN_PLACE : MAPS_AT_ROOT;
  return keywords.flatMap((keyword) => Object.values(objectOf(schema[keyword])));
}

function objectOf(value: JsonValue | undefined): SchemaObject {
  return isSchemaObject(value) ? value : {};
}
