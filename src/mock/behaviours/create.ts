import { problem } from '../../checks/problem';
import { compareNumbers, isJsonNumber } from '../../json/exact-number';
import { refused, type Call, type Outcome } from '../call';
import { conform, writable } from '../conform';
import type { ItemDraft } from '../item';
import type { Resource } from '../resource';
import { successor } from '../order';
import { applyRule } from './apply-rule';
import { checkReferences, type WriteContext } from './write-context';

/** Stores a new item under a key that the service assigns; keys are never given out twice. */
export function create(call: Call, resource: Resource, context: WriteContext): Outcome {
  const { draft } = context;
  const input = writable(call, resource);
  const unknown = checkReferences(resource, input, undefined, context);
  if (unknown !== undefined) return refused(unknown);
  const key = takeKey(resource, context);
  if (key === undefined) return refused(problem('id_space_exhausted', `${resource.path} has given out its last key`));
  const item: ItemDraft = { ...input, [resource.keyMember]: key };
  const refusal = applyRule(call, { item, before: undefined, input }, context);
  if (refusal !== undefined) return refused(refusal);
  return { kind: 'created', resource, item: draft.put(resource.path, key, conform(resource, item)) };
}

/** Integers in steps of one, past every key that a fixture brought. */
function takeKey(resource: Resource, { draft, idStart }: WriteContext): number | bigint | undefined {
  const next = draft.nextKey(resource.path) ?? idStart;
  const key = compareNumbers(next, idStart) > 0 ? next : idStart;
  const highest = resource.properties.get(resource.keyMember)?.schema['maximum'];
  if (isJsonNumber(highest) && compareNumbers(key, highest) > 0) return undefined;
  draft.setNextKey(resource.path, successor(key));
  return key;
}
