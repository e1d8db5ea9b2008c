import { problem, type Problem } from '../../checks/problem';
import { matchesStrong, matchesWeak } from '../../http/entity-tag';
import type { Call } from '../call';
import type { Item } from '../item';
import { represent } from '../representation';

/** If-Match, where the operation documents it (RFC 9110 §13.1.1): strong comparison, 412 when none matches. */
export function checkIfMatch(call: Call, item: Item, isRequired: boolean): Problem | undefined {
  if (!documents(call, 'if-match')) return undefined;
  const header = call.head.headers['if-match'];
  if (typeof header !== 'string') {
    if (!isRequired) return undefined;
    return problem(
      'precondition_required',
      'The header If-Match is missing; send the ETag of the item that you mean to change',
    );
  }
  if (matchesStrong(header, represent(item).etag)) return undefined;
  return problem(
    'precondition_failed',
    'The header If-Match does not name the current version by its ETag, quotes included; read the item again',
  );
}

/** If-None-Match on a read (RFC 9110 §13.1.2): weak comparison; `true` means 304. */
export function isNotModified(call: Call, item: Item): boolean {
  const header = call.head.headers['if-none-match'];
  return typeof header === 'string' && documents(call, 'if-none-match') && matchesWeak(header, represent(item).etag);
}

/** @param header - lower case */
function documents(call: Call, header: string): boolean {
  return call.operation.parameters.some(({ in: place, key }) => place === 'header' && key === header);
}
