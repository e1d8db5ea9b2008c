import { memberOf, setMember } from '../../json/member';
import { refused, type Outcome } from '../call';
import type { Item, ItemDraft } from '../item';
import { mergePatch } from '../../json/merge-patch';
import type { Action } from '../../resources/resource-model';
import { applyRule } from './apply-rule';
import { checkIfMatch } from './preconditions';
import { checkReferences } from './references';
import { storeChange } from './store-change';
import { findTarget } from './target';
import type { Task } from './task';

/** `POST /things/{id}/verb`: the verb sets a member, the body changes others; else the item is answered as it is. */
export function act(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { call, plan } = task;
  const { key, item: before } = target;
  const { action } = plan.binding;
  const input: Item = action?.mergesBody === true ? plan.input.writable(call, plan.input.sent(call)) : {};
  const item: ItemDraft = { ...before };
  for (const [name, value] of Object.entries(input)) {
    setMember(item, name, mergePatch(memberOf(before, name), value));
  }
  if (action !== undefined) applyEffect(task, action, item);
  const refusal =
    checkIfMatch(task, before) ?? checkReferences(task, item, before) ?? applyRule(task, { item, before, input });
  if (refusal !== undefined) return refused(refusal);
  return storeChange(task, key, before, item, input);
}

function applyEffect({ plan, nowMs }: Task, { sets, stamps }: Action, item: ItemDraft): void {
  for (const member of stamps) plan.making.stamp(item, member, nowMs);
  for (const { member, value } of sets) setMember(item, member, value);
}
