import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import type { ApiModel, Schema } from '../openapi/model';
import { resolveObject } from '../openapi/references';

const NONE: ReadonlySet<string> = new Set();

/** Keywords beside which members may be declared that `properties` does not list. */
const ELSEWHERE = ['oneOf', 'anyOf', 'if', 'patternProperties', 'unevaluatedProperties'];

/**
 * The members that an object schema requires and nowhere declares, mostly by a slip in a name: they must be there, and may
 * be anything.
 */
export function bareMembers(api: ApiModel, schema: Schema): ReadonlySet<string> {
  const declared = api.propertiesOf(schema);
  const names = new Set<string>();
  const visited = new Set<string>();
  /** @returns whether all of it is known */
  const visit = (value: SchemaObject, pointer: string): boolean => {
    const target = resolveObject(api.document, { value, pointer });
    if (target === undefined || visited.has(target.pointer)) return true;
    visited.add(target.pointer);
    const { required, allOf, additionalProperties = true } = target.value;
    if (additionalProperties !== true || ELSEWHERE.some((keyword) => target.value[keyword] !== undefined)) return false;
    for (const name of Array.isArray(required) ? required : [])
      if (typeof name === 'string' && !declared.has(name)) names.add(name);
    const parts = Array.isArray(allOf) ? allOf : [];
    return parts.every((part, index) => !isSchemaObject(part) || visit(part, `${target.pointer}/allOf/${index}`));
  };
  return declared.size > 0 && visit(schema.value, schema.pointer) ? names : NONE;
}
