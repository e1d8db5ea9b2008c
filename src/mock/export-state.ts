import { FIXTURE_FORMAT } from '../formats/fixture';
import type { JsonObject, JsonValue } from '../json/json-value';
import type { State } from './state';

/** A state in the format of a fixture file, so that what was saved once can be the seed of another run. */
export function exportState(state: State): JsonObject {
  const collections = [...state.collections].map(
    ([path, collection]) => [path, [...collection.byKey()] as JsonValue] as const,
  );
  return {
    standin: FIXTURE_FORMAT,
    collections: Object.fromEntries(collections),
    nextKeys: Object.fromEntries(state.nextKeys),
  };
}
