import type { SourceFinding } from '../errors/source-finding';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { findingAt, type SourceDocument } from '../openapi/source-document';
import { MOST_FAULTS } from './fixture';
import { findPlace, type FixtureResource } from './fixture-place';

/** The keys that a saved state would give out next, by name of the collection. */
export function readNextKeys(
  document: SourceDocument,
  resources: readonly FixtureResource[],
  findings: SourceFinding[],
): Map<string, number | bigint> {
  const keys = new Map<string, number | bigint>();
  const saved = isJsonObject(document.root) ? document.root['nextKeys'] : undefined;
  if (saved === undefined) return keys;
  const entries = isJsonObject(saved) ? Object.entries(saved) : [['', saved] as const];
  for (const [written, key] of entries) {
    if (findings.length >= MOST_FAULTS) break;
    const place = findPlace(resources, written);
    if (isNextKey(key) && 'resource' in place && place.name !== undefined) keys.set(place.name, key);
    else {
      const pointer = isJsonObject(saved) ? joinPointer('/nextKeys', written) : '/nextKeys';
      const expected = 'an object: the path of a collection, and the next integer to give out';
      findings.push(findingAt(document, pointer, { rule: 'fixture-format', message: 'This is no next key', expected }));
    }
  }
  return keys;
}

function isNextKey(value: JsonValue): value is number | bigint {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  return isInteger && value > 0;
}
