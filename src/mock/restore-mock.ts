import { createHash } from 'node:crypto';
import { ConfigError } from '../core/errors/standin-error';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { joinPointer } from '../core/json/json-pointer';
import { stringifyJson } from '../core/json/stringify-json';
import { parseCollectionName } from '../resources/model/resource';
import type { Mock } from './create-mock';
import { migrateState, type NonconformingItem } from './reload-mock';
import type { Sandbox } from './sandbox/sandbox';
import { MAIN_ID } from './sandbox/sandbox-selection';
import { LocalStore } from './sandbox/sandbox-store';
import type { Sandboxes } from './sandbox/sandboxes';
import { Collection } from './state/collection';
import { applyEntry, asItem } from './state/entry';
import { keyOf } from './state/prepared-resource';
import { collectionOf, emptyState, LiveState, type State } from './state/state';
import {
  type AboutStore,
  NOT_STORED,
  type Position,
  type StateLog,
  type StoredSnapshot,
  type Tail,
} from './state/state-log';

/** What a mock went on with. */
export interface RestoredMock {
  readonly store: LocalStore;
  /** How many sandboxes were stored, the main one included. */
  readonly sandboxes: number;
  /** Was it another description, or were there other corrections, when they were stored? */
  readonly isOfOther: boolean;
  /** Items that the description does not allow, or not any more; they stay as they are. */
  readonly nonconforming: readonly (NonconformingItem & { readonly sandbox: string })[];
  /** Collections that the description does not have; their items stay. */
  readonly unknownCollections: readonly string[];
}

/**
 * Goes on with the sandboxes that a log has, and writes into it from now on. Items that were stored under another
 * description are dealt with as in a reload: new collections begin as they do now, what is gone stays stored, and nothing
 * is changed.
 *
 * @throws ConfigError `STORE_UNUSABLE` for a store of an API that has nothing in common with this one, and for one that
 *   was edited into something else; StoreError where it does not answer
 */
export async function restoreMock(mock: Mock, log: StateLog): Promise<RestoredMock> {
  const { sandboxes } = mock.engine;
  const [before, now] = [await log.about(), aboutOf(mock)];
  const stored = await readAll(mock, log);
  const isOfOther = before !== undefined && before.digest !== now.digest;
  if (isOfOther) requireRelated(mock, log, before, stored);
  const store = new LocalStore(log, (id) => takeBack(mock, log, id));
  const nonconforming = stored.flatMap((each) => goOn(mock, store, each, isOfOther));
  if (!stored.some(({ id }) => id === MAIN_ID)) store.begin(sandboxes.main);
  await log.describe(now);
  sandboxes.store = store;
  const names = stored.flatMap(({ state }) => [...state.collections.keys()]);
  const unknownCollections = [...new Set(names.filter((name) => !isKnown(mock, name)))];
  return { store, sandboxes: stored.length, isOfOther, nonconforming, unknownCollections };
}

/** @returns the position of what the sandbox is now */
function takeBack(mock: Mock, log: StateLog, id: string): Position {
  const { sandboxes } = mock.engine;
  const sandbox = id === MAIN_ID ? sandboxes.main : sandboxes.peek(id);
  const tail = log.read(id, 0);
  if (sandbox === undefined || tail === undefined || tail instanceof Promise) return NOT_STORED;
  sandbox.restore(storedStateOf(mock, log, id, tail));
  // What requests did that are in the journal may be among what was taken back.
  sandbox.history.forget();
  return tail.position;
}

/** A sandbox as the log has it. */
interface StoredSandbox {
  readonly id: string;
  readonly tail: Tail;
  readonly state: State;
}

async function readAll(mock: Mock, log: StateLog): Promise<StoredSandbox[]> {
  const stored: StoredSandbox[] = [];
  for (const id of await log.ids()) {
    const tail = await log.read(id, 0);
    if (tail !== undefined) stored.push({ id, tail, state: storedStateOf(mock, log, id, tail) });
  }
  return stored;
}

/** @returns what of it does not fit */
function goOn(mock: Mock, store: LocalStore, stored: StoredSandbox, isOfOther: boolean): RestoredMock['nonconforming'] {
  const { id, tail, state } = stored;
  const mayMisfit = isOfOther || tail.snapshot?.isEdited === true;
  const refitted = mayMisfit ? migrateState(state, mock.resources, mock.initial) : undefined;
  store.know(id, tail.position);
  const sandbox = revive(mock.engine.sandboxes, stored, refitted?.state ?? state);
  if (refitted === undefined) return [];
  store.note(sandbox, state);
  return refitted.nonconforming.map((misfit) => ({ ...misfit, sandbox: id }));
}

function revive(sandboxes: Sandboxes, { id, tail }: StoredSandbox, state: State): Sandbox {
  const isMain = id === MAIN_ID;
  const sandbox = isMain ? sandboxes.main : sandboxes.revive(id, state);
  if (isMain) sandbox.restore(state);
  sandbox.issued.learn(tail.snapshot?.rest ?? {});
  for (const entry of tail.entries) sandbox.issued.learn(entry);
  return sandbox;
}

function isKnown({ resources }: Mock, name: string): boolean {
  return parseCollectionName(resources, name) !== undefined;
}

/** What decides whether stored items are still what the description says. */
export function aboutOf({ context, resources }: Mock): AboutStore {
  const { api } = context;
  const digest = createHash('sha256').update(stringifyJson(api.document.root));
  for (const { path, kind, keyMember } of resources) digest.update(`\n${path} ${kind} ${keyMember}`);
  return { title: api.title, digest: digest.digest('base64url') };
}

export function requireRelated(
  mock: Mock,
  log: StateLog,
  { title }: AboutStore,
  stored: readonly Pick<StoredSandbox, 'state'>[],
): void {
  const collections = stored.flatMap(({ state }) => [...state.collections]);
  const names = collections.flatMap(([name, { size }]) => (size > 0 ? [name] : []));
  if (names.length === 0 || names.some((name) => isKnown(mock, name))) return;
  throw new ConfigError(
    'STORE_UNUSABLE',
    `The store ${log.place} is of another API: "${title}", with ${names.slice(0, 3).join(', ')}; "${mock.context.api.title}" has none of its collections`,
    { hint: 'Name another place with --store for this one. Nothing was changed.' },
  );
}

export function storedStateOf(mock: Mock, log: StateLog, id: string, { snapshot, entries }: Tail): State {
  const { resources, initial } = mock;
  const collections = snapshot === undefined ? emptyState(resources).collections : rowsOf(mock, log, id, snapshot);
  const live = new LiveState({ collections, nextKeys: new Map(), replays: new Map(), seeds: initial.seeds });
  if (snapshot !== undefined) applyEntry(live, snapshot.rest, initial.seeds);
  for (const entry of entries) applyEntry(live, entry, initial.seeds);
  return live.snapshot();
}

/** The rows of a snapshot under their keys. */
function rowsOf(
  mock: Mock,
  { place }: StateLog,
  id: string,
  { rows, isEdited }: StoredSnapshot,
): Map<string, Collection> {
  const wrong: Wrong = (pointer, message) =>
    new ConfigError(
      'STORE_UNUSABLE',
      `The snapshot of the sandbox ${id} in ${place} cannot be read: ${pointer} ${message}`,
      {
        hint: 'Correct it, or put it back from a copy. Nothing was changed.',
      },
    );
  const byName: JsonValue | undefined = rows['collections'];
  if (!isJsonObject(byName)) throw wrong('/collections', 'must be an object with a list of rows for each collection');
  const collections = Object.entries(byName).map(([name, items]) => {
    if (!Array.isArray(items)) throw wrong(joinPointer('/collections', name), 'must be a list of rows');
    return [name, collectionOfRows(mock, name, items, isEdited === true, wrong)] as const;
  });
  return new Map(collections);
}

type Wrong = (pointer: string, message: string) => ConfigError;

/** Rows of a collection that there is not have no keys; they are counted. */
function collectionOfRows(
  { resources, initial }: Mock,
  name: string,
  items: readonly JsonValue[],
  mayRepeatKeys: boolean,
  wrong: Wrong,
): Collection {
  const resource = parseCollectionName(resources, name)?.resource;
  const collection = Collection.empty();
  const made = collectionOf(initial, name);
  for (const [index, item] of items.entries()) {
    const wrongHere = (message: string): ConfigError => wrong(`${joinPointer('/collections', name)}/${index}`, message);
    if (!isJsonObject(item)) throw wrongHere('must be a row');
    const key = (resource && keyOf(resource, item)) ?? index;
    if (mayRepeatKeys && collection.get(key) !== undefined)
      throw wrongHere(`has the key ${stringifyJson(key)}, which another row has already`);
    collection.set(key, asItem(item, made?.get(key)));
  }
  return collection;
}
