import type { SourceFinding } from '../../core/errors/standin-error';
import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue, ownProperty, valueAlong } from '../../core/json/json-value';
import { stringifyJson, previewValue } from '../../core/json/stringify-json';
import type { FixtureItem } from '../../formats/fixture';
import type { Key } from '../../lists/sort-values';
import { findingAt } from '../../openapi/read/source-document';
import { parseCollectionName } from '../../resources/model/resource';
import type { Violation } from '../../schema/validator';
import { referredCollection } from '../rules/rule-store';
import { type BrokenInvariant, type Reference, type RuleReader, type Rules, toKey } from '../rules/rules';
import { conform, violationsOf } from '../state/item-representation';
import type { Item } from '../state/item';
import { keyOf, keyOfProperty, type Resource } from '../state/prepared-resource';
import { collectionOf, type State } from '../state/state';
import { type FixtureLedger, writtenKey } from './fixture-ledger';

/** An item of a fixture as it is to be stored, or why it cannot be. */
export type CheckedItem =
  | { readonly kind: 'valid'; readonly key: Key; readonly item: Item }
  | {
      readonly kind: 'invalid';
      readonly findings: readonly SourceFinding[];
      /** The key that it was to have; `undefined` when that cannot be told. */
      readonly key: Key | undefined;
      /** Properties that break their schema: what they refer to is not asked. */
      readonly badProperties: ReadonlySet<string>;
    };

/**
 * Checks one item: by its place, its schema and its key.
 *
 * @param isTaken - does an earlier item of the collection have the key?
 */
export function checkFixtureItem(
  fixture: FixtureItem,
  resource: Resource,
  isTaken: (key: Key) => boolean,
): CheckedItem {
  const placed = applyScope(resource, fixture);
  if (placed.kind === 'invalid') return placed;
  const violations = violationsOf(resource, placed.value);
  if (violations.length > 0) return brokenSchema(fixture, resource, violations);
  const item = conform(resource, placed.value);
  const key = keyOf(resource, item);
  if (key === undefined) return invalid(noKey(fixture, resource));
  // Which key it was to have cannot be told.
  return isTaken(key) ? invalid(takenKey(fixture, resource, key)) : { kind: 'valid', key, item };
}

type InvalidItem = Extract<CheckedItem, { kind: 'invalid' }>;

function invalid(finding: SourceFinding): InvalidItem {
  return { kind: 'invalid', findings: [finding], key: undefined, badProperties: new Set() };
}

/** Fills in what the name of the collection says of its items: `shelfId` below `/shelves/7`. */
function applyScope(
  resource: Resource,
  fixture: FixtureItem,
): { readonly kind: 'placed'; readonly value: Item } | InvalidItem {
  const { collection, pointer, document } = fixture;
  const values = resource.scope.length === 0 ? [] : (parseCollectionName([resource], collection)?.values ?? []);
  let { value } = fixture;
  for (const [index, { property }] of resource.scope.entries()) {
    const segment = values[index];
    if (property === undefined || segment === undefined) continue;
    const written = ownProperty(value, property);
    if (names(written, segment)) continue;
    const filled = { ...value, [property]: keyOfProperty(resource, property, segment) };
    // A property whose schema does not take what the path says stays as it is, as it does in items that the mock made.
    if (violationsOf(resource, filled).some((violation) => violation.pointer.startsWith(joinPointer('', property))))
      continue;
    if (written !== undefined) {
      const finding = findingAt(document, joinPointer(pointer, property), {
        rule: 'fixture-scope',
        message: `The property "${property}" is ${previewValue(written)}, and the item lies in ${collection}`,
        expected: `${stringifyJson(filled[property] ?? null)}, or another collection`,
      });
      return invalid(finding);
    }
    value = filled;
  }
  return { kind: 'placed', value };
}

/** Is it the key in the path, or the thing of that key, shown as a whole? */
function names(written: JsonValue | undefined, segment: string): boolean {
  const keys = written !== undefined && isJsonObject(written) ? Object.values(written) : [written];
  return keys.some((key) => isKey(key) && String(key) === segment);
}

function isKey(value: JsonValue | undefined): value is Key {
  return toKey(value) !== undefined;
}

function brokenSchema(
  { value, pointer, document, collection }: FixtureItem,
  { keyMember: keyProperty }: Resource,
  violations: readonly Violation[],
): InvalidItem {
  const badProperties = new Set(violations.flatMap((violation) => parsePointer(violation.pointer).slice(0, 1)));
  const key = badProperties.has(keyProperty) ? undefined : writtenKey(ownProperty(value, keyProperty));
  const findings = violations.map((violation) =>
    findingAt(document, `${pointer}${violation.pointer}`, {
      rule: 'fixture-schema',
      message: `${violation.pointer === '' ? 'The item' : `The property ${violation.pointer}`} ${violation.message}`,
      expected: `an item that the schema of ${collection} allows`,
    }),
  );
  return { kind: 'invalid', findings, key, badProperties };
}

function noKey({ document, pointer }: FixtureItem, { keyMember: keyProperty, key }: Resource): SourceFinding {
  const message = `The item has no "${keyProperty}" to find it by`;
  const hint = key.isHidden
    ? 'No property of these items holds their key: write it beside them; it is never sent.'
    : undefined;
  return findingAt(document, pointer, { rule: 'fixture-key', message, expected: `"${keyProperty}"`, hint });
}

function takenKey({ document, pointer, collection }: FixtureItem, resource: Resource, key: Key): SourceFinding {
  const { kind, keyMember: keyProperty } = resource;
  if (kind === 'singleton') {
    const message = `${collection} is a single record, and an earlier one is there`;
    return findingAt(document, pointer, { rule: 'fixture-key', message, expected: 'one object' });
  }
  const message = `The ${keyProperty} ${stringifyJson(key)} is taken by an earlier item of ${collection}`;
  const at = joinPointer(pointer, keyProperty);
  return findingAt(document, at, { rule: 'fixture-key', message, expected: 'a key of its own' });
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
