import type { Property, Schema } from '../openapi/model/operation';
import { foldedName, singularOf, wordsOf } from '../core/text/inflection';
import { isKeyName, METADATA_NAMES } from '../openapi/naming/property-names';
import type { SchemaView } from '../openapi/view/schema-view';
import { layoutOf } from './conventions/json-api';
import { pagePropertiesOf, type PageProperty, unconstrainedList } from './page-properties';

/** Properties that wrap what a response is about. */
export const WRAPPERS: ReadonlySet<string> = new Set([
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
export const LISTS: ReadonlySet<string> = new Set([
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
const ITEM_SIGNS = new Set(['id', 'uuid', '_id', 'pk', 'guid']);
/** Properties that are parts of an item, even of one that has nothing else. */
const ITEM_PROPERTIES =
  /^(?:metadata|spec|status|properties|attributes|settings|config(?:uration)?|options|params|parameters|owner|user|address|filters?|query)$/i;
/**
 * Where the items of a list stand: the body itself, the one property that is a list of objects, a property with a name that
 * lists have, HAL's `_embedded`, one level deeper in `data` and the like, or a map by key.
 *
 * @param name - what the path calls the items: `things`
 */
export function listShape(view: SchemaView, schema: Schema | undefined, name: string): BodyShape | undefined {
  return schema === undefined
    ? undefined
    : view.memoize(`list ${name} ${schema.pointer}`, () => findListShape(view, schema, name));
}

function findListShape(view: SchemaView, schema: Schema, name: string): BodyShape | undefined {
  const body = view.unwrap(schema);
  if (body === undefined) return undefined;
  const path = pathToList(view, body, foldedName(name), 0);
  if (path !== undefined) {
    const frame = frameOf(view, body, path);
    const item = view.items(view.along(frame, path) ?? frame);
    const pageProperties = path.length === 0 ? [] : pagePropertiesOf(view, frame, path);
    return { form: 'list', path, item, body: frame, pageProperties, layout: layoutOf(view, item) };
  }
  return mapShape(view, body, [], name);
}

/** Where the one list of what has a known schema stands in a body, whatever it is called. */
export function listContaining(view: SchemaView, schema: Schema | undefined, item: Schema): BodyShape | undefined {
  const body = view.unwrap(schema);
  const lists = body === undefined ? [] : [...view.properties(body).values()];
  const [only, ...others] = lists.filter((each) => {
    const items = isScalar(each) ? undefined : view.items(view.schemaOf(each) ?? item);
    return items !== undefined && view.unwrap(items)?.pointer === item.pointer;
  });
  if (body === undefined || only === undefined || others.length > 0) return undefined;
  const path = [only.name];
  return { form: 'list', path, item, body, pageProperties: pagePropertiesOf(view, body, path), layout: 'plain' };
}

/** A map of objects by their keys: the body itself, or the property that has the name of a list. */
function mapShape(view: SchemaView, body: Schema, path: readonly string[], name: string): BodyShape | undefined {
  const map = view.along(body, path);
  const values = map && view.mapValues(map);
  if (values !== undefined && view.isObject(values))
    return { ...plainShape('map', body, values, path), pageProperties: pagePropertiesOf(view, body, path) };
  const properties = path.length === 0 ? [...view.properties(body).values()] : [];
  const holder = properties.find((each) => isListName(each.name, foldedName(name)));
  const others = properties.filter((each) => each !== holder);
  const isEnvelope = holder !== undefined && others.every((each) => isScalar(each) && !ITEM_SIGNS.has(each.name));
  return isEnvelope ? mapShape(view, body, [holder.name], name) : undefined;
}

/**
 * Where the keys of items stand in a body that lists nothing else of them: the body itself, or the property that is called
 * as keys or lists are.
 *
 * @param name - what the path calls the items: `things`
 */
export function keyListShape(view: SchemaView, schema: Schema | undefined, name: string): BodyShape | undefined {
  const body = view.unwrap(schema);
  if (body === undefined) return undefined;
  const keysIn = (list: Schema | undefined): Schema | undefined => {
    const items = list && view.items(list);
    const { type, enum: words } = items?.value ?? {};
    return (type === 'string' || type === 'integer') && words === undefined ? items : undefined;
  };
  const properties = [...view.properties(body).values()];
  const isNamed = (property: Property): boolean =>
    isListName(property.name, foldedName(name)) || isKeyName(singularOf(property.name), name);
  const [holder, ...more] = properties.filter((each) => !isScalar(each) && keysIn(view.schemaOf(each)) !== undefined);
  const isHolder = holder !== undefined && more.length === 0 && (isNamed(holder) || isCallFrame(properties, holder));
  const path = isHolder ? [holder.name] : [];
  const item = keysIn(view.along(body, path));
  if (item === undefined) return undefined;
  return { form: 'keys', path, item, body, pageProperties: pagePropertiesOf(view, body, path), layout: 'plain' };
}

/** What a body is called that says how a call went. */
const CALL_WORDS =
  /^(?:type|status|statuscode|code|error|errorcode|message|success|operation|requestid|timestamp|api|method|path)$/;
/** What holds what a call is about, where all beside it speaks of the call. */
const CALL_RESULTS = /^(?:metadata|data|results?|response|payload)$/i;

/** `{ type, status, metadata }`: is the rest plain words on the call, so that `metadata` holds what it is about? */
function isCallFrame(properties: readonly Property[], { name }: Property): boolean {
  if (!CALL_RESULTS.test(name)) return false;
  const others = properties.filter((each) => each.name !== name);
  const words = others.map((each) => (isScalar(each) ? wordsOf(each.name).join('') : ''));
  return words.some((each) => /^status/.test(each)) && words.every((each) => CALL_WORDS.test(each));
}

/** Where bodies are one of several envelopes, the first that has what is looked for: a body cannot be of two at once. */
function frameOf(view: SchemaView, body: Schema, [first]: readonly string[]): Schema {
  const isChoice = body.value['properties'] === undefined && body.value['allOf'] === undefined;
  if (first === undefined || !isChoice) return body;
  return view.alternatives(body).find((branch) => view.properties(branch).has(first)) ?? body;
}

function pathToList(view: SchemaView, schema: Schema, name: string, depth: number): string[] | undefined {
  if (isListOfObjects(view, schema)) return [];
  const list = listProperty(view, schema, name);
  if (list !== undefined) return [list.name];
  if (depth >= 1) return undefined;
  for (const property of view.properties(schema).values()) {
    if (!mayWrapList(view, schema, property.name) && foldedName(property.name) !== name) continue;
    const inner = view.schemaOf(property);
    // What has a key of its own is the item: a list in it is a part of it.
    const mayHold = inner !== undefined && view.isObject(inner) && !hasKey(view, inner);
    const rest = mayHold ? pathToList(view, inner, name, depth + 1) : undefined;
    if (rest !== undefined) return [property.name, ...rest];
  }
  return undefined;
}

/** HAL embeds in an item what belongs to it, and in a page the items. */
function mayWrapList(view: SchemaView, schema: Schema, property: string): boolean {
  return property === '_embedded' ? !hasKey(view, schema) : WRAPPERS.has(property.toLowerCase());
}

/** The property that is the list: by its name, or because the body is nothing beside it. */
function listProperty(view: SchemaView, schema: Schema, name: string): Property | undefined {
  return objectList(view, schema, name) ?? unconstrainedList(view, schema, (each) => isListName(each, name));
}

function objectList(view: SchemaView, schema: Schema, name: string): Property | undefined {
  const properties = [...view.properties(schema).values()];
  const lists = properties.filter((property) => !isScalar(property) && isListOfObjects(view, view.schemaOf(property)));
  const named =
    lists.find((property) => foldedName(property.name) === name) ??
    lists.find((property) => LISTS.has(property.name.toLowerCase()));
  const [only, ...more] = lists;
  if (named !== undefined || only === undefined || more.length > 0) return named;
  const known = new Set(pagePropertiesOf(view, schema, [only.name]).map(({ path }) => path[0]));
  const others = properties.filter((property) => property !== only && !known.has(property.name));
  // A page of `tasks` is that of `/order_task`, whatever stands beside it.
  if (known.size > 0 && name.endsWith(foldedName(only.name))) return only;
  const isItem = others.some((property) => ITEM_SIGNS.has(property.name) || !isMetadata(property));
  return isItem && !isCallFrame(properties, only) ? undefined : only;
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

function isListOfObjects(view: SchemaView, schema: Schema | undefined): boolean {
  const items = schema === undefined ? undefined : view.items(schema);
  return items !== undefined && view.isObject(items);
}

/**
 * Where the one item of a body stands: the body itself, or the one object in it that wraps it, such as `data`, or
 * `thing` where the path speaks of things.
 */
export function itemShape(view: SchemaView, schema: Schema | undefined, name: string): BodyShape | undefined {
  return schema === undefined
    ? undefined
    : view.memoize(`item ${name} ${schema.pointer}`, () => findItemShape(view, schema, name));
}

function findItemShape(view: SchemaView, schema: Schema, name: string): BodyShape | undefined {
  const body = view.unwrap(schema);
  if (body === undefined || !view.isObject(body)) return undefined;
  const wrapper = wrapperOf(view, body, foldedName(name));
  const path = wrapper === undefined ? [] : [wrapper.name];
  const frame = frameOf(view, body, path);
  const item = view.along(frame, path) ?? frame;
  return { form: 'item', path, item, body: frame, pageProperties: [], layout: layoutOf(view, item) };
}

function wrapperOf(view: SchemaView, body: Schema, name: string): Property | undefined {
  const properties = [...view.properties(body).values()];
  const wrapper = properties.find((property) => {
    if (foldedName(property.name) !== name && !WRAPPERS.has(property.name.toLowerCase())) return false;
    const schema = view.schemaOf(property);
    return schema !== undefined && view.properties(schema).size > 0;
  });
  if (wrapper === undefined)
    return properties.find((each) => isCallFrame(properties, each)) ?? onlyProperty(view, properties, name);
  const others = properties.filter((property) => property !== wrapper);
  const isWrapper =
    others.every(isMetadata) || isCallFrame(properties, wrapper) || isNounWrapper(view, body, wrapper, name);
  return isWrapper || isDataWrapper(view, body, wrapper, others) ? wrapper : undefined;
}

/** `{ data: { id }, status, service, operation }`: plain properties beside data with a key tell of the call. */
function isDataWrapper(view: SchemaView, body: Schema, wrapper: Property, others: readonly Property[]): boolean {
  const inner = wrapper.name === 'data' || wrapper.name === 'result' ? view.schemaOf(wrapper) : undefined;
  return inner !== undefined && others.every(isScalar) && hasKey(view, inner) && !hasKey(view, body);
}

/** `{ thing: { id }, action }`: what the path speaks of has a key, and the body around it has none. */
function isNounWrapper(view: SchemaView, body: Schema, wrapper: Property, name: string): boolean {
  const inner = foldedName(wrapper.name) === name ? view.schemaOf(wrapper) : undefined;
  const hasOwnKey = (schema: Schema): boolean =>
    hasKey(view, schema) ||
    [...view.properties(schema).values()].some(
      (each) => isScalar(each) && isKeyName(each.name.replace(/arn$/i, 'Id'), name),
    );
  return inner !== undefined && view.items(inner) === undefined && hasOwnKey(inner) && !hasOwnKey(body);
}

function hasKey(view: SchemaView, schema: Schema): boolean {
  return [...view.properties(schema).keys()].some((name) => ITEM_SIGNS.has(name));
}

/**
 * Whatever it is called, an object that is all there is in a body wraps what the body is about: `{ ssh_key: {…} }`. One of
 * which nothing is known does where it is called as the things of the path are, or as wrappers are.
 */
function onlyProperty(view: SchemaView, properties: readonly Property[], name: string): Property | undefined {
  const [only, ...more] = properties.filter((property) => !isMetadata(property));
  if (only === undefined || more.length > 0 || isScalar(only) || ITEM_PROPERTIES.test(only.name)) return undefined;
  const schema = view.schemaOf(only);
  if (schema === undefined || view.items(schema) !== undefined) return undefined;
  const isNamed = foldedName(only.name) === name || WRAPPERS.has(only.name.toLowerCase());
  const isFree = isNamed && view.acceptsAnyObject(schema);
  return isFree || view.properties(schema).size >= 2 ? only : undefined;
}

/**
 * Where the item stands in what an operation takes. One property that items have themselves is a part of the item, and no
 * envelope around it.
 */
export function requestItemShape(
  view: SchemaView,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const shape = shapeContaining(view, schema, item, name) ?? itemShape(view, schema, name);
  const [first] = shape?.path ?? [];
  const isPart = shape?.form === 'item' && first !== undefined && view.properties(item).has(first);
  const isItem = shape?.item !== undefined && view.areSimilar(shape.item, item, name);
  return isPart && !isItem ? { ...shape, path: [], item: shape.body, layout: 'plain' } : shape;
}

/** Where a list or item of known shape stands in a body: looked for by what it is, not by names. */
export function shapeContaining(
  view: SchemaView,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const isItem = (shown: Schema | undefined): boolean =>
    shown !== undefined &&
    (view.areSimilar(shown, item, name) || (view.acceptsAnyObject(shown) && view.acceptsAnyObject(item)));
  const single = itemShape(view, schema, name);
  if (isItem(single?.item)) return single;
  const list = listShape(view, schema, name);
  return isItem(list?.item) ? list : (propertyContaining(view, schema, item) ?? containedBelow(view, single, item));
}

/** The same in the object that wraps what the body is about, `{ data: { thing, receipt } }`. */
function containedBelow(view: SchemaView, outer: BodyShape | undefined, item: Schema): BodyShape | undefined {
  const inner = outer === undefined || outer.path.length === 0 ? undefined : propertyContaining(view, outer.item, item);
  return outer && inner && { ...inner, path: [...outer.path, ...inner.path], body: outer.body };
}

/**
 * The one property of a body that is the item: `{ content, commit }` where all are objects, or any body that has the
 * very schema of the item beside what says how it is to be taken, `{ idempotency_key, thing }`, or one like it beside
 * nothing that items have, `{ result, status_code }`.
 */
function propertyContaining(view: SchemaView, schema: Schema | undefined, item: Schema): BodyShape | undefined {
  const body = view.unwrap(schema);
  const properties = body === undefined ? [] : [...view.properties(body).values()];
  const held = properties.flatMap((property) => {
    const inner = isScalar(property) ? undefined : view.schemaOf(property);
    return inner !== undefined && view.isObject(inner) && view.items(inner) === undefined
      ? [{ name: property.name, inner }]
      : [];
  });
  const isOnlyObjects = held.length === properties.length;
  const known = view.properties(item);
  const isFrame = properties.every(({ name }) => !known.has(name));
  const isItem = (inner: Schema): boolean =>
    isOnlyObjects
      ? view.areSameType(inner, item)
      : inner.pointer === item.pointer || (isFrame && view.areSimilar(inner, item));
  const [holder, ...more] = held.filter(({ inner }) => isItem(inner));
  if (body === undefined || holder === undefined || more.length > 0) return undefined;
  const { name, inner } = holder;
  const frame = frameOf(view, body, [name]);
  return { form: 'item', path: [name], item: inner, body: frame, pageProperties: [], layout: layoutOf(view, inner) };
}

/** Where it stands, for people. */
export function pathInBody({ path }: BodyShape): string {
  return path.length === 0 ? '' : ` in "${path.join('.')}"`;
}

/** Where items stand in a body. */
export interface BodyShape {
  /** `map`: an object whose property names are the keys. `keys`: a list of the keys alone. */
  readonly form: 'item' | 'list' | 'map' | 'keys';
  /** Properties that lead from the body to the item or list; empty when it is the body itself. */
  readonly path: readonly string[];
  /** Properties that lead from an entry of the list to the item, where that is not an entry itself: `{ thing: {…} }`. */
  readonly entryPath?: readonly string[];
  /** Schema of one item, or of its key, as it stands there; its pointer tells whether it is the one that is stored. */
  readonly item: Schema | undefined;
  /** Schema of the whole body. */
  readonly body: Schema;
  /** Properties beside the list that the mock knows how to fill. */
  readonly pageProperties: readonly PageProperty[];
  /** `json-api`: properties of the item stand under `attributes`, beside `type` and `id` (JSON:API 1.1 §7). */
  readonly layout: 'plain' | 'json-api';
}

/** An item, or a list or map of such, in a body that tells nothing beside it. */
export function plainShape(
  form: BodyShape['form'],
  body: Schema,
  item: Schema | undefined = body,
  path: readonly string[] = [],
): BodyShape {
  return { form, path, item, body, pageProperties: [], layout: 'plain' };
}
