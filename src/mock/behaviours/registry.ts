import type { Behaviour } from '../../resources/model/binding';
import { rejected, type Outcome } from '../calls/call';
import { act, bringItemBack } from './act';
import { create, createMany } from './create';
import { changeEach } from './each';
import { updateLinks } from './hold';
import { list } from './list';
import { part } from './part';
import { count, read } from './read';
import { clear, remove } from './remove';
import { replace, upsert } from './replace';
import { relate } from './relate';
import { readRuleFilters } from './rule-calls';
import type { BehaviourContext } from '../plans/operation-plan';
import { update } from './update';

export function performBehaviour(task: BehaviourContext): Outcome {
  const ruleFilters = readRuleFilters(task);
  if (ruleFilters === undefined) return perform(task);
  return 'code' in ruleFilters ? rejected(ruleFilters) : perform({ ...task, ruleFilters });
}

const PERFORM: Readonly<Record<Behaviour, (task: BehaviourContext) => Outcome>> = {
  list,
  read,
  create,
  'create-many': createMany,
  replace,
  upsert,
  update,
  remove,
  clear,
  each: (task) => changeEach(task, perform),
  act,
  part,
  hold: updateLinks,
  relate,
  count,
};

function perform(task: BehaviourContext): Outcome {
  return bringItemBack(task) ?? PERFORM[task.plan.kind](task);
}
