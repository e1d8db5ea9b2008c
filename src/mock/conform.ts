import { ExactNumber, toCanonical } from '../json/exact-number';
import type { JsonValue } from '../json/json-value';
import { memberOf, setMember } from '../json/member';
import { stringifyJson } from '../json/stringify-json';
import type { Violation } from '../json-schema/violation';
import type { Property } from '../openapi/model';
import type { Item, ItemDraft } from './item';
import type { Resource } from './resource';
import { showKey, shownKey } from './shown-key';

/**
 * An item in the shape of its resource: the key first, declared members in document order, then what else its schema
 * allows; an integer written `1.0` becomes `1`.
 *
 * @throws Error when it breaks the schema. A request cannot cause that: a rule, or a gap between what the description
 *   lets in and what it lets out, can
 */
export function conform(resource: Resource, draft: ItemDraft): Item {
  const item = arrange(resource, draft);
  const [violation] = violationsOf(resource, item);
  if (violation !== undefined) {
    const place = violation.pointer === '' ? '' : ` at ${violation.pointer}`;
    throw new Error(`An item of ${resource.path}${place} ${violation.message}: ${stringifyJson(item)}`);
  }
  return item;
}

/** The order and the members of {@link conform}, not yet judged. */
export function arrange(resource: Resource, draft: ItemDraft): Item {
  const { keyMember, properties } = resource;
  const item: Record<string, JsonValue> = {};
  const key = memberOf(draft, keyMember) ?? shownKey(draft, resource.key);
  if (key !== undefined) setMember(item, keyMember, tidy(key, properties.get(keyMember)));
  for (const property of properties.values()) {
    const value = property.name === keyMember ? undefined : memberOf(draft, property.name);
    if (value !== undefined) setMember(item, property.name, tidy(value, property));
  }
  if (resource.isOpen || resource.hidden.size > 0 || resource.bare().size > 0) addUndeclared(resource, draft, item);
  const known = resource.key.shownAt.length === 0 ? undefined : resource.toKey(key);
  if (known !== undefined) showKey(item, resource.key, known);
  return item;
}

function addUndeclared(resource: Resource, draft: ItemDraft, item: JsonMembers): void {
  const { keyMember, properties, hidden, isOpen, bare } = resource;
  for (const name of Object.keys(draft)) {
    const value = draft[name];
    if (value === undefined || properties.has(name) || name === keyMember) continue;
    if (isOpen || hidden.has(name) || bare().has(name)) setMember(item, name, value);
  }
}

type JsonMembers = Record<string, JsonValue>;

/** How an item breaks its schema; members that no schema knows of are not looked at. */
export function violationsOf({ schema, properties, hidden }: Resource, item: Item): readonly Violation[] {
  if (hidden.size === 0) return schema.validate('response')(item);
  const declared = Object.entries(item).filter(([name]) => properties.has(name) || !hidden.has(name));
  return schema.validate('response')(Object.fromEntries(declared));
}

export function tidy(value: JsonValue, property: Property | undefined): JsonValue {
  return value instanceof ExactNumber && property?.schema['type'] === 'integer' ? toCanonical(value) : value;
}
