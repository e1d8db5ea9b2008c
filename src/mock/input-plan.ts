import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Property } from '../openapi/model';
import type { Binding } from '../resources/resource-model';
import type { Call } from './call';
import { tidy } from './conform';
import type { Item } from './item';
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
   * leave open. The key is not among them.
   *
   * @param sent - one item as it was sent
   */
  writable(call: Call, sent: JsonValue | undefined): Item;
}

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

export function planInput(api: ApiModel, { request }: Binding, resource: Resource): InputPlan {
  const path = request?.path ?? [];
  const item = request?.item;
  const isWhole = path.length === 0 && request?.form === 'item';
  const declared = isWhole || item === undefined ? NO_PROPERTIES : api.propertiesOf(item);
  const isOpen = item !== undefined && isOpenSchema(api, item);
  const propertiesOf = (call: Call): ReadonlyMap<string, Property> => (isWhole ? call.bodyProperties : declared);
  return {
    path,
    properties: propertiesOf,
    sent: (call) => (request === undefined ? undefined : follow(call.body, path)),
    writable(call, sent) {
      const input: Record<string, JsonValue> = {};
      if (!isJsonObject(sent)) return input;
      const properties = propertiesOf(call);
      for (const name of Object.keys(sent)) {
        const value = sent[name];
        if (value === undefined || !isWritable(resource, properties.get(name), name, isOpen)) continue;
        setMember(input, name, tidy(value, resource.properties.get(name)));
      }
      return input;
    },
  };
}

function isWritable(resource: Resource, inBody: Property | undefined, name: string, isOpenBody: boolean): boolean {
  const inItem = resource.properties.get(name);
  if (name === resource.keyMember || inItem?.readOnly === true || inBody?.readOnly === true) return false;
  if (inItem === undefined) return resource.isOpen && !resource.hidden.has(name);
  return inBody !== undefined || isOpenBody;
}

function follow(body: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = body;
  for (const name of path) value = isJsonObject(value) ? memberOf(value, name) : undefined;
  return value;
}
