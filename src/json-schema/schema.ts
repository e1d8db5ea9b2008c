import { ExactNumber } from '../json/exact-number';
import type { JsonObject } from '../json/json-value';

/** A Schema Object as it stands in the description, numbers exact. */
export type SchemaObject = JsonObject;

/**
 * Which way a value travels. `readOnly` members are not required in a request, `writeOnly` members are not required
 * in a response (OAS 3.0.3 Schema Object, "Fixed Fields").
 */
export type Direction = 'request' | 'response';

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
