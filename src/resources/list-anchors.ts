import type { Operation, Parameter, Schema } from '../openapi/model';
import { foldedName, wordsOf } from './inflection';
import { filterOf } from './list-filter';
import type { BodyShape, ResourceDescription } from './resource-model';
import { schemaAlong, typesOf, type SchemaReader } from './schema-reader';

/** Where a page stands to the item whose key a parameter holds. */
export type Anchor = 'after' | 'before' | 'from';

/** Names, folded to lower case without separators. */
const NAMES: readonly (readonly [RegExp, Anchor])[] = [
  [/^(?:startingafter|after|afterid|sinceid)$/, 'after'],
  [/^(?:endingbefore|before|beforeid)$/, 'before'],
];
/** Those that mean an item whatever the answer tells. */
const KEY_NAMES = /^(?:after|before|since)id$/;
const KEY_WORDS = /\b(?:ids?|identifier|object|item|key)\b/i;
const CURSOR_WORDS = /\b(?:opaque|tokens?|encoded)\b/i;
const TIME_WORDS = /\b(?:date|time|timestamp|instant|seconds|iso|rfc)\b/i;
/** Headers that lead to the next page. */
const NEXT_HEADERS = /^(?:link|x?next(?:cursor|page|pagetoken|token|link|url))$/;

type Listed = Pick<ResourceDescription, 'key' | 'kind' | 'properties' | 'attributes'>;

/**
 * The parameters of a list that hold keys of its items, such as `starting_after`. They are no cursors where the answer
 * has no place from which a client could take one: all that it sees are the items. Where it has one, their name or
 * description must say that an item is meant.
 *
 * @param response - where the items stand in the answer
 */
export function anchorsOf(
  { parameters, responses }: Operation,
  resource: Listed,
  reader: SchemaReader,
  response: BodyShape | undefined,
): ReadonlyMap<Parameter, Anchor> {
  const found = new Map<Parameter, Anchor>();
  if (response === undefined || !showsKeys(resource, response)) return found;
  const told = keyTold(response, reader);
  for (const parameter of parameters) {
    const anchor = isOfSchema(parameter, told, reader) ? 'from' : anchorOf(parameter, resource, reader);
    if (anchor !== undefined) found.set(parameter, anchor);
  }
  if (found.size === 0 || ![...found.keys()].every(isCursorThere)) return found;
  const leadsOn =
    response.siblings.some(({ role }) => role === 'next-cursor' || role === 'next-link') ||
    [...responses].some(([status, { headers }]) => status.startsWith('2') && [...headers.keys()].some(leadsToNext));
  return leadsOn ? new Map() : found;
}

/** Where a page tells the key of the item with which the next one begins; it is sent back as it is. */
function keyTold({ siblings, body }: BodyShape, reader: SchemaReader): Schema | undefined {
  const next = siblings.find(({ role }) => role === 'next-key');
  return next && schemaAlong(reader, body, next.path);
}

function isOfSchema({ schema }: Parameter, told: Schema | undefined, reader: SchemaReader): boolean {
  return told !== undefined && reader.unwrap(schema)?.pointer === told.pointer;
}

function showsKeys({ key, kind }: Listed, { form }: BodyShape): boolean {
  return kind === 'collection' && (!key.isHidden || form === 'map');
}

function anchorOf(parameter: Parameter, resource: Listed, reader: SchemaReader): Anchor | undefined {
  const folded = wordsOf(parameter.name).join('');
  const anchor = NAMES.find(([pattern]) => pattern.test(folded))?.[1];
  if (anchor === undefined || parameter.in !== 'query') return undefined;
  const { properties, attributes } = resource;
  const isMember = [...properties.keys(), ...attributes.keys()].some((name) => foldedName(name) === folded);
  if (isMember || !fitsKey(parameter, resource, reader)) return undefined;
  return meansTime(parameter, resource, reader) ? undefined : anchor;
}

/** Every key can be written as a text; only numbers as a number. */
function fitsKey(parameter: Parameter, { key, properties }: Listed, reader: SchemaReader): boolean {
  const schema = reader.unwrap(parameter.schema)?.value ?? {};
  const [sent, format] = [typesOf(schema), schema['format']];
  if (sent.length === 0) return schema['anyOf'] === undefined && schema['oneOf'] === undefined;
  if (sent.includes('string')) return format !== 'date-time' && format !== 'date';
  const property = properties.get(key.member);
  const kept = typesOf((property && reader.member(property)?.value) ?? {});
  const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';
  return sent.some(isNumeric) && (kept.length === 0 || kept.some(isNumeric));
}

/** `before=1700000000` of items that have the time at which they were made. */
function meansTime(parameter: Parameter, { properties }: Listed, reader: SchemaReader): boolean {
  const { name, description = '' } = parameter;
  if (KEY_NAMES.test(wordsOf(name).join('')) || KEY_WORDS.test(description)) return false;
  if (TIME_WORDS.test(description)) return true;
  const isText = typesOf(reader.unwrap(parameter.schema)?.value ?? {}).includes('string');
  return !isText && !('reason' in filterOf(parameter, properties, reader, ''));
}

/** Is it a cursor, if the answer tells one? */
function isCursorThere({ name, description = '' }: Parameter): boolean {
  if (KEY_NAMES.test(wordsOf(name).join(''))) return false;
  return !KEY_WORDS.test(description) || CURSOR_WORDS.test(description);
}

function leadsToNext(header: string): boolean {
  return NEXT_HEADERS.test(wordsOf(header).join(''));
}
