import type { Property, Schema } from '../openapi/model/operation';
import { foldedName, wordsOf } from '../core/text/inflection';
import { acceptsAnyObject, schemaAlong, type SchemaReader } from '../openapi/view/schema-reader';
import { pagePropertiesOf, type PageProperty, unconstrainedList } from './page-properties';

/** Properties that wrap what a response is about. */
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
/** Properties that hold the items of a list. */
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
/** Properties of an object that is an item itself, whatever else it holds. */
const ITEM_SIGNS = new Set(['id', 'uuid', '_id', 'guid']);
/** Properties that are parts of an item, even of one that has nothing else. */
const ITEM_PROPERTIES =
  /^(?:metadata|spec|status|properties|attributes|settings|config(?:uration)?|options|params|parameters|owner|user|address|filters?|query)$/i;
/** Properties that stand beside a wrapped item. */
const METADATA_NAMES =
  /^_?(?:meta|metadata|links?|included|jsonapi|success|ok|status|code|message|errors?|failed|failures?|version|timestamp|requestid|warnings|time|(?:cache)?ts|took|duration|elapsed|usage)$/;

/**
 * Where the items of a list stand: the body itself, the one property that is a list of objects, a property with a name that
 * lists have, HAL's `_embedded`, one level deeper in `data` and the like, or a map by key.
 *
 * @param name - what the path calls the items: `things`
 */
export function listShape(reader: SchemaReader, schema: Schema | undefined, name: string): BodyShape | undefined {
  return schema === undefined
    ? undefined
    : reader.memoize(`list ${name} ${schema.pointer}`, () => findListShape(reader, schema, name));
}

function findListShape(reader: SchemaReader, schema: Schema, name: string): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined) return undefined;
  const path = pathToList(reader, body, foldedName(name), 0);
  if (path !== undefined) {
    const frame = frameOf(reader, body, path);
    const item = reader.items(schemaAlong(reader, frame, path) ?? frame);
    const pageProperties = path.length === 0 ? [] : pagePropertiesOf(reader, frame, path);
    return { form: 'list', path, item, body: frame, pageProperties, layout: layoutOf(reader, item) };
  }
  const values = reader.mapValues(body);
  if (values === undefined || !reader.isObject(values)) return undefined;
  return { form: 'map', path: [], item: values, body, pageProperties: [], layout: 'plain' };
}

/** Where bodies are one of several envelopes, the first that has what is looked for: a body cannot be of two at once. */
function frameOf(reader: SchemaReader, body: Schema, [first]: readonly string[]): Schema {
  const isChoice = body.value['properties'] === undefined && body.value['allOf'] === undefined;
  if (first === undefined || !isChoice) return body;
  return reader.alternatives(body).find((branch) => reader.properties(branch).has(first)) ?? body;
}

function pathToList(reader: SchemaReader, schema: Schema, name: string, depth: number): string[] | undefined {
  if (isListOfObjects(reader, schema)) return [];
  const list = listProperty(reader, schema, name);
  if (list !== undefined) return [list.name];
  if (depth >= 1) return undefined;
  for (const property of reader.properties(schema).values()) {
    const mayWrap = property.name === '_embedded' || WRAPPERS.has(property.name.toLowerCase());
    if (!mayWrap && foldedName(property.name) !== name) continue;
    const inner = reader.schemaOf(property);
    // What has a key of its own is the item: a list in it is a part of it.
    const mayHold = inner !== undefined && reader.isObject(inner) && !hasKey(reader, inner);
    const rest = mayHold ? pathToList(reader, inner, name, depth + 1) : undefined;
    if (rest !== undefined) return [property.name, ...rest];
  }
  return undefined;
}

/** The property that is the list: by its name, or because the body is nothing beside it. */
function listProperty(reader: SchemaReader, schema: Schema, name: string): Property | undefined {
  return objectList(reader, schema, name) ?? unconstrainedList(reader, schema, (each) => isListName(each, name));
}

function objectList(reader: SchemaReader, schema: Schema, name: string): Property | undefined {
  const properties = [...reader.properties(schema).values()];
  const lists = properties.filter(
    (property) => !isScalar(property) && isListOfObjects(reader, reader.schemaOf(property)),
  );
  const named =
    lists.find((property) => foldedName(property.name) === name) ??
    lists.find((property) => LISTS.has(property.name.toLowerCase()));
  const [only, ...more] = lists;
  if (named !== undefined || only === undefined || more.length > 0) return named;
  const known = new Set(pagePropertiesOf(reader, schema, [only.name]).map(({ path }) => path[0]));
  const others = properties.filter((property) => property !== only && !known.has(property.name));
  const isItem = others.some((property) => ITEM_SIGNS.has(property.name) || !isMetadata(property));
  return isItem ? undefined : only;
}

function isListName(property: string, name: string): boolean {
  return foldedName(property) === name || LISTS.has(property.toLowerCase());
}

/** Most properties are: nothing needs to be followed to see it. */
function isScalar({ schema }: Property): boolean {
  const { type } = schema;
  return typeof type === 'string' && type !== 'array' && type !== 'object' && schema['$ref'] === undefined;
}

function isMetadata(property: Property): boolean {
  const { type } = property.schema;
  return METADATA_NAMES.test(wordsOf(property.name).join('')) || type === 'boolean';
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
    : reader.memoize(`item ${name} ${schema.pointer}`, () => findItemShape(reader, schema, name));
}

function findItemShape(reader: SchemaReader, schema: Schema, name: string): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined || !reader.isObject(body)) return undefined;
  const wrapper = wrapperOf(reader, body, foldedName(name));
  const path = wrapper === undefined ? [] : [wrapper.name];
  const frame = frameOf(reader, body, path);
  const item = schemaAlong(reader, frame, path) ?? frame;
  return { form: 'item', path, item, body: frame, pageProperties: [], layout: layoutOf(reader, item) };
}

function wrapperOf(reader: SchemaReader, body: Schema, name: string): Property | undefined {
  const properties = [...reader.properties(body).values()];
  const wrapper = properties.find((property) => {
    if (foldedName(property.name) !== name && !WRAPPERS.has(property.name.toLowerCase())) return false;
    const schema = reader.schemaOf(property);
    return schema !== undefined && reader.properties(schema).size > 0;
  });
  if (wrapper === undefined) return onlyProperty(reader, properties);
  const others = properties.filter((property) => property !== wrapper);
  const isWrapper = others.every(isMetadata) || isNounWrapper(reader, body, wrapper, name);
  return isWrapper || isDataWrapper(reader, body, wrapper, others) ? wrapper : undefined;
}

/** `{ data: { id }, status, service, operation }`: plain properties beside data with a key tell of the call. */
function isDataWrapper(reader: SchemaReader, body: Schema, wrapper: Property, others: readonly Property[]): boolean {
  const inner = wrapper.name === 'data' || wrapper.name === 'result' ? reader.schemaOf(wrapper) : undefined;
  return inner !== undefined && others.every(isScalar) && hasKey(reader, inner) && !hasKey(reader, body);
}

/** `{ thing: { id }, action }`: what the path speaks of has a key, and the body around it has none. */
function isNounWrapper(reader: SchemaReader, body: Schema, wrapper: Property, name: string): boolean {
  const inner = foldedName(wrapper.name) === name ? reader.schemaOf(wrapper) : undefined;
  return inner !== undefined && reader.items(inner) === undefined && hasKey(reader, inner) && !hasKey(reader, body);
}

function hasKey(reader: SchemaReader, schema: Schema): boolean {
  return [...reader.properties(schema).keys()].some((name) => ITEM_SIGNS.has(name));
}

/** Whatever it is called, an object that is all there is in a body wraps what the body is about: `{ ssh_key: {…} }`. */
function onlyProperty(reader: SchemaReader, properties: readonly Property[]): Property | undefined {
  const [only, ...more] = properties.filter((property) => !isMetadata(property));
  if (only === undefined || more.length > 0 || isScalar(only) || ITEM_PROPERTIES.test(only.name)) return undefined;
  const schema = reader.schemaOf(only);
  const isList = schema === undefined || reader.items(schema) !== undefined;
  return isList || reader.properties(schema).size < 2 ? undefined : only;
}

/**
 * Where the item stands in what an operation takes. One property that items have themselves is a part of the item, and no
 * envelope around it.
 */
export function requestItemShape(
  reader: SchemaReader,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const shape = shapeContaining(reader, schema, item, name) ?? itemShape(reader, schema, name);
  const [first] = shape?.path ?? [];
  const isPart = shape?.form === 'item' && first !== undefined && reader.properties(item).has(first);
  const isItem = shape?.item !== undefined && reader.areSimilar(shape.item, item);
  return isPart && !isItem ? { ...shape, path: [], item: shape.body, layout: 'plain' } : shape;
}

/** Where a list or item of known shape stands in a body: looked for by what it is, not by names. */
export function shapeContaining(
  reader: SchemaReader,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const isItem = (shown: Schema | undefined): boolean =>
    shown !== undefined &&
    (reader.areSimilar(shown, item) || (acceptsAnyObject(reader, shown) && acceptsAnyObject(reader, item)));
  const single = itemShape(reader, schema, name);
  if (isItem(single?.item)) return single;
  const list = listShape(reader, schema, name);
  return isItem(list?.item) ? list : propertyContaining(reader, schema, item);
}

/**
 * The one property of a body that is the item: `{ content, commit }` where all are objects, or any body that has the
 * very schema of the item beside what says how it is to be taken, `{ idempotency_key, thing }`.
 */
function propertyContaining(reader: SchemaReader, schema: Schema | undefined, item: Schema): BodyShape | undefined {
  const body = reader.unwrap(schema);
  const properties = body === undefined ? [] : [...reader.properties(body).values()];
  const held = properties.flatMap((property) => {
    const inner = isScalar(property) ? undefined : reader.schemaOf(property);
    return inner !== undefined && reader.isObject(inner) && reader.items(inner) === undefined
      ? [{ name: property.name, inner }]
      : [];
  });
  const isOnlyObjects = held.length === properties.length;
  const [holder, ...more] = held.filter(({ inner }) =>
    isOnlyObjects ? reader.areSameType(inner, item) : inner.pointer === item.pointer,
  );
  if (body === undefined || holder === undefined || more.length > 0) return undefined;
  const { name, inner } = holder;
  const frame = frameOf(reader, body, [name]);
  return { form: 'item', path: [name], item: inner, body: frame, pageProperties: [], layout: layoutOf(reader, inner) };
}

/** Where it stands, for people. */
export function pathInBody({ path }: BodyShape): string {
  return path.length === 0 ? '' : ` in "${path.join('.')}"`;
}

/** JSON:API 1.1 §7.2: a resource object has a type, an id and its properties under `attributes`. */
function layoutOf(reader: SchemaReader, item: Schema | undefined): BodyShape['layout'] {
  if (item === undefined) return 'plain';
  const properties = reader.properties(item);
  return properties.has('type') && properties.has('attributes') && !properties.has('name') ? 'json-api' : 'plain';
}

/** Where items stand in a body. */
export interface BodyShape {
  /** `map`: an object whose property names are the keys. */
  readonly form: 'item' | 'list' | 'map';
  /** Properties that lead from the body to the item or list; empty when it is the body itself. */
  readonly path: readonly string[];
  /** Properties that lead from an entry of the list to the item, where that is no entry itself: `{ thing: {…} }`. */
  readonly entryPath?: readonly string[];
  /** Schema of one item as it stands there; its pointer tells whether it is the one that is stored. */
  readonly item: Schema | undefined;
  /** Schema of the whole body. */
  readonly body: Schema;
  /** Properties beside the list that the mock knows how to fill. */
  readonly pageProperties: readonly PageProperty[];
  /** `json-api`: properties of the item stand under `attributes`, beside `type` and `id` (JSON:API 1.1 §7). */
  readonly layout: 'plain' | 'json-api';
}
