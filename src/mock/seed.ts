import { memberOf } from '../json/member';
import { counted } from '../errors/counted';
import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { MOST_FAULTS, type FixtureItem, type SeedData } from '../formats/fixture';
import { joinPointer, parsePointer } from '../json/json-pointer';
import { stringifyJson } from '../json/stringify-json';
import type { Violation } from '../json-schema/violation';
import { findingAt } from '../openapi/source-document';
import { ChildCounts } from './child-counts';
import { checkInvariants, checkReferences } from './check-seed';
import { conform, violationsOf } from './conform';
import { successor, type Key } from './order';
import { placeItem } from './place-item';
import { keyOf, type Resource } from './resource';
import { DraftRuleStore } from './rule-store';
import type { Rules } from './rules';
import { Draft } from './draft';
import { SeedLedger, writtenKey } from './seed-ledger';
import { emptyState, LiveState, type State } from './state';

/**
 * The state that fixtures describe.
 *
 * @param ledger - learns what became of each item
 * @throws ConfigError `FIXTURE_INVALID` with every item that breaks its schema, a reference, an invariant or repeats a
 *   key: all of them at once, as far as {@link MOST_FAULTS}, but for what rests on an item that was itself refused
 */
export function seedState(
  resources: readonly Resource[],
  rules: Rules | undefined,
  { items, names, findings, nextKeys }: SeedData = NO_SEED,
  ledger = new SeedLedger(resources, findings),
): State {
  const byPath = new Map(resources.map((resource) => [resource.path, resource]));
  const state = new LiveState(emptyState(resources));
  const draft = new Draft(state, ChildCounts.of(resources));
  const store = new DraftRuleStore(draft, byPath);
  const planted: Planted[] = [];
  const plantNext = (item: FixtureItem): readonly SourceFinding[] => {
    const resource = byPath.get(item.resource);
    if (resource === undefined) return [];
    const each = plant(item, resource, draft, ledger);
    planted.push(each);
    return each.findings;
  };
  const found = [...findings];
  gather(found, items, plantNext);
  gather(found, planted, ({ item, badMembers }) =>
    checkReferences(rules?.references ?? [], item, badMembers, store, ledger, byPath),
  );
  gather(found, [rules], (each) => checkInvariants(each, store, ledger));
  if (found.length > 0) {
    const count = `${found.length < MOST_FAULTS ? '' : 'at least '}${counted(found.length, 'error')}`;
    throw new ConfigError('FIXTURE_INVALID', `The fixtures cannot be used: ${count}`, { findings: found });
  }
  for (const name of names) state.writable(name);
  setNextKeys(draft, nextKeys);
  return state.snapshot();
}

/** Adds what is wrong with each thing, until enough is found. */
function gather<T>(found: SourceFinding[], things: readonly T[], judge: (thing: T) => readonly SourceFinding[]): void {
  for (const thing of things) {
    if (found.length >= MOST_FAULTS) return;
    found.push(...judge(thing));
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

/** What became of one item. */
interface Planted {
  readonly item: FixtureItem;
  readonly findings: readonly SourceFinding[];
  /** Members that break the schema. */
  readonly badMembers: ReadonlySet<string>;
}

const NO_MEMBERS: ReadonlySet<string> = new Set();

/** Stores an item, or says why it cannot be stored. */
export function plant(fixture: FixtureItem, resource: Resource, draft: Draft, ledger: SeedLedger): Planted {
  const { collection } = fixture;
  const refuse = (finding: SourceFinding): Planted => ({ item: fixture, findings: [finding], badMembers: NO_MEMBERS });
  const placed = placeItem(resource, fixture);
  if (placed.kind === 'contradiction') {
    ledger.refuse(collection, undefined);
    return refuse(placed.finding);
  }
  const { value } = placed;
  const violations = violationsOf(resource, value);
  if (violations.length > 0) return refuseViolations(fixture, resource, violations, ledger);
  const item = conform(resource, value);
  const key = keyOf(resource, item);
  if (key === undefined) {
    ledger.refuse(collection, undefined);
    return refuse(noKey(fixture, resource));
  }
  if (ledger.origin(collection, key) !== undefined) {
    // Which key it was to have cannot be told.
    ledger.refuse(collection, undefined);
    return refuse(takenKey(fixture, resource, key));
  }
  ledger.store(fixture, key);
  draft.put(collection, key, item);
  return { item: fixture, findings: [], badMembers: NO_MEMBERS };
}

function refuseViolations(
  item: FixtureItem,
  { keyMember }: Resource,
  violations: readonly Violation[],
  ledger: SeedLedger,
): Planted {
  const { value, pointer, document, collection } = item;
  const badMembers = new Set(violations.flatMap((violation) => parsePointer(violation.pointer).slice(0, 1)));
  ledger.refuse(collection, badMembers.has(keyMember) ? undefined : writtenKey(memberOf(value, keyMember)));
  const findings = violations.map((violation) =>
    findingAt(document, `${pointer}${violation.pointer}`, {
      rule: 'fixture-schema',
      message: `${violation.pointer === '' ? 'The item' : `The member ${violation.pointer}`} ${violation.message}`,
      expected: `an item that the schema of ${collection} allows`,
    }),
  );
  return { item, findings, badMembers };
}

function noKey({ document, pointer }: FixtureItem, { keyMember, key }: Resource): SourceFinding {
  const message = `The item has no "${keyMember}" to find it by`;
  const hint = key.isHidden
    ? 'No member of these items holds their key: write it beside them; it is never sent.'
    : undefined;
  return findingAt(document, pointer, { rule: 'fixture-key', message, expected: `"${keyMember}"`, hint });
}

function takenKey({ document, pointer, collection }: FixtureItem, resource: Resource, key: Key): SourceFinding {
  const { kind, keyMember } = resource;
  if (kind === 'singleton') {
    const message = `${collection} is a single record, and an earlier one is there`;
    return findingAt(document, pointer, { rule: 'fixture-key', message, expected: 'one object' });
  }
  const message = `The ${keyMember} ${stringifyJson(key)} is taken by an earlier item of ${collection}`;
  const at = joinPointer(pointer, keyMember);
  return findingAt(document, at, { rule: 'fixture-key', message, expected: 'a key of its own' });
}
