import { refused, type Call, type Outcome } from '../call';
import { conform, writable } from '../conform';
import type { ItemDraft } from '../item';
import type { Resource } from '../resource';
import { applyRule } from './apply-rule';
import { checkIfMatch } from './preconditions';
import { findTarget } from './target';
import { checkReferences, type WriteContext } from './write-context';

/** PUT: the item becomes what was sent; members that were not sent are gone, the service's own ones stay. */
export function replace(call: Call, resource: Resource, context: WriteContext): Outcome {
  const target = findTarget(call, resource, context.draft);
  if (target.kind !== 'target') return target;
  const { key, item: before } = target;
  const input = writable(call, resource);
  const item: ItemDraft = { ...input };
  for (const { name, readOnly } of resource.properties.values()) {
    if (readOnly || name === resource.keyMember) item[name] = before[name];
  }
  const refusal =
    checkIfMatch(call, before, context.requireIfMatch) ??
    checkReferences(resource, item, before, context) ??
    applyRule(call, { item, before, input }, context);
  if (refusal !== undefined) return refused(refusal);
  return { kind: 'changed', resource, item: context.draft.put(resource.path, key, conform(resource, item)) };
}
