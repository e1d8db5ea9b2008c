import { problem } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { rejected, type Outcome } from '../calls/call';
import type { Item, ItemDraft } from '../state/item';
import type { Key } from '../../lists/sort-values';
import { applyRule } from './rule-calls';
import { createdOutcome, createFrom, isFree } from './create';
import { checkReferences, copyFromCollection, resolveEmbedded, setParentObjects } from './related-items';
import { checkNewKey, checkSameKey, newKeySent, putChanged } from './new-keys';
import { checkIfMatch, checkIsNew, warnIgnoredProperties } from './preconditions';
import { checkUnique } from './said-rules';
import { validateWholeItem } from './stored-item';
import { storeUpload } from '../effects/uploads';
import { findByNamedProperty, findItem, type FoundItem } from '../state/item-lookup';
import { isRooted, type Resource } from '../state/prepared-resource';
import { findTarget, type Target } from './item-selection';
import { update } from './update';
import type { BehaviourContext } from '../plans/operation-plan';

/** PUT: the item becomes what was sent; properties that were not sent are gone, the service's own ones stay. */
export function replace(task: BehaviourContext): Outcome {
  const target = findTarget(task);
  if (target.kind === 'target') return mergeOrReplace(task, target.key, target.item);
  // A single record has its place already; only what stands in it is new.
  if (task.resource.kind === 'singleton' && target.key !== undefined) return createAt(task, target.key);
  return target.answer;
}

/** PUT where the description promises 201: replaces, or makes the item under the key of the path. */
export function upsert(task: BehaviourContext): Outcome {
  const target = linkTarget(task) ?? findTarget(task);
  if (target.kind === 'absent') return target.key === undefined ? target.answer : createAt(task, target.key);
  const { key, item } = target;
  if (task.plan.binding.onlyCreates !== true) return mergeOrReplace(task, key, item);
  if (isFree(task, key)) return createAt(task, key);
  return rejected(problem('key_taken', `An item of ${task.scope.collection} has ${stringifyJson(key)} already`));
}

/**
 * What a PUT puts here by its key, where the items of that collection are made by an operation: it must be there, and is
 * found by all of its names. `undefined` where nothing is known of it.
 */
function linkTarget({ call, plan, resource, resources, scope, draft }: BehaviourContext): Target | undefined {
  const other = resource.itemsOf === undefined ? undefined : resources.get(resource.itemsOf);
  const { keyParameter } = plan.binding;
  if (other === undefined || keyParameter === undefined || !other.isMade || !isRooted(other)) return undefined;
  const value = call.parameters.path.get(keyParameter);
  const source = findSource(other, resource.variableMeans, value, draft);
  const shown = value === undefined ? '' : ` with ${keyParameter} ${stringifyJson(value)}`;
  const answer = rejected(problem('resource_not_found', `There is no item${shown} in ${other.path}`));
  const key = source === undefined ? undefined : resource.toKey(source.key);
  const item = key === undefined ? undefined : draft.get(scope.collection, key);
  return key === undefined || item === undefined ? { kind: 'absent', key, answer } : { kind: 'target', key, item };
}

/** @param own - the property of the items that the variable of the path means */
function findSource(
  other: Resource,
  own: string | undefined,
  value: JsonValue | undefined,
  draft: BehaviourContext['draft'],
): FoundItem | undefined {
  const named = findItem(other, other.path, value, draft);
  if (named !== undefined || own === undefined || value === undefined) return named;
  return findByNamedProperty(other, other.path, own, value, draft);
}

/** Where nothing makes plain that all of an item is replaced, what is not sent stays. */
function mergeOrReplace(task: BehaviourContext, key: Key, before: Item): Outcome {
  return task.plan.binding.mergesExisting ? update(task) : replaceItem(task, key, before);
}

function createAt(task: BehaviourContext, key: Key): Outcome {
  const sent = task.plan.input.sent(task.call);
  const rejection = checkIfMatch(task, undefined) ?? checkSameKey(task, sent, key);
  if (rejection !== undefined) return rejected(rejection);
  const ground = copyFromCollection(task, task.scope.collection, key);
  return createdOutcome(task, createFrom(task, sent, ground, key));
}

function replaceItem(task: BehaviourContext, key: Key, before: Item): Outcome {
  const { call, plan, scope } = task;
  const sent = plan.input.sent(call);
  const input = { ...plan.input.writable(call, sent), ...newKeySent(task, sent, key) };
  // A body that is a file says nothing of the rest, and no body says nothing at all.
  const item: ItemDraft = isJsonObject(sent) ? {} : { ...before };
  for (const name of Object.keys(input)) setProperty(item, name, input[name]);
  storeUpload(task, item, before);
  keepOwn(task, item, before);
  for (const { member: property, value } of scope.members) setProperty(item, property, value);
  const rejection =
    checkIfMatch(task, before) ??
    checkIsNew(task) ??
    checkSameKey(task, sent, key) ??
    checkNewKey(task, item, key) ??
    checkReferences(task, item, before);
  if (rejection !== undefined) return rejected(rejection);
  plan.input.addDefaults(call, item);
  plan.serverValues.addDefaults(item);
  keepRequired(task, item, before);
  plan.serverValues.setChangeTimestamps(item, task.nowMs);
  resolveEmbedded(task, item);
  const broken = applyRule(task, { item, before, input }) ?? checkUnique(task, item, before);
  if (broken !== undefined) return rejected(broken);
  setParentObjects(task, item);
  const settled = validateWholeItem(task, item, input, before);
  if (settled.kind === 'rejected') return rejected(settled.problem);
  const stored = putChanged(task, key, settled.item);
  warnIgnoredProperties(task, sent, stored);
  return { kind: 'changed', scope, item: stored };
}

/**
 * What every item must have and this body may leave out is null where it may be, else it stays as it was, and that is
 * reported: a replaced item is not stored without it.
 */
function keepRequired({ call, plan, resource }: BehaviourContext, item: ItemDraft, before: Item): void {
  const missing: string[] = [];
  for (const { name, required } of resource.properties.values()) {
    const stored = required && ownProperty(item, name) === undefined ? ownProperty(before, name) : undefined;
    if (stored === undefined) continue;
    if (plan.serverValues.accepts(name, null)) {
      setProperty(item, name, null);
      continue;
    }
    setProperty(item, name, stored);
    missing.push(joinPointer('', name));
  }
  if (missing.length === 0) return;
  call.warnings.add(
    'kept_member',
    `Every item of ${resource.path} has ${missing.join(', ')}, which the body leaves out: it stays as it was`,
  );
}

/** What is not the client's to say stays: read-only properties, the key, and what this request cannot express. */
function keepOwn({ call, plan, resource }: BehaviourContext, item: ItemDraft, before: Item): void {
  const declared = [...plan.input.properties(call).keys()];
  const sayable = new Set(declared.map((written) => plan.input.nameInItem(call, written)));
  // A body that declares nothing can say anything.
  const isFree = sayable.size === 0;
  for (const { name, readOnly, required } of resource.properties.values()) {
    const isOwn = readOnly || name === resource.keyMember || (isFree ? required : !sayable.has(name));
    if (isOwn && ownProperty(item, name) === undefined) setProperty(item, name, ownProperty(before, name));
  }
  plan.input.keepInexpressible(call, item, before);
  for (const name of resource.hidden)
    if (!resource.properties.has(name) && ownProperty(item, name) === undefined)
      setProperty(item, name, ownProperty(before, name));
}
