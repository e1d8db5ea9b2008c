import type { JsonValue } from './json-value';

/**
 * The member of an object; `undefined` when it has none of its own. A plain `object[name]` would find what every object
 * inherits, such as `constructor` and `__proto__`, wherever the name comes from a description or a client.
 */
export function memberOf<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  const value = object[name];
  return value !== undefined && Object.hasOwn(object, name) ? value : undefined;
}

/** Sets a member. `__proto__` is a name like any other: it is defined where an assignment would set the prototype. */
export function setMember(
  object: Record<string, JsonValue | undefined>,
  name: string,
  value: JsonValue | undefined,
): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}
