import { joinPointer } from '../../json/json-pointer';
import { memberOf, setMember } from '../../json/member';
import { refused, type Outcome } from '../call';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import { applyRule } from './apply-rule';
import { createFrom } from './create';
import { showHolders } from './holders';
import { checkSameKey } from './key-check';
import { checkIfMatch, checkIsNew } from './preconditions';
import { checkReferences, resolveEmbedded } from './references';
import { settleWhole } from './settle';
import { shownFrom } from './shown-items';
import { takeFile } from './take-file';
import { findTarget } from './target';
import type { Task } from './task';
import { tellUnkept } from './tell-unkept';

/** PUT: the item becomes what was sent; members that were not sent are gone, the service's own ones stay. */
export function replace(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'target') return replaceItem(task, target.key, target.item);
  // A single record has its place already; only what stands in it is new.
  if (task.resource.kind === 'singleton' && target.key !== undefined) return createAt(task, target.key);
  return target.answer;
}

/** PUT where the description promises 201: replaces, or makes the item under the key of the path. */
export function upsert(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'target') return replaceItem(task, target.key, target.item);
  return target.key === undefined ? target.answer : createAt(task, target.key);
}

function createAt(task: Task, key: Key): Outcome {
  const sent = task.plan.input.sent(task.call);
  const refusal = checkIfMatch(task, undefined) ?? checkSameKey(task, sent, key);
  if (refusal !== undefined) return refused(refusal);
  const stored = createFrom(task, sent, shownFrom(task, task.scope.collection, key), key);
  if (stored.kind === 'bad') return refused(stored.problem);
  return { kind: 'created', scope: task.scope, item: stored.item };
}

function replaceItem(task: Task, key: Key, before: Item): Outcome {
  const { call, plan, scope } = task;
  const sent = plan.input.sent(call);
  const input = plan.input.writable(call, sent);
  // A body that is a file says nothing of the rest.
  const item: ItemDraft = typeof call.body === 'string' ? { ...before } : {};
  for (const name of Object.keys(input)) setMember(item, name, input[name]);
  takeFile(task, item, before);
  keepOwn(task, item, before);
  for (const { member, value } of scope.members) setMember(item, member, value);
  const refusal =
    checkIfMatch(task, before) ??
    checkIsNew(task) ??
    checkSameKey(task, sent, key) ??
    checkReferences(task, item, before);
  if (refusal !== undefined) return refused(refusal);
  plan.input.addDefaults(call, item);
  plan.making.addDefaults(item);
  keepRequired(task, item, before);
  plan.making.touch(item, task.nowMs);
  resolveEmbedded(task, item);
  const broken = applyRule(task, { item, before, input });
  if (broken !== undefined) return refused(broken);
  showHolders(task, item);
  const settled = settleWhole(task, item, input, before);
  if (settled.kind === 'bad') return refused(settled.problem);
  const stored = task.draft.put(scope.collection, key, settled.item);
  tellUnkept(task, sent, stored);
  return { kind: 'changed', scope, item: stored };
}

/**
 * What every item must have and this body may leave out stays as it was, and that is told: a replaced item is not stored
 * without it.
 */
function keepRequired({ call, resource }: Task, item: ItemDraft, before: Item): void {
  const missing: string[] = [];
  for (const { name, required } of resource.properties.values()) {
    const kept = required && memberOf(item, name) === undefined ? memberOf(before, name) : undefined;
    if (kept === undefined) continue;
    setMember(item, name, kept);
    missing.push(joinPointer('', name));
  }
  if (missing.length === 0) return;
  call.warnings.add(
    'kept_member',
    `Every item of ${resource.path} has ${missing.join(', ')}, which the body leaves out: it stays as it was`,
  );
}

/** What is the service's own stays: read-only members, the key, what every item has and this request cannot say. */
function keepOwn({ call, plan, resource }: Task, item: ItemDraft, before: Item): void {
  const declared = plan.input.properties(call);
  for (const { name, readOnly, required } of resource.properties.values()) {
    const isOwn = readOnly || name === resource.keyMember || (required && !declared.has(name));
    if (isOwn && memberOf(item, name) === undefined) setMember(item, name, memberOf(before, name));
  }
  for (const name of resource.hidden)
    if (!resource.properties.has(name) && memberOf(item, name) === undefined)
      setMember(item, name, memberOf(before, name));
}
