import type { JsonObject } from '../../src/core/json/json-value';
import type { Operation, Schema } from '../../src/openapi/model/operation';
import { requestSchema, successSchema } from '../../src/openapi/view/operation-bodies';
import { foldedName } from '../../src/core/text/inflection';
import type { SchemaView } from '../../src/openapi/view/schema-view';
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
export function documentsSameKind(view: SchemaView, create: Operation, read: Operation, noun: string): boolean {
  const made = thingsIn(view, successSchema(create), noun);
  const shown = thingsIn(view, successSchema(read), noun);
  if (made === undefined || shown === undefined) return true;
  const isOpen = (things: readonly Schema[]): boolean => things.some((thing) => view.properties(thing).size === 0);
  if (isOpen(made) || isOpen(shown)) return true;
  return made.some((thing) => shown.some((other) => view.areSameType(thing, other)));
}

/** Is all that is sent a list of names, `{ labels: [name] }` to `/issues/{id}/labels`? */
export function takesNames(view: SchemaView, create: Operation, noun: string): boolean {
  const body = view.unwrap(requestSchema(create));
  const named = body && [...view.properties(body).values()].find(({ name }) => foldedName(name) === noun);
  const list = named === undefined ? body : view.schemaOf(named);
  const rows = list === undefined ? undefined : view.items(list);
  return rows !== undefined && !view.isObject(rows);
}

/** Does an answer document no object at all, but a text, a number or a file? */
export function documentsNoObject(view: SchemaView, operation: Operation): boolean {
  return thingsIn(view, successSchema(operation), '')?.length === 0;
}

/** Does an answer document a member that is a key, or a Location? */
export function documentsKey(view: SchemaView, operation: Operation, variable: string, noun: string): boolean {
  const schema = view.unwrap(successSchema(operation));
  const rows = schema === undefined ? undefined : view.items(schema);
  const hasLocation = [...operation.responses.values()].some(({ headers }) => headers.has('location'));
  const outline = schema === undefined ? {} : outlineOf(view, rows ?? schema, DEPTH);
  return hasLocation || keysInSight(outline, variable, noun).length > 0;
}

/** The objects that an answer may be about; none where it documents none, `undefined` where it documents nothing. */
function thingsIn(view: SchemaView, schema: Schema | undefined, noun: string): Schema[] | undefined {
  const body = view.unwrap(schema);
  if (body === undefined) return undefined;
  const rows = view.items(body);
  if (rows !== undefined) return thingsIn(view, rows, noun);
  if (!view.isObject(body)) return Object.keys(body.value).length === 0 ? undefined : [];
  const members = [...view.properties(body).values()];
  if (members.some(({ name }) => IDENTITY.test(name))) return [body];
  const inner = members.flatMap((property) => {
    const held = view.schemaOf(property);
    const item = held === undefined ? undefined : (view.items(held) ?? held);
    return item !== undefined && view.isObject(item) ? [{ name: property.name, item }] : [];
  });
  const wrapped = inner.filter(({ name }) => foldedName(name) === noun || WRAPPERS.test(name));
  const held = wrapped.length > 0 || inner.length > 1 ? wrapped : inner;
  return held.length > 0 ? held.map(({ item }) => item) : [body];
}

/** An object with the members that a schema names. */
function outlineOf(view: SchemaView, schema: Schema, depth: number): JsonObject {
  return Object.fromEntries(
    [...view.properties(schema).values()].map((property) => {
      const held = depth === 0 ? undefined : view.schemaOf(property);
      const rows = held === undefined ? undefined : view.items(held);
      if (held === undefined) return [property.name, 'x'];
      if (rows !== undefined) return [property.name, view.isObject(rows) ? [outlineOf(view, rows, depth - 1)] : []];
      return [property.name, view.isObject(held) ? outlineOf(view, held, depth - 1) : 'x'];
    }),
  );
}
