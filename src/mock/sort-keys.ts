import type { JsonValue } from '../json/json-value';
import type { Parameter } from '../openapi/model';
import type { SortKey } from './list-order';
import { attributeAddress } from './member-address';
import type { Resource } from './resource';

/** A name as it was sent, before a direction that stands behind it is known. */
interface Named {
  readonly member: string;
  /** `undefined` where it does not say. */
  descending: boolean | undefined;
}

/**
 * Reads the wanted order: `-name`, `name:desc`, `name desc`, several with commas; or, as Spring Data writes it, names and
 * then their direction in one value, `name,age,desc`. A direction of its own counts for those that do not say. A name
 * that no member has is left out.
 *
 * @param sort - value of the parameter
 * @param direction - value of the parameter for a direction of its own
 */
export function readSort(
  resource: Resource,
  parameter: Parameter | undefined,
  sort: JsonValue | undefined,
  direction: JsonValue | undefined,
): SortKey[] {
  const turned = typeof direction === 'string' && /^-|desc/i.test(direction);
  const keys = valuesOf(parameter, sort).flatMap((value) => namesIn(resource, value));
  if (keys.length === 0 && sort === undefined && turned) return [{ member: resource.keyMember, descending: true }];
  return keys.map(({ member, descending }) => ({ member, descending: descending ?? turned }));
}

/** One text for each value that was sent; a list that is not exploded is one value. */
function valuesOf(parameter: Parameter | undefined, sort: JsonValue | undefined): string[] {
  const values: readonly (JsonValue | undefined)[] = Array.isArray(sort) ? sort : [sort];
  const texts = values.filter((each) => typeof each === 'string');
  return parameter?.explode === false ? [texts.join(',')] : texts;
}

function namesIn(resource: Resource, value: string): Named[] {
  const names: Named[] = [];
  for (const part of value.split(',')) {
    const text = part.trim();
    // A member may be called so.
    if (/^(?:asc|desc)$/i.test(text) && memberNamed(resource, text) === undefined) {
      for (const name of names) name.descending ??= text.toLowerCase() === 'desc';
      continue;
    }
    const [, sign = '', name = '', order = ''] = /^([+-]?)(.*?)(?:[\s:]+(asc|desc)[a-z]*)?$/i.exec(text) ?? [];
    const member = memberNamed(resource, name);
    if (member !== undefined) names.push({ member, descending: saysDescending(sign, order) });
  }
  return names;
}

function saysDescending(sign: string, order: string): boolean | undefined {
  if (order !== '') return order.toLowerCase() === 'desc';
  return sign === '' ? undefined : sign === '-';
}

/** `created_at` and `createdAt` are one name to a client that sorts. */
function memberNamed({ properties, attributes }: Resource, name: string): string | undefined {
  const own = nameIn(properties, name);
  if (own !== undefined) return own;
  const attribute = nameIn(attributes, name);
  return attribute === undefined ? undefined : attributeAddress(attribute);
}

function nameIn(members: Resource['properties'], name: string): string | undefined {
  if (members.has(name)) return name;
  const folded = fold(name);
  return folded === '' ? undefined : [...members.keys()].find((member) => fold(member) === folded);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
