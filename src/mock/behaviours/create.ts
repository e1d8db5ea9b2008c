import { problem } from '../../checks/problem';
import { compareNumbers, isJsonNumber } from '../../json/exact-number';
import { refused, type Call, type Outcome } from '../call';
import { conform, writable } from '../conform';
import type { ItemDraft } from '../item';
import type { Resource } from '../resource';
import { applyRule, checkReferences, type WriteContext } from './write-context';

/** Stores a new item under a key that the service assigns; keys are never given out twice. */
export function create(call: Call, resource: Resource, context: WriteContext): Outcome {
  const { draft } = context;
  const key = takeKey(resource, context);
  if (key === undefined) return refused(problem('id_space_exhausted', `${resource.path} has given out its last key`));
  const input = writable(resource, call.body ?? {});
  const item: ItemDraft = { ...input, [resource.keyMember]: key };
  const refusal =
    checkReferences(resource, item, undefined, context) ?? applyRule(call, { item, before: undefined, input }, context);
  if (refusal !== undefined) return refused(refusal);
  return { kind: 'created', resource, item: draft.put(resource.path, key, conform(resource, item)) };
}

/** Integers from the start in steps of one, past every key that a fixture brought. */
function takeKey(resource: Resource, { draft, idStart }: WriteContext): number | bigint | undefined {
  const key = draft.nextKey(resource.path) ?? firstKey(draft.collection(resource.path).highestKey(), idStart);
  const highest = resource.properties.get(resource.keyMember)?.schema['maximum'];
  if (isJsonNumber(highest) && compareNumbers(key, highest) > 0) return undefined;
  draft.setNextKey(resource.path, successor(key));
  return key;
}

function firstKey(highest: unknown, idStart: number | bigint): number | bigint {
  if (typeof highest !== 'number' && typeof highest !== 'bigint') return idStart;
  const next = successor(highest);
  return compareNumbers(next, idStart) > 0 ? next : idStart;
}

/** A `number` while it is exact, a `bigint` from there on: the form that parsing gives the same digits. */
function successor(key: number | bigint): number | bigint {
  return typeof key === 'number' && key < Number.MAX_SAFE_INTEGER ? key + 1 : BigInt(key) + 1n;
}
