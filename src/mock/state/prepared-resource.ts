import { equalJson, type JsonValue, ownProperty } from '../../core/json/json-value';
import { getOrCreate, once } from '../../core/text/memoize';
import { type Key, sortValueReader, type ToSortValue } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Parameter, Property, Schema } from '../../openapi/model/operation';
import { parameterExamples } from '../../openapi/view/parameter-examples';
import {
  isOpenSchema,
  nestedWriteOnly,
  type NestedWriteOnly,
  undeclaredRequired,
} from '../../openapi/view/object-properties';
import { partsOf } from '../../openapi/view/schema-shape';
import { typesOf } from '../../openapi/view/schema-view';
import { composedKeyOf, type KeyPart } from '../../resources/keys/composed-key';
import { isIdName, isSameKeyName } from '../../resources/keys/choose-key';
import { type OtherNames, otherNames } from '../../resources/keys/other-names';
import {
  type Action,
  type Behaviour,
  BEHAVIOURS,
  type Binding,
  type ResourceModel,
} from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';
import type { SchemaObject } from '../../schema/schema-object';
import { coerceKey, FORMER_KEY, type Item, type KeyKind, propertyAt, shownKey } from './item';
import { CONTENT, type FileEndpoint, fileEndpoints, takesFiles } from './item-paths';

/**
 * The texts that the description gives as keys of items where it tells how they are asked for: examples of the variable
 * of their path, then of the query parameters that choose by the key, `ids=a,b`. Numbers are none: keys count from 1.
 */
function keyExamples(api: ApiModel, { key }: Pick<ResourceDescription, 'key'>, bindings: readonly Binding[]): string[] {
  const texts = (parameter: Parameter): string[] =>
    parameterExamples(api, parameter).flatMap((value) => (typeof value === 'string' ? value.split(',') : []));
  const inPaths = bindings.flatMap(({ operation, keyParameter }) =>
    operation.parameters.filter(({ in: place, name }) => place === 'path' && name === keyParameter),
  );
  const inQueries = bindings.flatMap(({ parameters }) =>
    parameters.filters
      .filter(
        ({ property, innerPath, operator }) => property === key.name && innerPath.length === 0 && operator === 'equal',
      )
      .map(({ parameter }) => parameter),
  );
  const found = [...inPaths, ...inQueries].flatMap(texts).map((text) => text.trim());
  return [...new Set(found)].filter((text) => text !== '' && !/^\d+$/.test(text));
}

/** A resource of the description together with what is worked out once, for all of its requests. */
export interface Resource extends ResourceDescription, OtherNames {
  /** Property under which the key is stored: `$key` when no declared property holds it. */
  readonly keyMember: string;
  readonly keySchema: SchemaObject;
  /** Schemas of the path parameters that hold keys: a key that they reject names an item that nobody can ask for. */
  readonly keyPlaces: readonly Schema[];
  /** What the key of a new item is made of, where the description says so. */
  readonly keyParts: () => readonly KeyPart[] | undefined;
  /** Keys that the description gives as examples where it tells how items are asked for. */
  readonly keyExamples: () => readonly string[];
  /**
   * Properties that are stored and not sent as a part of the item: those that start with `$`, write-only ones, and those
   * that are shown beside it. Mostly there are none.
   */
  readonly hidden: ReadonlySet<string>;
  /** Those hidden properties that requests take and other responses show than those with the schema of items. */
  readonly shownBeside: ReadonlySet<string>;
  /** Those hidden properties that name where items were put that belong to several places: each holds a list. */
  readonly parentLists: ReadonlyMap<string, string | undefined>;
  /** Those write-only properties that lie deeper in items. */
  readonly nestedWriteOnly: NestedWriteOnly;
  /** Properties that every item must have, and that the schema does not declare. Nearly always there are none. */
  readonly undeclaredRequired: () => ReadonlySet<string>;
  readonly isMade: boolean;
  /** What removals make of items that they keep and lists do not show. */
  readonly unlisted: readonly Action[];
  /** Is the key a name that clients give, and may change, and no id of the service? */
  readonly isNamedByClients: boolean;
  /** Properties that paths tell of items: the key of an item of another resource. */
  belongingTo(path: string): readonly string[];
  /** Paths at which that item is read or changed, without a key. */
  readonly selfPaths: ReadonlySet<string>;
  /** May items have properties that the schema does not list, or lists only in a branch? */
  readonly isOpen: boolean;
  /** The properties that are objects. */
  readonly parts: () => readonly string[];
  sortValues(property: string): ToSortValue;
  /** A value of a path or a property as the key that is stored: `"1"` and `1` mean the same item. */
  toKey(value: JsonValue | undefined): Key | undefined;
}

/** The key under which a single record is stored: its collection holds no other. */
export const SINGLE_KEY = '';

export function keyOf(resource: Resource, item: Item): Key | undefined {
  if (resource.kind === 'singleton') return SINGLE_KEY;
  return resource.toKey(ownProperty(item, resource.keyMember) ?? shownKey(item, resource.key));
}

/** A key as the property writes it, which may be a text where the path has a number. */
export function keyOfProperty({ properties }: ResourceDescription, property: string, value: Key): Key {
  const type = properties.get(property)?.schema['type'];
  if (type === 'string') return String(value);
  return type === 'integer' ? (coerceKey(value, 'number') ?? value) : value;
}

/** Does each item lie in the one collection that has the resource's own path as its name? */
export function isRooted({ scope, kind }: ResourceDescription): boolean {
  return scope.length === 0 && kind === 'collection';
}

export function toResources(api: ApiModel, model: ResourceModel): Resource[] {
  const bindings = new Map<ResourceDescription, Binding[]>(model.resources.map((description) => [description, []]));
  for (const binding of model.bindings.values()) bindings.get(binding.resource)?.push(binding);
  const files = [...fileEndpoints(api, model).values()];
  return model.resources.map((description) => toResource(api, description, bindings.get(description) ?? [], files));
}

function toResource(
  api: ApiModel,
  description: ResourceDescription,
  bindings: readonly Binding[],
  files: readonly FileEndpoint[],
): Resource {
  const { key, properties, schema } = description;
  const readers = new Map<string, ToSortValue>();
  const places = keyPlaces(bindings);
  const keySchema = (key.property ?? properties.get(key.name))?.schema ?? places[0]?.value ?? {};
  const kind = keyKind([keySchema, ...places.map(({ value }) => value)]);
  const shownBeside = besideItem(api, description, bindings);
  const names = otherNames(description, bindings);
  const isNamed = isNamedByClients(description, bindings);
  return {
    ...description,
    keyMember: key.name,
    keySchema,
    keyPlaces: places,
    keyParts: once(() => composedKeyOf(description)),
    keyExamples: once(() => keyExamples(api, description, bindings)),
    hidden: new Set([
      ...hiddenProperties(description, bindings, files),
      ...shownBeside,
      ...(isNamed ? [FORMER_KEY] : []),
    ]),
    shownBeside,
    parentLists: parentListsOf(bindings),
    nestedWriteOnly: nestedWriteOnly(api, schema),
    undeclaredRequired: once(() => undeclaredRequired(api, schema)),
    isOpen: isOpenSchema(api, schema),
    unlisted: bindings.flatMap(({ keeps }) => (keeps?.isUnlisted === true ? [keeps.action] : [])),
    isMade: bindings.some(({ behaviour }) => BEHAVIOURS[behaviour].creates === true),
    ...names,
    otherNames: isNamed ? [...names.otherNames, FORMER_KEY] : names.otherNames,
    isNamedByClients: isNamed,
    belongingTo: (path) =>
      bindings.flatMap(({ restrictions }) =>
        restrictions.flatMap(({ parent, property }) => (parent === path ? [property] : [])),
      ),
    selfPaths: new Set(
      bindings.flatMap(({ operation, itemChoice }) => (itemChoice?.by === 'caller' ? [operation.path] : [])),
    ),
    parts: once(() => [...properties.values()].flatMap((each) => (isObjectProperty(api, each) ? [each.name] : []))),
    sortValues(property) {
      return getOrCreate(readers, property, () => sortValueReader(propertyAt(description, property)?.schema));
    },
    toKey: (value) => coerceKey(value, kind),
  };
}

/** Does an item show what an action makes of it? */
export function shows(item: Item, { assignments, timestamps }: Action): boolean {
  const value = (name: string): JsonValue => ownProperty(item, name) ?? null;
  return (
    assignments.every((each) => equalJson(value(each.property), each.value)) &&
    timestamps.every((name) => value(name) !== null)
  );
}

/** A text that is no id by its name or its format, or a number that whoever makes an item chooses. */
function isNamedByClients({ key, properties, kind }: ResourceDescription, bindings: readonly Binding[]): boolean {
  const property = kind === 'singleton' ? undefined : properties.get(key.name);
  if (property === undefined || property.readOnly || isIdName(key.name)) return false;
  const isText = typesOf(property.schema).includes('string') && property.schema['format'] !== 'uuid';
  return (isText || key.isClientChosen) && bindings.some(({ behaviour }) => RENAMES.has(behaviour));
}

const RENAMES: ReadonlySet<Behaviour> = new Set<Behaviour>(['replace', 'update', 'act']);

function isObjectProperty(api: ApiModel, { schema, pointer }: Property): boolean {
  return partsOf(api, [{ value: schema, pointer }]).some(
    ({ value }) => typesOf(value).includes('object') || value['properties'] !== undefined,
  );
}

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

/** By the first that names a type: items, before the paths of items. */
function keyKind(schemas: readonly SchemaObject[]): KeyKind {
  const types = schemas.map(typesOf).find((each) => each.length > 0) ?? [];
  const takesNumber = types.includes('integer') || types.includes('number');
  if (takesNumber === types.includes('string')) return 'any';
  return takesNumber ? 'number' : 'string';
}

/** Properties by which an operation that puts items elsewhere by their keys chooses them, with the collection that those keys are of. */
function parentListsOf(bindings: readonly Binding[]): ReadonlyMap<string, string | undefined> {
  const relating = bindings.filter(({ linkedBy }) => linkedBy !== undefined);
  const properties = relating.flatMap(({ restrictions }) => restrictions);
  return new Map(
    properties.flatMap(({ property, shownIn, parent }): [string, string | undefined][] =>
      shownIn === undefined && property.startsWith('$') ? [[property, parent]] : [],
    ),
  );
}

/** Names that a body of a request and the item in a response both declare, and the schema of items does not. */
function besideItem(
  api: ApiModel,
  { kind, properties, schema, key, name }: ResourceDescription,
  bindings: readonly Binding[],
): ReadonlySet<string> {
  const isOther = (each: Schema | undefined): each is Schema => each !== undefined && each.pointer !== schema.pointer;
  const namesIn = (schemas: readonly (Schema | undefined)[], isLeft: (property: Property) => boolean): Set<string> =>
    new Set(
      schemas
        .filter(isOther)
        .flatMap((each) =>
          [...api.propertiesOf(each).values()].flatMap((property) =>
            properties.has(property.name) || isLeft(property) || isSameKeyName(property.name, key.name, name)
              ? []
              : [property.name],
          ),
        ),
    );
  const writes =
    kind === 'collection' && !isOpenSchema(api, schema)
      ? bindings.filter(({ behaviour }) => WRITES.has(behaviour))
      : [];
  const taken = namesIn(
    writes.map(({ request }) => (request?.form === 'item' ? request.item : undefined)),
    ({ readOnly }) => readOnly,
  );
  if (taken.size === 0) return taken;
  const shown = namesIn(
    bindings.map(({ response }) => response?.item),
    ({ writeOnly }) => writeOnly,
  );
  return new Set([...taken].filter((name) => shown.has(name)));
}

const WRITES: ReadonlySet<Behaviour> = new Set<Behaviour>(['create', 'replace', 'update']);

function hiddenProperties(
  { path, kind, key, properties, relationships }: ResourceDescription,
  bindings: readonly Binding[],
  files: readonly FileEndpoint[],
): ReadonlySet<string> {
  const holders = relationships.map(({ path: [holder] }) => holder);
  const names = new Set(holders.filter((name) => name.startsWith('$')));
  if (key.isHidden && kind === 'collection') names.add(key.name);
  for (const { restrictions } of bindings) {
    for (const { property } of restrictions) if (property.startsWith('$')) names.add(property);
  }
  for (const { name, writeOnly } of properties.values()) if (writeOnly) names.add(name);
  if (takesFiles(bindings)) names.add(CONTENT);
  for (const each of files) if (each.resource === path) names.add(each.member);
  return names;
}
