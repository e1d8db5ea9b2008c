import type { Key } from '../order';
import { fillTemplate } from '../../resources/collection-name';
import { childrenOf } from '../lineage';
import type { Resource } from '../resource';
import type { Task } from './task';

/**
 * Removes an item, and what can be reached only through it: its own collections and records, and what lies below those
 * in turn. What nobody wrote to is not looked at; it begins empty if anybody ever does.
 *
 * @param scope - values of the variables of the path of its collection
 */
export function removeWithBelow(task: Task, resource: Resource, scope: readonly Key[], key: Key): void {
  const { draft, resources } = task;
  draft.fell(fillTemplate(resource.path, scope), key);
  const values = [...scope, key];
  for (const child of childrenOf(resources.values(), resource))
    for (const stored of draft.keysStored(fillTemplate(child.path, values)))
      removeWithBelow(task, child, values, stored);
}
