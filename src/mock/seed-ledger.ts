import type { SourceFinding } from '../errors/source-finding';
import type { FixtureItem } from '../formats/fixture';
import { ExactNumber, toCanonical } from '../json/exact-number';
import { parsePointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { findPlace } from '../formats/fixture-place';
import type { Key } from './order';
import type { Resource } from './resource';
import { toKey } from './rules';

/**
 * What became of the items of fixtures: which are stored, which were refused, and what therefore cannot be judged. A
 * reference to an item that was itself refused is no fault of its own, and would be told a second time.
 */
export class SeedLedger {
  private readonly stored = new Map<string, FixtureItem>();
  private readonly refused = new Set<string>();
  private readonly gaps = new Set<string>();
  private readonly unknownKeys = new Set<string>();

  /** @param findings - what reading the files found: an item that could not be read is one that is lacking */
  constructor(resources: readonly Resource[], findings: readonly SourceFinding[]) {
    for (const { pointer } of findings) {
      const [member, written] = parsePointer(pointer);
      if (member === 'nextKeys') continue;
      // What a file holds that is no fixture at all could have been anything.
      const place = written === undefined ? undefined : findPlace(resources, written);
      const all = resources.map(({ path }) => path);
      const lacking = place === undefined ? all : 'resource' in place ? [place.name ?? place.resource.path] : [];
      for (const path of lacking) this.refuse(path, undefined);
    }
  }

  store(item: FixtureItem, key: Key): void {
    this.stored.set(entry(item.collection, key), item);
  }

  /** @param key - `undefined` when it cannot be told */
  refuse(collection: string, key: Key | undefined): void {
    this.gaps.add(collection);
    if (key === undefined) this.unknownKeys.add(collection);
    else this.refused.add(entry(collection, key));
  }

  /** The item that is stored under a key. */
  origin(collection: string, key: Key): FixtureItem | undefined {
    return this.stored.get(entry(collection, key));
  }

  /** Was an item refused that has this key, or could have it? */
  mayHaveRefused(collection: string, key: Key): boolean {
    return this.unknownKeys.has(collection) || this.refused.has(entry(collection, key));
  }

  /** Was any item refused? */
  get hasGaps(): boolean {
    return this.gaps.size > 0;
  }

  /** Does the collection lack an item that was refused? */
  hasGap(collection: string): boolean {
    return this.gaps.has(collection);
  }
}

/** The key that a value of a file stands for: 1.0 is the key 1. */
export function writtenKey(value: JsonValue | undefined): Key | undefined {
  return toKey(value instanceof ExactNumber ? toCanonical(value) : value);
}

function entry(collection: string, key: Key): string {
  return `${collection} ${typeof key} ${String(key)}`;
}
