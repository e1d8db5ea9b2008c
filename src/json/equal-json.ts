import { compareNumbers, isJsonNumber } from './exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value';

/**
 * Whether two values are the same JSON value: numbers by mathematical value, arrays in order, objects whatever the
 * order of their members, counting own members only.
 */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (isJsonNumber(a)) return isJsonNumber(b) && compareNumbers(a, b) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  return isJsonObject(a) && isJsonObject(b) && equalObjects(a, b);
}

function equalArrays(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equalMember(a[index], b[index])) return false;
  return true;
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) if (!Object.hasOwn(b, name) || !equalMember(a[name], b[name])) return false;
  return true;
}

function equalMember(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equalJson(a, b));
}
