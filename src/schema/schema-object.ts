import { ExactNumber } from '../core/json/exact-number';
import type { JsonObject, JsonValue } from '../core/json/json-value';

/** A Schema Object as it stands in the description, numbers exact. */
export type SchemaObject = JsonObject;

/**
 * Which way a value travels. `readOnly` properties are not required in a request, `writeOnly` properties are not required
 * in a response (OAS 3.0.3 Schema Object, "Fixed Fields").
 */
export type Direction = 'request' | 'response';

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Keywords for people: they say nothing of values. */
export const ANNOTATIONS = [
  'title',
  'summary',
  'description',
  'deprecated',
  'externalDocs',
  'xml',
  '$comment',
] as const;

/** Set on schemas that allow null although none of their keywords does: see `nullableBesideOthers`. */
export const ALLOWS_NULL = 'x-standin-allows-null';

/** Keywords with values that a schema allows. */
export const EXAMPLES = ['example', 'examples', 'default'] as const;

/** Keywords with schemas by name: what is in them are names, and no keywords. */
export const SCHEMA_MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'] as const;

/** The texts of a list; none for anything that is not a list. */
export function stringItems(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** What is reported of a fault beside its message. */
export interface InvalidSchemaDetails {
  readonly cause?: unknown;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** A schema that cannot judge, and why. It may stand behind a reference of the one that was asked for. */
export class InvalidSchemaError extends Error {
  /** JSON pointer of the schema at fault, or of its keyword that is. */
  readonly pointer: string;
  readonly expected: string | undefined;
  readonly hint: string | undefined;

  constructor(pointer: string, message: string, { cause, expected, hint }: InvalidSchemaDetails = {}) {
    super(message, { cause });
    this.pointer = pointer;
    this.expected = expected;
    this.hint = hint;
  }
}
