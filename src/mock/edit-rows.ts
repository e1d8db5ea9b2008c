import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { findPlace, nameByItem, type NoPlace } from '../formats/fixture-place';
import type { FixtureItem } from '../formats/fixture';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { SchemaObject } from '../json-schema/schema';
import { setMember } from '../json/member';
import { mergePatch } from '../json/merge-patch';
import { placeOfName } from '../resources/collection-name';
import { removeWithBelow } from './below';
import { ChildCounts } from './child-counts';
import { checkInvariants, checkReferences } from './check-seed';
import { Draft } from './draft';
import type { Item } from './item';
import { successor, type Key } from './order';
import { keyOf, SINGLE_KEY, type Resource } from './resource';
import { DraftRuleStore } from './rule-store';
import type { Rules } from './rules';
import { plant } from './seed';
import { SeedLedger } from './seed-ledger';
import { collectionOf, LiveState, type State } from './state';

/** What rows are judged by. */
export interface RowContext {
  readonly resources: readonly Resource[];
  readonly rules: Rules | undefined;
}

/** A collection as its name was given. */
interface Place {
  readonly name: string;
  readonly resource: Resource;
  /** What stands in the place of the variables of its path. */
  readonly values: readonly Key[];
}

/**
 * Looks up and changes single rows beside the API, as whoever prepares or inspects a test does. A row is judged as one
 * of a fixture is: by its schema, the references and invariants of the rules, and its place.
 */
export class RowEditor {
  private readonly context: RowContext;
  private readonly toRead: () => State;
  private readonly toWrite: () => LiveState;
  private readonly counts: ChildCounts | undefined;

  /**
   * @param toRead - the state as it is, also where nothing was written yet
   * @param toWrite - the state that is changed; asked for when a row is, so that a look makes no sandbox be there
   */
  constructor(context: RowContext, toRead: () => State, toWrite: () => LiveState) {
    this.context = context;
    this.toRead = toRead;
    this.toWrite = toWrite;
    this.counts = ChildCounts.of(context.resources);
  }

  /**
   * The name of a collection in the state, as the user means it.
   *
   * @param row - tells it where the name alone does not
   * @throws ConfigError `CONFIG_INVALID` for a collection that there is not
   */
  nameOf(collection: string, row?: JsonObject): string {
    return this.place(collection, row).name;
  }

  /** @throws ConfigError `CONFIG_INVALID` for a collection that there is not */
  get(collection: string, key: JsonValue | undefined): Item | undefined {
    const place = this.place(collection);
    const wanted = this.key(place, key);
    return wanted === undefined ? undefined : collectionOf(this.toRead(), place.name)?.get(wanted);
  }

  /**
   * Stores a row under the key that it has, in place of one that is there.
   *
   * @throws ConfigError `FIXTURE_INVALID` with what is wrong with it
   */
  put(collection: string, row: JsonValue): Item {
    if (!isJsonObject(row)) throw new ConfigError('FIXTURE_INVALID', 'The row is no object');
    return this.store(this.place(collection, row), row);
  }

  /**
   * Changes members of a row; null takes one away where it cannot be null (RFC 7396).
   *
   * @returns `undefined` where there is none under the key
   */
  patch(collection: string, key: JsonValue | undefined, members: JsonValue): Item | undefined {
    if (!isJsonObject(members)) throw new ConfigError('FIXTURE_INVALID', 'The members are no object');
    const place = this.place(collection);
    const before = this.get(collection, key);
    if (before === undefined) return undefined;
    const changed = this.merged(place.resource, before, members);
    const given = keyOf(place.resource, changed);
    if (given !== keyOf(place.resource, before))
      throw new ConfigError('FIXTURE_INVALID', `The key of a row stays: ${place.resource.keyMember} cannot be changed`);
    return this.store(place, changed);
  }

  /** Removes a row with what lies below it. @returns whether there was one */
  remove(collection: string, key: JsonValue | undefined): boolean {
    const { name, resource, values } = this.place(collection);
    const wanted = this.key({ name, resource, values }, key);
    if (wanted === undefined || this.get(collection, key) === undefined) return false;
    const draft = new Draft(this.toWrite(), this.counts);
    removeWithBelow({ draft, resources: this.byPath() }, resource, values, wanted);
    return true;
  }

  private merged(resource: Resource, before: Item, members: JsonObject): JsonObject {
    const changed = mergePatch(before, members) as Record<string, JsonValue>;
    for (const [name, value] of Object.entries(members)) {
      if (value === null && takesNull(resource.properties.get(name)?.schema)) setMember(changed, name, null);
    }
    return changed;
  }

  private store(place: Place, value: JsonObject): Item {
    // A row that is refused must not make a sandbox be there: it is judged beside what there is.
    this.storeIn(new LiveState(this.toRead()), place, value);
    return this.storeIn(this.toWrite(), place, value);
  }

  /** @throws ConfigError `FIXTURE_INVALID`; then the state is as it was */
  private storeIn(state: LiveState, { name, resource }: Place, value: JsonObject): Item {
    const { rules, resources } = this.context;
    const byPath = this.byPath();
    const draft = new Draft(state, this.counts);
    const ledger = new SeedLedger(resources, []);
    const document = { file: 'the row', root: value, placeOf: () => undefined };
    const row: FixtureItem = { collection: name, resource: resource.path, value, pointer: '', document };
    const { findings, badMembers } = plant(row, resource, draft, ledger);
    const store = new DraftRuleStore(draft, byPath);
    const found = [...findings, ...checkReferences(rules?.references ?? [], row, badMembers, store, ledger, byPath)];
    if (found.length === 0) found.push(...checkInvariants(rules, store, ledger));
    const [change] = draft.changes;
    if (found.length > 0 || change?.after === undefined) {
      draft.undo();
      throw badRow(name, found);
    }
    keepKeyFree(draft, name, change.key);
    return change.after;
  }

  private byPath(): Map<string, Resource> {
    return new Map(this.context.resources.map((resource) => [resource.path, resource]));
  }

  /** @param row - tells which collection is meant, where the name is that of several */
  private place(collection: string, row?: JsonObject): Place {
    const { resources } = this.context;
    const found = findPlace(resources, collection);
    if (!('resource' in found)) throw noCollection(found);
    const name = found.name ?? nameByItem(found.resource, row ?? {});
    if (typeof name !== 'string') throw noCollection(name);
    const place = placeOfName(resources, name);
    if (place === undefined)
      throw noCollection({ message: `There is no collection ${name}`, expected: 'a path', hint: undefined });
    return { name, ...place };
  }

  private key({ resource }: Place, key: JsonValue | undefined): Key | undefined {
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

function badRow(name: string, findings: readonly SourceFinding[]): ConfigError {
  const [first] = findings;
  return new ConfigError(
    'FIXTURE_INVALID',
    `The row cannot be stored in ${name}: ${first?.message ?? 'it has no key'}`,
    {
      findings,
    },
  );
}

function noCollection({ message, expected, hint }: NoPlace): ConfigError {
  return new ConfigError('CONFIG_INVALID', message, { hint: hint ?? `There is ${expected}` });
}
