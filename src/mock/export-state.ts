import { FIXTURE_FORMAT } from '../formats/fixture';
import type { JsonObject } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { placeOfName } from '../resources/collection-name';
import type { Concealer } from './concealer';
import { successor } from './order';
import type { Item } from './item';
import type { Resource } from './resource';
import { collectionOf, type State } from './state';

/** How much of a state is exported. */
export interface Extent {
  /** Of the description, in its order. */
  readonly resources: readonly Resource[];
  /** Name of the one collection that is wanted; all when left out. */
  readonly collection?: string | undefined;
  /**
   * Collections that nobody wrote to are made when they are looked at. Those are left out from which on the document has
   * so many characters; `leftOut` names their resources. Nothing is left out without it.
   */
  readonly budget?: number | undefined;
}

/** A state in the format of a fixture file. */
export type StoredState = {
  /** Version of the format. */
  readonly standin: string;
  /** Rows by the name of their collection, in the order of their keys: `/books`, `/shelves/7/books`. */
  readonly collections: Readonly<Record<string, JsonObject[]>>;
  /** The key that the next new row gets, by the name of a collection. */
  readonly nextKeys: Readonly<Record<string, number | bigint>>;
  /** Paths of the resources that are not in it, where it is bounded. */
  readonly leftOut?: string[];
};

const WHOLE: Extent = { resources: [] };

/**
 * A state in the format of a fixture file, so that what was saved once can be the seed of another run: read again, it
 * gives the same bytes. Names are sorted, for the order in which collections came to be is not of the state.
 *
 * @param concealer - takes out what nobody is shown; left out, everything is in it
 */
export function exportState(
  state: State,
  concealer?: Concealer,
  { resources, collection, budget }: Extent = WHOLE,
): StoredState {
  const shown = new Map<string, Item[]>();
  let size = 0;
  const show = (name: string): void => {
    const items = [...(collectionOf(state, name)?.byKey() ?? [])].map((item) => concealer?.item(name, item) ?? item);
    shown.set(name, items);
    if (budget !== undefined) size += stringifyJson(items).length;
  };
  const leftOut: string[] = [];
  if (collection !== undefined) show(collection);
  else {
    for (const name of state.collections.keys()) show(name);
    for (const name of state.seeds?.names() ?? []) {
      if (shown.has(name)) continue;
      if (budget !== undefined && size > budget) {
        leftOut.push(...resourcesFrom(resources, name));
        break;
      }
      show(name);
    }
  }
  const names = [...shown.keys()].sort();
  const others = collection === undefined ? state.nextKeys.keys() : [];
  const keyed = [...new Set([...names, ...others])].sort();
  return {
    standin: FIXTURE_FORMAT,
    collections: Object.fromEntries(names.map((name) => [name, shown.get(name) ?? []])),
    nextKeys: Object.fromEntries(
      keyed.flatMap((name) => {
        const key = nextKeyOf(state, name);
        return key === undefined ? [] : [[name, key]];
      }),
    ),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/** Paths of the resources from the one on that a collection is of: those before it are shown. */
function resourcesFrom(resources: readonly Resource[], name: string): string[] {
  const paths = resources.map(({ path }) => path);
  return paths.slice(Math.max(0, paths.indexOf(placeOfName(resources, name)?.resource.path ?? '')));
}

function nextKeyOf(state: State, name: string): number | bigint | undefined {
  const known = state.nextKeys.get(name) ?? state.seeds?.nextKey(name);
  const highest = known === undefined ? collectionOf(state, name)?.highestKey() : undefined;
  return typeof highest === 'number' || typeof highest === 'bigint' ? successor(highest) : known;
}
