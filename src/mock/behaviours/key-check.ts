import { memberOf } from '../../json/member';
import { problem, type Problem } from '../../checks/problem';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';
import type { Key } from '../order';
import type { Task } from './task';

/** A body that may name a key must name the one of the path. Where the key is read-only, what is sent is ignored. */
export function checkSameKey(
  { call, plan, resource }: Task,
  sent: JsonValue | undefined,
  key: Key,
): Problem | undefined {
  const { keyMember } = resource;
  if (resource.kind === 'singleton' || !isJsonObject(sent) || !Object.hasOwn(sent, keyMember)) return undefined;
  if (resource.properties.get(keyMember)?.readOnly === true) return undefined;
  if (plan.input.properties(call).get(keyMember)?.readOnly !== false) return undefined;
  const named = memberOf(sent, keyMember);
  if (named === undefined || named === null || resource.toKey(named) === key) return undefined;
  const pointer = [...plan.input.path, keyMember].reduce(joinPointer, '');
  const message = `The field ${pointer} names ${stringifyJson(named)}, the path names ${stringifyJson(key)}`;
  return problem('key_mismatch', message, { pointer });
}
