import { isJsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { chanceOf } from '../../payload/sampler/chance';
import type { Property, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { coerceToSchema, fillMissingParts, type SampleSchema } from './schema-fitting';
import { embeddedPage } from './body-frame';
import { once } from '../../core/text/memoize';
import type { Item, ItemDraft } from '../state/item';
import { createKeyGenerator, type KeyGenerator } from './key-generator';
import type { Resource } from '../state/prepared-resource';
import { type CreationHints, isSecretName, timestampFormat, type TimestampFormat } from './new-item-hints';
import { initialValueMaker, type MakeValue, slugFromName } from './initial-values';
import { isUpdateTimeName, isCreationTimeName } from '../../openapi/naming/property-names';
import { viewOf } from '../../openapi/view/schema-view';
import type { ItemKey } from '../../resources/model/resource';
import type { Key } from '../../lists/sort-values';

/** What a service adds to what a client sends. Worked out once for each resource. */
export interface ServerValues {
  readonly keys: KeyGenerator;
  /** Sets the properties with a `default` that are missing (JSON Schema Validation §9.2). */
  addDefaults(item: ItemDraft): void;
  /**
   * Sets the properties that only the service can set, and the required ones that nobody has set.
   *
   * @param nowMs - epoch milliseconds; `undefined` for a record that nobody has made
   * @returns the names of the properties that were set
   */
  complete(item: ItemDraft, nowMs: number | undefined): string[];
  /** The value of a property in the form in which items hold it; see {@link coerceToSchema}. */
  coerce(property: string, value: JsonValue, key: string | undefined): JsonValue;
  /** Does the service set this property itself: a time of making or change, a secret? */
  isServerSet(member: string): boolean;
  accepts(member: string, value: JsonValue): boolean;
  /** The same item with what the parts of its properties lack; see {@link fillMissingParts}. */
  fillParts(item: ItemDraft): ItemDraft;
  /**
   * An object of another schema with what it must have and lacks.
   *
   * @param name - by which it is known: another object for each
   */
  filled(schema: Schema, name: string, value: Item): JsonValue;
  readonly changeTimestamps: readonly string[];
  setChangeTimestamps(item: ItemDraft, nowMs: number): void;
  /** Sets one property to the time, in the way in which it holds times; one that holds none is left alone. */
  setTimestamp(item: ItemDraft, member: string, nowMs: number): void;
}

/** @param creation - what is said of how items come to be */
export function planServerValues(
  api: ApiModel,
  resource: Resource,
  sample: SampleSchema,
  creation: CreationHints,
): ServerValues {
  const defaulted: Property[] = [];
  const makers: (readonly [string, MakeValue])[] = [];
  const touched: (readonly [string, TimestampFormat])[] = [];
  for (const property of resource.properties.values()) {
    const { name, schema } = property;
    if (name === resource.keyMember) continue;
    const clock = isUpdateTimeName(name) ? timestampFormat(property) : undefined;
    if (clock !== undefined) touched.push([name, clock]);
    if (schema['default'] !== undefined) defaulted.push(property);
    const maker = initialValueMaker(api, property, creation, sample);
    if (maker !== undefined) makers.push([name, maker]);
  }
  const isOneOfSeveral = once(() => viewOf(api).alternatives(resource.schema).length > 0);
  const besideKey = once(() => propertiesOf(api, resource.properties.get(resource.key.propertyPath[0] ?? '')));
  const placeOf = (name: string): Schema | undefined => {
    const property = resource.properties.get(name);
    return property && api.schemaAt(property.pointer);
  };
  const defaults = once(() => defaulted.flatMap((property) => defaultOf(api, property)));
  return {
    keys: createKeyGenerator(api, resource, sample),
    changeTimestamps: touched.map(([name]) => name),
    addDefaults(item) {
      for (const [name, value] of defaults()) if (ownProperty(item, name) === undefined) setProperty(item, name, value);
    },
    complete(item, nowMs) {
      const made: string[] = [];
      const ordinal = chanceOf(scalarText(ownProperty(item, resource.keyMember) ?? ''));
      for (const [name, make] of makers) {
        const value =
          ownProperty(item, name) === undefined ? (slugFromName(name, item) ?? make(nowMs, ordinal)) : undefined;
        if (value === undefined) continue;
        setProperty(item, name, value);
        made.push(name);
      }
      addUndeclaredRequired(resource, item, sample);
      const key = resource.toKey(ownProperty(item, resource.keyMember));
      if (key !== undefined && nowMs !== undefined) completeBesideKey(item, resource.key, besideKey(), key, nowMs);
      return made;
    },
    coerce(property, value, key) {
      const place = placeOf(property);
      if (place === undefined) return value;
      const inner = (at: Schema, entry: JsonValue): JsonValue => coerceToSchema(api, at, entry, key);
      const page = Array.isArray(value) ? embeddedPage(api, place, property, value, sample, inner) : undefined;
      return page ?? coerceToSchema(api, place, value, key);
    },
    isServerSet: (member) => isCreationTimeName(member) || isUpdateTimeName(member) || isSecretName(member),
    accepts(member, value) {
      const place = placeOf(member);
      return place === undefined || place.accepts(value, 'response');
    },
    fillParts(item) {
      const filled: ItemDraft = { ...item };
      for (const { name, pointer } of resource.properties.values()) {
        const value = item[name];
        const place = typeof value === 'object' ? api.schemaAt(pointer) : undefined;
        if (place !== undefined && value !== undefined) filled[name] = fillMissingParts(api, sample, place, value);
      }
      return isOneOfSeveral() ? asOneOfSeveral(api, sample, resource, filled) : filled;
    },
    filled(schema, name, value) {
      if (schema.accepts(value, 'response')) return value;
      const whole = sample(schema, chanceOf(name));
      return fillMissingParts(api, sample, schema, isJsonObject(whole) ? { ...whole, ...value } : value);
    },
    setTimestamp(item, member, nowMs) {
      const property = resource.properties.get(member);
      const clock = property === undefined ? undefined : timestampFormat(property);
      if (clock !== undefined) setProperty(item, member, clock(nowMs));
    },
    setChangeTimestamps(item, nowMs) {
      for (const [name, make] of touched) setProperty(item, name, make(nowMs));
    },
  };
}

/** An item that is one of several kinds, with what the kind must have that its properties tell. */
function asOneOfSeveral(api: ApiModel, sample: SampleSchema, resource: Resource, item: ItemDraft): ItemDraft {
  const own = Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      value === undefined || resource.hidden.has(name) ? [] : [[name, value]],
    ),
  );
  const whole = fillMissingParts(api, sample, resource.schema, own);
  return isJsonObject(whole) ? { ...item, ...whole } : item;
}

function propertiesOf(api: ApiModel, property: Property | undefined): ReadonlyMap<string, Property> {
  const view = viewOf(api);
  const schema = property === undefined ? undefined : view.schemaOf(property);
  return schema === undefined ? new Map() : view.properties(schema);
}

/** What is required and declared nowhere has what a sample of the whole has there. */
function addUndeclaredRequired({ undeclaredRequired, schema }: Resource, item: ItemDraft, sample: SampleSchema): void {
  const missing = [...undeclaredRequired()].filter((name) => ownProperty(item, name) === undefined);
  const whole = missing.length === 0 ? undefined : sample(schema);
  if (isJsonObject(whole)) for (const name of missing) setProperty(item, name, ownProperty(whole, name));
}

/** The default of a property as items hold it: `'false'` is not a truth value. One that says nothing they can hold is none. */
function defaultOf(api: ApiModel, { name, schema, pointer }: Property): (readonly [string, JsonValue])[] {
  const value = schema['default'];
  const place = api.schemaAt(pointer);
  if (value === undefined || place === undefined) return [];
  const held = coerceToSchema(api, place, value);
  return place.accepts(held, 'response') ? [[name, held]] : [];
}

/** Names of properties that hold an identifier which the service gives out beside the key. */
const GIVEN_ID = /^(?:uid|uuid|guid|unique_?id)$/i;
function isPlainText({ schema }: Property): boolean {
  return schema['type'] === 'string' && schema['pattern'] === undefined && schema['enum'] === undefined;
}

/** In the form of a UUID of version 4 (RFC 9562 §5.4); the same for the same key at the same time. */
function identifier(key: Key, nowMs: number): string {
  const hex = [0, 1, 2, 3]
    .map((part) => chanceOf(`${key} ${nowMs} ${part}`).toString(16).padStart(8, '0').slice(-8))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Sets what a service says of an item beside its key: an identifier of its own, and when it was made. What is there
 * stays.
 *
 * @param around - properties of the object that holds the key
 */
function completeBesideKey(
  item: ItemDraft,
  { propertyPath }: ItemKey,
  around: ReadonlyMap<string, Property>,
  key: Key,
  nowMs: number,
): void {
  const [member, name] = propertyPath;
  if (member === undefined || name === undefined || propertyPath.length !== 2) return;
  const held = ownProperty(item, member);
  const shown: Record<string, JsonValue> = isJsonObject(held) ? { ...held } : {};
  for (const property of around.values()) {
    if (ownProperty(shown, property.name) !== undefined) continue;
    const clock = isCreationTimeName(property.name) ? timestampFormat(property) : undefined;
    if (clock !== undefined) setProperty(shown, property.name, clock(nowMs));
    else if (GIVEN_ID.test(property.name) && isPlainText(property))
      setProperty(shown, property.name, identifier(key, nowMs));
  }
  setProperty(item, member, shown);
}
