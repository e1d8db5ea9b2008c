import { getAtPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { localPointer, type Located } from './references';
import { meantBranches } from './meant-branches';
import { items, members } from './walk';

/**
 * Finds which schemas of the official JSON Schema each part of a document is written for. The schema offers "X or
 * Reference" and the like nearly everywhere, and a validator reports every branch: only the branch that the author
 * meant is worth a word.
 *
 * @param schema - the official schema
 * @returns by JSON pointer into the document, the schemas that are meant to describe what stands there
 */
export function meantSchemas(schema: SchemaObject, root: Located): ReadonlyMap<string, readonly SchemaObject[]> {
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
      for (const branch of meantBranches(branches.filter(isSchemaObject), at.value)) enter(branch, at);
    }
    for (const child of items(at)) enter(description['items'], child);
    for (const child of members(at)) {
      const declared = declaredSchemas(description, child.name);
      if (declared.length === 0) enter(description['additionalProperties'], child);
      for (const found of declared) enter(found, child);
    }
  };

  enter(schema, root);
  return meant;
}

/** The schemas that an object schema declares for a member of this name. */
export function declaredSchemas(description: SchemaObject, name: string): JsonValue[] {
  const properties = description['properties'];
  const found: JsonValue[] = [];
  if (isSchemaObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name] ?? null);
  const patterns = description['patternProperties'];
  for (const [pattern, value] of Object.entries(isSchemaObject(patterns) ? patterns : {})) {
    if (new RegExp(pattern).test(name)) found.push(value);
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
