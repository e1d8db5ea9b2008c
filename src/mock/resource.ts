import { memberOf } from '../json/member';
import type { JsonValue } from '../json/json-value';
import type { SchemaObject } from '../json-schema/schema';
import type { ApiModel, Schema } from '../openapi/model';
import { otherKeys } from '../resources/key';
import { foldedName, namesMeant, singular, wordsOf } from '../resources/inflection';
import { lastLiteral, parseTemplate } from '../resources/path-template';
import type { Behaviour, Binding, ResourceDescription, ResourceModel } from '../resources/resource-model';
import { once } from '../http/memo';
import { bareMembers } from './bare-members';
import { CONTENT, filePlaces, takesFiles, type FilePlace } from './file-places';
import { coerceKey, type KeyKind } from './key';
import { keyExamples } from './key-examples';
import type { Item } from './item';
import { propertyAt } from './member-address';
import { nestedSecrets, type NestedSecrets } from './nested-secrets';
import { isOpenSchema } from './open-schema';
import { shownKey } from './shown-key';
import { sortValueReader, type Key, type ToSortValue } from './order';

/** A resource of the description together with what is worked out once, for all of its requests. */
export interface Resource extends ResourceDescription {
  /** Member under which the key is stored: `$key` when no declared member holds it. */
  readonly keyMember: string;
  /** What keys look like. */
  readonly keySchema: SchemaObject;
  /** Schemas of the path parameters that hold keys: a key that they refuse names an item that nobody can ask for. */
  readonly keyPlaces: readonly Schema[];
  /** Keys that the description gives as examples where it tells how items are asked for. */
  readonly keyExamples: () => readonly string[];
  /** Members that are stored and never sent: those that start with `$`, and write-only ones. Mostly there are none. */
  readonly hidden: ReadonlySet<string>;
  /** Those hidden members that name where items were put that belong to several places: each holds a list. */
  readonly places: ReadonlySet<string>;
  /** Those write-only members that lie deeper in items. */
  readonly secrets: NestedSecrets;
  /** Members that every item must have, and that the schema does not declare. Nearly always there are none. */
  readonly bare: () => ReadonlySet<string>;
  /** Is there an operation that makes items? */
  readonly isMade: boolean;
  /** Members by which an item is found as well, where the description says so of the key, "ID or name", or a path. */
  readonly otherNames: readonly string[];
  /** Words that the description has for the caller's own item, in the place of a key. */
  readonly selfWords: ReadonlySet<string>;
  /** Paths at which that item is read or changed, without a key. */
  readonly selfPaths: ReadonlySet<string>;
  /** May items have members that the schema does not list, or lists only in a branch? */
  readonly isOpen: boolean;
  /**
   * Do all stored items keep the schema, as far as is known? What requests let in and the schema does not let out, and
   * a description that was edited, leave some that do not; then each answer is judged.
   */
  readonly conformity: { isSure: boolean };
  /** How to compare the values of a member. */
  sortValues(member: string): ToSortValue;
  /** A value of a path or a member as the key that is stored: `"1"` and `1` mean the same item. */
  toKey(value: JsonValue | undefined): Key | undefined;
}

/** The key under which a single record is stored: its collection holds no other. */
export const SINGLE_KEY = '';

/** Key of a stored item. */
export function keyOf(resource: Resource, item: Item): Key | undefined {
  if (resource.kind === 'singleton') return SINGLE_KEY;
  return resource.toKey(memberOf(item, resource.keyMember) ?? shownKey(item, resource.key));
}

/** A key as the member writes it, which may be a text where the path has a number. */
export function keyOfMember({ properties }: ResourceDescription, member: string, value: Key): Key {
  const type = properties.get(member)?.schema['type'];
  if (type === 'string') return String(value);
  return type === 'integer' ? (coerceKey(value, 'number') ?? value) : value;
}

/** Does each item lie in the one collection that has the resource's own path as its name? */
export function isRooted({ scope, kind }: ResourceDescription): boolean {
  return scope.length === 0 && kind === 'collection';
}

/** @returns the resources of a model, in its order */
export function toResources(api: ApiModel, model: ResourceModel): Resource[] {
  const bindings = new Map<ResourceDescription, Binding[]>(model.resources.map((description) => [description, []]));
  for (const binding of model.bindings.values()) bindings.get(binding.resource)?.push(binding);
  const files = [...filePlaces(api, model).values()];
  return model.resources.map((description) => toResource(api, description, bindings.get(description) ?? [], files));
}

function toResource(
  api: ApiModel,
  description: ResourceDescription,
  bindings: readonly Binding[],
  files: readonly FilePlace[],
): Resource {
  const { key, properties, schema } = description;
  const readers = new Map<string, ToSortValue>();
  const places = keyPlaces(bindings);
  const keySchema = (key.property ?? properties.get(key.member))?.schema ?? places[0]?.value ?? {};
  const kind = keyKind(keySchema);
  return {
    ...description,
    keyMember: key.member,
    keySchema,
    keyPlaces: places,
    keyExamples: once(() => keyExamples(api, description, bindings)),
    hidden: hiddenMembers(description, bindings, files),
    places: placesPut(bindings),
    secrets: nestedSecrets(api, schema),
    bare: once(() => bareMembers(api, schema)),
    isOpen: isOpenSchema(api, schema),
    isMade: bindings.some(({ behaviour }) => MAKES.has(behaviour)),
    ...otherNames(description, bindings),
    selfPaths: new Set(bindings.flatMap(({ operation, choice }) => (choice?.by === 'caller' ? [operation.path] : []))),
    conformity: { isSure: true },
    sortValues(member) {
      let reader = readers.get(member);
      if (reader === undefined)
        readers.set(member, (reader = sortValueReader(propertyAt(description, member)?.schema)));
      return reader;
    },
    toKey: (value) => coerceKey(value, kind),
  };
}

const MAKES: ReadonlySet<Behaviour> = new Set(['create', 'create-many', 'upsert']);

/** "ID or name of the thing", "name or id", "can be substituted by the id". */
const EITHER =
  /\b(?:id|name|slug)s?\b[^.]{0,40}\bor\b[^.]{0,40}\b(?:id|name|slug)\b|\bsubstitut\w*[^.]{0,60}\b(?:id|name|slug)\b/i;
/** "me" in quotation marks or backticks; and any word in them that is called a keyword or a special value. */
const SELF_WORDS = [
  /[`'"“‘](me|self|@me|current|~)[`'"”’]/gi,
  /[`'"“‘]([\w@~-]+)[`'"”’] (?:as a )?key ?word\b/gi,
  /\b(?:key ?word|special (?:value|word|string|name|id))s? [`'"“‘]([\w@~-]+)[`'"”’]/gi,
];

/**
 * By what the description lets clients name an item beside its key: in what it says of the variable in the path, as the variable
 * of another path is called, and as its own leaves the choice, `idOrName`.
 */
function otherNames(
  { properties, key, path }: ResourceDescription,
  bindings: readonly Binding[],
): Pick<Resource, 'otherNames' | 'selfWords'> {
  const variables = bindings.flatMap(({ keyParameter }) => keyParameter ?? []);
  const said = bindings.flatMap(({ operation, keyParameter }) => {
    const parameter = operation.parameters.find(({ in: place, name }) => place === 'path' && name === keyParameter);
    return parameter?.description === undefined ? [] : [parameter.description];
  });
  const either = new Set(
    said
      .filter((text) => EITHER.test(text))
      .flatMap(wordsOf)
      .map(singular),
  );
  const chosen = new Set(
    variables
      .map(namesMeant)
      .filter((each) => each.length > 1)
      .flat()
      .map(foldedName),
  );
  const told = [...properties.keys()].filter(
    (name) => chosen.has(foldedName(name)) || (NAMING.has(name.toLowerCase()) && either.has(name.toLowerCase())),
  );
  const names = new Set([
    ...told,
    ...otherKeys(properties, variables, key.member, lastLiteral(parseTemplate(path)?.segments ?? [])),
  ]);
  names.delete(key.member);
  const words = said.flatMap((text) =>
    SELF_WORDS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, word = '']) => word)),
  );
  return { otherNames: [...names], selfWords: new Set(words) };
}

const NAMING = new Set(['id', 'name', 'slug']);

function keyPlaces(bindings: readonly Binding[]): Schema[] {
  const places = new Map<string, Schema>();
  for (const { operation, keyParameter } of bindings) {
    if (keyParameter === undefined) continue;
    const schema = operation.parameters.find(
      ({ in: place, name }) => place === 'path' && name === keyParameter,
    )?.schema;
    if (schema !== undefined) places.set(schema.pointer, schema);
  }
  return [...places.values()];
}

function keyKind({ type }: SchemaObject): KeyKind {
  const types: readonly JsonValue[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const takesNumber = types.includes('integer') || types.includes('number');
  if (takesNumber === types.includes('string')) return 'any';
  return takesNumber ? 'number' : 'string';
}

/** Members by which an operation that puts items elsewhere by their keys chooses them. */
function placesPut(bindings: readonly Binding[]): ReadonlySet<string> {
  const relating = bindings.filter(({ relatesBy }) => relatesBy !== undefined);
  const members = relating.flatMap(({ restrictions }) => restrictions);
  return new Set(
    members.flatMap(({ member, shownIn }) => (shownIn === undefined && member.startsWith('$') ? [member] : [])),
  );
}

function hiddenMembers(
  { path, kind, key, properties }: ResourceDescription,
  bindings: readonly Binding[],
  files: readonly FilePlace[],
): ReadonlySet<string> {
  const names = new Set<string>();
  if (key.isHidden && kind === 'collection') names.add(key.member);
  for (const { restrictions } of bindings) {
    for (const { member } of restrictions) if (member.startsWith('$')) names.add(member);
  }
  for (const { name, writeOnly } of properties.values()) if (writeOnly) names.add(name);
  if (takesFiles(bindings)) names.add(CONTENT);
  for (const each of files) if (each.resource === path) names.add(each.member);
  return names;
}
