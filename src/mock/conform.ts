import { ExactNumber, toCanonical } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { Property } from '../openapi/model';
import type { Call } from './call';
import type { Item, ItemDraft } from './item';
import type { Resource } from './resource';

/**
 * An item in the shape of its resource: declared members only, the key first, the others in document order; an
 * integer written `1.0` becomes `1`.
 *
 * @throws Error when it breaks the schema. A request cannot cause that: a rule, or a gap between what the description
 *   lets in and what it lets out, can
 */
export function conform(resource: Resource, draft: ItemDraft): Item {
  const item: Record<string, JsonValue> = {};
  const { keyMember, properties } = resource;
  const key = draft[keyMember];
  if (key !== undefined) setMember(item, keyMember, tidy(key, properties.get(keyMember)));
  for (const property of properties.values()) {
    const value = property.name === keyMember ? undefined : draft[property.name];
    if (value !== undefined) setMember(item, property.name, tidy(value, property));
  }
  const [violation] = resource.schema.validate('response')(item);
  if (violation !== undefined) {
    const place = violation.pointer === '' ? '' : ` at ${violation.pointer}`;
    throw new Error(`An item of ${resource.path}${place} ${violation.message}: ${stringifyJson(item)}`);
  }
  return item;
}

/** `__proto__` is a name like any other: it is defined where an assignment would set the prototype. */
function setMember(item: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') item[name] = value;
  else Object.defineProperty(item, name, { value, enumerable: true, writable: true, configurable: true });
}

function tidy(value: JsonValue, property: Property | undefined): JsonValue {
  return value instanceof ExactNumber && property?.schema['type'] === 'integer' ? toCanonical(value) : value;
}

/** The members of a body that a client may set: declared for the body and for the item, and not read-only. */
export function writable({ body, bodyProperties }: Call, { properties, keyMember }: Resource): Item {
  const input: Record<string, JsonValue> = {};
  if (!isJsonObject(body)) return input;
  for (const name of Object.keys(body)) {
    const property = properties.get(name);
    const value = body[name];
    if (property === undefined || value === undefined || property.readOnly || name === keyMember) continue;
    if (bodyProperties.get(name)?.readOnly === false) setMember(input, name, tidy(value, property));
  }
  return input;
}
