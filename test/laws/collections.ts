import { asList, asObject, isObject, isScalar, type JsonObject, plainName } from './checks';
import { type Description, goodSchema, type Operation } from './description';
import { type Schemas, typeOf } from './schemas';

/** Things of one kind at `path`, and each of them at `itemPath`. */
export interface Collection {
  readonly path: string;
  readonly itemPath: string;
  /** The parameter that ends `itemPath`. */
  readonly keyName: string;
  /** The names that lead to the items in the answer of `list`. */
  readonly items: readonly string[];
  readonly list?: Operation | undefined;
  readonly create?: Operation | undefined;
  readonly read?: Operation | undefined;
  readonly change?: Operation | undefined;
  readonly replace?: Operation | undefined;
  readonly remove?: Operation | undefined;
}

const WRAPPERS = new Set([
  'data',
  'result',
  'results',
  'response',
  'item',
  'payload',
  'd',
  'embedded',
  'attributes',
  'content',
]);
const LIST_NAMES = new Set([
  ...WRAPPERS,
  'items',
  'records',
  'values',
  'value',
  'entries',
  'list',
  'objects',
  'rows',
  'resources',
]);
const OTHER_VERBS =
  /^(?:search|query|find|list|get|fetch|batch|bulk|validate|check|verify|delete|remove|update|replace|set|send|test|import|upload|sync|calculate|preview|run|execute|filter|count|export|multiple)/i;
const CREATES =
  /\b(?:create|creates|add|adds|insert|register|make|new|post)|^[\w./-]*(?:create|add|insert|register|new|post)/i;

/** The collections that the paths of a description show. */
export function findCollections(description: Description, schemas: Schemas): Collection[] {
  const paths = new Map(description.operations.map(({ path }) => [bare(path), path]));
  return [...paths.values()].flatMap((itemPath) => {
    const [, parent = '', keyName = ''] = /^(.+)\/\{([^{}]+)\}\/?$/.exec(itemPath) ?? [];
    const path = keyName === '' || parent.endsWith('}') ? undefined : paths.get(bare(parent));
    return path === undefined ? [] : readCollection(description, schemas, { path, itemPath, keyName });
  });
}

function readCollection(
  { operations }: Description,
  schemas: Schemas,
  place: Pick<Collection, 'path' | 'itemPath' | 'keyName'>,
): Collection[] {
  const at = (path: string, method: string): Operation | undefined =>
    operations.find((operation) => operation.path === path && operation.method === method);
  const list = at(place.path, 'GET');
  const items = list === undefined ? undefined : findListed(schemas, list);
  const post = at(place.path, 'POST');
  const read = at(place.itemPath, 'GET');
  const create = post !== undefined && isCreation(post, read, schemas) ? post : undefined;
  if (isList(schemas, read) || (items === undefined && create === undefined)) return [];
  const [change, replace, remove] = ['PATCH', 'PUT', 'DELETE'].map((method) => at(place.itemPath, method));
  const shown = items === undefined ? undefined : list;
  return [{ ...place, items: items ?? [], list: shown, create, read, change, replace, remove }];
}

/** A path without the names of its parameters and its last slash. */
export function bare(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/$/, '');
}

function isList(schemas: Schemas, operation: Operation | undefined): boolean {
  const shown = operation === undefined ? undefined : goodSchema(operation)?.schema;
  return shown !== undefined && typeOf(schemas.flatten(shown)) === 'array';
}

/** Whether POST says that it creates one: by its status, its words, or by answering what the item answers. */
function isCreation(create: Operation, read: Operation | undefined, schemas: Schemas): boolean {
  const isOther = create.about.split(' ').some((text, at) => at < 2 && OTHER_VERBS.test(text));
  if (isOther || /\b(?:bulk|batch|multiple|many|search|list of)\b/i.test(create.about)) return false;
  if (isList(schemas, create)) return false;
  const created = goodSchema(create)?.schema;
  const saysSo = create.responses.some(({ status }) => status === '201') || CREATES.test(create.about);
  return saysSo || (read !== undefined && isSameReference(goodSchema(read)?.schema, created));
}

function isSameReference(left: JsonObject | undefined, right: JsonObject | undefined): boolean {
  return typeof left?.['$ref'] === 'string' && left['$ref'] === right?.['$ref'];
}

/** The names that lead to the items in the answer of an operation that lists. */
export function findListed(schemas: Schemas, operation: Operation): string[] | undefined {
  return findItems(schemas, operation.path, goodSchema(operation)?.schema, 0);
}

function findItems(
  schemas: Schemas,
  path: string,
  schema: JsonObject | undefined,
  depth: number,
): string[] | undefined {
  if (schema === undefined || depth > 2) return undefined;
  const flat = schemas.flatten(schema);
  if (typeOf(flat) === 'array') return typeOf(schemas.flatten(flat['items'])) === 'object' ? [] : undefined;
  const properties = Object.entries(asObject(flat['properties'])).map(([name, value]) => ({
    name,
    flat: schemas.flatten(value),
  }));
  const lists = properties.filter((one) => {
    return typeOf(one.flat) === 'array' && typeOf(schemas.flatten(one.flat['items'])) === 'object';
  });
  const word = plainName(lastWord(path));
  const named = lists.filter(({ name }) => LIST_NAMES.has(plainName(name)) || plainName(name) === word);
  const [list] = lists.length === 1 ? lists : named.length === 1 ? named : [];
  if (list !== undefined) return [list.name];
  if (lists.length > 0) return undefined;
  const wrappers = properties.filter(
    ({ name, flat: inner }) => WRAPPERS.has(plainName(name)) && typeOf(inner) === 'object',
  );
  for (const wrapper of wrappers) {
    const inner = findItems(schemas, path, wrapper.flat, depth + 1);
    if (inner !== undefined) return [wrapper.name, ...inner];
  }
  return undefined;
}

/** The items of a list's answer; `undefined` when it is none. */
export function itemsIn({ items }: Collection, json: unknown): readonly unknown[] | undefined {
  const found = items.reduce((value, name) => asObject(value)[name], json);
  return Array.isArray(found) ? found : undefined;
}

export function lastWord(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '';
}

/** `pet` of `/pets`. */
export function singularOf(path: string): string {
  const word = plainName(lastWord(path).replace(/\.\w+$/, ''));
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ss|x|ch)es$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '');
}

/** The property that shows an item's key, of those that it has. */
export function keyProperty(collection: Collection, names: readonly string[]): string | undefined {
  const want = plainName(collection.keyName);
  const singular = singularOf(collection.path);
  const wanted = [want];
  if (/id(?:entifier)?$/.test(want)) wanted.push('id', `${singular}id`, 'identifier');
  if (/(?:uuid|guid)$/.test(want)) wanted.push('uuid', 'guid', 'id');
  if (want === singular) wanted.push('id', `${singular}id`);
  if (want === `${singular}name`) wanted.push('name');
  return wanted.map((plain) => names.find((name) => plainName(name) === plain)).find((name) => name !== undefined);
}

export interface Item {
  readonly value: JsonObject;
  /** The property of the answer that holds it. */
  readonly wrapper: string | undefined;
  readonly key: string | undefined;
}

/** The item in an answer: the answer itself, or what one of its properties holds. */
export function itemIn(collection: Collection, json: unknown): Item | undefined {
  if (!isObject(json)) return undefined;
  const key = keyIn(collection, json);
  if (key !== undefined) return { value: json, wrapper: undefined, key };
  const wrapper = wrapperIn(collection, json, isObject);
  const inner = wrapper === undefined ? undefined : json[wrapper];
  return isObject(inner)
    ? { value: inner, wrapper, key: keyIn(collection, inner) }
    : { value: json, wrapper: undefined, key };
}

export function keyIn(collection: Collection, value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const property = keyProperty(collection, Object.keys(value));
  const key = property === undefined ? undefined : value[property];
  return isScalar(key) && typeof key !== 'boolean' && key !== '' ? String(key) : undefined;
}

function wrapperIn({ path }: Collection, object: JsonObject, holds: (value: unknown) => boolean): string | undefined {
  const singular = singularOf(path);
  const names = Object.keys(object);
  if (names.length > 5) return undefined;
  const held = names.filter((name) => holds(object[name]));
  return held.find((name) => WRAPPERS.has(plainName(name)) || plainName(name) === singular);
}

/** The schema of the item that a schema describes, and the property that holds it. */
export function itemSchema(
  collection: Collection,
  schemas: Schemas,
  schema: JsonObject,
): { schema: JsonObject; wrapper?: string } {
  const flat = schemas.flatten(schema);
  const properties = asObject(flat['properties']);
  const isItem = (value: unknown): boolean => typeOf(schemas.flatten(value)) === 'object';
  const wrapper = wrapperIn(collection, properties, isItem);
  const isWrapped = wrapper !== undefined && keyProperty(collection, Object.keys(properties)) === undefined;
  return isWrapped ? { schema: schemas.flatten(properties[wrapper]), wrapper } : { schema: flat };
}

/** The properties of a schema, followed. */
export function propertiesOf(schemas: Schemas, schema: JsonObject): Map<string, JsonObject> {
  const properties = Object.entries(asObject(schemas.flatten(schema)['properties']));
  return new Map(properties.map(([name, value]) => [name, schemas.flatten(value)]));
}

/** Whether the schema asks for a property. */
export function isRequired(schema: JsonObject, name: string): boolean {
  return asList(schema['required']).includes(name);
}
