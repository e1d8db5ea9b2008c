import { problem } from '../../checks/problem';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { memberOf, setMember } from '../../json/member';
import { scalarText } from '../../json/scalar-text';
import { stringifyJson } from '../../json/stringify-json';
import { refused, type Outcome } from '../call';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import type { FixedMember } from '../scope';
import type { Task } from './task';

/** `POST /people/7/tags { id: 3 }`: the item is there as well from now on, and stays where else it is. */
export function putThere(task: Task, name: string): Outcome {
  const { plan, call, resource, scope, draft } = task;
  const sent = plan.input.sent(call);
  const value = isJsonObject(sent) ? memberOf(sent, name) : undefined;
  const key = resource.toKey(value);
  const before = key === undefined ? undefined : draft.get(scope.collection, key);
  if (key === undefined || before === undefined) {
    const shown = value === undefined ? '' : ` with ${resource.keyMember} ${stringifyJson(value)}`;
    return refused(problem('resource_not_found', `There is no item${shown} in ${scope.collection}`));
  }
  const item: ItemDraft = { ...before };
  for (const place of placesIn(task)) setMember(item, place.member, [...without(before, place), place.value]);
  return { kind: 'changed', scope, item: draft.put(scope.collection, key, item as Item) };
}

/** Does the path name an item at one of the places where it was put? What is removed there is there no more. */
export function isPutThere(task: Task): boolean {
  return placesIn(task).length > 0;
}

/** `DELETE /people/7/tags/3`: the item stays, and is there no more. */
export function takeAway(task: Task, key: Key, before: Item): Outcome {
  const { scope, draft } = task;
  const item: ItemDraft = { ...before };
  for (const place of placesIn(task)) setMember(item, place.member, without(before, place));
  return { kind: 'removed', scope, item: draft.put(scope.collection, key, item as Item) };
}

function placesIn({ resource, scope }: Task): readonly FixedMember[] {
  return scope.restrictions.filter(({ member }) => resource.places.has(member));
}

/** The places of an item without one. What was made at a place has that alone, and no list. */
function without(item: Item, { member, value }: FixedMember): JsonValue[] {
  const own = memberOf(item, member);
  const all: readonly JsonValue[] = own === undefined ? [] : Array.isArray(own) ? own : [own];
  return all.filter((each) => scalarText(each) !== scalarText(value));
}
