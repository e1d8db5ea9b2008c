import { isJsonObject, type JsonValue } from '../../json/json-value';
import { memberOf, setMember } from '../../json/member';
import { findItem } from '../find-item';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import { isRooted, keyOfMember, type Resource } from '../resource';
import type { Task } from './task';

/**
 * Sets the key of what was sent where items show both, `projectId` beside `project`: of the item that a key or a name
 * finds, else what was sent. The object is that of the same item.
 *
 * @param sent - members that came from the client
 */
export function setCompanions(task: Task, item: ItemDraft, sent: Item): void {
  const { properties } = task.resource;
  for (const [name, value] of Object.entries(sent)) {
    const companion = properties.get(`${name}Id`) ?? properties.get(`${name}_id`);
    if (companion !== undefined && memberOf(item, companion.name) === undefined)
      setCompanion(task, item, companion.name, name, value);
  }
}

function setCompanion(task: Task, item: ItemDraft, companion: string, name: string, value: JsonValue): void {
  const { draft, plan, resource } = task;
  const sent = keySent(value);
  if (sent === undefined) return;
  const other = referredBy(task, companion);
  const key = other === undefined ? undefined : findItem(other, other.path, sent, draft)?.key;
  const shown = keyOfMember(resource, companion, key ?? sent);
  if (plan.making.takes(companion, shown)) setMember(item, companion, shown);
  // Where items hold the object, a name is no key of it.
  if (key !== undefined && !isJsonObject(value) && !plan.making.takes(name, key)) setMember(item, name, key);
}

function keySent(value: JsonValue | undefined): Key | undefined {
  const key = isJsonObject(value) ? memberOf(value, 'id') : value;
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' ? key : undefined;
}

function referredBy({ resource, resources }: Task, member: string): Resource | undefined {
  const reference = resource.references.find((each) => each.member === member && each.form === 'key');
  const other = reference === undefined ? undefined : resources.get(reference.to);
  return other !== undefined && isRooted(other) ? other : undefined;
}
