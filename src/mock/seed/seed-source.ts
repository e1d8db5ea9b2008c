import { SpecError } from '../../core/errors/standin-error';
import { freezeJson, setProperty } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import { fillTemplate, parseCollectionName, type NamedCollection } from '../../resources/model/resource';
import type { Binding, ResourceModel } from '../../resources/model/binding';
import { ChildCounts, setBounded } from '../state/child-counts';
import { Collection } from '../state/collection';
import { arrange, violationsOf } from '../state/item-representation';
import type { Item, ItemDraft } from '../state/item';
import {
  addressOf,
  type AncestorItem,
  ancestorItems,
  childrenOf,
  parentOf,
  type SeedTree,
} from '../state/remaining-seed';
import { successor, type Key } from '../../lists/sort-values';
import { asPerson, isCallerRecord, isPeople } from './caller-record';
import { bindingsByPath } from './example-items';
import { connectItem, giveKeys, inOrder, orderedProperties, sampleItems } from './generated-items';
import type { Resource } from '../state/prepared-resource';
import type { ItemOrigin } from './fixture-ledger';
import {
  type InitialItems,
  type InitialItemsSource,
  NO_ROWS,
  type Row,
  type Items,
  itemsFrom,
  toItems,
} from './initial-items';
import { type SampleSchema, sampleWith } from '../fitting/schema-fitting';

/**
 * What a mock holds when nobody gave fixtures: the examples of the description, else items that are generated. A
 * collection is made when it is first looked at, and depends on nothing but the seed and its name: the order of
 * requests and the sandbox do not matter.
 */
export class SeedSource implements SeedTree {
  private readonly api: ApiModel;
  private readonly resources: readonly Resource[];
  private readonly seed: string;
  private readonly beginnings: InitialItemsSource;
  private readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  private readonly sample: SampleSchema;
  private readonly counts: ChildCounts | undefined;
  private readonly rowsOf = new Map<string, Items>();
  private readonly linked = new Map<string, Collection>();
  private readonly made = new Map<string, Collection>();
  private readonly holders = new Map<string, readonly AncestorItem[]>();

  constructor(
    api: ApiModel,
    model: ResourceModel,
    resources: readonly Resource[],
    beginnings: InitialItemsSource,
    seed: string,
  ) {
    this.api = api;
    this.resources = resources;
    this.beginnings = beginnings;
    this.bindings = bindingsByPath(model);
    this.seed = seed;
    this.counts = ChildCounts.of(resources);
    this.sample = sampleWith(api, seed);
  }

  /** @param name - path of a collection, values of its variables filled in */
  collection(name: string): Collection | undefined {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const connected = this.connectedRows(name);
    if (connected === undefined || this.counts?.isCounting(name) !== true) return connected;
    const collection = Collection.empty();
    for (const [key, item] of connected.entries()) collection.set(key, this.counted(this.counts, name, key, item));
    collection.seal();
    setBounded(this.made, name, collection);
    return collection;
  }

  /** Rows as they refer to others, before they count what lies below them: that is counted here. */
  private connectedRows(name: string): Collection | undefined {
    const known = this.linked.get(name);
    if (known !== undefined) return known;
    const place = this.placeOf(name);
    if (place === undefined) return undefined;
    const collection = Collection.empty();
    for (const [index, item] of this.rows(name).all.entries())
      collection.set(item.key, this.connected(place.resource, place.values, item.item, index));
    collection.seal();
    setBounded(this.linked, name, collection);
    return collection;
  }

  private counted(counts: ChildCounts, name: string, key: Key, item: Item): Item {
    const source = { collection: (child: string): Collection => this.connectedRows(child) ?? Collection.empty() };
    return freezeJson<Item>(counts.counted(source, name, key, item));
  }

  /** The items of a collection that were generated, as they refer to others. */
  *madeRows(name: string): Generator<Item> {
    const place = this.placeOf(name);
    const { all, givenCount } = this.rows(name);
    for (const [index, { item }] of all.entries())
      if (place !== undefined && index >= givenCount) yield this.connected(place.resource, place.values, item, index);
  }

  /** Where an item comes from; `undefined` for one that is not among them. */
  originOf(name: string, key: Key): ItemOrigin | undefined {
    const place = this.placeOf(name);
    const { all, givenCount } = this.rows(name);
    const index = all.findIndex((row) => row.key === key);
    if (place === undefined || index === -1) return undefined;
    if (index >= givenCount) return { kind: 'made-up', asked: undefined };
    const { shownAt } = this.beginnings.of(place.resource, place.values, name);
    return { kind: 'example', pointers: shownAt?.(key) ?? [] };
  }

  /** The first key that no item has. */
  nextKey(name: string): number | bigint | undefined {
    const highest = this.collection(name)?.highestKey();
    return typeof highest === 'number' || typeof highest === 'bigint' ? successor(highest) : undefined;
  }

  /** Names of every collection that can be told without a request: those below items of another among them. */
  *names(): Generator<string> {
    for (const resource of this.resources) yield* this.namesOf(resource);
  }

  /** Names of the collections of a resource, one below each item of the one above; of those below nothing, the given ones. */
  *namesOf(resource: Resource): Generator<string> {
    if (resource.scope.length === 0) {
      yield resource.path;
      return;
    }
    if (resource.scope.at(-1)?.parent === undefined) {
      yield* this.beginnings.names(resource);
      return;
    }
    const parent = parentOf(this.resources, resource);
    if (parent === undefined) return;
    for (const name of this.namesOf(parent)) {
      const values = this.placeOf(name)?.values ?? [];
      for (const key of this.rows(name).keys) yield fillTemplate(resource.path, [...values, key]);
    }
  }

  isRecord(name: string): boolean {
    return this.placeOf(name)?.resource.kind === 'singleton';
  }

  has(name: string, key: Key): boolean {
    return this.rows(name).keys.has(key);
  }

  ancestors(name: string): readonly AncestorItem[] {
    const known = this.holders.get(name);
    if (known !== undefined) return known;
    const addresses = ancestorItems(this.resources, name);
    setBounded(this.holders, name, addresses);
    return addresses;
  }

  *descendants(address: string): Generator<string> {
    const { collection, key } = addressOf(address);
    const place = this.placeOf(collection);
    if (place !== undefined) yield* this.namesBelow(place.resource, [...place.values, key]);
  }

  private *namesBelow(resource: Resource, values: readonly Key[]): Generator<string> {
    for (const child of childrenOf(this.resources, resource)) {
      const name = fillTemplate(child.path, values);
      const { keys } = this.rows(name);
      if (keys.size > 0) yield name;
      for (const key of keys) yield* this.namesBelow(child, [...values, key]);
    }
  }

  /** Keys and items of a collection, before they refer to others: what refers to each other meets here. */
  private rows(name: string): Items {
    const known = this.rowsOf.get(name);
    if (known !== undefined) return known;
    const place = this.placeOf(name);
    // Entered before it is made: what refers to itself in a circle finds nothing there.
    this.rowsOf.set(name, NO_ROWS);
    const items = place === undefined ? NO_ROWS : this.makeUsable(place.resource, place.values, name);
    this.rowsOf.delete(name);
    setBounded(this.rowsOf, name, items);
    return items;
  }

  /** Of a schema that cannot judge nothing is generated: its own operations say why, and all others go on. */
  private makeUsable(resource: Resource, values: readonly Key[], name: string): Items {
    try {
      return this.make(resource, values, name);
    } catch (error) {
      if (error instanceof SpecError) return NO_ROWS;
      throw error;
    }
  }

  private make(resource: Resource, values: readonly Key[], name: string): Items {
    if (!this.hasParents(resource, values)) return NO_ROWS;
    const beginning = this.beginnings.of(resource, values, name);
    const given = toItems(resource, beginning.given);
    if (beginning.count === 0) return itemsFrom(given, []);
    const made = this.makeUp(resource, values, name, beginning, given);
    return itemsFrom(given, toItems(resource, made));
  }

  private makeUp(
    resource: Resource,
    values: readonly Key[],
    name: string,
    { count }: InitialItems,
    given: readonly Row[],
  ): Item[] {
    const keyTarget = resource.references.find(
      ({ property, form }) => property === resource.keyMember && form === 'key',
    );
    const borrowed = keyTarget === undefined ? undefined : this.rows(this.targetName(keyTarget.to, values)).keys;
    const drafts = sampleItems(this.api, resource, this.bindings.get(resource.path) ?? [], {
      seed: `${this.seed}\n${name}`,
      count,
    });
    const taken = given.map(({ key }) => key);
    const free = borrowed === undefined ? undefined : [...borrowed].filter((key) => !taken.includes(key));
    const keyed =
      resource.kind === 'singleton'
        ? drafts.map((draft) => unwritten(resource, draft))
        : giveKeys(this.api, this.sample, resource, drafts, free, taken);
    const pairs = orderedProperties(resource.properties.keys());
    return keyed
      .map((draft) => inOrder(draft, pairs, (item) => isValid(resource, item)))
      .map((draft) => arrange(resource, draft))
      .filter((item) => isValid(resource, item));
  }

  /** Nothing lies below an item that is not there. */
  private hasParents(resource: Resource, values: readonly Key[]): boolean {
    return resource.scope.every(({ parent: path }, index) => {
      const parent = this.resources.find((candidate) => candidate.path === path);
      if (parent === undefined) return true;
      const name = fillTemplate(parent.path, values.slice(0, parent.scope.length));
      const value = parent.toKey(values[index]);
      return value !== undefined && this.rows(name).keys.has(value);
    });
  }

  private connected(resource: Resource, values: readonly Key[], item: Item, index: number): Item {
    const connections = {
      bindings: this.bindings.get(resource.path) ?? [],
      scope: values,
      index,
      rowsOf: (path: string) => this.rows(this.targetName(path, values)).all,
    };
    const connected = connectItem(resource, item, connections);
    const people = isCallerRecord(resource) ? this.resources.find(isPeople) : undefined;
    const [person] = people === undefined ? [] : (this.connectedRows(people.path)?.byKey() ?? []);
    const record = person === undefined ? connected : asPerson(connected, person);
    return freezeJson<Item>(violationsOf(resource, record).length === 0 ? record : connected);
  }

  /** The collection of another resource that is meant from below some values: one of the same scope. */
  private targetName(path: string, values: readonly Key[]): string {
    const target = this.resources.find((resource) => resource.path === path);
    return fillTemplate(path, values.slice(0, target?.scope.length ?? 0));
  }

  private placeOf(name: string): NamedCollection<Resource> | undefined {
    return parseCollectionName(this.resources, name);
  }
}

/** A record that nobody wrote to has its defaults. What is generated fills the rest, where the schema allows both. */
function unwritten(resource: Resource, draft: ItemDraft): ItemDraft {
  const usual: ItemDraft = { ...draft };
  for (const { name, schema } of resource.properties.values())
    if (schema['default'] !== undefined) setProperty(usual, name, schema['default']);
  return isValid(resource, arrange(resource, usual)) ? usual : draft;
}

/** A schema that does not compile accepts nothing. */
function isValid(resource: Resource, item: Item): boolean {
  try {
    return violationsOf(resource, item).length === 0;
  } catch {
    return false;
  }
}
