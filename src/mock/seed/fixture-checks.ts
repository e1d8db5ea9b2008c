import type { SourceFinding } from '../../core/errors/standin-error';
import { ExactNumber, toCanonical } from '../../core/json/exact-number';
import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import { type JsonValue, ownProperty, valueAlong } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { findCollection, type FixtureItem } from '../../formats/fixture';
import type { Key } from '../../lists/sort-values';
import { findingAt, type SourceDocument } from '../../openapi/read/source-document';
import { parseCollectionName } from '../../resources/model/resource';
import { referredCollection } from '../rules/rule-store';
import { type BrokenInvariant, type Reference, type RuleReader, type Rules, toKey } from '../rules/rules';
import { keyOf, type Resource } from '../state/resource';
import { collectionOf, type State } from '../state/state';

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

/**
 * The references of one item that lead nowhere.
 *
 * @param badProperties - properties that break their schema: what they refer to is not asked
 * @param store - after every item was put into it
 */
export function checkFixtureReferences(
  references: readonly Reference[],
  { resource, collection, value: item, pointer, document }: FixtureItem,
  badProperties: ReadonlySet<string>,
  store: RuleReader,
  ledger: FixtureLedger,
  resources: ReadonlyMap<string, Resource>,
): SourceFinding[] {
  const own = resources.get(resource);
  const values = own === undefined ? [] : (parseCollectionName([own], collection)?.values ?? []);
  return references.flatMap((reference): SourceFinding[] => {
    const { collection: from, member: property } = reference;
    const value = from === resource && !badProperties.has(property) ? ownProperty(item, property) : undefined;
    if (value === undefined || value === null) return [];
    const key = writtenKey(value);
    const to = referredCollection(reference, resources, values);
    if (key !== undefined && (store.get(to, key) !== undefined || ledger.mayHaveRejected(to, key))) return [];
    return [
      findingAt(document, joinPointer(pointer, property), {
        rule: 'fixture-reference',
        message: `The property "${property}" names ${stringifyJson(value)}, which does not exist in ${to}`,
        expected: `the key of an item of ${to}`,
      }),
    ];
  });
}

/** Invariants of the rules that do not hold, as far as what the rules looked at is all there. */
export function checkInvariants(rules: Rules | undefined, store: RuleReader, ledger: FixtureLedger): SourceFinding[] {
  const reader = new WatchedReader(store, ledger);
  const found: SourceFinding[] = [];
  try {
    for (const broken of rules?.invariants?.(reader) ?? []) {
      if (!reader.missedFor(broken.collection)) found.push(...brokenInvariant(broken, ledger));
    }
  } catch (error) {
    // Rules may count on what the service always has; that it is lacking is reported already.
    if (!reader.hasMissed) throw error;
  }
  return found;
}

function brokenInvariant({ collection, key, message }: BrokenInvariant, ledger: FixtureLedger): SourceFinding[] {
  const known = toKey(key);
  const fixture = known === undefined ? undefined : ledger.origin(collection, known);
  if (fixture === undefined) return [];
  return [
    findingAt(fixture.document, fixture.pointer, {
      rule: 'fixture-invariant',
      message: `${collection} ${stringifyJson(key)} ${message}`,
      expected: 'a state that the service can come to by its own rules',
    }),
  ];
}

/** Reads a store that may lack items which were rejected, and remembers where something was missed by that. */
class WatchedReader implements RuleReader {
  private readonly store: RuleReader;
  private readonly ledger: FixtureLedger;
  private readonly walked = new Set<string>();
  private missedItem = false;

  constructor(store: RuleReader, ledger: FixtureLedger) {
    this.store = store;
    this.ledger = ledger;
  }

  get hasMissed(): boolean {
    return this.missedItem || this.walked.size > 0;
  }

  /** Was something missed on which a fault of this collection may rest? Its own items are checked one by one. */
  missedFor(collection: string): boolean {
    return this.missedItem || [...this.walked].some((path) => path !== collection);
  }

  collections(path: string): Iterable<string> {
    // Those below an item that was rejected are lacking.
    if (this.ledger.hasGaps) this.missedItem = true;
    return this.store.collections(path);
  }

  get(...[path, value]: Parameters<RuleReader['get']>): ReturnType<RuleReader['get']> {
    const item = this.store.get(path, value);
    const key = toKey(value);
    if (item === undefined && key !== undefined && this.ledger.mayHaveRejected(path, key)) this.missedItem = true;
    return item;
  }

  find(...[path, property, value]: Parameters<RuleReader['find']>): ReturnType<RuleReader['find']> {
    if (this.ledger.hasGap(path)) this.missedItem = true;
    return this.store.find(path, property, value);
  }

  items(path: string): ReturnType<RuleReader['items']> {
    if (this.ledger.hasGap(path)) this.walked.add(path);
    return this.store.items(path);
  }
}

/** Nobody mends more of them at once. */
const MAX_REPORTED = 100;

/** Numbers of fixtures that count what lies below an item, and say another number than there is. */
export function wrongFixtureCounts(
  items: readonly FixtureItem[],
  resources: readonly Resource[],
  state: State,
): SourceFinding[] {
  const counting = new Map(resources.flatMap((each) => (each.counts.length === 0 ? [] : [[each.path, each] as const])));
  const found: SourceFinding[] = [];
  for (const fixture of counting.size === 0 ? [] : items) {
    const resource = counting.get(fixture.resource);
    if (resource !== undefined && fixture.isMadeUp !== true) found.push(...wrongCountsOf(fixture, resource, state));
    if (found.length >= MAX_REPORTED) break;
  }
  return found;
}

function wrongCountsOf(
  { collection, value, pointer, document }: FixtureItem,
  resource: Resource,
  state: State,
): SourceFinding[] {
  const key = keyOf(resource, value);
  const stored = key === undefined ? undefined : collectionOf(state, collection)?.get(key);
  if (stored === undefined) return [];
  return resource.counts.flatMap(({ path, child }): SourceFinding[] => {
    const [said, number] = [valueAlong(value, path), valueAlong(stored, path)];
    if (said === undefined || number === undefined || said === number) return [];
    return [
      findingAt(document, path.reduce(joinPointer, pointer), {
        rule: 'fixture-counted',
        severity: 'warning',
        message: `The property ${path.reduce(joinPointer, '')} says ${stringifyJson(said)}, and counts the items of ${child}: it is ${stringifyJson(number)}`,
        expected: 'the number of items that there are, or no such property',
        hint: 'Write the items that it counts; where it counts something else, the overrides say so (references: false).',
      }),
    ];
  });
}
