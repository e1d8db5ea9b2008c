import { problem, type Problem } from '../../checks/problem';
import { equalJson } from '../../json/equal-json';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';
import type { Call } from '../call';
import type { Item, ItemDraft } from '../item';
import type { Resource } from '../resource';
import { toKey, type Rules } from '../rules';
import type { Draft } from '../draft';

/** What every writing behaviour needs beside the call. */
export interface WriteContext {
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly rules: Rules | undefined;
  /** Epoch milliseconds of the mock's clock. */
  readonly nowMs: number;
  readonly requireIfMatch: boolean;
  readonly idStart: number | bigint;
}

/** With `handling=strict`, members that would be ignored are refused instead (RFC 7240 §4.4). */
export function checkStrictMembers(call: Call, resource: Resource): Problem | undefined {
  if (!call.isStrict || !isJsonObject(call.body)) return undefined;
  for (const name of Object.keys(call.body)) {
    const property = call.bodyProperties.get(name);
    const pointer = joinPointer('', name);
    if (property?.readOnly === true || (property === undefined && resource.properties.get(name)?.readOnly === true)) {
      return problem('invalid_field', `The field ${pointer} is read-only, and handling=strict was asked for`, {
        pointer,
      });
    }
    if (property === undefined) {
      return problem('invalid_field', `The field ${pointer} is not known, and handling=strict was asked for`, {
        pointer,
      });
    }
  }
  return undefined;
}

/** Every reference that a write sets must lead to an item. */
export function checkReferences(
  resource: Resource,
  item: ItemDraft,
  before: Item | undefined,
  { rules, draft }: WriteContext,
): Problem | undefined {
  for (const { collection, member, to } of rules?.references ?? []) {
    if (collection !== resource.path) continue;
    const value = item[member];
    if (value === undefined || value === null || (before?.[member] !== undefined && equalJson(before[member], value)))
      continue;
    const key = toKey(value);
    if (key !== undefined && draft.get(to, key) !== undefined) continue;
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
export function checkReferrers(
  resource: Resource,
  item: Item,
  { rules, draft, resources }: WriteContext,
): Problem | undefined {
  for (const { collection, member, to, refuseRemoval } of rules?.references ?? []) {
    if (to !== resource.path || refuseRemoval === undefined) continue;
    const referrer = resources.get(collection);
    const key = item[resource.keyMember];
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
