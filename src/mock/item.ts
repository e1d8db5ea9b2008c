import type { JsonObject, JsonValue } from '../json/json-value';

/** One stored item: frozen, shared between states, never changed in place. */
export type Item = JsonObject;

/** An item on its way into the store. A member set to `undefined` is left out. */
export type ItemDraft = Record<string, JsonValue | undefined>;
