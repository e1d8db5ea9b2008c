import { problem, type Problem } from '../../checks/problem';
import { matchesStrong, matchesWeak } from '../../http/entity-tag';
import type { Call } from '../call';
import { documentsHeader } from '../conditional-writes';
import type { Item } from '../item';
import { represent } from '../representation';
import type { Resource } from '../resource';
import type { Task } from './task';

/**
 * If-Match, where it is documented, and on every change of an item whose read sends an ETag (RFC 9110 §13.1.1): strong
 * comparison, 412 when none matches.
 *
 * @param item - `undefined` when there is none under the key, which nothing matches
 */
export function checkIfMatch(
  { call, plan, resource, requireIfMatch }: Task,
  item: Item | undefined,
): Problem | undefined {
  if (!plan.takesIfMatch) return undefined;
  const header = call.head.headers['if-match'];
  if (typeof header !== 'string') {
    if (!requireIfMatch || item === undefined) return undefined;
    return problem(
      'precondition_required',
      'The header If-Match is missing; send the ETag of the item that you mean to change',
    );
  }
  if (item !== undefined && matchesStrong(header, represent(item, resource).etag)) return undefined;
  return problem(
    'precondition_failed',
    'The header If-Match does not name the current version by its ETag, quotes included; read the item again',
  );
}

/** `If-None-Match: *` on a write, where it is documented: only an item that is not there yet (RFC 9110 §13.1.2). */
export function checkIsNew({ call }: Task): Problem | undefined {
  if (!documentsHeader(call.operation, 'if-none-match') || call.head.headers['if-none-match'] !== '*') return undefined;
  return problem('precondition_failed', 'The header If-None-Match asks for a new item, and this one exists already');
}

/** If-None-Match on a read (RFC 9110 §13.1.2): weak comparison; `true` means 304. */
export function isNotModified(call: Call, item: Item, resource: Resource): boolean {
  const header = call.head.headers['if-none-match'];
  if (typeof header !== 'string' || !documentsHeader(call.operation, 'if-none-match')) return false;
  return matchesWeak(header, represent(item, resource).etag);
}
