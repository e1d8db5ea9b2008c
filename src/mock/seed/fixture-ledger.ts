import type { SourceFinding } from '../../core/errors/standin-error';
import { ExactNumber, toCanonical } from '../../core/json/exact-number';
import { parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { findCollection, type FixtureItem } from '../../formats/fixture';
import type { Key } from '../../lists/sort-values';
import type { SourceDocument } from '../../openapi/read/source-document';
import { toKey } from '../rules/rules';
import type { Resource } from '../state/prepared-resource';

/**
 * What became of the items of fixtures: which are stored, which were rejected, and what therefore cannot be checked. A
 * reference to an item that was itself rejected is no fault of its own, and would be told a second time.
 */
export class FixtureLedger {
  private readonly stored = new Map<string, FixtureItem>();
  private readonly refused = new Set<string>();
  private readonly gaps = new Set<string>();
  private readonly unknownKeys = new Set<string>();

  /** @param findings - what reading the files found: an item that could not be read is one that is lacking */
  constructor(resources: readonly Resource[], findings: readonly SourceFinding[]) {
    for (const { pointer } of findings) {
      const [property, written] = parsePointer(pointer);
      if (property === 'nextKeys') continue;
      // What a file holds that is not a fixture at all could have been anything.
      const place = written === undefined ? undefined : findCollection(resources, written);
      const all = resources.map(({ path }) => path);
      const lacking = place === undefined ? all : 'resource' in place ? [place.name ?? place.resource.path] : [];
      for (const path of lacking) this.reject(path, undefined);
    }
  }

  store(item: FixtureItem, key: Key): void {
    this.stored.set(entry(item.collection, key), item);
  }

  /** @param key - `undefined` when it cannot be told */
  reject(collection: string, key: Key | undefined): void {
    this.gaps.add(collection);
    if (key === undefined) this.unknownKeys.add(collection);
    else this.refused.add(entry(collection, key));
  }

  origin(collection: string, key: Key): FixtureItem | undefined {
    return this.stored.get(entry(collection, key));
  }

  /** Was an item rejected that has this key, or could have it? */
  mayHaveRejected(collection: string, key: Key): boolean {
    return this.unknownKeys.has(collection) || this.refused.has(entry(collection, key));
  }

  get hasGaps(): boolean {
    return this.gaps.size > 0;
  }

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

/** Where an item comes from that a mock began with. */
export type ItemOrigin =
  | { readonly kind: 'fixture'; readonly document: SourceDocument; readonly pointer: string }
  /** Examples of the description that show it; of properties that differ, the last one counts. */
  | { readonly kind: 'example'; readonly pointers: readonly string[] }
  /** From the schema and the seed. `asked`: the `count` of a fixture that wanted it. */
  | { readonly kind: 'made-up'; readonly asked: Pick<FixtureItem, 'document' | 'pointer'> | undefined };

/** @returns `undefined` for an item that the mock did not begin with */
export type OriginOf = (collection: string, key: Key) => ItemOrigin | undefined;

/** The same for items of fixtures. */
export function fixtureOrigins(ledger: FixtureLedger): OriginOf {
  return (collection, key) => {
    const item = ledger.origin(collection, key);
    if (item === undefined) return undefined;
    const { document, pointer, isMadeUp } = item;
    return isMadeUp === true
      ? { kind: 'made-up', asked: { document, pointer } }
      : { kind: 'fixture', document, pointer };
  };
}
