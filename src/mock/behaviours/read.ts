import type { Call, Outcome } from '../call';
import type { Resource } from '../resource';
import type { Draft } from '../draft';
import { isNotModified } from './preconditions';
import { findTarget } from './target';

export function read(call: Call, resource: Resource, draft: Draft): Outcome {
  const target = findTarget(call, resource, draft);
  if (target.kind !== 'target') return target;
  const { item } = target;
  return isNotModified(call, item) ? { kind: 'not-modified', item } : { kind: 'found', resource, item };
}
