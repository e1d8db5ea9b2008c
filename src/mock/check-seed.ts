import { memberOf } from '../json/member';
import type { SourceFinding } from '../errors/source-finding';
import type { FixtureItem } from '../formats/fixture';
import { joinPointer } from '../json/json-pointer';
import { stringifyJson } from '../json/stringify-json';
import { findingAt } from '../openapi/source-document';
import { placeOfName } from '../resources/collection-name';
import type { Resource } from './resource';
import { referredCollection } from './rule-references';
import { toKey, type BrokenInvariant, type Reference, type RuleReader, type Rules } from './rules';
import { writtenKey, type SeedLedger } from './seed-ledger';

/**
 * The references of one item that lead nowhere.
 *
 * @param badMembers - members that break their schema: what they refer to is not asked
 * @param store - after every item was put into it
 */
export function checkReferences(
  references: readonly Reference[],
  { resource, collection, value: item, pointer, document }: FixtureItem,
  badMembers: ReadonlySet<string>,
  store: RuleReader,
  ledger: SeedLedger,
  resources: ReadonlyMap<string, Resource>,
): SourceFinding[] {
  const own = resources.get(resource);
  const values = own === undefined ? [] : (placeOfName([own], collection)?.values ?? []);
  return references.flatMap((reference): SourceFinding[] => {
    const { collection: from, member } = reference;
    const value = from === resource && !badMembers.has(member) ? memberOf(item, member) : undefined;
    if (value === undefined || value === null) return [];
    const key = writtenKey(value);
    const to = referredCollection(reference, resources, values);
    if (key !== undefined && (store.get(to, key) !== undefined || ledger.mayHaveRefused(to, key))) return [];
    return [
      findingAt(document, joinPointer(pointer, member), {
        rule: 'fixture-reference',
        message: `The member "${member}" names ${stringifyJson(value)}, which does not exist in ${to}`,
        expected: `the key of an item of ${to}`,
      }),
    ];
  });
}

/** Invariants of the rules that do not hold, as far as what the rules looked at is all there. */
export function checkInvariants(rules: Rules | undefined, store: RuleReader, ledger: SeedLedger): SourceFinding[] {
  const reader = new WatchedReader(store, ledger);
  const found: SourceFinding[] = [];
  try {
    for (const broken of rules?.invariants?.(reader) ?? []) {
      if (!reader.missedFor(broken.collection)) found.push(...brokenInvariant(broken, ledger));
    }
  } catch (error) {
    // Rules may count on what the service always has; that it is lacking is told already.
    if (!reader.hasMissed) throw error;
  }
  return found;
}

function brokenInvariant({ collection, key, message }: BrokenInvariant, ledger: SeedLedger): SourceFinding[] {
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

/** Reads a store that may lack items which were refused, and remembers where something was missed by that. */
class WatchedReader implements RuleReader {
  private readonly store: RuleReader;
  private readonly ledger: SeedLedger;
  private readonly walked = new Set<string>();
  private missedItem = false;

  constructor(store: RuleReader, ledger: SeedLedger) {
    this.store = store;
    this.ledger = ledger;
  }

  get hasMissed(): boolean {
    return this.missedItem || this.walked.size > 0;
  }

  /** Was something missed on which a fault of this collection may rest? Its own items are judged one by one. */
  missedFor(collection: string): boolean {
    return this.missedItem || [...this.walked].some((path) => path !== collection);
  }

  collections(path: string): Iterable<string> {
    // Those below an item that was refused are lacking.
    if (this.ledger.hasGaps) this.missedItem = true;
    return this.store.collections(path);
  }

  get(...[path, value]: Parameters<RuleReader['get']>): ReturnType<RuleReader['get']> {
    const item = this.store.get(path, value);
    const key = toKey(value);
    if (item === undefined && key !== undefined && this.ledger.mayHaveRefused(path, key)) this.missedItem = true;
    return item;
  }

  find(...[path, member, value]: Parameters<RuleReader['find']>): ReturnType<RuleReader['find']> {
    if (this.ledger.hasGap(path)) this.missedItem = true;
    return this.store.find(path, member, value);
  }

  items(path: string): ReturnType<RuleReader['items']> {
    if (this.ledger.hasGap(path)) this.walked.add(path);
    return this.store.items(path);
  }
}
