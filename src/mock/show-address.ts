import { memberOf, setMember } from '../json/member';
import type { ItemDraft } from './item';
import type { Key } from './order';
import type { Resource } from './resource';

/**
 * Sets the member of an item that shows where it is found, `name: projects/a/secrets/b`, whatever was sent in it.
 *
 * @param values - of the variables of the collection's path
 */
export function showAddress(resource: Resource, values: readonly Key[], item: ItemDraft): void {
  const { address } = resource;
  const key = address === undefined ? undefined : resource.toKey(memberOf(item, resource.keyMember));
  if (address === undefined || key === undefined) return;
  const shown = [...values, key].slice(address.from);
  let index = 0;
  const text = address.template.replaceAll(/\{[^{}]*\}/g, (variable) => String(shown[index++] ?? variable));
  setMember(item, address.member, text);
}
