import { isJsonNumber } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { textsOf } from '../json-schema/one-way-members';

/**
 * The branches of a `oneOf` or `anyOf` of the official schema that a value tries to be, told by what the branches
 * differ in: being a reference, the type, and the one word (`in`, `type`) that says what kind of object it is. Where
 * that word fits no branch, one made-up branch asks for a word that does.
 */
export function meantBranches(branches: readonly SchemaObject[], value: JsonValue): readonly SchemaObject[] {
  const isReference = isSchemaObject(value) && Object.hasOwn(value, '$ref');
  const sameKind = branches.filter((branch) => textsOf(branch['required']).includes('$ref') === isReference);
  const candidates = sameKind.length === 0 ? branches : sameKind;

  const ofType = candidates.filter(({ type }) => typeof type !== 'string' || type === typeOf(value));
  if (ofType.length === 0 && candidates.length > 0)
    return [{ type: [...new Set(candidates.flatMap(({ type }) => type ?? []))] }];
  return isSchemaObject(value) && ofType.length > 1 ? byKindWord(ofType, value) : ofType;
}

/** Chooses by a member for which every branch lists words, and no two branches the same one. */
function byKindWord(branches: readonly SchemaObject[], value: SchemaObject): readonly SchemaObject[] {
  const [first] = branches;
  const names = isSchemaObject(first?.['properties']) ? Object.keys(first['properties']) : [];
  for (const name of names) {
    const words = branches.map((branch) => wordsFor(branch, name));
    const all = words.flat();
    if (words.some((list) => list.length === 0) || new Set(all).size < all.length) continue;
    const fitting = branches.filter((_, index) => words[index]?.some((word) => word === value[name]));
    return fitting.length > 0 ? fitting : [{ required: [name], properties: { [name]: { enum: all } } }];
  }
  return branches;
}

function wordsFor(branch: SchemaObject, name: string): string[] {
  const properties = branch['properties'];
  const member = isSchemaObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isSchemaObject(member) ? textsOf(member['enum']) : [];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isJsonNumber(value) ? 'number' : typeof value;
}
