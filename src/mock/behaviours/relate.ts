import { isJsonObject, ownProperty, valueAlong } from '../../core/json/json-value';
import { type Outcome, rejected } from '../calls/call';
import type { BehaviourContext } from '../plans/operation-plan';
import { keysInLinkage, linkBack, linkedKeys, relatedItems, withLinks } from '../state/linkage';
import { findTarget } from './item-selection';
import { checkIfMatch } from './preconditions';

/** Changes what an item is related to, at both ends (JSON:API 1.1 §9.3). */
export function relate(task: BehaviourContext): Outcome {
  const { plan, call, resource, scope, draft } = task;
  const { name, effect } = plan.binding.relationship ?? {};
  const relationship = resource.relationships.find((each) => each.name === name);
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { key, item } = target;
  const rejection = checkIfMatch(task, item);
  if (rejection !== undefined) return rejected(rejection);
  if (relationship === undefined) return { kind: 'changed', scope, item };
  const sent = keysInLinkage(isJsonObject(call.body) ? ownProperty(call.body, 'data') : call.body);
  const related = relatedItems(task, relationship, key, item).map((each) => String(each.key));
  const held = [...new Set([...linkedKeys(item, relationship), ...related])];
  const others = effect === 'replace' ? [] : held.filter((each) => !sent.includes(each));
  const before = withLinks(item, relationship, held);
  const after = withLinks(item, relationship, effect === 'remove' ? others : [...others, ...sent]);
  const stored = draft.put(scope.collection, key, after);
  linkBack(task, resource, key, before, stored);
  return { kind: 'value', value: valueAlong(stored, relationship.path) ?? null };
}
