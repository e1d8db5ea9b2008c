import { ExactNumber, toCanonical } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { Property } from '../openapi/model';
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
  const members: [string, JsonValue][] = [];
  const take = (name: string): void => {
    const value = draft[name];
    if (value !== undefined) members.push([name, tidy(value, resource.properties.get(name))]);
  };
  take(resource.keyMember);
  for (const name of resource.properties.keys()) if (name !== resource.keyMember) take(name);
  const item = Object.fromEntries(members);
  const [violation] = resource.schema.validate('response')(item);
  if (violation !== undefined) {
    const place = violation.pointer === '' ? '' : ` at ${violation.pointer}`;
    throw new Error(`An item of ${resource.path}${place} ${violation.message}: ${stringifyJson(item)}`);
  }
  return item;
}

function tidy(value: JsonValue, property: Property | undefined): JsonValue {
  return value instanceof ExactNumber && property?.schema['type'] === 'integer' ? toCanonical(value) : value;
}

/** The members of a body that a client may set: declared, and not read-only. */
export function writable(resource: Resource, body: JsonValue): Item {
  const input: [string, JsonValue][] = [];
  if (!isJsonObject(body)) return {};
  for (const [name, value] of Object.entries(body)) {
    const property = resource.properties.get(name);
    if (property === undefined || property.readOnly || name === resource.keyMember) continue;
    input.push([name, tidy(value, property)]);
  }
  return Object.freeze(Object.fromEntries(input));
}
