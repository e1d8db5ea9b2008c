import { ConfigError, type SourceFinding } from '../../core/errors/standin-error';
import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { previewValue } from '../../core/json/value-preview';
import { counted } from '../../core/text/printable';
import {
  type FixtureCount,
  type FixtureItem,
  MAX_COUNTED_ROWS,
  MAX_FINDINGS,
  type SeedData,
} from '../../formats/fixture';
import { type Key, successor } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import { findingAt } from '../../openapi/read/source-document';
import type { ResourceModel } from '../../resources/model/binding';
import { parseCollectionName } from '../../resources/model/resource';
import type { Violation } from '../../schema/validator';
import { DraftRuleStore } from '../rules/rule-store';
import { type Rules, toKey } from '../rules/rules';
import { ChildCounts } from '../state/child-counts';
import { Draft } from '../state/draft';
import type { Item } from '../state/item';
import { conform, violationsOf } from '../state/item-representation';
import { keyOf, keyOfProperty, type Resource } from '../state/resource';
import { emptyState, LiveState, type State } from '../state/state';
import { checkFixtureReferences, checkInvariants, FixtureLedger, writtenKey } from './fixture-checks';
import { initialItemsFromFixtures } from './initial-items';
import { SeedSource } from './seed-source';

/** An item of a fixture as it is to be stored, or how it contradicts its place. */
type ScopedFixtureItem =
  | { readonly kind: 'placed'; readonly value: Item }
  | { readonly kind: 'contradiction'; readonly finding: SourceFinding };

/** Fills in what the name of the collection says of its items: `shelfId` below `/shelves/7`. */
function applyScope(resource: Resource, fixture: FixtureItem): ScopedFixtureItem {
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
      return { kind: 'contradiction', finding };
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

/**
 * Fixtures with the items that their counts ask for: they follow from the seed and from what the fixtures hold, refer to
 * items that exist, and are checked as the others are.
 */
export function countFixtureItems(
  api: ApiModel,
  model: ResourceModel,
  resources: readonly Resource[],
  seed: string,
  data: SeedData,
): SeedData {
  if (data.counts.length === 0) return data;
  const begin = initialItemsFromFixtures(data.items, data.counts);
  const source = new SeedSource(api, model, resources, begin, seed);
  const findings: SourceFinding[] = [];
  const made: FixtureItem[] = [];
  let left = MAX_COUNTED_ROWS;
  for (const asked of data.counts) {
    const names = namesOf(asked, resources, source);
    const total = names.length * asked.count;
    if (total > left) {
      findings.push(tooMany(asked, total));
      continue;
    }
    left -= total;
    const before = made.length;
    for (const name of names) made.push(...itemsOf(asked, name, source));
    const lacking = total - (made.length - before);
    if (lacking > 0) findings.push(tooFew(asked, total, lacking));
  }
  return { ...data, items: [...data.items, ...made], findings: [...data.findings, ...findings] };
}

function namesOf({ collection, resource: path }: FixtureCount, resources: readonly Resource[], source: SeedSource) {
  if (collection !== undefined) return [collection];
  const resource = resources.find((candidate) => candidate.path === path);
  return resource === undefined ? [] : [...source.namesOf(resource)];
}

function* itemsOf(
  { resource, pointer, document }: FixtureCount,
  collection: string,
  source: SeedSource,
): Generator<FixtureItem> {
  for (const value of source.madeRows(collection))
    yield { collection, resource, value, pointer, document, isMadeUp: true };
}

function tooMany({ document, pointer }: FixtureCount, total: number): SourceFinding {
  return findingAt(document, pointer, {
    rule: 'fixture-format',
    message: `The counts ask for too many items: ${total} here, with those before more than ${MAX_COUNTED_ROWS}`,
    expected: `at most ${MAX_COUNTED_ROWS} generated items, in all collections together`,
    hint: 'Ask for fewer, or write them by a program, as lists.',
  });
}

function tooFew({ document, pointer, resource }: FixtureCount, total: number, lacking: number): SourceFinding {
  return findingAt(document, pointer, {
    rule: 'fixture-count',
    message: `Only ${total - lacking} of ${counted(total, 'item')} could be generated for ${resource}`,
    expected: 'a schema that allows so many items with keys of their own, and items above them that exist',
  });
}

/**
 * The state that fixtures describe.
 *
 * @param ledger - learns what became of each item
 * @throws ConfigError `FIXTURE_INVALID` with every item that breaks its schema, a reference, an invariant or repeats a
 *   key: all of them at once, as far as {@link MAX_FINDINGS}, but for what rests on an item that was itself rejected
 */
export function seedState(
  resources: readonly Resource[],
  rules: Rules | undefined,
  { items, names, findings, nextKeys }: SeedData = NO_SEED,
  ledger = new FixtureLedger(resources, findings),
): State {
  const byPath = new Map(resources.map((resource) => [resource.path, resource]));
  const state = new LiveState(emptyState(resources));
  const draft = new Draft(state, ChildCounts.of(resources));
  const store = new DraftRuleStore(draft, byPath);
  const planted: StoredFixtureItem[] = [];
  const plantNext = (item: FixtureItem): readonly SourceFinding[] => {
    const resource = byPath.get(item.resource);
    if (resource === undefined) return [];
    const each = storeFixtureItem(item, resource, draft, ledger);
    planted.push(each);
    return each.findings;
  };
  const found = [...findings];
  gather(found, items, plantNext);
  gather(found, planted, ({ item, badMembers: badProperties }) =>
    checkFixtureReferences(rules?.references ?? [], item, badProperties, store, ledger, byPath),
  );
  gather(found, [rules], (each) => checkInvariants(each, store, ledger));
  if (found.length > 0) {
    const count = `${found.length < MAX_FINDINGS ? '' : 'at least '}${counted(found.length, 'error')}`;
    throw new ConfigError('FIXTURE_INVALID', `The fixtures cannot be used: ${count}`, { findings: found });
  }
  for (const name of names) state.writable(name);
  setNextKeys(draft, nextKeys);
  return state.snapshot();
}

/** Adds what is wrong with each thing, until enough is found. */
function gather<T>(
  found: SourceFinding[],
  things: readonly T[],
  validate: (thing: T) => readonly SourceFinding[],
): void {
  for (const thing of things) {
    if (found.length >= MAX_FINDINGS) return;
    found.push(...validate(thing));
  }
}

function setNextKeys(draft: Draft, nextKeys: ReadonlyMap<string, number | bigint>): void {
  // Kept from here on: the highest key must not be given out again after its item is gone.
  for (const name of draft.names()) {
    const highest = draft.collection(name).highestKey();
    if (typeof highest === 'number' || typeof highest === 'bigint') draft.setNextKey(name, successor(highest));
  }
  // A saved state knows better: of keys that are gone, and of keys that clients chose. One that is taken is passed over
  // when its turn comes.
  for (const [name, key] of nextKeys) draft.setNextKey(name, key);
}

/** What fixtures say where there are none. */
export const NO_SEED: SeedData = { items: [], counts: [], names: [], nextKeys: new Map(), findings: [] };

interface StoredFixtureItem {
  readonly item: FixtureItem;
  readonly findings: readonly SourceFinding[];
  readonly badMembers: ReadonlySet<string>;
}

const NO_PROPERTIES: ReadonlySet<string> = new Set();

export function storeFixtureItem(
  fixture: FixtureItem,
  resource: Resource,
  draft: Draft,
  ledger: FixtureLedger,
): StoredFixtureItem {
  const { collection } = fixture;
  const reject = (finding: SourceFinding): StoredFixtureItem => ({
    item: fixture,
    findings: [finding],
    badMembers: NO_PROPERTIES,
  });
  const placed = applyScope(resource, fixture);
  if (placed.kind === 'contradiction') {
    ledger.reject(collection, undefined);
    return reject(placed.finding);
  }
  const { value } = placed;
  const violations = violationsOf(resource, value);
  if (violations.length > 0) return rejectViolations(fixture, resource, violations, ledger);
  const item = conform(resource, value);
  const key = keyOf(resource, item);
  if (key === undefined) {
    ledger.reject(collection, undefined);
    return reject(noKey(fixture, resource));
  }
  if (ledger.origin(collection, key) !== undefined) {
    // Which key it was to have cannot be told.
    ledger.reject(collection, undefined);
    return reject(takenKey(fixture, resource, key));
  }
  ledger.store(fixture, key);
  draft.put(collection, key, item);
  return { item: fixture, findings: [], badMembers: NO_PROPERTIES };
}

function rejectViolations(
  item: FixtureItem,
  { keyMember: keyProperty }: Resource,
  violations: readonly Violation[],
  ledger: FixtureLedger,
): StoredFixtureItem {
  const { value, pointer, document, collection } = item;
  const badProperties = new Set(violations.flatMap((violation) => parsePointer(violation.pointer).slice(0, 1)));
  ledger.reject(collection, badProperties.has(keyProperty) ? undefined : writtenKey(ownProperty(value, keyProperty)));
  const findings = violations.map((violation) =>
    findingAt(document, `${pointer}${violation.pointer}`, {
      rule: 'fixture-schema',
      message: `${violation.pointer === '' ? 'The item' : `The property ${violation.pointer}`} ${violation.message}`,
      expected: `an item that the schema of ${collection} allows`,
    }),
  );
  return { item, findings, badMembers: badProperties };
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
