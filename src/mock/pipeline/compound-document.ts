import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import { relatedItems, withLinks } from '../state/linkage';
import type { Links } from '../state/shown-items';
import { visible } from '../state/item-representation';
import type { Resource } from '../state/prepared-resource';

/**
 * A response of JSON:API with what is asked for beside its resource objects, and with the linkage that leads there:
 * `include=author,comments.author` (1.1 §8.3).
 *
 * @param resource - what the objects in `data` are of
 */
export function compoundDocument(
  body: JsonValue,
  names: readonly string[],
  resource: Resource,
  links: Links,
): JsonValue {
  const data = isJsonObject(body) ? ownProperty(body, 'data') : undefined;
  if (!isJsonObject(body) || data === undefined || resource.relationships.length === 0) return body;
  const included = new Map<string, JsonObject>();
  const primary: readonly JsonValue[] = Array.isArray(data) ? data : [data];
  const shown = primary.map((each) =>
    names.reduce((all, name) => include(all, name.split('.'), resource, links, included), each),
  );
  for (const each of primary) included.delete(identityOf(each));
  return { ...body, data: Array.isArray(data) ? shown : (shown[0] ?? data), included: [...included.values()] };
}

function include(
  shown: JsonValue,
  [name = '', ...rest]: readonly string[],
  resource: Resource,
  links: Links,
  included: Map<string, JsonObject>,
): JsonValue {
  const relationship = resource.relationships.find((each) => foldedName(each.name) === foldedName(name));
  const key = isJsonObject(shown) ? resource.toKey(ownProperty(shown, resource.keyMember)) : undefined;
  const item = key === undefined ? undefined : links.draft.get(resource.path, key);
  if (!isJsonObject(shown) || key === undefined || item === undefined || relationship === undefined) return shown;
  const found = relatedItems(links, relationship, key, item);
  for (const { resource: other, item: related } of found) {
    const identity = identityOf(related);
    const whole = included.get(identity) ?? visible(related, other);
    const led = rest.length === 0 ? whole : include(whole, rest, other, links, included);
    if (isJsonObject(led)) included.set(identity, led);
  }
  const path = ['relationships', relationship.name, 'data'] as const;
  const keys = found.map((each) => String(each.key));
  return withLinks(shown, { ...relationship, path }, keys);
}

function identityOf(value: JsonValue): string {
  const [type, id] = isJsonObject(value) ? [ownProperty(value, 'type'), ownProperty(value, 'id')] : [];
  return `${scalarText(type ?? '')} ${scalarText(id ?? '')}`;
}
