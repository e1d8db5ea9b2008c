import type { Behaviour } from '../../resources/resource-model';
import { refused, type Outcome } from '../call';
import { act } from './act';
import { count } from './count';
import { create, createMany } from './create';
import { hold } from './hold';
import { list } from './list';
import { part } from './part';
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

const PERFORM: Readonly<Record<Behaviour, (task: Task) => Outcome>> = {
  list,
  read,
  create,
  'create-many': createMany,
  replace,
  upsert,
  update,
  remove,
  clear,
  act,
  part,
  hold,
  count,
};

function perform(task: Task): Outcome {
  return PERFORM[task.plan.kind](task);
}
