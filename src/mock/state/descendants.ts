import type { Key } from '../../lists/sort-values';
import { fillTemplate, namePattern } from '../../resources/model/resource';
import type { Draft } from './draft';
import type { Resource } from './prepared-resource';
import { childrenOf } from './remaining-seed';

interface Store {
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
}

/**
 * Removes an item, and what can be reached only through it: its own collections and records, and what lies below those
 * in turn. What nobody wrote to is not looked at; it begins empty if anybody ever does. A record of an item that is made
 * again is one that nobody has written yet.
 *
 * What was put below others by its key, as a user is into a group, is there no more.
 *
 * @param scope - values of the variables of the path of its collection
 */
export function removeWithDescendants(store: Store, resource: Resource, scope: readonly Key[], key: Key): void {
  const { draft, resources } = store;
  if (scope.length === 0) removeLinks(store, resource, key);
  draft.deleteWithSeededDescendants(fillTemplate(resource.path, scope), key);
  const values = [...scope, key];
  for (const child of childrenOf(resources.values(), resource)) {
    const name = fillTemplate(child.path, values);
    if (child.kind === 'singleton') draft.forget(name);
    else for (const stored of draft.keysStored(name)) removeWithDescendants(store, child, values, stored);
  }
}

function removeLinks({ draft, resources }: Store, { path }: Resource, key: Key): void {
  for (const links of resources.values()) {
    const own = links.itemsOf === path ? links.toKey(key) : undefined;
    if (own === undefined) continue;
    const pattern = namePattern(links.path);
    for (const name of draft.names())
      if (pattern.test(name) && draft.get(name, own) !== undefined) draft.deleteWithSeededDescendants(name, own);
  }
}
