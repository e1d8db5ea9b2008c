import { memberOf, setMember } from '../../json/member';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { mergePatch } from '../../json/merge-patch';
import type { Property } from '../../openapi/model';
import type { Action } from '../../resources/resource-model';
import { isStateName } from '../../resources/state-words';
import { effectOf } from '../../resources/verbs';
import { refused, type Outcome } from '../call';
import type { Item, ItemDraft } from '../item';
import { applyRule } from './apply-rule';
import { createFrom } from './create';
import { checkIfMatch } from './preconditions';
import { checkReferences } from './references';
import { storeChange } from './store-change';
import { takeFile } from './take-file';
import { findTarget } from './target';
import type { Task } from './task';
import { tellUnkept } from './tell-unkept';

/** `POST /things/{id}/verb`: the verb sets a member, the body changes others; else the item is answered as it is. */
export function act(task: Task): Outcome {
  const target = findTarget(task);
  if (target.kind === 'absent') return target.answer;
  const { key, item: before } = target;
  const { action } = task.plan.binding;
  const sent = sentTo(task);
  if (action?.makes !== undefined) return makeAnother(task, before, sent, action.makes);
  const item: ItemDraft = { ...before };
  takeFile(task, item, before);
  const input = mergeBody(task, sent, before, item);
  const named = setNamedStates(task, sent, item);
  if (action !== undefined) applyEffect(task, action, item);
  const refusal =
    checkIfMatch(task, before) ?? checkReferences(task, item, before) ?? applyRule(task, { item, before, input });
  if (refusal !== undefined) return refused(refusal);
  const changed = storeChange(task, key, before, item, input);
  if (changed.kind === 'changed') tellUnkept(task, without(sent, named), changed.item);
  return changed;
}

function sentTo({ call, plan }: Task): JsonValue | undefined {
  return plan.binding.action?.mergesBody === true ? plan.input.sent(call) : undefined;
}

/** The body of an action is no item: what items do not declare is about the action. */
function mergeBody({ call, plan, resource }: Task, sent: JsonValue | undefined, before: Item, item: ItemDraft): Item {
  const isDeclared = (name: string): boolean => resource.properties.size === 0 || resource.properties.has(name);
  const input = Object.entries(plan.input.writable(call, sent)).filter(([name]) => isDeclared(name));
  for (const [name, value] of input) setMember(item, name, mergePatch(memberOf(before, name), value));
  return Object.fromEntries(input);
}

function applyEffect({ plan, nowMs }: Task, { sets, stamps }: Action, item: ItemDraft): void {
  for (const member of stamps) plan.making.stamp(item, member, nowMs);
  for (const { member, value, isMerged } of sets)
    setMember(item, member, isMerged === true ? mergePatch(memberOf(item, member), value) : value);
}

/** A copy has what the item has, but for what only the service sets; another one has what was sent. Both lie beside it. */
function makeAnother(task: Task, before: Item, sent: JsonValue | undefined, makes: 'copy' | 'other'): Outcome {
  const { plan, resource } = task;
  const own = (name: string): boolean =>
    name === resource.keyMember || resource.properties.get(name)?.readOnly === true || plan.making.isOwn(name);
  const copied = Object.entries(before).filter(([name]) => !own(name));
  const stored = createFrom(task, sent, makes === 'copy' ? Object.fromEntries(copied) : {});
  return stored.kind === 'bad' ? refused(stored.problem) : { kind: 'created', scope: task.scope, item: stored.item };
}

/** Names under which the body of an action says where it leads. */
const TO_STATE =
  /^(?:to|target|new|next|desired)?[_-]?(?:state|status|to|phase|stage|transition|action|event|target)?$/i;

/**
 * Sets a state that is sent under a name that items do not have: `{ "to": "DONE" }`, `{ "action": "close" }`.
 *
 * @returns the names under which one was sent
 */
function setNamedStates({ call, plan, resource }: Task, sent: JsonValue | undefined, item: ItemDraft): string[] {
  if (!isJsonObject(sent)) return [];
  return Object.entries(sent).flatMap(([name, value]) => {
    const isOther = !resource.properties.has(plan.input.nameInItem(call, name));
    if (!isOther || typeof value !== 'string' || !TO_STATE.test(name)) return [];
    const found = stateNamed(value, resource.properties);
    if (found === undefined) return [];
    setMember(item, found.member, found.value);
    return [name];
  });
}

function stateNamed(
  word: string,
  members: ReadonlyMap<string, Property>,
): { readonly member: string; readonly value: JsonValue } | undefined {
  for (const { name, schema } of members.values()) {
    const words: JsonValue | undefined = schema['enum'];
    const value = Array.isArray(words) && isStateName(name) ? words.find((each) => isSame(each, word)) : undefined;
    if (value !== undefined) return { member: name, value };
  }
  return effectOf(word, members);
}

function isSame(value: JsonValue, word: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === word.toLowerCase();
}

function without(sent: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  if (names.length === 0 || !isJsonObject(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}
