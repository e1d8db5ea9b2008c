import {
  equalJson,
  isJsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
} from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { getOrCreate } from '../../core/text/memoize';
import type { Key } from '../../lists/sort-values';
import { fillTemplate, parseCollectionName, type PropertyReference } from '../../resources/model/resource';
import type { Draft } from './draft';
import type { Item, ItemDraft } from './item';
import { visible } from './item-representation';
import type { Resource } from './prepared-resource';

/** What a change of an item changes beside it: the items of all resources. */
export interface Links {
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
}

type Shown = PropertyReference & Required<Pick<PropertyReference, 'by'>>;

function isShown(reference: PropertyReference): reference is Shown {
  return reference.by !== undefined;
}

/**
 * Sets what an item shows whole of what it names: `owner: { id, name }` beside `owner_id`. One that is not there is shown as
 * it was before, if at all.
 *
 * @param values - of the scope of its collection
 * @param complete - adds what the schema of a shown item must have
 */
export function showNamedItems(
  { draft, resources }: Links,
  resource: Resource,
  values: readonly Key[],
  item: ItemDraft,
  complete: (reference: Shown, key: string, shown: Item) => JsonValue,
): void {
  for (const reference of resource.references.filter(isShown)) {
    const { property, by, to } = reference;
    const named = ownProperty(item, by.property);
    const other = resources.get(to);
    if (named === undefined || named === null || other === undefined) continue;
    const held = ownProperty(item, property);
    const one = (value: JsonValue): JsonValue | undefined => {
      const before = (Array.isArray(held) ? held : [held]).find((each) => isItem(other, each, value));
      const key = other.toKey(value);
      const stored =
        key === undefined ? undefined : draft.get(fillTemplate(to, values.slice(0, other.scope.length)), key);
      if (stored === undefined) return before;
      const shown = pickProperties(visible(stored, other), (name) => by.shows.includes(name));
      return complete(reference, scalarText(value), isJsonObject(before) ? { ...before, ...shown } : shown);
    };
    const shown = Array.isArray(named) ? named.flatMap((each: JsonValue) => one(each) ?? []) : one(named);
    setProperty(item, property, shown);
  }
}

function isItem(resource: Resource, value: JsonValue | undefined, key: JsonValue): boolean {
  return isJsonObject(value) && resource.toKey(ownProperty(value, resource.keyMember)) === resource.toKey(key);
}

/** The resources whose items show items of another one, by its path. */
const SHOWN_IN = new WeakMap<ReadonlyMap<string, Resource>, ReadonlyMap<string, readonly Resource[]>>();

/** Shows an item as it is now wherever others show it. */
export function refreshShown(links: Links, changed: Resource, key: Key): void {
  const { draft, resources } = links;
  const shownIn = getOrCreate(SHOWN_IN, resources, () => {
    const all = [...resources.values()];
    const paths = new Set(all.flatMap(({ references }) => references.filter(isShown).map(({ to }) => to)));
    return new Map(
      [...paths].map((path) => [
        path,
        all.filter(({ references }) => references.some((each) => isShown(each) && each.to === path)),
      ]),
    );
  });
  for (const resource of shownIn.get(changed.path) ?? []) {
    const names = resource.references
      .filter((each) => each.to === changed.path)
      .flatMap(({ by }) => by?.property ?? []);
    for (const collection of collectionsOf(resource, draft, resources)) {
      const values = parseCollectionName([resource], collection)?.values ?? [];
      for (const [own, item] of [...draft.collection(collection).entries()]) {
        const isNamed = names.some((name) =>
          [ownProperty(item, name)].flat().some((each) => changed.toKey(each) === key),
        );
        if (!isNamed) continue;
        const after: ItemDraft = { ...item };
        showNamedItems(links, resource, values, after, (_, __, shown) => shown);
        // Nothing happens to an item because of what it shows.
        if (!equalJson(after as Item, item)) draft.move(() => draft.put(collection, own, after as Item));
      }
    }
  }
}

/** Makes the lists of keys at the other end of what has changed in an item say the same. */
export function linkLists(
  links: Links,
  resource: Resource,
  key: Key,
  before: Item | undefined,
  after: Item | undefined,
): void {
  for (const { property, to, inverse } of resource.references) {
    const other = inverse === undefined ? undefined : links.resources.get(to);
    if (other === undefined || inverse === undefined) continue;
    const [old, now] = [before, after].map((item) => keysIn(item, property).map((each) => other.toKey(each)));
    for (const own of new Set([...(old ?? []), ...(now ?? [])])) {
      const isNamed = now?.includes(own) === true;
      if (own !== undefined && old?.includes(own) !== isNamed)
        setInList(links, other, own, inverse, [resource, key, isNamed]);
    }
  }
}

/** Puts a key into a list of keys, or takes it out. */
function setInList(
  links: Links,
  other: Resource,
  own: Key,
  property: string,
  [resource, key, isNamed]: readonly [resource: Resource, key: Key, isNamed: boolean],
): void {
  const { draft } = links;
  const stored = draft.get(other.path, own);
  if (stored === undefined) return;
  const others = keysIn(stored, property).filter((each) => resource.toKey(each) !== key);
  const linked: ItemDraft = { ...stored, [property]: isNamed ? [...others, key] : others };
  showNamedItems(links, other, [], linked, (_, __, shown) => shown);
  if (equalJson(linked as Item, stored)) return;
  draft.put(other.path, own, linked as Item);
  refreshShown(links, other, own);
}

function keysIn(item: Item | undefined, property: string): readonly JsonValue[] {
  const value = item === undefined ? undefined : ownProperty(item, property);
  return Array.isArray(value) ? value : [];
}

/** Names of all collections of a resource: one, or one below each item of another. */
export function collectionsOf(resource: Resource, draft: Draft, resources: ReadonlyMap<string, Resource>): string[] {
  if (resource.scope.length === 0) return [resource.path];
  const all = [...resources.values()];
  const names = draft.names().filter((name) => parseCollectionName(all, name)?.resource === resource);
  return [...new Set([...draft.seededNames(resource), ...names])];
}
