import { isJsonObject, type JsonValue } from './json-value';

/**
 * Applies a JSON Merge Patch (RFC 7396 §2): objects are merged member by member, `null` removes, everything else
 * replaces. Only own members are looked at. Neither value is changed.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}
