import { numberFromLexeme } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import type { Key } from './order';

/** Of which type the keys of a collection are; `any` when its schema does not say. */
export type KeyKind = 'number' | 'string' | 'any';

/**
 * A value as a key of the wanted type. Descriptions often declare a number for the member and a text for the path
 * parameter, or the other way round: both name the same item.
 *
 * @returns `undefined` for what can be no key
 */
export function coerceKey(value: JsonValue | undefined, kind: KeyKind): Key | undefined {
  if (typeof value === 'string') {
    if (kind !== 'number' || !/^-?(?:0|[1-9]\d*)$/.test(value)) return value;
    const number = numberFromLexeme(value);
    return typeof number === 'number' || typeof number === 'bigint' ? number : value;
  }
  if (typeof value === 'number' || typeof value === 'bigint') return kind === 'string' ? String(value) : value;
  return undefined;
}
