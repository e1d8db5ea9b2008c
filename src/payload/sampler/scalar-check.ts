import { checkedFormats, formatTest } from '../../schema/formats';
import { canonicalKey, type JsonValue } from '../../core/json/json-value';
import { isInteger, isJsonNumber } from '../../core/json/exact-number';
import type { FlatSchema, TypeName } from './flat-schema';
import { acceptsNumber } from './number-maker';
import { testOfPattern } from './pattern-text';

/**
 * Whether a schema allows a value that is neither an object nor a list, unions aside: enough to trust an example with,
 * without compiling a validator for each property of a description.
 */
export function acceptsScalar(flat: FlatSchema, value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null && !isJsonNumber(value)) return false;
  if (!hasType(flat.types, value)) return false;
  if (flat.values !== undefined && !valueKeys(flat.values).has(canonicalKey(value))) return false;
  if (flat.excluded.length > 0 && valueKeys(flat.excluded).has(canonicalKey(value))) return false;
  if (isJsonNumber(value)) return acceptsNumber(flat, value, false) && hasFormats(flat, value);
  return typeof value !== 'string' || acceptsText(flat, value);
}

/** By the list: one of ten thousand values is asked for each of them. */
const KEYS_BY_LIST = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();

function valueKeys(values: readonly JsonValue[]): ReadonlySet<string> {
  let keys = KEYS_BY_LIST.get(values);
  if (keys === undefined) KEYS_BY_LIST.set(values, (keys = new Set(values.map(canonicalKey))));
  return keys;
}

/** Whether the value is of one of the types; of any, where there are none. */
export function hasType(types: ReadonlySet<TypeName> | undefined, value: JsonValue): boolean {
  if (types === undefined) return true;
  if (isJsonNumber(value)) return types.has('number') || (types.has('integer') && isInteger(value));
  if (value === null) return types.has('null');
  if (Array.isArray(value)) return types.has('array');
  return types.has(typeof value as TypeName);
}

function acceptsText(flat: FlatSchema, text: string): boolean {
  const length = Array.from(text).length;
  if (length < flat.minLength || length > flat.maxLength) return false;
  return flat.patterns.every((pattern) => testOfPattern(pattern)?.test(text) === true) && hasFormats(flat, text);
}

let checked: ReadonlySet<string> | undefined;

function hasFormats(flat: FlatSchema, value: JsonValue): boolean {
  if (flat.formats.size === 0) return true;
  checked ??= new Set(checkedFormats());
  for (const format of flat.formats) {
    if (!checked.has(format)) continue;
    // A format checks values of its own type only.
    const isOfNumbers = /^(?:int32|int64|float|double)$/.test(format);
    if (isOfNumbers === isJsonNumber(value) && !formatTest(format)(value)) return false;
  }
  return true;
}
