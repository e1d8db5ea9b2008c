import type { Key } from '../order';
import { fillTemplate } from '../../resources/collection-name';
import { keyOf, type Resource } from '../resource';
import type { Task } from './task';

/**
 * Removes what can be reached only through an item that is gone: its own collections and records, and what lies below
 * those in turn.
 *
 * @param values - values of the variables of the item's path
 */
export function removeBelow(task: Task, resource: Resource, values: readonly Key[]): void {
  if (resource.kind === 'singleton') return;
  for (const child of task.resources.values()) {
    const above = child.scope.at(-1);
    if (above?.parent !== resource.path || child.scope.length !== values.length) continue;
    const name = fillTemplate(child.path, values);
    for (const item of [...task.draft.collection(name).byKey()]) {
      const key = keyOf(child, item);
      if (key === undefined) continue;
      task.draft.remove(name, key);
      removeBelow(task, child, [...values, key]);
    }
  }
}
