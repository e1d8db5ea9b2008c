import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';

/** A `${name}` in a value of a contract. */
export interface Placeholder {
  readonly name: string;
  /** JSON pointer to the string that holds it. */
  readonly pointer: string;
}

/** `$${` stands for the two characters `${`. */
const PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}/g;
const WHOLE = /^\$\{([^{}]*)\}$/;

/** Every placeholder in the strings of a value; names of members are not looked at. */
export function placeholdersIn(value: JsonValue, pointer: string): Placeholder[] {
  if (typeof value === 'string') {
    return [...value.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [{ name, pointer }]));
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => placeholdersIn(item, joinPointer(pointer, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => placeholdersIn(member, joinPointer(pointer, name)));
}

/**
 * Puts values in the place of placeholders. A string that is one placeholder and nothing else becomes the value
 * itself, so that an int64 stays a number with all its digits; elsewhere the value's text is put in.
 *
 * @param values - has every name that `value` uses
 */
export function fillPlaceholders(value: JsonValue, values: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') {
    const [, whole] = WHOLE.exec(value) ?? [];
    if (whole !== undefined) return lookUp(whole, values);
    return replacePlaceholders(value, (name) => scalarText(lookUp(name, values)));
  }
  if (Array.isArray(value)) return value.map((item) => fillPlaceholders(item, values));
  if (!isJsonObject(value)) return value;
  // fromEntries defines members, so that `__proto__` is data.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillPlaceholders(member, values)]));
}

/** Puts text in the place of every placeholder, and `${` in that of an escaped one. */
export function replacePlaceholders(text: string, textOf: (name: string) => string): string {
  return text.replace(PLACEHOLDER, (_, name: string | undefined) => (name === undefined ? '${' : textOf(name)));
}

/** Is the text one placeholder and nothing else, so that any value may come in its place? */
export function isPlaceholder(text: string): boolean {
  return WHOLE.test(text);
}

/** Is it neither null nor a list nor an object, so that it has a text? */
export function isScalar(value: JsonValue | undefined): value is Exclude<JsonValue, null | JsonValue[] | JsonObject> {
  return value !== undefined && value !== null && !Array.isArray(value) && !isJsonObject(value);
}

function lookUp(name: string, values: ReadonlyMap<string, JsonValue>): JsonValue {
  const value = values.get(name);
  if (value === undefined) throw new Error(`No value was given for the placeholder ${name}`);
  return value;
}
