import { stringifyJson } from '../json/stringify-json';
import { Collection } from './collection';
import { placeOfName } from '../resources/collection-name';
import { violationsOf } from './conform';
import { keyOf, type Resource } from './resource';
import type { State } from './state';

/** A stored item that the description does not allow any more. It stays as it is. */
export interface Misfit {
  readonly collection: string;
  /** Key of the item, as JSON. */
  readonly key: string;
  readonly message: string;
}

/** A state for a description that came after the one it was made under. */
export interface Refitted {
  readonly state: State;
  readonly misfits: readonly Misfit[];
}

/**
 * Makes a state fit the resources of another description: collections that are new begin as they do in the seed,
 * collections that are gone stay in the state and in what is exported of it, and nothing that is stored is changed.
 *
 * @param seed - the state that the new description begins with
 */
export function refitState(state: State, resources: readonly Resource[], seed: State): Refitted {
  const collections = new Map(state.collections);
  const nextKeys = new Map(state.nextKeys);
  const misfits: Misfit[] = [];
  for (const [name, stored] of state.collections) {
    const place = placeOfName(resources, name);
    if (place !== undefined) collections.set(name, refit(stored, name, place.resource, misfits));
  }
  for (const [name, collection] of seed.collections) {
    if (collections.has(name)) continue;
    collections.set(name, collection);
    const nextKey = seed.nextKeys.get(name);
    if (nextKey !== undefined) nextKeys.set(name, nextKey);
  }
  // What nobody wrote to is what the new description begins with.
  const seeds = seed.seeds === undefined ? {} : { seeds: state.seeds?.of(seed.seeds) ?? seed.seeds };
  return { state: { collections, nextKeys, replays: state.replays, ...seeds }, misfits };
}

/** A copy without indexes: the types that they order by may be others now. Items are found by the key of today. */
function refit(stored: Collection, name: string, resource: Resource, misfits: Misfit[]): Collection {
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
    if (violation !== undefined) resource.conformity.isSure = false;
    if (message !== undefined) misfits.push({ collection: name, key: stringifyJson(key), message });
  }
  return copy;
}
