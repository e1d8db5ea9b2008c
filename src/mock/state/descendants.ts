import type { Key } from '../../lists/sort-values';
import { fillTemplate } from '../../resources/model/resource';
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
 * @param scope - values of the variables of the path of its collection
 */
export function removeWithDescendants(store: Store, resource: Resource, scope: readonly Key[], key: Key): void {
  const { draft, resources } = store;
  draft.deleteWithSeededDescendants(fillTemplate(resource.path, scope), key);
  const values = [...scope, key];
  for (const child of childrenOf(resources.values(), resource)) {
    const name = fillTemplate(child.path, values);
    if (child.kind === 'singleton') draft.forget(name);
    else for (const stored of draft.keysStored(name)) removeWithDescendants(store, child, values, stored);
  }
}
