import { isJsonObject, ownProperty } from '../../core/json/json-value';
import { linkBack, relatedItems } from '../state/linkage';
import { removeWithDescendants } from '../state/descendants';
import { rejected, type Outcome } from '../calls/call';
import type { Problem } from '../../core/http/problem';
import type { Item, ItemDraft } from '../state/item';
import type { Key } from '../../lists/sort-values';
import { shows, SINGLE_KEY } from '../state/prepared-resource';
import { rejectRemoval } from '../rules/rule-store';
import type { Action } from '../../resources/model/binding';
import { applyEffect, isFlagSet } from './act';
import { storeChange } from './stored-item';
import { applyRule } from './rule-calls';
import { checkState, settleReferrers } from './said-rules';
import { isInParentList, removeFromParent } from './related-items';
import { checkIfMatch } from './preconditions';
import { findTarget, selectedItems } from './item-selection';
import type { BehaviourContext } from '../plans/operation-plan';

/** DELETE of one item, and of what lies below it. The second time there is nothing to remove: 404. */
export function remove(task: BehaviourContext): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { key, item } = target;
  if (isInParentList(task)) return removeFromParent(task, key, item);
  // A record that nobody wrote is written first, so that it is known to be gone.
  if (key === SINGLE_KEY && !task.draft.has(task.scope.collection)) task.draft.put(task.scope.collection, key, item);
  const { keeps } = task.plan.binding;
  const isKept = keeps !== undefined && (keeps.purgedBy === undefined || !isFlagSet(task.call, keeps.purgedBy));
  if (isKept) return keepRemoved(task, keeps.action, key, item);
  const rejection = checkIfMatch(task, item) ?? checkState(task, item) ?? removeItem(task, key, item);
  if (rejection !== undefined) return rejected(rejection);
  return { kind: 'removed', scope: task.scope, item };
}

/** The item is marked as removed and stays; the second time that changes nothing. */
function keepRemoved(task: BehaviourContext, action: Action, key: Key, before: Item): Outcome {
  const item: ItemDraft = { ...before };
  applyEffect(task, action, item);
  if (shows(before, action)) return { kind: 'removed', scope: task.scope, item: before };
  const rejection = checkIfMatch(task, before) ?? checkState(task, before) ?? checkRemoval(task, key, before);
  if (rejection !== undefined) return rejected(rejection);
  const changed = storeChange(task, key, before, item, {});
  return changed.kind === 'changed' ? { ...changed, kind: 'removed' } : changed;
}

/**
 * DELETE of a collection: removes every item that the parameters choose, or none. A body that may choose and does not
 * chooses nothing, nor does one of which no rule says what it chooses.
 */
export function clear(task: BehaviourContext): Outcome {
  const { filters, tests, problem } = task.plan.list.filters(task.call, task.ruleFilters?.parameters);
  if (problem !== undefined) return rejected(problem);
  const isChosen = !mayChoose(task) || filters.length + tests.length > 0;
  return removeAll(task, isChosen ? selectedItems(task) : []);
}

/** May the body choose: the one that was sent, or the one that should have been? */
function mayChoose({ call: { body }, plan: { binding } }: BehaviourContext): boolean {
  const { bodyParameters, operation } = binding;
  if (Array.isArray(body) || (isJsonObject(body) && Object.keys(body).length > 0)) return true;
  const { ignoredBody } = operation;
  return bodyParameters.size > 0 && (ignoredBody === undefined || ignoredBody.required);
}

/** Removes every one, or says why one cannot be. */
export function removeAll(task: BehaviourContext, items: readonly Item[]): Outcome {
  for (const item of items) {
    const key = task.resource.toKey(ownProperty(item, task.resource.keyMember));
    const rejection = key === undefined ? undefined : removeItem(task, key, item);
    if (rejection !== undefined) return rejected(rejection);
  }
  return { kind: 'many', items };
}

function checkRemoval(task: BehaviourContext, key: Key, before: Item): Problem | undefined {
  const { draft, resources, rules } = task;
  return (
    rejectRemoval({ draft, resources, references: rules?.references ?? [] }, task.resource, task.scope.values, key) ??
    applyRule(task, { item: { ...before }, before, input: {} }) ??
    settleReferrers(task, key)
  );
}

/** Removes an item and what lies below it, unless something rejects. */
export function removeItem(task: BehaviourContext, key: Key, before: Item): Problem | undefined {
  const rejection = checkRemoval(task, key, before);
  if (rejection !== undefined) return rejection;
  const gone = task.resource.relationships.filter(({ isRemovedWith }) => isRemovedWith);
  const related = gone.flatMap((each) => relatedItems(task, each, key, before));
  removeWithDescendants(task, task.resource, task.scope.values, key);
  linkBack(task, task.resource, key, before, undefined);
  for (const { resource, key: own, item } of related) {
    removeWithDescendants(task, resource, [], own);
    linkBack(task, resource, own, item, undefined);
  }
  return undefined;
}
