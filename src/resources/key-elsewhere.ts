import type { Operation, Property, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { itemShape } from './body-shape';
import { foldedName, singularWords } from './inflection';
import { lastLiteral, type Segment } from './path-template';
import type { Elsewhere } from './reading';
import { typesOf, type SchemaReader } from './schema-reader';

/** A place, and where the values of its variables stand that are not in the path. */
export interface Found {
  readonly segments: readonly Segment[];
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
}

/** The same place with a variable at its end, for the query parameter or the member of the body that names the item. */
export function keyElsewhere(
  operation: Operation,
  before: readonly Segment[],
  reader: SchemaReader,
): Found | undefined {
  const thing = lastLiteral(before);
  const isKey = keyNames(operation, before, reader);
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').find(({ name }) => isKey(name));
  const at: Elsewhere | undefined =
    query === undefined ? keyInBody(requestSchema(operation), isKey, reader) : { in: 'query', name: query.name };
  if (at === undefined) return undefined;
  // `/orgs/{id}/things/get {id}`: two variables of one name would be one value.
  const isTaken = before.some((segment) => segment.kind === 'variable' && segment.name === at.name);
  const name = isTaken ? `${singularWords(thing).join('_')}_${at.name}` : at.name;
  return { segments: [...before, { kind: 'variable', name }], elsewhere: new Map([[name, at]]) };
}

/**
 * Names that mean the key of what a path is about: that of the last word or of words in a row, `watch_screening_id` for
 * `/watch_screening/person`, and the member in which the answer has the item, `box` for `{ box: {…} }`.
 */
function keyNames(operation: Operation, before: readonly Segment[], reader: SchemaReader): (name: string) => boolean {
  const words = before.flatMap((segment) => (segment.kind === 'literal' ? [singularWords(segment.text).join('')] : []));
  const runs = words.flatMap((_, start) =>
    words.slice(start).map((_, count) => words.slice(start, start + count + 1).join('')),
  );
  const holder = itemShape(reader, successSchema(operation), lastLiteral(before))?.path[0];
  const things = new Set([
    ...runs.filter((run) => run.length > 2),
    ...(holder === undefined ? [] : [foldedName(holder)]),
  ]);
  return (name) => meansKey(name, lastLiteral(before)) || [...things].some((thing) => isKeyOf(foldedName(name), thing));
}

function isKeyOf(folded: string, noun: string): boolean {
  return ['', 'id', 'key', 'uuid', 'token'].some((ending) => folded === `${noun}${ending}`);
}

export function keyInBody(
  schema: Schema | undefined,
  isKey: (name: string) => boolean,
  reader: SchemaReader,
): Elsewhere | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined) return undefined;
  const members = [...reader.members(body).values()].filter(isScalar);
  const found = members.find(({ name }) => isKey(name));
  return found === undefined ? undefined : { in: 'body', name: found.name };
}

/** Is a member neither an object nor a list, as far as its own words tell? */
export function isScalar({ schema }: Property): boolean {
  return typesOf(schema).every((type) => type !== 'object' && type !== 'array') && schema['properties'] === undefined;
}

/** Does a name mean the key of a thing? `id`, `thing_id`, `thingKey` and `thing` name one of `things`. */
export function meansKey(name: string, thing: string): boolean {
  const noun = singularWords(thing.split('.').at(-1) ?? thing).join('');
  const folded = foldedName(name);
  const isOwn = ['', 'id', 'key', 'uuid', 'name', 'number', 'token'].some((ending) => folded === `${noun}${ending}`);
  return isOwn || ['id', 'key', 'uuid', 'number'].includes(folded);
}

/** The same of an answer, which may have a word of its own for the key of what it shows. */
export function showsKey(name: string, thing: string): boolean {
  return name === 'uid' || meansKey(name, thing);
}
