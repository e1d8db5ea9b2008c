import { memberOf } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Property } from '../openapi/model';
import type { ResourceDescription } from '../resources/resource-model';
import type { Item } from './item';

/** Before the name of a member that stands under `attributes` (JSON:API 1.1 §7.2.2). No member is named so. */
const PREFIX = '/attributes/';

/** What items are chosen and ordered by: the name of a member, or the address of one under `attributes`. */
export function attributeAddress(name: string): string {
  return PREFIX + name;
}

/** The value of a member, or at an address of {@link attributeAddress}. */
export function valueAt(item: Item, address: string): JsonValue | undefined {
  const own = memberOf(item, address);
  if (own !== undefined || !address.startsWith(PREFIX)) return own;
  const attributes = memberOf(item, 'attributes');
  return isJsonObject(attributes) ? memberOf(attributes, address.slice(PREFIX.length)) : undefined;
}

/** What the description says of the value at an address. */
export function propertyAt(
  { properties, attributes }: Pick<ResourceDescription, 'properties' | 'attributes'>,
  address: string,
): Property | undefined {
  const own = properties.get(address);
  return own === undefined && address.startsWith(PREFIX) ? attributes.get(address.slice(PREFIX.length)) : own;
}
