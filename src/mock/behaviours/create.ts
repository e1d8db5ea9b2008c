import { problem } from '../../checks/problem';
import type { SchemaObject } from '../../json-schema/schema';
import { compareNumbers, isJsonNumber } from '../../json/exact-number';
import { refused, type Call, type Outcome } from '../call';
import { conform, writable } from '../conform';
import type { ItemDraft } from '../item';
import type { Resource } from '../resource';
import { successor, type Key } from '../order';
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

/** Integers in steps of one, past every key that a fixture brought; texts are made from such an integer. */
function takeKey(resource: Resource, { draft, idStart }: WriteContext): Key | undefined {
  const { path, keyMember, properties } = resource;
  const schema = properties.get(keyMember)?.schema ?? {};
  const next = draft.nextKey(path) ?? idStart;
  let number = compareNumbers(next, idStart) > 0 ? next : idStart;
  let key = keyFrom(number, schema);
  // A fixture may hold any text, so that one which was made may be taken.
  while (typeof key === 'string' && draft.get(path, key) !== undefined)
    key = keyFrom((number = successor(number)), schema);
  if (isJsonNumber(schema['maximum']) && compareNumbers(number, schema['maximum']) > 0) return undefined;
  draft.setNextKey(path, successor(number));
  return key;
}

/** The same number always gives the same key, so that two runs with the same requests give the same bytes. */
function keyFrom(number: number | bigint, schema: SchemaObject): Key {
  if (schema['type'] !== 'string') return number;
  if (schema['format'] !== 'uuid') return String(number);
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
