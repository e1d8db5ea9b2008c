import type { JsonObject } from '../../src/core/json/json-value';
import type { Operation, Schema } from '../../src/openapi/model/operation';
import { requestSchema, successSchema } from '../../src/openapi/view/operation-bodies';
import { foldedName } from '../../src/core/text/inflection';
import type { SchemaReader } from '../../src/openapi/view/schema-reader';
import { keysInSight } from './key-in-sight';

/** Members that wrap what an answer is about. */
const WRAPPERS = /^(?:data|result|item|resource|response)$/;
/** Members that nothing but an item has. */
const IDENTITY = /^(?:id|_id|uuid|gid|sid|guid)$/;
/** So deep an answer is looked into for a key. */
const DEPTH = 4;

/**
 * Does the answer of a create document what a read documents, as far as either says what it is? Whoever is told of a task
 * or of figures has no key of what is read there.
 *
 * @param noun - what the path calls one item, folded
 */
export function documentsSameKind(reader: SchemaReader, create: Operation, read: Operation, noun: string): boolean {
  const made = thingsIn(reader, successSchema(create), noun);
  const shown = thingsIn(reader, successSchema(read), noun);
  if (made === undefined || shown === undefined) return true;
  const isOpen = (things: readonly Schema[]): boolean => things.some((thing) => reader.properties(thing).size === 0);
  if (isOpen(made) || isOpen(shown)) return true;
  return made.some((thing) => shown.some((other) => reader.areSameType(thing, other)));
}

/** Is all that is sent a list of names, `{ labels: [name] }` to `/issues/{id}/labels`? */
export function takesNames(reader: SchemaReader, create: Operation, noun: string): boolean {
  const body = reader.unwrap(requestSchema(create));
  const named = body && [...reader.properties(body).values()].find(({ name }) => foldedName(name) === noun);
  const list = named === undefined ? body : reader.schemaOf(named);
  const rows = list === undefined ? undefined : reader.items(list);
  return rows !== undefined && !reader.isObject(rows);
}

/** Does an answer document no object at all, but a text, a number or a file? */
export function documentsNoObject(reader: SchemaReader, operation: Operation): boolean {
  return thingsIn(reader, successSchema(operation), '')?.length === 0;
}

/** Does an answer document a member that is a key, or a Location? */
export function documentsKey(reader: SchemaReader, operation: Operation, variable: string, noun: string): boolean {
  const schema = reader.unwrap(successSchema(operation));
  const rows = schema === undefined ? undefined : reader.items(schema);
  const hasLocation = [...operation.responses.values()].some(({ headers }) => headers.has('location'));
  const outline = schema === undefined ? {} : outlineOf(reader, rows ?? schema, DEPTH);
  return hasLocation || keysInSight(outline, variable, noun).length > 0;
}

/** The objects that an answer may be about; none where it documents none, `undefined` where it documents nothing. */
function thingsIn(reader: SchemaReader, schema: Schema | undefined, noun: string): Schema[] | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined) return undefined;
  const rows = reader.items(body);
  if (rows !== undefined) return thingsIn(reader, rows, noun);
  if (!reader.isObject(body)) return Object.keys(body.value).length === 0 ? undefined : [];
  const members = [...reader.properties(body).values()];
  if (members.some(({ name }) => IDENTITY.test(name))) return [body];
  const inner = members.flatMap((property) => {
    const held = reader.schemaOf(property);
    const item = held === undefined ? undefined : (reader.items(held) ?? held);
    return item !== undefined && reader.isObject(item) ? [{ name: property.name, item }] : [];
  });
  const wrapped = inner.filter(({ name }) => foldedName(name) === noun || WRAPPERS.test(name));
  const held = wrapped.length > 0 || inner.length > 1 ? wrapped : inner;
  return held.length > 0 ? held.map(({ item }) => item) : [body];
}

/** An object with the members that a schema names. */
function outlineOf(reader: SchemaReader, schema: Schema, depth: number): JsonObject {
  return Object.fromEntries(
    [...reader.properties(schema).values()].map((property) => {
      const held = depth === 0 ? undefined : reader.schemaOf(property);
      const rows = held === undefined ? undefined : reader.items(held);
      if (held === undefined) return [property.name, 'x'];
      if (rows !== undefined) return [property.name, reader.isObject(rows) ? [outlineOf(reader, rows, depth - 1)] : []];
      return [property.name, reader.isObject(held) ? outlineOf(reader, held, depth - 1) : 'x'];
    }),
  );
}
