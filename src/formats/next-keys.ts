import type { SourceFinding } from '../errors/source-finding';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject } from '../json/json-value';
import { findingAt, type SourceDocument } from '../openapi/source-document';

/** The keys that a saved state would give out next, by path of the collection. */
export function readNextKeys(
  document: SourceDocument,
  collections: readonly string[],
  findings: SourceFinding[],
): Map<string, number | bigint> {
  const keys = new Map<string, number | bigint>();
  const saved = isJsonObject(document.root) ? document.root['nextKeys'] : undefined;
  if (saved === undefined) return keys;
  const entries = isJsonObject(saved) ? Object.entries(saved) : [['', saved] as const];
  for (const [path, key] of entries) {
    const isInteger = typeof key === 'bigint' || (typeof key === 'number' && Number.isSafeInteger(key));
    if (isInteger && key > 0 && collections.includes(path)) keys.set(path, key);
    else {
      const pointer = isJsonObject(saved) ? joinPointer('/nextKeys', path) : '/nextKeys';
      const expected = 'an object: the path of a collection, and the next integer to give out';
      findings.push(findingAt(document, pointer, { rule: 'fixture-format', message: 'This is no next key', expected }));
    }
  }
  return keys;
}
