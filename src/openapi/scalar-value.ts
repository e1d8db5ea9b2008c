import type { JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import type { ScalarType } from './text-shape';

const SHORT_INTEGER = /^[1-9]\d{0,14}$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MOST_DIGITS = 400;

/**
 * Reads text as the first of some types whose grammar fits: numbers by that of JSON, so that there is no `0x10` and no
 * `+1`, and booleans as `true` and `false` alone (OAS 3.0.4 Appendix B leaves it to tools). Text that fits none of them
 * stays text, for the schema to refuse.
 */
export function readScalar(text: string, types: readonly ScalarType[]): JsonValue {
  for (const type of types) {
    const value = type === 'string' ? text : READERS[type](text);
    if (value !== undefined) return value;
  }
  return text;
}

const READERS: Readonly<Record<Exclude<ScalarType, 'string'>, (text: string) => JsonValue | undefined>> = {
  integer(text) {
    // Most ids are short, and as exact as a number can be.
    if (SHORT_INTEGER.test(text)) return Number(text);
    return INTEGER.test(text) && text.length <= MOST_DIGITS ? parseJson(text) : undefined;
  },
  number: (text) => (NUMBER.test(text) && text.length <= MOST_DIGITS ? parseJson(text) : undefined),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};
