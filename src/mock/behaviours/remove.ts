import { refused, type Call, type Outcome } from '../call';
import type { Resource } from '../resource';
import { applyRule } from './apply-rule';
import { checkIfMatch } from './preconditions';
import { findTarget } from './target';
import { checkReferrers, type WriteContext } from './write-context';

export function remove(call: Call, resource: Resource, context: WriteContext): Outcome {
  const target = findTarget(call, resource, context.draft);
  if (target.kind !== 'target') return target;
  const { key, item: before } = target;
  const refusal =
    checkIfMatch(call, before, context.requireIfMatch) ??
    checkReferrers(resource, before, context) ??
    applyRule(call, { item: { ...before }, before, input: {} }, context);
  if (refusal !== undefined) return refused(refusal);
  context.draft.remove(resource.path, key);
  return { kind: 'removed' };
}
