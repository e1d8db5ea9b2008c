import { ConfigError } from '../core/errors/standin-error';
import { stringifyJson } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import { parseCollectionName } from '../resources/model/resource';
import { credentialLocations } from '../security/credential-locations';
import { createMock, type Mock, type MockParts } from './create-mock';
import { type ForcedResponses, responseText } from './faults/forced-response-queue';
import { readForcedResponse } from './faults/read-forced-response';
import { responseReference } from './pipeline/forced-response-rendering';
import { Collection } from './state/collection';
import { violationsOf } from './state/item-representation';
import { keyOf, type Resource } from './state/prepared-resource';
import { diffStates, type State } from './state/state';

/** A stored item that the description does not allow any more. It stays as it is. */
export interface NonconformingItem {
  readonly collection: string;
  /** Key of the item, as JSON. */
  readonly key: string;
  readonly message: string;
}

/** A state for a description that came after the one it was made under. */
interface MigratedState {
  readonly state: State;
  readonly nonconforming: readonly NonconformingItem[];
}

/**
 * Makes a state fit the resources of another description: collections that are new begin as they do in the seed,
 * collections that are gone stay in the state and in what is exported of it, and nothing that is stored is changed.
 *
 * @param seed - the state that the new description begins with
 */
export function migrateState(state: State, resources: readonly Resource[], seed: State): MigratedState {
  const collections = new Map(state.collections);
  const nextKeys = new Map(state.nextKeys);
  const nonconforming: NonconformingItem[] = [];
  const unsure = new Set<string>();
  for (const [name, stored] of state.collections) {
    const place = parseCollectionName(resources, name);
    if (place !== undefined)
      collections.set(name, migrateCollection(stored, name, place.resource, nonconforming, unsure));
  }
  for (const [name, collection] of seed.collections) {
    if (collections.has(name)) continue;
    collections.set(name, collection);
    const nextKey = seed.nextKeys.get(name);
    if (nextKey !== undefined) nextKeys.set(name, nextKey);
  }
  // What nobody wrote to is what the new description begins with.
  const seeds = seed.seeds === undefined ? {} : { seeds: state.seeds?.of(seed.seeds) ?? seed.seeds };
  const marked = unsure.size === 0 ? {} : { nonconforming: unsure };
  const outbox = state.outbox === undefined ? {} : { outbox: state.outbox };
  return { state: { collections, nextKeys, replays: state.replays, ...outbox, ...seeds, ...marked }, nonconforming };
}

/** A copy without indexes: the types that they order by may be others now. Items are found by the key of today. */
function migrateCollection(
  stored: Collection,
  name: string,
  resource: Resource,
  misfits: NonconformingItem[],
  unsure: Set<string>,
): Collection {
  const copy = Collection.empty();
  for (const [key, item] of stored.entries()) {
    const [violation] = violationsOf(resource, item);
    const today = keyOf(resource, item);
    copy.set(today ?? key, item);
    const message =
      violation === undefined
        ? today === undefined
          ? `it has no "${resource.keyMember}" to find it by`
          : undefined
        : `${violation.pointer === '' ? 'it' : violation.pointer} ${violation.message}`;
    if (violation !== undefined) unsure.add(resource.path);
    if (message !== undefined) misfits.push({ collection: name, key: stringifyJson(key), message });
  }
  return copy;
}

export interface ReloadedMock {
  readonly mock: Mock;
  /** Stored items that do not fit, each with its sandbox; `undefined` for the main one. */
  readonly nonconforming: readonly (NonconformingItem & { readonly sandbox: string | undefined })[];
  /** Paths of collections that the description does not have any more, but a state does. */
  readonly removedCollections: readonly string[];
  /** Forced responses that the description does not allow any more; they are gone. */
  readonly removedResponses: readonly RemovedResponse[];
}

export interface RemovedResponse {
  readonly operation: string;
  /** `default` for the main one, `*` for all. */
  readonly sandbox: string;
  /** What it was, in words. */
  readonly text: string;
  /** Why it is gone. */
  readonly message: string;
}

/**
 * A mock of another description, or with other rules and fixtures, that goes on with the sandboxes of an earlier one:
 * with what is stored in them, with their journals, clocks, faults, forced responses and snapshots. Until it is there nothing is changed,
 * and the earlier one goes on to answer the requests that it has begun with.
 *
 * A main state in which nothing was changed follows the new seed.
 *
 * @throws ConfigError for fixtures or rules that cannot be used
 */
export function reloadMock(api: ApiModel, parts: MockParts, before: Mock): ReloadedMock {
  const { sandboxes } = before.engine;
  const mock = createMock(api, parts, sandboxes);
  const { resources, initial } = mock;
  sandboxes.hide(credentialLocations(api));
  const hadOwnBaseline = sandboxes.baseline !== before.initial;
  const isUntouched = Object.keys(diffStates(sandboxes.baseline, sandboxes.main.snapshot())).length === 0;
  const nonconforming: (NonconformingItem & { readonly sandbox: string | undefined })[] = [];
  const vanished = new Set<string>();
  const refit = (state: State, sandbox?: { readonly id: string | undefined }): State => {
    const refitted = migrateState(state, resources, initial);
    if (sandbox !== undefined)
      nonconforming.push(...refitted.nonconforming.map((misfit) => ({ ...misfit, sandbox: sandbox.id })));
    for (const path of state.collections.keys()) {
      if (parseCollectionName(resources, path) === undefined) vanished.add(path);
    }
    return refitted.state;
  };
  sandboxes.baseline = hadOwnBaseline ? refit(sandboxes.baseline) : initial;
  for (const sandbox of sandboxes.all()) {
    const isFollowing = sandbox === sandboxes.main && isUntouched;
    const stored = sandbox.snapshot();
    sandbox.restore(isFollowing ? sandboxes.baseline : refit(stored, sandbox));
    sandboxes.store?.note(sandbox, stored);
    // What was there before fitted another description.
    sandbox.history.forget();
    for (const [name, state] of sandbox.snapshots) sandbox.snapshots.set(name, refit(state));
  }
  const removedResponses = refitResponses(mock, [
    sandboxes.forcedOnAll,
    ...sandboxes.all().map(({ faults }) => faults.responses),
  ]);
  return { mock, nonconforming, removedCollections: [...vanished], removedResponses };
}

/** What was allowed once may break the description now, and stays; what cannot be answered at all any more is removed. */
function refitResponses({ context }: Mock, books: readonly ForcedResponses[]): RemovedResponse[] {
  const reference = responseReference(context);
  const removed: RemovedResponse[] = [];
  for (const book of books) {
    book.refit((active) => {
      const { operation, action } = active.fault;
      try {
        return readForcedResponse(reference, operation, { ...action.options, violates: true });
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        removed.push({ operation, sandbox: book.sandbox, text: responseText(active), message: error.message });
        return undefined;
      }
    });
  }
  return removed;
}
