import { ConfigError, type SourceFinding } from '../../core/errors/standin-error';
import { collectionNameOfItem, findCollection, type FixtureItem, type UnknownCollection } from '../../formats/fixture';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { SchemaObject } from '../../schema/schema-object';
import { mergePatch } from '../../core/json/json-patches';
import { parseCollectionName } from '../../resources/model/resource';
import { removeWithDescendants } from '../state/descendants';
import { Draft } from '../state/draft';
import { ChildCounts } from '../state/child-counts';
import { checkFixtureReferences, checkInvariants } from './fixture-checks';
import { FixtureLedger } from './fixture-ledger';
import type { Item } from '../state/item';
import { successor, type Key } from '../../lists/sort-values';
import { keyOf, SINGLE_KEY, type Resource } from '../state/prepared-resource';
import { DraftRuleStore, referrersText } from '../rules/rule-store';
import type { Rules } from '../rules/rules';
import { storeFixtureItem } from './fixture-seed';
import { collectionOf, LiveState, type State } from '../state/state';

interface ItemContext {
  readonly resources: readonly Resource[];
  readonly rules: Rules | undefined;
}

/** A collection as its name was given. */
interface NamedCollection {
  readonly name: string;
  readonly resource: Resource;
  /** What stands in the place of the variables of its path. */
  readonly values: readonly Key[];
}

/**
 * Looks up and changes single items beside the API, as who prepares or inspects a test does. An item is checked as one
 * of a fixture is: by its schema, the references and invariants of the rules, and its place.
 */
export class ItemEditor {
  private readonly context: ItemContext;
  private readonly toRead: () => State;
  private readonly toWrite: () => LiveState;
  private readonly counts: ChildCounts | undefined;

  /**
   * @param toRead - the state as it is, also where nothing was written yet
   * @param toWrite - the state that is changed; asked for when an item is, so that a look makes no sandbox be there
   */
  constructor(context: ItemContext, toRead: () => State, toWrite: () => LiveState) {
    this.context = context;
    this.toRead = toRead;
    this.toWrite = toWrite;
    this.counts = ChildCounts.of(context.resources);
  }

  /**
   * The name of a collection in the state, as the user means it.
   *
   * @param item - tells it where the name alone does not
   * @throws ConfigError `CONFIG_INVALID` for a collection that there is not
   */
  nameOf(collection: string, item?: JsonObject): string {
    return this.place(collection, item).name;
  }

  /**
   * Where an item is, or would be stored.
   *
   * @param at - its key, or an item under the same key; a single record has none
   * @throws ConfigError `CONFIG_INVALID` for a collection that there is not
   */
  locate(collection: string, at: JsonValue | undefined): { readonly name: string; readonly key: Key | undefined } {
    const item = isJsonObject(at) ? at : undefined;
    const place = this.place(collection, item);
    return { name: place.name, key: item === undefined ? this.key(place, at) : keyOf(place.resource, item) };
  }

  /** @throws ConfigError `CONFIG_INVALID` for a collection that there is not */
  get(collection: string, key: JsonValue | undefined): Item | undefined {
    const { name, key: wanted } = this.locate(collection, key);
    return wanted === undefined ? undefined : collectionOf(this.toRead(), name)?.get(wanted);
  }

  /**
   * Stores an item under the key that it has, in place of one that is there.
   *
   * @throws ConfigError `FIXTURE_INVALID` with what is wrong with it
   */
  put(collection: string, row: JsonValue): Item {
    if (!isJsonObject(row))
      throw new ConfigError('FIXTURE_INVALID', `The item must be an object, got ${previewValue(row)}`);
    return this.store(this.place(collection, row), row);
  }

  /**
   * Changes properties of an item; null takes one away where it cannot be null (RFC 7396).
   *
   * @returns `undefined` where there is none under the key
   */
  patch(collection: string, key: JsonValue | undefined, properties: JsonValue): Item | undefined {
    if (!isJsonObject(properties))
      throw new ConfigError('FIXTURE_INVALID', `The changes must be an object, got ${previewValue(properties)}`);
    const place = this.place(collection);
    const before = this.get(collection, key);
    if (before === undefined) return undefined;
    const changed = this.merged(place.resource, before, properties);
    const given = keyOf(place.resource, changed);
    if (given !== keyOf(place.resource, before))
      throw new ConfigError(
        'FIXTURE_INVALID',
        `The key of an item stays: ${place.resource.keyMember} cannot be changed`,
      );
    return this.store(place, changed);
  }

  /** Removes an item with what lies below it. @returns whether there was one */
  remove(collection: string, key: JsonValue | undefined): boolean {
    const { name, resource, values } = this.place(collection);
    const wanted = this.key({ name, resource, values }, key);
    if (wanted === undefined || this.get(collection, key) === undefined) return false;
    const draft = new Draft(this.toWrite(), this.counts);
    removeWithDescendants({ draft, resources: this.byPath() }, resource, values, wanted);
    return true;
  }

  /** Who still refers to an item, by the references of the rules, in words. */
  referrers(collection: string, key: JsonValue | undefined): string[] {
    const { resource, values, ...place } = this.place(collection);
    const wanted = this.key({ ...place, resource, values }, key);
    if (wanted === undefined || this.get(collection, key) === undefined) return [];
    const store = { draft: new Draft(new LiveState(this.toRead()), this.counts), resources: this.byPath() };
    // The item itself is no other, nor is what goes with it.
    removeWithDescendants(store, resource, values, wanted);
    return (this.context.rules?.references ?? []).flatMap(
      (reference) => referrersText(reference, store, resource, values, wanted) ?? [],
    );
  }

  private merged(resource: Resource, before: Item, members: JsonObject): JsonObject {
    const changed = mergePatch(before, members) as Record<string, JsonValue>;
    for (const [name, value] of Object.entries(members)) {
      if (value === null && takesNull(resource.properties.get(name)?.schema)) setProperty(changed, name, null);
    }
    return changed;
  }

  private store(place: NamedCollection, value: JsonObject): Item {
    // An item that is rejected must not make a sandbox be there: it is checked beside what there is.
    this.storeIn(new LiveState(this.toRead()), place, value);
    return this.storeIn(this.toWrite(), place, value);
  }

  /** @throws ConfigError `FIXTURE_INVALID`; then the state is as it was */
  private storeIn(state: LiveState, { name, resource }: NamedCollection, value: JsonObject): Item {
    const { rules, resources } = this.context;
    const byPath = this.byPath();
    const draft = new Draft(state, this.counts);
    const ledger = new FixtureLedger(resources, []);
    const document = { file: 'the item', root: value, locationOf: () => undefined };
    const row: FixtureItem = { collection: name, resource: resource.path, value, pointer: '', document };
    const { findings, badProperties } = storeFixtureItem(row, resource, draft, ledger);
    const store = new DraftRuleStore(draft, byPath);
    const found = [
      ...findings,
      ...checkFixtureReferences(rules?.references ?? [], row, badProperties, store, ledger, byPath),
    ];
    if (found.length === 0) found.push(...checkInvariants(rules, store, ledger));
    const [change] = draft.changes;
    if (found.length > 0 || change?.after === undefined) {
      draft.undo();
      throw badItem(name, found);
    }
    keepKeyFree(draft, name, change.key);
    return change.after;
  }

  private byPath(): Map<string, Resource> {
    return new Map(this.context.resources.map((resource) => [resource.path, resource]));
  }

  /** @param row - tells which collection is meant, where the name is that of several */
  private place(collection: string, row?: JsonObject): NamedCollection {
    const { resources } = this.context;
    const found = findCollection(resources, collection);
    if (!('resource' in found)) throw noCollection(found);
    const name = found.name ?? collectionNameOfItem(found.resource, row ?? {});
    if (typeof name !== 'string') throw noCollection(name);
    const place = parseCollectionName(resources, name);
    if (place === undefined)
      throw noCollection({ message: `There is no collection ${name}`, expected: 'a path', hint: undefined });
    return { name, ...place };
  }

  private key({ resource }: NamedCollection, key: JsonValue | undefined): Key | undefined {
    return resource.kind === 'singleton' ? SINGLE_KEY : resource.toKey(key);
  }
}

function takesNull(schema: SchemaObject | undefined): boolean {
  const type = schema?.['type'];
  return schema?.['nullable'] === true || (Array.isArray(type) && type.includes('null'));
}

/** A key that was given from outside is not given out again. */
function keepKeyFree(draft: Draft, name: string, key: Key): void {
  const next = draft.nextKey(name);
  if (typeof key === 'string' || (next !== undefined && key < next)) return;
  draft.setNextKey(name, successor(key));
}

function badItem(name: string, findings: readonly SourceFinding[]): ConfigError {
  const [first] = findings;
  return new ConfigError(
    'FIXTURE_INVALID',
    `The item cannot be stored in ${name}: ${first?.message ?? 'it has no key'}`,
    {
      findings,
    },
  );
}

function noCollection({ message, expected, hint }: UnknownCollection): ConfigError {
  return new ConfigError('CONFIG_INVALID', message, { hint: hint ?? `There is ${expected}` });
}
