import { memberOf } from '../../json/member';
import { removeWithBelow } from '../below';
import { refused, type Outcome } from '../call';
import type { Problem } from '../../checks/problem';
import type { Item } from '../item';
import type { Key } from '../order';
import { SINGLE_KEY } from '../resource';
import { refuseRemoval } from '../rule-references';
import { applyRule } from './apply-rule';
import { isPutThere, takeAway } from './places';
import { checkIfMatch } from './preconditions';
import { findTarget } from './target';
import type { Task } from './task';
import { wantedItems } from './wanted-items';

/** DELETE of one item, and of what lies below it. The second time there is nothing to remove: 404. */
export function remove(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { key, item } = target;
  if (isPutThere(task)) return takeAway(task, key, item);
  // A record that nobody wrote is written first, so that it is known to be gone.
  if (key === SINGLE_KEY && !task.draft.has(task.scope.collection)) task.draft.put(task.scope.collection, key, item);
  const refusal = checkIfMatch(task, item) ?? removeItem(task, key, item);
  if (refusal !== undefined) return refused(refusal);
  return { kind: 'removed', scope: task.scope, item };
}

/**
 * DELETE of a collection: removes every item that the parameters choose, or none. A body that may choose and does not
 * chooses nothing.
 */
export function clear(task: Task): Outcome {
  const { filters, tests } = task.plan.list.filters(task.call, task.ruled?.parameters);
  const isChosen = task.plan.binding.inBody.size === 0 || filters.length + tests.length > 0;
  const items = isChosen ? wantedItems(task) : [];
  for (const item of items) {
    const key = task.resource.toKey(memberOf(item, task.resource.keyMember));
    const refusal = key === undefined ? undefined : removeItem(task, key, item);
    if (refusal !== undefined) return refused(refusal);
  }
  return { kind: 'many', items };
}

/** Removes an item and what lies below it, unless something refuses. */
export function removeItem(task: Task, key: Key, before: Item): Problem | undefined {
  const { draft, resources, rules } = task;
  const refusal =
    refuseRemoval({ draft, resources, references: rules?.references ?? [] }, task.resource, task.scope.values, key) ??
    applyRule(task, { item: { ...before }, before, input: {} });
  if (refusal !== undefined) return refusal;
  removeWithBelow(task, task.resource, task.scope.values, key);
  return undefined;
}
