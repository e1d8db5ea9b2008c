import {
  compareNumbers,
  ExactNumber,
  isJsonNumber,
  type JsonNumber,
  parseDecimal,
  toCanonical,
  toLexeme,
} from './exact-number';

/**
 * A JSON value (RFC 8259 section 3) that keeps every digit.
 *
 * A number is a `number` when that spells the same text, a `bigint` when it is an integer outside the safe range, and
 * an `ExactNumber` otherwise, such as `2.50` or `1e400`.
 */
export type JsonValue = null | boolean | string | number | bigint | ExactNumber | JsonValue[] | JsonObject;

/** A JSON object (RFC 8259 section 4). Only own properties are properties; `__proto__` is a name like any other. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether the value is a JSON object: neither null, nor an array, nor an exact number. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/**
 * The property of an object; `undefined` when it has none of its own. A plain `object[name]` would find what every object
 * inherits, such as `constructor` and `__proto__`, wherever the name comes from a description or a client.
 */
export function ownProperty<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  const value = object[name];
  return value !== undefined && Object.hasOwn(object, name) ? value : undefined;
}

/** What properties of properties lead to; `undefined` where one of them is not there. */
export function valueAlong(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let at = value;
  for (const name of path) at = isJsonObject(at) ? ownProperty(at, name) : undefined;
  return at;
}

/** The other way round of {@link valueAlong}: a copy with another object at the end of a path, made where it is not there. */
export function withValueAlong(value: JsonObject, path: readonly string[], inner: JsonObject): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return inner;
  const next = ownProperty(value, name);
  return { ...value, [name]: withValueAlong(isJsonObject(next) ? next : {}, rest, inner) };
}

/** An object with those of its properties that pass a test. */
export function pickProperties<Value>(
  object: { readonly [name: string]: Value },
  test: (name: string, value: Value) => boolean,
): { [name: string]: Value } {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => test(name, value)));
}

/** An object of the values that there are. */
export function definedProperties(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Sets a property. `__proto__` is a name like any other: it is defined where an assignment would set the prototype. */
export function setProperty(
  object: Record<string, JsonValue | undefined>,
  name: string,
  value: JsonValue | undefined,
): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Whether two values are the same JSON value: numbers by mathematical value, arrays in order, objects whatever the
 * order of their properties, counting own properties only.
 */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (isJsonNumber(a)) return isJsonNumber(b) && compareNumbers(a, b) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  return isJsonObject(a) && isJsonObject(b) && equalObjects(a, b);
}

function equalArrays(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equalOrAbsent(a[index], b[index])) return false;
  return true;
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) if (!Object.hasOwn(b, name) || !equalOrAbsent(a[name], b[name])) return false;
  return true;
}

export function equalOrAbsent(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equalJson(a, b));
}

/**
 * A text that two values share exactly when they are the same JSON value: numbers by mathematical value, objects
 * whatever the order of their properties (JSON Schema Validation §6.4.3). Comparing many values by it takes linear time.
 */
export function canonicalKey(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isJsonNumber(value)) return numberKey(value);
  if (Array.isArray(value)) return `[${value.map(canonicalKey).join()}]`;
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalKey(value[name] ?? null)}`).join()}}`;
}

function numberKey(value: JsonNumber): string {
  const number = toCanonical(value);
  if (Number.isSafeInteger(number)) return String(number);
  // Fractions and huge integers have many spellings; the digits without zeros at the ends have one.
  const decimal = parseDecimal(toLexeme(number));
  if (decimal === undefined) return String(number);
  return `${decimal.negative ? '-' : ''}${decimal.digits}e${decimal.exponent}`;
}

/** A value of its own, for what is changed in place afterwards. */
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  // fromEntries defines properties, so that `__proto__` is data.
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, copyJson(property)]));
}

/** Freezes the value and everything in it, in place, and returns it. */
export function freezeJson<Value extends JsonValue>(value: Value): Value {
  freezeDeep(value);
  return value;
}

// A frozen container may still hold unfrozen values, so being frozen is not a reason to stop.
function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const child of Object.values(value)) freezeDeep(child);
}

/**
 * A value for what knows neither `bigint` nor our exact numbers: each is the nearest number that a double can hold. What
 * holds none of them, nearly everything, is given as it is.
 */
export function plainNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return Number(value.lexeme);
  if (Array.isArray(value)) {
    const plain = value.map(plainNumbers);
    return plain.every((item, index) => item === value[index]) ? value : plain;
  }
  let changed: [string, unknown][] | undefined;
  for (const name of Object.keys(value)) {
    const plain = plainNumbers(value[name] ?? null);
    if (plain !== value[name]) (changed ??= []).push([name, plain]);
  }
  if (changed === undefined) return value;
  const replaced = new Map(changed);
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, replaced.has(name) ? replaced.get(name) : property]),
  );
}
