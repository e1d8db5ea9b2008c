import { isJsonObject, type JsonObject, type JsonValue } from './json-value';
import { memberOf, setMember } from './member';

/**
 * Applies a JSON Merge Patch (RFC 7396 §2): objects are merged member by member, `null` removes, everything else
 * replaces. Only own members are looked at. Neither value is changed.
 *
 * @returns the target itself where nothing in it becomes another
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const before: JsonObject | undefined = isJsonObject(target) ? target : undefined;
  let after: Record<string, JsonValue> | undefined = before === undefined ? {} : undefined;
  for (const [name, value] of Object.entries(patch)) {
    const own = before === undefined ? undefined : memberOf(before, name);
    const merged = value === null ? undefined : mergePatch(own, value);
    if (merged === own) continue;
    after ??= { ...before };
    if (merged === undefined) Reflect.deleteProperty(after, name);
    else setMember(after, name, merged);
  }
  return after ?? before ?? {};
}
