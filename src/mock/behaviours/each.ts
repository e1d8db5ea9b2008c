import type { Problem } from '../../core/http/problem';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, valueAlong } from '../../core/json/json-value';
import type { EachItem } from '../../resources/model/binding';
import { namesKeyProperty } from '../../resources/keys/other-names';
import { type Outcome, rejected } from '../calls/call';
import { type BehaviourContext, ENTRY, type PlannedBehaviour } from '../plans/operation-plan';
import type { Item } from '../state/item';
import { findByNamedProperty } from '../state/item-lookup';
import { create, inList } from './create';

/** What one behaviour does with one item. */
type Perform = (task: BehaviourContext) => Outcome;

/**
 * Does with each item that the body names what an operation on that item would do: all of it happens, or nothing. An item
 * that is not there is left out of what is read and removed, and made by what says that it makes it; else it is a 404.
 */
export function changeEach(task: BehaviourContext, perform: Perform): Outcome {
  const { each } = task.plan.binding;
  const { one } = task.plan;
  if (each === undefined || one === undefined) throw new Error(`${task.plan.binding.operation.id} names no items`);
  const sent = valueAlong(task.call.body, each.path);
  const items: Item[] = [];
  for (const [index, entry] of (Array.isArray(sent) ? sent : []).entries()) {
    const outcome = changeOne(task, entry, each, one, perform);
    if (outcome === undefined) continue;
    if (outcome.kind === 'rejected') return rejected(inList(ofEntry(outcome.problem), each.path, index));
    if ('item' in outcome) items.push(outcome.item);
  }
  return { kind: 'many', items };
}

/** @returns `undefined` where the item is not there, and need not be */
function changeOne(
  task: BehaviourContext,
  entry: JsonValue,
  each: EachItem,
  one: PlannedBehaviour,
  perform: Perform,
): Outcome | undefined {
  const alone = { ...task.call, body: { [ENTRY]: withKey(task, entry, each) } };
  const outcome = perform({ ...task, plan: one, call: alone });
  if (outcome.kind !== 'rejected' || outcome.problem.code !== 'resource_not_found') return outcome;
  if (task.plan.oneMade !== undefined) return create({ ...task, plan: task.plan.oneMade, call: alone });
  return each.effect === 'read' || each.effect === 'remove' ? undefined : outcome;
}

/** An entry with its key under the name that items have for it; found by another property where the entry or the body says so. */
function withKey(
  { call, resource, scope, draft }: BehaviourContext,
  entry: JsonValue,
  { key, data }: EachItem,
): JsonObject {
  const beside = data === undefined ? undefined : valueAlong(call.body, [data]);
  const fields = isJsonObject(entry) ? entry : isJsonObject(beside) ? beside : {};
  const value = key === undefined ? entry : ownProperty(fields, key);
  if (value === undefined) return fields;
  const property = keyProperty(fields) ?? keyProperty(call.body);
  const named =
    property === undefined ? undefined : findByNamedProperty(resource, scope.collection, property, value, draft);
  return { ...fields, [resource.keyMember]: named?.key ?? value };
}

/** The name of the property that keys are values of: `{ idProperty: "email" }`. */
function keyProperty(body: JsonValue | undefined): string | undefined {
  const name = isJsonObject(body) ? Object.keys(body).find((each) => namesKeyProperty({ name: each })) : undefined;
  const value = name === undefined || !isJsonObject(body) ? undefined : ownProperty(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** The fault of an entry that was taken as if it was sent alone. */
function ofEntry(fault: Problem): Problem {
  const pointer = fault.pointer?.replace(new RegExp(`^/${ENTRY}`), '');
  return { ...fault, message: fault.message.replaceAll(`/${ENTRY}/`, '/'), pointer };
}
