import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import type { FixtureItem } from '../formats/fixture';
import { compareNumbers, ExactNumber, toCanonical } from '../json/exact-number';
import { joinPointer } from '../json/json-pointer';
import { stringifyJson } from '../json/stringify-json';
import { findingAt } from '../openapi/source-document';
import { conform } from './conform';
import { successor, type Key } from './order';
import type { Resource } from './resource';
import { DraftRuleStore } from './rule-store';
import { toKey, type Rules } from './rules';
import { Draft } from './draft';
import { emptyState, LiveState, type State } from './state';

/**
 * The state that fixtures describe.
 *
 * @param findings - what reading the files found already
 * @throws ConfigError `FIXTURE_INVALID` with every item that breaks its schema, a reference, an invariant or repeats a
 *   key
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
  const origins = new Map<string, FixtureItem>();
  const found = [...findings];
  for (const item of items) {
    const resource = byPath.get(item.collection);
    if (resource !== undefined) found.push(...plant(item, resource, draft, origins));
  }
  // A key that is missing would be reported again by each reference to it.
  if (found.length === 0)
    found.push(...checkLinks(rules, origins, draft), ...checkInvariants(rules, origins, draft, byPath));
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

function plant(
  fixture: FixtureItem,
  resource: Resource,
  draft: Draft,
  origins: Map<string, FixtureItem>,
): SourceFinding[] {
  const { value, pointer, document, collection } = fixture;
  const violations = resource.schema.validate('response')(value);
  if (violations.length > 0) {
    return violations.map((violation) =>
      findingAt(document, `${pointer}${violation.pointer}`, {
        rule: 'fixture-schema',
        message: `${violation.pointer === '' ? 'The item' : `The member ${violation.pointer}`} ${violation.message}`,
        expected: `an item that the schema of ${collection} allows`,
      }),
    );
  }
  const item = conform(resource, value);
  const key = toKey(item[resource.keyMember]);
  if (key === undefined) {
    const message = `The item has no "${resource.keyMember}" to find it by`;
    return [findingAt(document, pointer, { rule: 'fixture-key', message, expected: `"${resource.keyMember}"` })];
  }
  if (origins.has(originOf(collection, key))) {
    const message = `The ${resource.keyMember} ${stringifyJson(key)} is taken by an earlier item of ${collection}`;
    return [
      findingAt(document, joinPointer(pointer, resource.keyMember), {
        rule: 'fixture-key',
        message,
        expected: 'a key of its own',
      }),
    ];
  }
  origins.set(originOf(collection, key), fixture);
  draft.put(collection, key, item);
  return [];
}

function checkLinks(
  rules: Rules | undefined,
  origins: ReadonlyMap<string, FixtureItem>,
  draft: Draft,
): SourceFinding[] {
  return (rules?.references ?? []).flatMap(({ collection, member, to }) =>
    [...origins.values()].flatMap((fixture): SourceFinding[] => {
      const value = fixture.collection === collection ? fixture.value[member] : undefined;
      const key = toKey(value instanceof ExactNumber ? toCanonical(value) : value);
      if (value === undefined || value === null || (key !== undefined && draft.get(to, key) !== undefined)) return [];
      const message = `The member "${member}" names ${stringifyJson(value)}, which does not exist in ${to}`;
      const at = joinPointer(fixture.pointer, member);
      return [
        findingAt(fixture.document, at, {
          rule: 'fixture-reference',
          message,
          expected: `the key of an item of ${to}`,
        }),
      ];
    }),
  );
}

function checkInvariants(
  rules: Rules | undefined,
  origins: ReadonlyMap<string, FixtureItem>,
  draft: Draft,
  resources: ReadonlyMap<string, Resource>,
): SourceFinding[] {
  const broken = rules?.invariants?.(new DraftRuleStore(draft, resources)) ?? [];
  return [...broken].flatMap(({ collection, key, message }): SourceFinding[] => {
    const known = toKey(key);
    const fixture = known === undefined ? undefined : origins.get(originOf(collection, known));
    if (fixture === undefined) return [];
    return [
      findingAt(fixture.document, fixture.pointer, {
        rule: 'fixture-invariant',
        message: `${collection} ${stringifyJson(key)} ${message}`,
        expected: 'a state that the service can come to by its own rules',
      }),
    ];
  });
}

function originOf(collection: string, key: Key): string {
  return `${collection} ${typeof key} ${String(key)}`;
}
