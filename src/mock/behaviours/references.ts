import { memberOf, setMember } from '../../json/member';
import { problem, type Problem } from '../../checks/problem';
import { equalJson } from '../../json/equal-json';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';
import type { MemberReference } from '../../resources/resource-model';
import type { Item, ItemDraft } from '../item';
import { visible } from '../representation';
import { isRooted, type Resource } from '../resource';
import { toKey } from '../rules';
import type { Task } from './task';

/** Every reference that the rules speak of, and that a write sets, must lead to an item. */
export function checkReferences(task: Task, item: ItemDraft, before: Item | undefined): Problem | undefined {
  for (const { collection, member, to } of task.rules?.references ?? []) {
    if (collection !== task.resource.path) continue;
    const value = memberOf(item, member);
    if (value === undefined || value === null) continue;
    const earlier = before === undefined ? undefined : memberOf(before, member);
    if (earlier !== undefined && equalJson(earlier, value)) continue;
    const key = toKey(value);
    if (key !== undefined && task.draft.get(to, key) !== undefined) continue;
    const pointer = joinPointer('', member);
    return problem(
      'unknown_reference',
      `The field ${pointer} names ${stringifyJson(value)}, which does not exist in ${to}`,
      { pointer },
    );
  }
  return undefined;
}

/** An item that others refer to stays, where the rules say so. */
export function checkReferrers({ resource, rules, draft, resources }: Task, item: Item): Problem | undefined {
  for (const { collection, member, to, refuseRemoval } of rules?.references ?? []) {
    if (to !== resource.path || refuseRemoval === undefined) continue;
    const referrer = resources.get(collection);
    const key = memberOf(item, resource.keyMember);
    if (referrer === undefined || key === undefined) continue;
    const toSortValue = referrer.sortValues(member);
    const count = draft.collection(collection).countWhere(member, [toSortValue(key)], toSortValue);
    if (count === 0) continue;
    const others = count === 1 ? '1 item of' : `${count} items of`;
    const verb = count === 1 ? 'refers' : 'refer';
    const message = `${others} ${collection} still ${verb} to ${stringifyJson(key)} through ${member}`;
    return { status: 409, code: refuseRemoval, message };
  }
  return undefined;
}

/**
 * An item of another collection that was sent inside this one by its key is stored as it is there: what the client
 * left out of it is filled in. One that does not exist stays as it was sent.
 */
export function resolveEmbedded(task: Task, item: ItemDraft): void {
  for (const reference of task.resource.references) {
    const other = reference.form.startsWith('embedded') ? task.resources.get(reference.to) : undefined;
    const value = memberOf(item, reference.member);
    if (other === undefined || value === undefined || !isRooted(other)) continue;
    setMember(item, reference.member, resolved(task, reference, other, value));
  }
}

function resolved(task: Task, { form }: MemberReference, other: Resource, value: JsonValue): JsonValue {
  const one = (sent: JsonValue): JsonValue => {
    const key = isJsonObject(sent) ? other.toKey(memberOf(sent, other.keyMember)) : undefined;
    const stored = key === undefined ? undefined : task.draft.get(other.path, key);
    return stored === undefined ? sent : { ...visible(stored, other), ...(sent as Item) };
  };
  return form === 'embedded-list' && Array.isArray(value) ? value.map(one) : one(value);
}
