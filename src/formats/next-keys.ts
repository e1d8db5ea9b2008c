import { isJsonObject, type JsonValue } from '../json/json-value';

/** The keys that a saved state would give out next, by path of the collection; what is no integer is left out. */
export function readNextKeys(root: JsonValue): Map<string, number | bigint> {
  const keys = new Map<string, number | bigint>();
  const saved = isJsonObject(root) ? root['nextKeys'] : undefined;
  if (!isJsonObject(saved)) return keys;
  for (const [path, key] of Object.entries(saved)) {
    if (typeof key === 'bigint' || (typeof key === 'number' && Number.isSafeInteger(key))) keys.set(path, key);
  }
  return keys;
}
