import type { Outcome } from '../calls/call';
import { isNotModified } from './write-checks';
import { findTarget } from './item-selection';
import type { BehaviourContext } from '../plans/operation-plan';

export function read(task: BehaviourContext): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { item } = target;
  if (isNotModified(task.call, item, task.resource)) return { kind: 'not-modified', item };
  return { kind: 'found', scope: task.scope, item };
}
