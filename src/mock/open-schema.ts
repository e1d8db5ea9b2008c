import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import type { ApiModel, Schema } from '../openapi/model';
import { resolveObject } from '../openapi/references';

/**
 * Tells whether what the properties of an object schema list is not all that a value may have: the schema says so
 * outright, chooses between branches, or lists nothing at all.
 */
export function isOpenSchema(api: ApiModel, schema: Schema): boolean {
  if (api.propertiesOf(schema).size === 0) return true;
  const visited = new Set<string>();
  const visit = (value: SchemaObject, pointer: string): boolean => {
    const target = resolveObject(api.document, { value, pointer });
    if (target === undefined || visited.has(target.pointer)) return false;
    visited.add(target.pointer);
    const { oneOf, anyOf, allOf, patternProperties, additionalProperties = false } = target.value;
    if (oneOf !== undefined || anyOf !== undefined || patternProperties !== undefined) return true;
    if (additionalProperties !== false) return true;
    const parts = Array.isArray(allOf) ? allOf : [];
    return parts.some((part, index) => isSchemaObject(part) && visit(part, `${target.pointer}/allOf/${index}`));
  };
  return visit(schema.value, schema.pointer);
}
