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
import { referredCollection } from '../rule-references';
import { toKey } from '../rules';
import type { Task } from './task';

/** Every reference that the rules speak of, and that a write sets, must lead to an item. */
export function checkReferences(task: Task, item: ItemDraft, before: Item | undefined): Problem | undefined {
  for (const reference of task.rules?.references ?? []) {
    const { collection, member } = reference;
    if (collection !== task.resource.path) continue;
    const value = memberOf(item, member);
    if (value === undefined || value === null) continue;
    const earlier = before === undefined ? undefined : memberOf(before, member);
    if (earlier !== undefined && equalJson(earlier, value)) continue;
    const key = toKey(value);
    const to = referredCollection(reference, task.resources, task.scope.values);
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
