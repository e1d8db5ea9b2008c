import { ConfigError, type SourceFinding } from '../../core/errors/standin-error';
import { counted } from '../../core/text/printable';
import { type FixtureItem, MAX_FINDINGS, type SeedData } from '../../formats/fixture';
import { successor } from '../../lists/sort-values';
import { DraftRuleStore } from '../rules/rule-store';
import type { Rules } from '../rules/rules';
import { ChildCounts } from '../state/child-counts';
import { Draft } from '../state/draft';
import type { Resource } from '../state/prepared-resource';
import { emptyState, LiveState, type State } from '../state/state';
import { checkFixtureItem, checkFixtureReferences, checkInvariants } from './fixture-checks';
import { FixtureLedger } from './fixture-ledger';

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
  gather(found, planted, ({ item, badProperties }) =>
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
  readonly badProperties: ReadonlySet<string>;
}

const NO_PROPERTIES: ReadonlySet<string> = new Set();

/** Puts an item into the state where nothing is wrong with it; the ledger learns what became of it. */
export function storeFixtureItem(
  fixture: FixtureItem,
  resource: Resource,
  draft: Draft,
  ledger: FixtureLedger,
): StoredFixtureItem {
  const { collection } = fixture;
  const checked = checkFixtureItem(fixture, resource, (key) => ledger.origin(collection, key) !== undefined);
  if (checked.kind === 'invalid') {
    ledger.reject(collection, checked.key);
    return { item: fixture, findings: checked.findings, badProperties: checked.badProperties };
  }
  ledger.store(fixture, checked.key);
  draft.put(collection, checked.key, checked.item);
  return { item: fixture, findings: [], badProperties: NO_PROPERTIES };
}
