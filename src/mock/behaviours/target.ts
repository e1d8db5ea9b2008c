import { problem } from '../../checks/problem';
import { stringifyJson } from '../../json/stringify-json';
import { refused, type Call, type Outcome } from '../call';
import type { Item } from '../item';
import type { Key } from '../order';
import type { Resource } from '../resource';
import { toKey } from '../rules';
import type { Draft } from '../draft';

export type Target = { readonly kind: 'target'; readonly key: Key; readonly item: Item } | Outcome;

/** The item that a path names, or 404. */
export function findTarget(call: Call, resource: Resource, draft: Draft): Target {
  const value = call.parameters.path.get(resource.keyParameter ?? '');
  const key = toKey(value);
  const item = key === undefined ? undefined : draft.get(resource.path, key);
  if (key !== undefined && item !== undefined) return { kind: 'target', key, item };
  const shown =
    value === undefined ? '' : ` with ${resource.keyParameter ?? resource.keyMember} ${stringifyJson(value)}`;
  return refused(problem('resource_not_found', `There is no item${shown} in ${resource.path}`));
}
