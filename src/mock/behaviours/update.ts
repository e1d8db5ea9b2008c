import { problem, type Problem } from '../../checks/problem';
import { equalJson } from '../../json/equal-json';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject } from '../../json/json-value';
import { refused, type Call, type Outcome } from '../call';
import { conform, writable } from '../conform';
import type { Item, ItemDraft } from '../item';
import type { Resource } from '../resource';
import { applyRule } from './apply-rule';
import { checkIfMatch } from './preconditions';
import { findTarget } from './target';
import { checkReferences, type WriteContext } from './write-context';

/** PATCH with plain JSON: the members that were sent get new values, the others keep theirs (RFC 5789 §2). */
export function update(call: Call, resource: Resource, context: WriteContext): Outcome {
  const target = findTarget(call, resource, context.draft);
  if (target.kind !== 'target') return target;
  const { key, item: before } = target;
  const input = writable(call, resource);
  const item: ItemDraft = { ...before, ...input };
  const refusal =
    checkIfMatch(call, before, context.requireIfMatch) ??
    checkReferences(resource, item, before, context) ??
    checkReadOnly(call, resource, before) ??
    applyRule(call, { item, before, input }, context);
  if (refusal !== undefined) return refused(refusal);
  const after = conform(resource, item);
  // Nothing changed: the same item keeps its entity tag and makes no change to record.
  if (equalJson(after, before)) return { kind: 'changed', resource, item: before };
  return { kind: 'changed', resource, item: context.draft.put(resource.path, key, after) };
}

/** A patch that names a read-only member with its current value changes nothing; with another one it cannot be done. */
function checkReadOnly(call: Call, resource: Resource, before: Item): Problem | undefined {
  if (!isJsonObject(call.body)) return undefined;
  for (const { name, readOnly } of resource.properties.values()) {
    const sent = readOnly && Object.hasOwn(call.body, name) ? call.body[name] : undefined;
    if (sent === undefined || (before[name] !== undefined && equalJson(sent, before[name]))) continue;
    const pointer = joinPointer('', name);
    return problem('immutable_field', `The field ${pointer} cannot be changed`, { pointer });
  }
  return undefined;
}
