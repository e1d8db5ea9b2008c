import { FIXTURE_FORMAT } from '../formats/fixture';
import type { JsonObject } from '../json/json-value';
import type { Concealer } from './concealer';
import { successor } from './order';
import { collectionOf, namesOf, type State } from './state';

/**
 * A state in the format of a fixture file, so that what was saved once can be the seed of another run: read again, it
 * gives the same bytes. Names are sorted, for the order in which collections came to be is not of the state.
 *
 * @param concealer - takes out what nobody is shown; left out, everything is in it
 */
export function exportState(state: State, concealer?: Concealer): JsonObject {
  const names = [...namesOf(state)].sort();
  const collections = names.map((name) => {
    const items = [...(collectionOf(state, name)?.byKey() ?? [])];
    return [name, items.map((item) => concealer?.item(name, item) ?? item)] as const;
  });
  const keyed = [...new Set([...names, ...state.nextKeys.keys()])].sort();
  return {
    standin: FIXTURE_FORMAT,
    collections: Object.fromEntries(collections),
    nextKeys: Object.fromEntries(
      keyed.flatMap((name) => {
        const key = nextKeyOf(state, name);
        return key === undefined ? [] : [[name, key]];
      }),
    ),
  };
}

function nextKeyOf(state: State, name: string): number | bigint | undefined {
  const known = state.nextKeys.get(name) ?? state.seeds?.nextKey(name);
  const highest = known === undefined ? collectionOf(state, name)?.highestKey() : undefined;
  return typeof highest === 'number' || typeof highest === 'bigint' ? successor(highest) : known;
}
