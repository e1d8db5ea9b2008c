import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from './schema';
import type { TranslatedSchema } from './translated-keywords';

const NAME = /^[\w.-]+$/;

/**
 * A `oneOf` or `anyOf` with a `discriminator` (OAS 3.0.4 §4.7.25: it never changes the outcome). Where no branch fits,
 * only the branch that the value names speaks, not all of them.
 *
 * @param branches - the branches as the description has them
 * @param translated - the same, for ajv
 * @returns `undefined` where there is no discriminator that could choose
 */
export function hintedUnion(
  schema: SchemaObject,
  keyword: 'oneOf' | 'anyOf',
  branches: readonly JsonValue[],
  translated: readonly TranslatedSchema[],
): TranslatedSchema | undefined {
  const hint = schema['discriminator'];
  if (!isSchemaObject(hint) || typeof hint['propertyName'] !== 'string') return undefined;
  const property = hint['propertyName'];
  const choices = choicesOf(hint, branches);
  if (choices.size === 0) return undefined;
  const speaks = [...choices].map(([value, index]) => ({
    if: namesOneOf(property, [value]),
    then: translated[index] ?? {},
  }));
  const fallback = branchOf(hint['defaultMapping'], branches);
  const otherwise = {
    if: namesOneOf(property, [...choices.keys()]),
    else:
      fallback === undefined
        ? { exactHint: { keyword, property, values: [...choices.keys()] } }
        : (translated[fallback] ?? {}),
  };
  return { if: { [keyword]: translated }, else: { allOf: [...speaks, otherwise, { exactUnion: [keyword] }] } };
}

/** Which branch each value of the property chooses: by the mapping, else by the name of the schema. */
function choicesOf(hint: SchemaObject, branches: readonly JsonValue[]): Map<string, number> {
  const choices = new Map<string, number>();
  branches.forEach((branch, index) => {
    const reference = referenceOf(branch);
    const name = reference?.split('/').pop();
    if (name !== undefined) choices.set(name, index);
  });
  const mapping = hint['mapping'];
  for (const [value, target] of Object.entries(isSchemaObject(mapping) ? mapping : {})) {
    const index = branchOf(target, branches);
    if (index !== undefined) choices.set(value, index);
  }
  return choices;
}

/** A mapping names a schema of the components, or refers to one; what could be both is a name (OAS 3.0.4 §4.7.25). */
function branchOf(target: JsonValue | undefined, branches: readonly JsonValue[]): number | undefined {
  if (typeof target !== 'string') return undefined;
  const wanted = NAME.test(target) ? [`#/components/schemas/${target}`, target] : [target];
  for (const reference of wanted) {
    const index = branches.findIndex((branch) => referenceOf(branch) === reference);
    if (index >= 0) return index;
  }
  return undefined;
}

function referenceOf(branch: JsonValue): string | undefined {
  const reference = isSchemaObject(branch) ? branch['$ref'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

function namesOneOf(property: string, values: readonly string[]): TranslatedSchema {
  return {
    exactType: ['object'],
    required: [property],
    properties: { [property]: { exactEnum: values } },
  };
}
