import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
  valueAlong,
} from '../../core/json/json-value';
import { foldedName } from '../../core/text/inflection';
import { getOrCreate, once } from '../../core/text/memoize';
import type { Property, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { isSchemaMetadata } from '../../openapi/naming/property-names';
import { propertiesInQuery } from '../../lists/parameter-roles';
import { isSameKeyName } from '../../resources/keys/choose-key';
import { BEHAVIOURS, type Binding } from '../../resources/model/binding';
import { viewOf } from '../../openapi/view/schema-view';
import type { Call } from '../calls/call';
import { tidy } from '../state/item-representation';
import type { Item, ItemDraft } from '../state/item';
import {
  asListed,
  itemPropertyNames,
  placeInPart,
  type PlaceInPart,
  withInexpressible,
  withoutRequestOnly,
} from '../fitting/property-mapping';
import { requestSchema } from '../../openapi/view/operation-bodies';
import { isOpenSchema } from '../../openapi/view/object-properties';
import type { Resource } from '../state/prepared-resource';

export interface InputPlan {
  /** Properties that lead from the body to the item or items. */
  readonly path: readonly string[];
  /** The item, or the list of items, as it was sent. */
  sent(call: Call): JsonValue | undefined;
  /** Properties that the schema of the item in the body declares. */
  properties(call: Call): ReadonlyMap<string, Property>;
  /**
   * The properties that a client may set: declared for the body and for the item, and not read-only; whatever the schemas
   * leave open. The key is not among them. Properties have the names that they have in items, see {@link itemPropertyNames};
   * what only requests have deeper in them is left out; and query parameters that items have as properties are among them.
   *
   * @param sent - one item as it was sent
   */
  writable(call: Call, sent: JsonValue | undefined): Item;
  nameInItem(call: Call, written: string): string;
  /** What an item has of a property of the body, under its name in items, or in the part that bodies say the whole of. */
  storedValue(call: Call, item: Item, written: string): JsonValue | undefined;
  /** Keeps in the objects of an item what a body has no words for, see {@link withInexpressible}. */
  keepInexpressible(call: Call, item: ItemDraft, before: Item): void;
  /** Does the body declare a property that is read-only where items are read, by a schema of its own? */
  maySet(call: Call, name: string): boolean;
  /** Sets the properties for which the body has a `default` that items can hold, where nothing was sent for them. */
  addDefaults(call: Call, item: ItemDraft): void;
}

interface PropertyTarget {
  /** That it has there. */
  readonly name: string;
  readonly inBody: Property | undefined;
  readonly inItem: Property | undefined;
  readonly isWritable: boolean;
  /** Where it stands in an object of the item, which has no such property itself. */
  readonly inPart: PlaceInPart | undefined;
}

type Defaults = readonly (readonly [string, JsonValue])[];

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

export function planInput(api: ApiModel, { operation, request, behaviour }: Binding, resource: Resource): InputPlan {
  const { path = [], entryPath } = request ?? {};
  const item = request?.item;
  // What is about one item takes it as the first item.
  const isOneItem = request?.form === 'list' && behaviour !== 'create-many';
  const isWhole = path.length === 0 && request?.form === 'item';
  const bare = listTaken(api, { operation, request }, resource);
  const declared = declaredIn(api, isWhole ? undefined : item, bare);
  const isOpen = item !== undefined && isOpenSchema(api, item);
  const propertiesOf = (call: Call): ReadonlyMap<string, Property> => (isWhole ? call.bodyProperties : declared);
  const storedOf = ({ inBody, inItem }: PropertyTarget, value: JsonValue): JsonValue =>
    inBody === undefined || inItem === undefined || typeof value !== 'object'
      ? value
      : asListed(
          api,
          inBody,
          inItem,
          withoutRequestOnly(api, api.schemaAt(inBody.pointer), api.schemaAt(inItem.pointer), value),
        );
  // What a body of another schema says of that schema is not true of items.
  const isOther = item !== undefined && item.pointer !== resource.schema.pointer;
  const mayWrite = (inBody: Property | undefined, name: string): boolean =>
    isWritable(resource, inBody, name, isOpen) &&
    !(isOther && inBody !== undefined && isSchemaMetadata(inBody, item.pointer));
  const placeOf = (name: string, inBody: Property | undefined): PropertyTarget => ({
    name,
    inBody,
    inItem: resource.properties.get(name),
    isWritable: mayWrite(inBody, name),
    inPart:
      inBody === undefined || inBody.readOnly || resource.properties.has(name)
        ? undefined
        : placeInPart(api, name, inBody, resource.properties),
  });
  const undeclared = (name: string): PropertyTarget | undefined =>
    mayWrite(undefined, name) ? placeOf(name, undefined) : undefined;
  const placesOf = perProperties((properties) => {
    const names = itemPropertyNames(api, properties, resource.properties);
    return new Map(
      [...properties].map(([written, inBody]) => {
        const isNewKey =
          foldedName(written) === foldedName(`new_${resource.keyMember}`) ||
          (!resource.properties.has(written) && isSameKeyName(written, resource.keyMember, resource.name));
        return [written, placeOf(names.get(written) ?? (isNewKey ? resource.keyMember : written), inBody)];
      }),
    );
  });
  const defaultsOf = perProperties((properties) =>
    [...placesOf(properties).values()].flatMap(({ inBody, name }) =>
      inBody === undefined ? [] : defaultFor(api, resource, inBody, name),
    ),
  );
  const membersOf = (places: ReadonlyMap<string, PropertyTarget>, sent: Item): Record<string, JsonValue> => {
    const input: Record<string, JsonValue> = {};
    // Not by entries: clients send as many properties as they like.
    for (const written of Object.keys(sent)) {
      const place = places.get(written) ?? undeclared(written);
      const value = ownProperty(sent, written) ?? null;
      // What the whole body is said to be has it already.
      if (place?.inPart?.part !== part()?.name) setInPart(input, place?.inPart, value);
      if (place?.isWritable !== true) continue;
      setProperty(input, place.name, tidy(storedOf(place, value), place.inItem));
    }
    return input;
  };
  const inQuery = once(() => propertiesInQuery(operation, resource.properties, resource.keyMember));
  const part = once(() =>
    BEHAVIOURS[behaviour].takesWholeItems === true ? partTaken(api, item, resource) : undefined,
  );
  const nameInItem = (call: Call, written: string): string =>
    placesOf(propertiesOf(call)).get(written)?.name ?? written;
  return {
    path,
    properties: propertiesOf,
    addDefaults(call, item) {
      for (const [name, value] of defaultsOf(propertiesOf(call)))
        if (ownProperty(item, name) === undefined) setProperty(item, name, value);
      for (const { name, inBody, inItem } of placesOf(propertiesOf(call)).values()) {
        const value = ownProperty(item, name);
        if (isJsonObject(value) && inBody !== undefined && inItem !== undefined)
          setProperty(item, name, withInnerDefaults(api, inBody, inItem, value));
      }
    },
    sent(call) {
      if (bare !== undefined && Array.isArray(call.body)) return { [bare.name]: call.body };
      if (request === undefined) return undefined;
      const found = valueAlong(call.body, path);
      if (!Array.isArray(found)) return found;
      const items: JsonValue[] =
        entryPath === undefined ? found : found.map((item: JsonValue) => valueAlong(item, entryPath) ?? null);
      return isOneItem ? items[0] : items;
    },
    writable(call, sent) {
      const input = isJsonObject(sent) ? membersOf(placesOf(propertiesOf(call)), sent) : {};
      const whole = isJsonObject(sent) ? part() : undefined;
      if (whole !== undefined && ownProperty(input, whole.name) === undefined && sent !== undefined)
        setProperty(input, whole.name, tidy(onlyProperties(sent, whole.members), resource.properties.get(whole.name)));
      for (const { parameter, name } of inQuery()) {
        const value = ownProperty(input, name) === undefined ? call.parameters.query.get(parameter) : undefined;
        if (value !== undefined) setProperty(input, name, tidy(value, resource.properties.get(name)));
      }
      return input;
    },
    nameInItem,
    storedValue(call, item, written) {
      const isKey = written === resource.key.requestName;
      const own = ownProperty(item, isKey ? resource.keyMember : nameInItem(call, written));
      const inPart = own === undefined ? placesOf(propertiesOf(call)).get(written)?.inPart : undefined;
      if (inPart !== undefined) return valueAlong(item, [inPart.part, inPart.member]);
      const whole = own === undefined ? part() : undefined;
      const held = whole?.members.has(written) === true ? ownProperty(item, whole.name) : undefined;
      return isJsonObject(held) ? ownProperty(held, written) : own;
    },
    keepInexpressible(call, item, before) {
      for (const { name, inBody, inItem } of placesOf(propertiesOf(call)).values()) {
        const value = ownProperty(item, name);
        if (!isJsonObject(value) || inBody === undefined || inItem === undefined) continue;
        const [sent, stored] = [api.schemaAt(inBody.pointer), api.schemaAt(inItem.pointer)];
        setProperty(item, name, withInexpressible(api, sent, stored, value, ownProperty(before, name)));
      }
    },
    maySet(call, name) {
      const inItem = resource.properties.get(name);
      const written = propertiesOf(call);
      return inItem !== undefined && isSendable(written.get(name), inItem);
    },
  };
}

/** Sets a property of an object of an item, beside what is said of it already. */
function setInPart(input: Record<string, JsonValue>, place: PlaceInPart | undefined, value: JsonValue): void {
  if (place === undefined || value === null) return;
  const { part, member } = place;
  const held = ownProperty(input, part);
  setProperty(input, part, { ...(isJsonObject(held) ? held : {}), [member]: value });
}

function declaredIn(
  api: ApiModel,
  item: Schema | undefined,
  bare: Property | undefined,
): ReadonlyMap<string, Property> {
  if (bare !== undefined) return new Map([[bare.name, bare]]);
  return item === undefined ? NO_PROPERTIES : api.propertiesOf(item);
}

/** The one list of a single record, `{ data: [text] }`, where that list alone is sent. */
function listTaken(
  api: ApiModel,
  { operation, request }: Pick<Binding, 'operation' | 'request'>,
  { kind, properties }: Resource,
): Property | undefined {
  const view = viewOf(api);
  const taken = request === undefined ? view.unwrap(requestSchema(operation)) : undefined;
  if (kind !== 'singleton' || taken === undefined || view.items(taken) === undefined) return undefined;
  const [only, ...others] = [...properties.values()].filter((each) => {
    const schema = view.schemaOf(each);
    return !each.readOnly && schema !== undefined && view.items(schema) !== undefined;
  });
  return others.length === 0 ? only : undefined;
}

/** Works out something of the properties that a body declares when it is first asked for, and keeps it. */
function perProperties<Value>(
  make: (properties: ReadonlyMap<string, Property>) => Value,
): (properties: ReadonlyMap<string, Property>) => Value {
  const known = new WeakMap<ReadonlyMap<string, Property>, { readonly value: Value }>();
  return (properties) => getOrCreate(known, properties, () => ({ value: make(properties) })).value;
}

function isWritable(resource: Resource, inBody: Property | undefined, name: string, isOpenBody: boolean): boolean {
  const inItem = resource.properties.get(name);
  if (name === resource.keyMember || inBody?.readOnly === true) return false;
  if (inItem?.readOnly === true && !isSendable(inBody, inItem)) return false;
  if (inItem === undefined)
    return resource.shownBeside.has(name) || (mayHold(resource, name) && !resource.hidden.has(name));
  return inBody !== undefined || isOpenBody;
}

/** May items have a property that their schema does not declare? */
function mayHold({ isOpen, undeclaredRequired }: Resource, name: string): boolean {
  return isOpen || undeclaredRequired().has(name);
}

/** What requests declare by a schema of their own may be sent, whatever the schema for reading says of it. */
function isSendable(inBody: Property | undefined, inItem: Property): boolean {
  return inBody !== undefined && !inBody.readOnly && inBody.pointer !== inItem.pointer;
}

/** A property of items, and the properties that it has itself. */
interface Part {
  readonly name: string;
  readonly members: ReadonlySet<string>;
}

/**
 * The property of items that requests say the whole of: a body that is not an item, and has the properties of that one, `config` of
 * a box whose body of creation is its configuration.
 */
function partTaken(api: ApiModel, item: Schema | undefined, resource: Resource): Part | undefined {
  const view = viewOf(api);
  const body = view.unwrap(item);
  if (body === undefined || view.properties(body).size < 2 || view.areSimilar(body, resource.schema)) return undefined;
  const parts = [...resource.properties.values()].flatMap((property): Part[] => {
    const inner = view.schemaOf(property);
    if (inner === undefined || property.readOnly || !view.areSameType(inner, body)) return [];
    return [{ name: property.name, members: new Set(view.properties(inner).keys()) }];
  });
  // Of two that are alike, nothing tells which is meant.
  return parts.length === 1 ? parts[0] : undefined;
}

function onlyProperties(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  return isJsonObject(value) ? pickProperties(value, (name) => names.has(name)) : value;
}

/** An object that was sent, with the defaults of what was left out of it, as far as the one of items can hold them. */
function withInnerDefaults(api: ApiModel, inBody: Property, inItem: Property, value: JsonObject): JsonObject {
  const [sent, stored] = [viewOf(api).schemaOf(inBody), viewOf(api).schemaOf(inItem)];
  if (sent === undefined || stored === undefined) return value;
  const held = api.propertiesOf(stored);
  const full: ItemDraft = { ...value };
  for (const [name, property] of api.propertiesOf(sent)) {
    const own = ownProperty(value, name);
    const target = held.get(name);
    const preset = property.schema['default'];
    if (target === undefined || property.readOnly) continue;
    if (isJsonObject(own)) setProperty(full, name, withInnerDefaults(api, property, target, own));
    else if (
      own === undefined &&
      preset !== undefined &&
      api.schemaAt(target.pointer)?.accepts(preset, 'response') === true
    )
      setProperty(full, name, preset);
  }
  return full as JsonObject;
}

/** @param name - that the property has in items */
function defaultFor(api: ApiModel, resource: Resource, inBody: Property, name: string): Defaults {
  const value = inBody.schema['default'];
  const inItem = resource.properties.get(name);
  if (value === undefined || inItem === undefined || !isWritable(resource, inBody, name, false)) return [];
  const isHeld = api.schemaAt(inItem.pointer)?.accepts(value, 'response') === true;
  return isHeld ? [[name, value]] : [];
}
