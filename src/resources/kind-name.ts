import type { Property } from '../openapi/model';
import { typesOf } from './schema-reader';

/** What a description says of a member that tells what kind of thing an object is. */
const TELLS_KIND = /\b(?:kind|type|name|class)\b[^.]{0,80}\b(?:resource|object|entity|schema)\b/i;

/**
 * What an object says of its kind where its description only says that it does so, "the REST resource this object
 * represents": the name of its schema, `BoxList` of `example.boxes.v1.BoxList`; `undefined` where that is not said.
 *
 * @param schema - JSON pointer of the schema of the object
 */
export function kindNamed({ name, schema }: Property, pointer: string): string | undefined {
  const said = schema['description'];
  const isPlain = schema['enum'] === undefined && schema['const'] === undefined && schema['default'] === undefined;
  if (!/^_?kind$/i.test(name) || !isPlain || !typesOf(schema).includes('string')) return undefined;
  if (typeof said !== 'string' || !TELLS_KIND.test(said)) return undefined;
  const [, thing] = /^\/(?:components\/schemas|definitions)\/(?:[^/]*\.)?([A-Za-z]\w*)$/.exec(pointer) ?? [];
  return thing;
}

/** What a description says of a member that tells in which version of a schema an object is written. */
const TELLS_VERSION = /\bversion(?:ed)?\b[^.]{0,60}\b(?:schema|representation)\b/i;

/** Does a member speak of the schema of an object, and not of the thing that it shows: its kind, its version? */
export function tellsOfSchema(property: Property, pointer: string): boolean {
  const { name, schema } = property;
  const said = schema['description'];
  const isVersion = /^(?:api|schema)_?version$/i.test(name) && typeof said === 'string' && TELLS_VERSION.test(said);
  return isVersion || kindNamed(property, pointer) !== undefined;
}
