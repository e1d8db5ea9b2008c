import { refused, type Outcome } from '../call';
import { act } from './act';
import { count } from './count';
import { create, createMany } from './create';
import { list } from './list';
import { read } from './read';
import { clear, remove } from './remove';
import { replace, upsert } from './replace';
import { ruledFilters } from './rule-filters';
import type { Task } from './task';
import { update } from './update';

/** Does what the operation is bound to do. */
export function performBehaviour(task: Task): Outcome {
  const ruled = ruledFilters(task);
  if (ruled === undefined) return perform(task);
  return 'code' in ruled ? refused(ruled) : perform({ ...task, ruled });
}

function perform(task: Task): Outcome {
  switch (task.plan.kind) {
    case 'list':
      return list(task);
    case 'read':
      return read(task);
    case 'create':
      return create(task);
    case 'create-many':
      return createMany(task);
    case 'replace':
      return replace(task);
    case 'upsert':
      return upsert(task);
    case 'update':
      return update(task);
    case 'remove':
      return remove(task);
    case 'clear':
      return clear(task);
    case 'act':
      return act(task);
    case 'count':
      return count(task);
  }
}
