import type { Property, Schema } from '../openapi/model';
import { foldedName, wordsOf } from './inflection';
import type { BodyShape } from './resource-model';
import { schemaAlong, type SchemaReader } from './schema-reader';
import { siblingsOf } from './siblings';
import { untoldList } from './untold-list';

/** Members that wrap what an answer is about. */
const WRAPPERS = new Set([
  'data',
  'result',
  'results',
  'response',
  'payload',
  'item',
  'value',
  'body',
  'content',
  'record',
  'entity',
  'resource',
  'object',
  'created',
  'updated',
]);
/** Members that hold the items of a list. */
const LISTS = new Set([
  'data',
  'items',
  'results',
  'value',
  'values',
  'content',
  'records',
  'list',
  'rows',
  'entries',
  'elements',
  'objects',
  'collection',
  'hits',
  'resources',
  'result',
  'nodes',
]);
/** Members of an object that is an item itself, whatever else it holds. */
const ITEM_SIGNS = new Set(['id', 'uuid', '_id', 'guid']);
/** Members that are parts of an item, even of one that has nothing else. */
const PARTS =
  /^(?:metadata|spec|status|properties|attributes|settings|config(?:uration)?|options|params|parameters|owner|user|address|filters?|query)$/i;
/** Members that stand beside a wrapped item. */
const ASIDE =
  /^_?(?:meta|metadata|links?|included|jsonapi|success|ok|status|code|message|errors?|failed|failures?|version|timestamp|requestid|warnings|time|(?:cache)?ts|took|duration|elapsed|usage)$/;

/**
 * Where the items of a list stand: the body itself, the one member that is a list of objects, a member with a name that
 * lists have, HAL's `_embedded`, one level deeper in `data` and the like, or a map by key.
 *
 * @param name - what the path calls the items: `things`
 */
export function listShape(reader: SchemaReader, schema: Schema | undefined, name: string): BodyShape | undefined {
  return schema === undefined
    ? undefined
    : reader.once(`list ${name} ${schema.pointer}`, () => findListShape(reader, schema, name));
}

function findListShape(reader: SchemaReader, schema: Schema, name: string): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined) return undefined;
  const path = pathToList(reader, body, foldedName(name), 0);
  if (path !== undefined) {
    const frame = frameOf(reader, body, path);
    const item = reader.items(schemaAlong(reader, frame, path) ?? frame);
    const siblings = path.length === 0 ? [] : siblingsOf(reader, frame, path);
    return { form: 'list', path, item, body: frame, siblings, layout: layoutOf(reader, item) };
  }
  const values = reader.mapValues(body);
  if (values === undefined || !reader.isObject(values)) return undefined;
  return { form: 'map', path: [], item: values, body, siblings: [], layout: 'plain' };
}

/** Where bodies are one of several envelopes, the first that has what is looked for: a body cannot be of two at once. */
function frameOf(reader: SchemaReader, body: Schema, [first]: readonly string[]): Schema {
  const isChoice = body.value['properties'] === undefined && body.value['allOf'] === undefined;
  if (first === undefined || !isChoice) return body;
  return reader.choices(body).find((branch) => reader.members(branch).has(first)) ?? body;
}

function pathToList(reader: SchemaReader, schema: Schema, name: string, depth: number): string[] | undefined {
  if (isListOfObjects(reader, schema)) return [];
  const list = listMember(reader, schema, name);
  if (list !== undefined) return [list.name];
  if (depth >= 1) return undefined;
  for (const property of reader.members(schema).values()) {
    const mayWrap = property.name === '_embedded' || WRAPPERS.has(property.name.toLowerCase());
    if (!mayWrap && foldedName(property.name) !== name) continue;
    const inner = reader.member(property);
    // What has a key of its own is the item: a list in it is a part of it.
    const mayHold = inner !== undefined && reader.isObject(inner) && !hasKey(reader, inner);
    const rest = mayHold ? pathToList(reader, inner, name, depth + 1) : undefined;
    if (rest !== undefined) return [property.name, ...rest];
  }
  return undefined;
}

/** The member that is the list: by its name, or because the body is nothing beside it. */
function listMember(reader: SchemaReader, schema: Schema, name: string): Property | undefined {
  return objectList(reader, schema, name) ?? untoldList(reader, schema, (each) => isListName(each, name));
}

function objectList(reader: SchemaReader, schema: Schema, name: string): Property | undefined {
  const members = [...reader.members(schema).values()];
  const lists = members.filter((property) => !isScalar(property) && isListOfObjects(reader, reader.member(property)));
  const named =
    lists.find((property) => foldedName(property.name) === name) ??
    lists.find((property) => LISTS.has(property.name.toLowerCase()));
  const [only, ...more] = lists;
  if (named !== undefined || only === undefined || more.length > 0) return named;
  const known = new Set(siblingsOf(reader, schema, [only.name]).map(({ path }) => path[0]));
  const others = members.filter((property) => property !== only && !known.has(property.name));
  const isItem = others.some((property) => ITEM_SIGNS.has(property.name) || !isAside(property));
  return isItem ? undefined : only;
}

function isListName(member: string, name: string): boolean {
  return foldedName(member) === name || LISTS.has(member.toLowerCase());
}

/** Most members are: nothing needs to be followed to see it. */
function isScalar({ schema }: Property): boolean {
  const { type } = schema;
  return typeof type === 'string' && type !== 'array' && type !== 'object' && schema['$ref'] === undefined;
}

function isAside(property: Property): boolean {
  const { type } = property.schema;
  return ASIDE.test(wordsOf(property.name).join('')) || type === 'boolean';
}

function isListOfObjects(reader: SchemaReader, schema: Schema | undefined): boolean {
  const items = schema === undefined ? undefined : reader.items(schema);
  return items !== undefined && reader.isObject(items);
}

/**
 * Where the one item of a body stands: the body itself, or the one object in it that wraps it, such as `data`, or
 * `thing` where the path speaks of things.
 */
export function itemShape(reader: SchemaReader, schema: Schema | undefined, name: string): BodyShape | undefined {
  return schema === undefined
    ? undefined
    : reader.once(`item ${name} ${schema.pointer}`, () => findItemShape(reader, schema, name));
}

function findItemShape(reader: SchemaReader, schema: Schema, name: string): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined || !reader.isObject(body)) return undefined;
  const wrapper = wrapperOf(reader, body, foldedName(name));
  const path = wrapper === undefined ? [] : [wrapper.name];
  const frame = frameOf(reader, body, path);
  const item = schemaAlong(reader, frame, path) ?? frame;
  return { form: 'item', path, item, body: frame, siblings: [], layout: layoutOf(reader, item) };
}

function wrapperOf(reader: SchemaReader, body: Schema, name: string): Property | undefined {
  const members = [...reader.members(body).values()];
  const wrapper = members.find((property) => {
    if (foldedName(property.name) !== name && !WRAPPERS.has(property.name.toLowerCase())) return false;
    const schema = reader.member(property);
    return schema !== undefined && reader.members(schema).size > 0;
  });
  if (wrapper === undefined) return onlyMember(reader, members);
  const others = members.filter((property) => property !== wrapper);
  const isWrapper = others.every(isAside) || isThingBeside(reader, body, wrapper, name);
  return isWrapper || isDataBeside(reader, body, wrapper, others) ? wrapper : undefined;
}

/** `{ data: { id }, status, service, operation }`: plain members beside data with a key tell of the call. */
function isDataBeside(reader: SchemaReader, body: Schema, wrapper: Property, others: readonly Property[]): boolean {
  const inner = wrapper.name === 'data' || wrapper.name === 'result' ? reader.member(wrapper) : undefined;
  return inner !== undefined && others.every(isScalar) && hasKey(reader, inner) && !hasKey(reader, body);
}

/** `{ thing: { id }, action }`: what the path speaks of has a key, and the body around it has none. */
function isThingBeside(reader: SchemaReader, body: Schema, wrapper: Property, name: string): boolean {
  const inner = foldedName(wrapper.name) === name ? reader.member(wrapper) : undefined;
  return inner !== undefined && reader.items(inner) === undefined && hasKey(reader, inner) && !hasKey(reader, body);
}

function hasKey(reader: SchemaReader, schema: Schema): boolean {
  return [...reader.members(schema).keys()].some((name) => ITEM_SIGNS.has(name));
}

/** Whatever it is called, an object that is all there is in a body wraps what the body is about: `{ ssh_key: {…} }`. */
function onlyMember(reader: SchemaReader, members: readonly Property[]): Property | undefined {
  const [only, ...more] = members.filter((property) => !isAside(property));
  if (only === undefined || more.length > 0 || isScalar(only) || PARTS.test(only.name)) return undefined;
  const schema = reader.member(only);
  const isList = schema === undefined || reader.items(schema) !== undefined;
  return isList || reader.members(schema).size < 2 ? undefined : only;
}

/**
 * Where the item stands in what an operation takes. One member that items have themselves is a part of the item, and no
 * envelope around it.
 */
export function takenShape(
  reader: SchemaReader,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const shape = shapeHolding(reader, schema, item, name) ?? itemShape(reader, schema, name);
  const [first] = shape?.path ?? [];
  const isPart = shape?.form === 'item' && first !== undefined && reader.members(item).has(first);
  const isItem = shape?.item !== undefined && reader.areAlike(shape.item, item);
  return isPart && !isItem ? { ...shape, path: [], item: shape.body, layout: 'plain' } : shape;
}

/** Where a list or item of known shape stands in a body: looked for by what it is, not by names. */
export function shapeHolding(
  reader: SchemaReader,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const isItem = (shown: Schema | undefined): boolean =>
    shown !== undefined && (reader.areAlike(shown, item) || (isFree(reader, shown) && isFree(reader, item)));
  const single = itemShape(reader, schema, name);
  if (isItem(single?.item)) return single;
  const list = listShape(reader, schema, name);
  return isItem(list?.item) ? list : memberHolding(reader, schema, item);
}

/** What nothing is declared of: its members are for the client to choose. */
export function isFree(reader: SchemaReader, schema: Schema): boolean {
  if (reader.isUntold(schema)) return true;
  return reader.isObject(schema) && reader.members(schema).size === 0 && reader.mapValues(schema) === undefined;
}

/**
 * The one member of a body that is the item: `{ content, commit }` where all are objects, or any body that has the
 * very schema of the item beside what says how it is to be taken, `{ idempotency_key, thing }`.
 */
function memberHolding(reader: SchemaReader, schema: Schema | undefined, item: Schema): BodyShape | undefined {
  const body = reader.unwrap(schema);
  const members = body === undefined ? [] : [...reader.members(body).values()];
  const held = members.flatMap((property) => {
    const inner = isScalar(property) ? undefined : reader.member(property);
    return inner !== undefined && reader.isObject(inner) && reader.items(inner) === undefined
      ? [{ name: property.name, inner }]
      : [];
  });
  const isOnlyObjects = held.length === members.length;
  const [holder, ...more] = held.filter(({ inner }) =>
    isOnlyObjects ? reader.areSame(inner, item) : inner.pointer === item.pointer,
  );
  if (body === undefined || holder === undefined || more.length > 0) return undefined;
  const { name, inner } = holder;
  const frame = frameOf(reader, body, [name]);
  return { form: 'item', path: [name], item: inner, body: frame, siblings: [], layout: layoutOf(reader, inner) };
}

/** Where it stands, for people. */
export function placeText({ path }: BodyShape): string {
  return path.length === 0 ? '' : ` in "${path.join('.')}"`;
}

/** JSON:API 1.1 §7.2: a resource object has a type, an id and its members under `attributes`. */
function layoutOf(reader: SchemaReader, item: Schema | undefined): BodyShape['layout'] {
  if (item === undefined) return 'plain';
  const members = reader.members(item);
  return members.has('type') && members.has('attributes') && !members.has('name') ? 'json-api' : 'plain';
}
