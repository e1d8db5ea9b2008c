import type { JsonValue } from '../json/json-value';
import type { JsonSchemaDialect } from './json-schema-dialect';
import type { Direction, SchemaObject } from './schema';

/** A schema of JSON Schema in its place, and how its references are read there. */
export interface PlacedSchema {
  readonly schema: JsonValue;
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly context: SchemaContext;
}

/**
 * What the translation of JSON Schema needs to know about the resource around a schema (JSON Schema Core §4.3.5): the
 * document, or what has a `$id` of its own.
 */
export interface SchemaContext {
  readonly direction: Direction;
  /** Whether anything that is reached from here is marked `readOnly` or `writeOnly`; most schemas are spared the search. */
  readonly hasOneWayMembers: boolean;
  readonly dialect: JsonSchemaDialect;
  /**
   * Gives the id under which the schema behind a `$ref` is registered, and sees to its registration.
   *
   * @throws SchemaFault about the schema at `pointer` when the reference leads nowhere
   */
  refer(reference: string, pointer: string): string;
  /** The same for a `$dynamicRef` (JSON Schema Core §8.2.3.2). */
  referDynamically(reference: string, pointer: string): string;
  /** Gives the id under which the schema at a pointer is registered, and sees to its registration. */
  register(pointer: string): string;
  /** For looking at what the schema behind a `$ref` declares. */
  target(reference: string): PlacedSchema | undefined;
  /** The context inside of a schema: this one, unless the schema says that it is a resource of its own. */
  within(schema: SchemaObject, pointer: string): SchemaContext;
}
