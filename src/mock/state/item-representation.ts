import { strongTag } from '../../core/http/header-fields';
import { ExactNumber, toCanonical } from '../../core/json/exact-number';
import { type JsonValue, ownProperty, pickProperties, setProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Property } from '../../openapi/model/operation';
import type { Violation } from '../../schema/validator';
import { type Item, type ItemDraft, showKey, shownKey } from './item';
import type { Resource } from './prepared-resource';

/**
 * An item in the shape of its resource: the key first, declared properties in document order, then what else its schema
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

/** The order and the properties of {@link conform}, not yet checked. */
export function arrange(resource: Resource, draft: ItemDraft): Item {
  const { keyMember: keyProperty, properties } = resource;
  const item: Record<string, JsonValue> = {};
  const key = ownProperty(draft, keyProperty) ?? shownKey(draft, resource.key);
  if (key !== undefined) setProperty(item, keyProperty, tidy(key, properties.get(keyProperty)));
  for (const property of properties.values()) {
    const value = property.name === keyProperty ? undefined : ownProperty(draft, property.name);
    if (value !== undefined) setProperty(item, property.name, tidy(value, property));
  }
  if (resource.isOpen || resource.hidden.size > 0 || resource.undeclaredRequired().size > 0)
    addUndeclared(resource, draft, item);
  const known = resource.key.propertyPath.length === 0 ? undefined : resource.toKey(key);
  if (known !== undefined) showKey(item, resource.key, known);
  return item;
}

function addUndeclared(resource: Resource, draft: ItemDraft, item: JsonProperties): void {
  const { keyMember: keyProperty, properties, hidden, isOpen, undeclaredRequired } = resource;
  for (const name of Object.keys(draft)) {
    const value = draft[name];
    if (value === undefined || properties.has(name) || name === keyProperty) continue;
    if (isOpen || hidden.has(name) || undeclaredRequired().has(name)) setProperty(item, name, value);
  }
}

type JsonProperties = Record<string, JsonValue>;

/** How an item breaks its schema; properties that no schema knows of are not looked at. */
export function violationsOf({ schema, properties, hidden }: Resource, item: Item): readonly Violation[] {
  if (hidden.size === 0) return schema.validate('response')(item);
  return schema.validate('response')(pickProperties(item, (name) => properties.has(name) || !hidden.has(name)));
}

export function tidy(value: JsonValue, property: Property | undefined): JsonValue {
  return value instanceof ExactNumber && property?.schema['type'] === 'integer' ? toCanonical(value) : value;
}

interface Representation {
  readonly text: string;
  /** Bytes of the text in UTF-8, as the Content-Length header wants them. */
  readonly length: string;
  readonly etag: string;
}

// Items are frozen, so that what was written once stays true; the entry goes when the item does.
const known = new WeakMap<Item, Representation>();

/** The JSON of an item with its strong entity tag, which changes exactly when the JSON does (RFC 9110 §8.8.3). */
export function represent(item: Item, resource: Resource): Representation {
  let representation = known.get(item);
  if (representation === undefined) known.set(item, (representation = write(visible(item, resource))));
  return representation;
}

/** The same, not kept: for an item that was stored just now, and that nobody may ever read. */
export function representOnce(item: Item, resource: Resource): Representation {
  return known.get(item) ?? write(visible(item, resource));
}

/** An item without the properties that are never sent. */
export function visible(item: Item, { hidden, nestedWriteOnly }: Resource): Item {
  const own = hidden.size === 0 ? item : pickProperties(item, (name) => !hidden.has(name));
  return nestedWriteOnly.without(own);
}

function write(item: Item): Representation {
  const text = stringifyJson(item);
  return { text, length: String(Buffer.byteLength(text)), etag: strongTag(text) };
}
