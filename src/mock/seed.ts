import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import type { FixtureItem } from '../formats/fixture';
import { compareNumbers } from '../json/exact-number';
import { joinPointer, parsePointer } from '../json/json-pointer';
import { stringifyJson } from '../json/stringify-json';
import type { Violation } from '../json-schema/violation';
import { findingAt } from '../openapi/source-document';
import { checkInvariants, checkReferences } from './check-seed';
import { conform } from './conform';
import { successor } from './order';
import type { Resource } from './resource';
import { DraftRuleStore } from './rule-store';
import { toKey, type Rules } from './rules';
import { Draft } from './draft';
import { SeedLedger, writtenKey } from './seed-ledger';
import { emptyState, LiveState, type State } from './state';

/**
 * The state that fixtures describe.
 *
 * @param findings - what reading the files found already
 * @throws ConfigError `FIXTURE_INVALID` with every item that breaks its schema, a reference, an invariant or repeats a
 *   key: all of them at once, but for what rests on an item that was itself refused
 */
export function seedState(
  resources: readonly Resource[],
  rules: Rules | undefined,
  items: readonly FixtureItem[],
  findings: readonly SourceFinding[] = [],
  nextKeys: ReadonlyMap<string, number | bigint> = new Map(),
): State {
  const byPath = new Map(resources.map((resource) => [resource.path, resource]));
  const state = new LiveState(emptyState(resources));
  const draft = new Draft(state);
  const store = new DraftRuleStore(draft, byPath);
  const ledger = new SeedLedger([...byPath.keys()], findings);
  const planted = items.flatMap((item): Planted[] => {
    const resource = byPath.get(item.collection);
    return resource === undefined ? [] : [plant(item, resource, draft, ledger)];
  });
  const found = [
    ...findings,
    ...planted.flatMap((each) => each.findings),
    ...planted.flatMap(({ item, badMembers }) =>
      checkReferences(rules?.references ?? [], item, badMembers, store, ledger),
    ),
    ...checkInvariants(rules, store, ledger),
  ];
  if (found.length > 0) {
    const count = found.length === 1 ? '1 error' : `${found.length} errors`;
    throw new ConfigError('FIXTURE_INVALID', `The fixtures cannot be used: ${count}`, { findings: found });
  }
  setNextKeys(draft, resources, nextKeys);
  return state.snapshot();
}

function setNextKeys(
  draft: Draft,
  resources: readonly Resource[],
  nextKeys: ReadonlyMap<string, number | bigint>,
): void {
  // Kept from here on: the highest key must not be given out again after its item is gone.
  for (const { path } of resources) {
    const highest = draft.collection(path).highestKey();
    if (typeof highest === 'number' || typeof highest === 'bigint') draft.setNextKey(path, successor(highest));
  }
  for (const [path, key] of nextKeys) {
    const lowest = draft.nextKey(path);
    // A saved state may know of keys that are gone; one that is still there is not given out again.
    if (lowest === undefined || compareNumbers(key, lowest) > 0) draft.setNextKey(path, key);
  }
}

/** What became of one item. */
interface Planted {
  readonly item: FixtureItem;
  readonly findings: readonly SourceFinding[];
  /** Members that break the schema. */
  readonly badMembers: ReadonlySet<string>;
}

const NO_MEMBERS: ReadonlySet<string> = new Set();

/** Stores an item, or says why it cannot be stored. */
function plant(fixture: FixtureItem, resource: Resource, draft: Draft, ledger: SeedLedger): Planted {
  const { value, pointer, document, collection } = fixture;
  const refuse = (finding: SourceFinding): Planted => ({ item: fixture, findings: [finding], badMembers: NO_MEMBERS });
  const violations = resource.schema.validate('response')(value);
  if (violations.length > 0) return refuseViolations(fixture, resource, violations, ledger);
  const item = conform(resource, value);
  const key = toKey(item[resource.keyMember]);
  if (key === undefined) {
    ledger.refuse(collection, undefined);
    const message = `The item has no "${resource.keyMember}" to find it by`;
    return refuse(findingAt(document, pointer, { rule: 'fixture-key', message, expected: `"${resource.keyMember}"` }));
  }
  if (ledger.origin(collection, key) !== undefined) {
    // Which key it was to have cannot be told.
    ledger.refuse(collection, undefined);
    const message = `The ${resource.keyMember} ${stringifyJson(key)} is taken by an earlier item of ${collection}`;
    return refuse(
      findingAt(document, joinPointer(pointer, resource.keyMember), {
        rule: 'fixture-key',
        message,
        expected: 'a key of its own',
      }),
    );
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
  ledger.refuse(collection, badMembers.has(keyMember) ? undefined : writtenKey(value[keyMember]));
  const findings = violations.map((violation) =>
    findingAt(document, `${pointer}${violation.pointer}`, {
      rule: 'fixture-schema',
      message: `${violation.pointer === '' ? 'The item' : `The member ${violation.pointer}`} ${violation.message}`,
      expected: `an item that the schema of ${collection} allows`,
    }),
  );
  return { item, findings, badMembers };
}
