import { ExactNumber } from './exact-number';

/**
 * A JSON value (RFC 8259 section 3) that keeps every digit.
 *
 * A number is a `number` when that spells the same text, a `bigint` when it is an integer outside the safe range, and
 * an `ExactNumber` otherwise, such as `2.50` or `1e400`.
 */
export type JsonValue = null | boolean | string | number | bigint | ExactNumber | JsonValue[] | JsonObject;

/** A JSON object (RFC 8259 section 4). Only own properties are members; `__proto__` is a name like any other. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether the value is a JSON object: neither null, nor an array, nor an exact number. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
