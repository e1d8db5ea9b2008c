import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setProperty,
  valueAlong,
} from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import type { Relationship } from '../../resources/model/resource';
import type { Draft } from './draft';
import type { Item, ItemDraft } from './item';
import type { Resource } from './prepared-resource';

/** What a relationship changes: the items of all resources. */
export interface Links {
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
}

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

/** An item that says so of other keys. To nothing alone it says nothing of. */
export function withLinks(item: Item, { path, type, isToMany }: Relationship, keys: readonly string[]): Item {
  const [one] = keys.slice(-1);
  const data = isToMany ? keys.map((id) => ({ type, id })) : one === undefined ? undefined : { type, id: one };
  return setAlong(item, path, data);
}

function setAlong(
  held: JsonValue | undefined,
  [name = '', ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const own = isJsonObject(held) ? held : {};
  const inner = rest.length === 0 ? value : setAlong(ownProperty(own, name), rest, value);
  const { [name]: _, ...others } = own;
  const isNothing =
    inner === undefined || (value === undefined && isJsonObject(inner) && Object.keys(inner).length === 0);
  return isNothing ? others : { ...own, [name]: inner };
}

/** The relationship at the other end of one. */
export function inverseOf(
  { resources }: Pick<Links, 'resources'>,
  { to, inverse }: Relationship,
): Relationship | undefined {
  return resources.get(to)?.relationships.find(({ name }) => name === inverse);
}

/** The keys of all that an item is related to, at whichever end that is kept. */
export function relatedKeys(links: Links, relationship: Relationship, key: Key, item: Item): string[] {
  const back = inverseOf(links, relationship);
  const others = back === undefined ? [] : [...links.draft.collection(relationship.to).entries()];
  const from = others.filter(([, other]) => back !== undefined && linkedKeys(other, back).includes(String(key)));
  return [...new Set([...linkedKeys(item, relationship), ...from.map(([other]) => String(other))])];
}

/** Makes the items at the other end of what has changed in an item say the same. */
export function linkBack(
  links: Links,
  resource: Resource,
  key: Key,
  before: Item | undefined,
  after: Item | undefined,
): void {
  for (const relationship of resource.relationships) {
    const back = inverseOf(links, relationship);
    const other = links.resources.get(relationship.to);
    if (back === undefined || other === undefined) continue;
    const [old, now] = [linkedKeys(before, relationship), linkedKeys(after, relationship)];
    const own = String(key);
    for (const each of old.filter((id) => !now.includes(id)))
      changeLinks(links, other, each, back, (keys) => keys.filter((id) => id !== own));
    for (const each of now.filter((id) => !old.includes(id))) {
      const former = back.isToMany ? [] : linkedKeys(itemOf(links, other, each)?.item, back).filter((id) => id !== own);
      for (const id of former)
        changeLinks(links, resource, id, relationship, (keys) => keys.filter((linked) => linked !== each));
      changeLinks(links, other, each, back, (keys) => [...keys.filter((id) => id !== own), own]);
    }
  }
}

function changeLinks(
  links: Links,
  resource: Resource,
  id: string,
  relationship: Relationship,
  change: (keys: readonly string[]) => readonly string[],
): void {
  const found = itemOf(links, resource, id);
  if (found === undefined) return;
  links.draft.put(
    resource.path,
    found.key,
    withLinks(found.item, relationship, change(linkedKeys(found.item, relationship))),
  );
}

function itemOf(
  { draft }: Links,
  resource: Resource,
  id: string,
): { readonly key: Key; readonly item: Item } | undefined {
  const key = resource.toKey(id);
  const item = key === undefined ? undefined : draft.get(resource.path, key);
  return key === undefined || item === undefined ? undefined : { key, item };
}

/** What was sent of relationships that items keep and do not show. */
export function keepHiddenLinks({ relationships }: Resource, sent: JsonValue | undefined, item: ItemDraft): void {
  for (const { name, path } of relationships) {
    const [holder, ...rest] = path;
    const data = isJsonObject(sent) ? valueAlong(sent, ['relationships', name, 'data']) : undefined;
    if (data !== undefined && holder.startsWith('$')) setProperty(item, holder, setAlong(item[holder], rest, data));
  }
}

/** The items that are removed with one that they are related to. */
export function relatedToRemove(
  links: Links,
  { relationships }: Resource,
  key: Key,
  item: Item,
): { readonly resource: Resource; readonly key: Key; readonly item: Item }[] {
  return relationships.flatMap((relationship) => {
    const resource = relationship.isRemovedWith ? links.resources.get(relationship.to) : undefined;
    const ids = resource === undefined ? [] : relatedKeys(links, relationship, key, item);
    return ids.flatMap((id) => {
      const found = resource && itemOf(links, resource, id);
      return resource === undefined || found === undefined ? [] : [{ resource, ...found }];
    });
  });
}
