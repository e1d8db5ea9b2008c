import { isJsonObject, type JsonValue } from '../../json/json-value';
import type { Schema } from '../../openapi/model';
import type { Warnings } from '../warnings';

/** The object that is meant by a list of plain values, where one member of it, and no other, takes such a list. */
export function readBareList(schema: Schema | undefined, value: JsonValue, warnings: Warnings): JsonValue | undefined {
  const properties = schema?.value['properties'];
  if (schema === undefined || !Array.isArray(value) || value.some(isStructured) || !isJsonObject(properties))
    return undefined;
  const [name, ...more] = Object.keys(properties).filter(
    (each) => isList(properties[each]) && schema.validate('request')({ [each]: value }).length === 0,
  );
  if (name === undefined || more.length > 0) return undefined;
  const message = `The list that is the body was taken for its member "${name}"`;
  return warnings.allows('bare_list', message) ? { [name]: value } : undefined;
}

function isStructured(value: JsonValue): boolean {
  return typeof value === 'object' && (Array.isArray(value) || isJsonObject(value));
}

function isList(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema['type'] === 'array';
}
