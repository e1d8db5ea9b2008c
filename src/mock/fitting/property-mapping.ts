import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { foldedName, singular, wordsOf } from '../../core/text/inflection';
import { addToList } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import { typesOf, viewOf } from '../../openapi/view/schema-view';

const NO_NAMES: ReadonlyMap<string, string> = new Map();
/** Endings of names of what holds a key. */
const KEYS = new Set(['id', 'uuid', 'guid', 'gid', 'sid', 'key', 'slug', 'ref']);

/**
 * The properties of bodies that items have under another name: by the name in bodies, the name in items. They are written
 * in another case, `FriendlyName` and `friendly_name`, or name by its key what items hold whole, `assigneeId` and
 * `assignee`, or the other way round, or are a list called by one of its things, `email_address`, or with a word for what it
 * holds, `domain_data` of `domains`. A name that items have as it is written means itself, and one that could mean two
 * means neither.
 */
export function itemPropertyNames(
  api: ApiModel,
  inBody: ReadonlyMap<string, Property>,
  inItem: ReadonlyMap<string, Property>,
): ReadonlyMap<string, string> {
  const strange = [...inBody.keys()].filter((name) => !inItem.has(name));
  if (strange.length === 0) return NO_NAMES;
  const names = new Map<string, string>();
  add(names, strange, inBody, inItem, caseless);
  const taken = new Set([...inBody.keys()].filter((name) => inItem.has(name)));
  const free = new Map([...inItem].filter(([name]) => !taken.has(name) && ![...names.values()].includes(name)));
  const objects = new Map([...free].filter(([, property]) => holdsObjects(api, property)));
  const left = strange.filter((name) => !names.has(name));
  add(
    names,
    left.filter((name) => withoutKey(name) !== undefined),
    inBody,
    objects,
    (name) => withoutKey(name) ?? foldedName(name),
  );
  const plain = new Map([...free].filter(([name]) => withoutKey(name) !== undefined));
  add(
    names,
    left.filter((name) => !names.has(name)),
    inBody,
    plain,
    (name) => withoutKey(name) ?? foldedName(name),
  );
  const lists = (all: ReadonlyMap<string, Property>): ReadonlyMap<string, Property> =>
    new Map([...all].filter(([, { schema }]) => typesOf(schema).includes('array')));
  const listed = [...lists(inBody).keys()].filter((name) => left.includes(name) && !names.has(name));
  add(names, listed, inBody, lists(free), (name) => foldedName(name.replace(/[_-]?(?:data|list|attributes)$/i, '')));
  const prefix = ownPrefix(inItem);
  const unknown = left.filter((name) => !names.has(name));
  if (prefix !== undefined) add(names, unknown, inBody, plain, (name) => caseless(name).replace(prefix, ''));
  return names;
}

/** Where items show what is sent beside their other properties: in a property, `code` of `plan`. */
export interface PlaceInPart {
  readonly part: string;
  readonly member: string;
}

/**
 * The place in an object of an item for what is sent flat and what items have under no name of their own: `plan_code` is
 * the `code` of the `plan`, and `user_id` that of the only object with a `user_id`. A word alone says too little.
 */
export function placeInPart(
  api: ApiModel,
  written: string,
  inBody: Property,
  inItem: ReadonlyMap<string, Property>,
): PlaceInPart | undefined {
  if (wordsOf(written).length < 2 || typesOf(inBody.schema).some((type) => type === 'object' || type === 'array'))
    return undefined;
  const view = viewOf(api);
  const found = [...inItem.values()].flatMap(({ name: part, ...property }): PlaceInPart[] => {
    const place = view.schemaOf({ name: part, ...property });
    const inner = place === undefined || view.items(place) !== undefined ? [] : view.properties(place).values();
    return [...inner]
      .filter(({ schema }) => typesOf(schema).some((type) => typesOf(inBody.schema).includes(type)))
      .map(({ name: member }) => ({ part, member }));
  });
  const wanted = caseless(written);
  const ways = [
    found.filter(({ part, member }) => caseless(`${part}_${member}`) === wanted),
    found.filter(({ member }) => caseless(member) === wanted),
  ];
  const [only, ...others] = ways.find(({ length }) => length > 0) ?? [];
  return others.length === 0 ? only : undefined;
}

/** What names begin with that are the service's own: `own` of `own_id`, so that `own_wallet_id` is the id of a wallet. */
function ownPrefix(inItem: ReadonlyMap<string, Property>): string | undefined {
  const [key] = [...inItem.keys()].map(wordsOf).filter((words) => words.length === 2 && KEYS.has(words[1] ?? ''));
  return inItem.has('id') ? undefined : key?.[0];
}

/** Adds the names that are one of a kind on either side once they are folded. */
function add(
  names: Map<string, string>,
  strange: readonly string[],
  inBody: ReadonlyMap<string, Property>,
  inItem: ReadonlyMap<string, Property>,
  fold: (name: string) => string,
): void {
  const written = groups(inBody.keys(), fold);
  const stored = groups(inItem.keys(), fold);
  for (const name of strange) {
    const folded = fold(name);
    const [match, ...others] = stored.get(folded) ?? [];
    if (match !== undefined && others.length === 0 && written.get(folded)?.length === 1) names.set(name, match);
  }
}

function groups(names: Iterable<string>, fold: (name: string) => string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) addToList(found, fold(name), name);
  return found;
}

function caseless(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** `labelIds` is of a `label`; `undefined` for a name that does not end like that of a key. */
function withoutKey(name: string): string | undefined {
  const words = wordsOf(name);
  if (words.length < 2 || !KEYS.has(singular(words.at(-1) ?? ''))) return undefined;
  return foldedName(words.slice(0, -1).join('_'));
}

/** An object, a list of objects, or a choice with one. */
function holdsObjects(api: ApiModel, property: Property): boolean {
  const view = viewOf(api);
  const schema = view.schemaOf(property);
  const held = schema === undefined ? undefined : (view.items(schema) ?? schema);
  return held !== undefined && view.isObject(held);
}

/**
 * The texts or numbers of a list that was sent, as items list them, in objects: `email_address: ["a@b.c"]` is
 * `email_addresses: [{ email_address: "a@b.c" }]`.
 */
export function asListed(api: ApiModel, inBody: Property, inItem: Property, value: JsonValue): JsonValue {
  const view = viewOf(api);
  const place = view.schemaOf(inItem);
  const items = place === undefined ? undefined : view.items(place);
  if (!Array.isArray(value) || items === undefined || inBody.name === inItem.name) return value;
  const member = [...view.properties(items).keys()].find((name) => foldedName(name) === foldedName(inBody.name));
  return member === undefined
    ? value
    : value.map((each: JsonValue) =>
        typeof each === 'string' || typeof each === 'number' ? { [member]: each } : each,
      );
}

const MAX_DEPTH = 20;

/**
 * A value that was sent, without what only requests have: properties that its schema in requests declares and the one of
 * items does not, such as the number of a card. Where items list no properties, or take any, all of it stays.
 *
 * @param sent - schema of the value in requests
 * @param stored - schema of the value in items
 */
export function withoutRequestOnly(
  api: ApiModel,
  sent: Schema | undefined,
  stored: Schema | undefined,
  value: JsonValue,
  depth = 0,
): JsonValue {
  const view = viewOf(api);
  const [from, to] = [view.unwrap(sent), view.unwrap(stored)];
  if (from === undefined || to === undefined || from.pointer === to.pointer || depth > MAX_DEPTH) return value;
  const inner = (place: Schema | undefined, own: Schema | undefined, part: JsonValue): JsonValue =>
    withoutRequestOnly(api, place, own, part, depth + 1);
  if (Array.isArray(value)) {
    const [items, ownItems] = [view.items(from), view.items(to)];
    return value.map((item: JsonValue) => inner(items, ownItems, item));
  }
  return isJsonObject(value) ? sharedProperties(api, from, to, value, inner) : value;
}

function sharedProperties(
  api: ApiModel,
  from: Schema,
  to: Schema,
  value: JsonObject,
  inner: (place: Schema | undefined, own: Schema | undefined, part: JsonValue) => JsonValue,
): JsonObject {
  const view = viewOf(api);
  const [written, held] = [view.properties(from), view.properties(to)];
  if (held.size === 0) return value;
  const rest: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) {
    const [property, own] = [written.get(name), held.get(name)];
    if (property !== undefined && own === undefined && !takesAny(to)) continue;
    const isKnown = property !== undefined && own !== undefined;
    setProperty(
      rest,
      name,
      isKnown ? inner(api.schemaAt(property.pointer), api.schemaAt(own.pointer), member) : member,
    );
  }
  return rest;
}

/**
 * An object that was sent, with the stored properties that its schema in requests has no word for. Of a schema that declares
 * no properties, or is that of items, what was sent is all.
 *
 * @param sent - schema of the value in requests
 * @param stored - schema of the value in items
 * @param before - the value that is replaced
 */
export function withInexpressible(
  api: ApiModel,
  sent: Schema | undefined,
  stored: Schema | undefined,
  value: JsonValue,
  before: JsonValue | undefined,
): JsonValue {
  const view = viewOf(api);
  const [from, to] = [view.unwrap(sent), view.unwrap(stored)];
  if (from === undefined || to === undefined || from.pointer === to.pointer) return value;
  if (!isJsonObject(value) || !isJsonObject(before) || view.properties(from).size === 0) return value;
  const written = view.properties(from);
  const whole: Record<string, JsonValue> = { ...value };
  for (const [name, own] of view.properties(to)) {
    const [property, member, kept] = [written.get(name), ownProperty(value, name), ownProperty(before, name)];
    if (kept === undefined) continue;
    if (property === undefined) setProperty(whole, name, member ?? kept);
    else if (member !== undefined)
      setProperty(whole, name, withInexpressible(api, view.schemaOf(property), view.schemaOf(own), member, kept));
  }
  return whole;
}

/** Does it say outright that values may have other properties? */
function takesAny({ value }: Schema): boolean {
  const { additionalProperties } = value;
  return additionalProperties === true || isJsonObject(additionalProperties);
}
