import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';

// Files of other tools are as their tools left them: what has not the type that its format asks for counts as missing.

const NOTHING: JsonObject = {};

/** The property where it is a text. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = ownProperty(object, name);
  return typeof value === 'string' ? value : undefined;
}

/** The property where it is a number, or a text that is one. */
export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = ownProperty(object, name);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** The property where it is an object, else one without properties. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = ownProperty(object, name);
  return isJsonObject(value) ? value : NOTHING;
}

/** The items of the property where it is an array, else none. */
export function itemsAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value = ownProperty(object, name);
  return Array.isArray(value) ? value : [];
}

/** Those items of the property that are objects. */
export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  return itemsAt(object, name).filter(isJsonObject);
}
