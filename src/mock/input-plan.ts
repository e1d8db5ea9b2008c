import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Property } from '../openapi/model';
import type { Binding } from '../resources/resource-model';
import type { Call } from './call';
import { tidy } from './conform';
import type { Item, ItemDraft } from './item';
import { isOpenSchema } from './open-schema';
import type { Resource } from './resource';

/** What is read from the body of a request. */
export interface InputPlan {
  /** Members that lead from the body to the item or items. */
  readonly path: readonly string[];
  /** The item, or the list of items, as it was sent. */
  sent(call: Call): JsonValue | undefined;
  /** Members that the schema of the item in the body declares. */
  properties(call: Call): ReadonlyMap<string, Property>;
  /**
   * The members that a client may set: declared for the body and for the item, and not read-only; whatever the schemas
   * leave open. The key is not among them. One that bodies write in another case than items, `FriendlyName` and
   * `friendly_name`, has the name that it has in items.
   *
   * @param sent - one item as it was sent
   */
  writable(call: Call, sent: JsonValue | undefined): Item;
  /** Sets the members for which the body has a `default` that items can hold, where nothing was sent for them. */
  addDefaults(call: Call, item: ItemDraft): void;
}

type Defaults = readonly (readonly [string, JsonValue])[];

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

export function planInput(api: ApiModel, { request, behaviour }: Binding, resource: Resource): InputPlan {
  const path = request?.path ?? [];
  const item = request?.item;
  // What is about one item takes it as the first row.
  const isOneRow = request?.form === 'list' && behaviour !== 'create-many';
  const isWhole = path.length === 0 && request?.form === 'item';
  const declared = isWhole || item === undefined ? NO_PROPERTIES : api.propertiesOf(item);
  const isOpen = item !== undefined && isOpenSchema(api, item);
  const propertiesOf = (call: Call): ReadonlyMap<string, Property> => (isWhole ? call.bodyProperties : declared);
  const namesInItem = new WeakMap<ReadonlyMap<string, Property>, ReadonlyMap<string, string>>();
  const namesOf = (properties: ReadonlyMap<string, Property>): ReadonlyMap<string, string> => {
    let names = namesInItem.get(properties);
    if (names === undefined) namesInItem.set(properties, (names = otherCases(properties, resource.properties)));
    return names;
  };
  const known = new WeakMap<ReadonlyMap<string, Property>, Defaults>();
  const defaultsOf = (properties: ReadonlyMap<string, Property>): Defaults => {
    let defaults = known.get(properties);
    if (defaults === undefined) {
      const names = namesOf(properties);
      defaults = [...properties.values()].flatMap((property) =>
        defaultFor(api, resource, property, names.get(property.name) ?? property.name),
      );
      known.set(properties, defaults);
    }
    return defaults;
  };
  return {
    path,
    properties: propertiesOf,
    addDefaults(call, item) {
      for (const [name, value] of defaultsOf(propertiesOf(call)))
        if (memberOf(item, name) === undefined) setMember(item, name, value);
    },
    sent(call) {
      if (request === undefined) return undefined;
      const found = follow(call.body, path);
      return isOneRow && Array.isArray(found) ? found[0] : found;
    },
    writable(call, sent) {
      const input: Record<string, JsonValue> = {};
      if (!isJsonObject(sent)) return input;
      const properties = propertiesOf(call);
      const names = namesOf(properties);
      for (const written of Object.keys(sent)) {
        const value = sent[written];
        const name = names.get(written) ?? written;
        if (value === undefined || !isWritable(resource, properties.get(written), name, isOpen)) continue;
        setMember(input, name, tidy(value, resource.properties.get(name)));
      }
      return input;
    },
  };
}

/**
 * The members of bodies that items have in another case: by the name in bodies, the name in items. A name that items
 * have as it is written means itself, and one that could mean two means neither.
 */
function otherCases(
  inBody: ReadonlyMap<string, Property>,
  inItem: ReadonlyMap<string, Property>,
): ReadonlyMap<string, string> {
  const strange = [...inBody.keys()].filter((name) => !inItem.has(name));
  if (strange.length === 0) return NO_NAMES;
  const written = byCaseless(inBody.keys());
  const kept = byCaseless(inItem.keys());
  return new Map(
    strange.flatMap((name): [string, string][] => {
      const folded = caseless(name);
      const [match, ...others] = kept.get(folded) ?? [];
      const isPlain = match !== undefined && others.length === 0 && written.get(folded)?.length === 1;
      return isPlain ? [[name, match]] : [];
    }),
  );
}

function byCaseless(names: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(caseless(name), [...(groups.get(caseless(name)) ?? []), name]);
  return groups;
}

function caseless(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

function isWritable(resource: Resource, inBody: Property | undefined, name: string, isOpenBody: boolean): boolean {
  const inItem = resource.properties.get(name);
  if (name === resource.keyMember || inItem?.readOnly === true || inBody?.readOnly === true) return false;
  if (inItem === undefined) return (resource.isOpen || resource.bare().has(name)) && !resource.hidden.has(name);
  return inBody !== undefined || isOpenBody;
}

/** @param name - that the member has in items */
function defaultFor(api: ApiModel, resource: Resource, inBody: Property, name: string): Defaults {
  const value = inBody.schema['default'];
  const inItem = resource.properties.get(name);
  if (value === undefined || inItem === undefined || !isWritable(resource, inBody, name, false)) return [];
  const isHeld = api.schemaAt(inItem.pointer)?.validate('response')(value).length === 0;
  return isHeld ? [[name, value]] : [];
}

function follow(body: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = body;
  for (const name of path) value = isJsonObject(value) ? memberOf(value, name) : undefined;
  return value;
}
