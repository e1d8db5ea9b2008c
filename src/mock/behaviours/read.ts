import type { Outcome } from '../call';
import { isNotModified } from './preconditions';
import { findTarget } from './target';
import type { Task } from './task';

export function read(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { item } = target;
  if (isNotModified(task.call, item, task.resource)) return { kind: 'not-modified', item };
  return { kind: 'found', scope: task.scope, item };
}
