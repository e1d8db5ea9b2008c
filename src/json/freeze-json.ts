import type { JsonValue } from './json-value';

/** Freezes the value and everything in it, in place, and returns it. */
export function freezeJson<Value extends JsonValue>(value: Value): Value {
  freezeDeep(value);
  return value;
}

// A frozen container may still hold unfrozen values, so being frozen is no reason to stop.
function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const child of Object.values(value)) freezeDeep(child);
}
