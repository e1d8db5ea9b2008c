import {
  isJsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
  valueAlong,
  withValueAlong,
} from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import type { Relationship } from '../../resources/model/resource';
import type { Item, ItemDraft } from './item';
import type { Resource } from './prepared-resource';
import { linkLists, type Links, refreshShown } from './shown-items';

/** The keys in linkage, `{ type, id }` or a list of such, as texts. */
export function keysInLinkage(data: JsonValue | undefined): string[] {
  const all: readonly (JsonValue | undefined)[] = Array.isArray(data) ? data : [data];
  return all.flatMap((each) => {
    const id = isJsonObject(each) ? ownProperty(each, 'id') : undefined;
    return id === undefined || id === null ? [] : [scalarText(id)];
  });
}

/** The keys of what an item says that it is related to. */
export function linkedKeys(item: Item | undefined, { path }: Relationship): string[] {
  return item === undefined ? [] : keysInLinkage(valueAlong(item, path));
}

/** An item that says so of other keys. */
export function withLinks(item: Item, { path, type, isToMany }: Relationship, keys: readonly string[]): Item {
  const data = keys.map((id) => ({ type, id }));
  const place = path.slice(0, -1);
  const held = valueAlong(item, place);
  const others = pickProperties(isJsonObject(held) ? held : {}, (name) => name !== 'data');
  const [one] = data.slice(-1);
  return withValueAlong(item, place, isToMany ? { ...others, data } : one ? { ...others, data: one } : others);
}

interface Related {
  readonly resource: Resource;
  readonly key: Key;
  readonly item: Item;
}

/** The items that one is related to, at whichever end that is kept. */
export function relatedItems(
  { draft, resources }: Links,
  relationship: Relationship,
  key: Key,
  item: Item,
): readonly Related[] {
  const resource = resources.get(relationship.to);
  const back = resource?.relationships.find(({ name }) => name === relationship.inverse);
  const keys = new Set(linkedKeys(item, relationship));
  const all = resource === undefined ? [] : [...draft.collection(resource.path).entries()];
  return all.flatMap(([own, other]) => {
    const isRelated = keys.has(String(own)) || (back !== undefined && linkedKeys(other, back).includes(String(key)));
    return isRelated && resource !== undefined ? [{ resource, key: own, item: other }] : [];
  });
}

/** Makes the items at the other end of what has changed in an item say the same. */
export function linkBack(
  links: Links,
  resource: Resource,
  key: Key,
  before: Item | undefined,
  after: Item | undefined,
): void {
  if (before !== undefined && after !== undefined) refreshShown(links, resource, key);
  linkLists(links, resource, key, before, after);
  for (const relationship of resource.relationships) {
    const other = links.resources.get(relationship.to);
    const back = other?.relationships.find(({ name }) => name === relationship.inverse);
    const now = linkedKeys(after, relationship);
    for (const id of new Set([...linkedKeys(before, relationship), ...now])) {
      if (other !== undefined && back !== undefined) setLink(links, other, id, back, String(key), now.includes(id));
    }
  }
}

function setLink(
  links: Links,
  resource: Resource,
  id: string,
  relationship: Relationship,
  linked: string,
  isLinked: boolean,
): void {
  const key = resource.toKey(id);
  const item = key === undefined ? undefined : links.draft.get(resource.path, key);
  const keys = linkedKeys(item, relationship);
  if (key === undefined || item === undefined || keys.includes(linked) === isLinked) return;
  const others = keys.filter((each) => each !== linked);
  const changed = withLinks(item, relationship, isLinked ? [...others, linked] : others);
  // What it was the only one of lets it go.
  linkBack(links, resource, key, item, links.draft.put(resource.path, key, changed));
}

/** What was sent of relationships that items keep and do not show. */
export function keepHiddenLinks({ relationships }: Resource, sent: JsonValue | undefined, item: ItemDraft): void {
  for (const relationship of relationships) {
    const [holder] = relationship.path;
    const data = isJsonObject(sent) ? valueAlong(sent, ['relationships', relationship.name, 'data']) : undefined;
    if (data === undefined || !holder.startsWith('$')) continue;
    setProperty(item, holder, withLinks(item as Item, relationship, keysInLinkage(data))[holder]);
  }
}
