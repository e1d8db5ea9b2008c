import { problem, type Problem } from '../../checks/problem';
import { joinPointer } from '../../json/json-pointer';
import { refused, type Outcome } from '../call';
import type { ItemDraft } from '../item';
import { applyRule } from './apply-rule';
import { checkSameKey } from './key-check';
import { readPatch } from './patch';
import { checkIfMatch } from './preconditions';
import { checkReferences } from './references';
import { storeChange } from './store-change';
import { takeFile } from './take-file';
import { findTarget } from './target';
import type { Task } from './task';
import { tellUnkept } from './tell-unkept';

/** PATCH: what was sent changes the item, everything else stays (RFC 5789 §2). All of it happens, or nothing. */
export function update(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { call, plan } = task;
  const { key, item: before } = target;
  const patch = readPatch(task, before);
  if (patch.kind === 'bad') return refused(checkIfMatch(task, before) ?? patch.problem);
  const { changes, input } = patch;
  const item: ItemDraft = { ...before, ...changes };
  takeFile(task, item, before);
  const refusal =
    checkIfMatch(task, before) ??
    checkReferences(task, item, before) ??
    checkSameKey(task, plan.input.sent(call), key) ??
    patch.fault ??
    applyRule(task, { item, before, input }) ??
    checkRequired(task, changes);
  if (refusal !== undefined) return refused(refusal);
  const changed = storeChange(task, key, before, item, input);
  // The body of a JSON Patch is a list of what to do, and is done or refused.
  if (changed.kind === 'changed') tellUnkept(task, plan.input.sent(call), changed.item);
  return changed;
}

/** What every item has cannot be taken away. */
function checkRequired({ resource }: Task, changes: ItemDraft): Problem | undefined {
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined || resource.properties.get(name)?.required !== true) continue;
    const pointer = joinPointer('', name);
    return problem('invalid_result', `The field ${pointer} cannot be removed: every item of ${resource.path} has it`, {
      pointer,
    });
  }
  return undefined;
}
