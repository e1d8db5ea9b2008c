import { isMarkedDeleted } from '../../openapi/naming/states';
import type { Operation } from '../../openapi/model/operation';
import { type AnswerPair, type AnswerReason, isSuccess } from '../transport/reference';

/** Rejections of one thing by other words, or where a service may choose not to tell why (RFC 9110 §15.5.4, §15.5.5). */
const SYNONYMS: readonly ReadonlySet<number>[] = [
  new Set([400, 422]),
  new Set([404, 410]),
  new Set([403, 404]),
  new Set([401, 403]),
];

/**
 * Rejections that no service owes: what is asked for in `Accept` may be disregarded (RFC 9110 §12.4.1), and limits and
 * demands are its own.
 */
const NOT_OWED: ReadonlySet<number> = new Set([406, 413, 414, 415, 417, 428, 429, 431, 501]);

/** Rejections of a service by what no description tells: whom it lets in, and how often. */
const OF_POLICY: ReadonlySet<number> = new Set([401, 402, 403, 429, 451]);

/** What two different statuses mean: nothing, a doubt, or a fault. */
export type StatusDifference = 'free' | 'warning' | 'error';

/**
 * Compares the statuses of two answers that the contract both lets.
 *
 * @param isOwn - is all that the request names the run's own, so that it is in the same state at both sides?
 */
export function compareStatuses(
  { target, mock }: AnswerPair,
  { basis, isStateful }: AnswerReason,
  operation: Operation,
  isOwn: boolean,
): StatusDifference {
  if (target.status === mock.status || target.status >= 500 || mock.status >= 500) return 'free';
  if (isSuccess(mock)) return whereMockAccepts(target.status, { basis, isStateful, isOwn });
  // What is removed may still be shown, as long as it says so.
  if (isSuccess(target) && isMarkedDeleted(target.body)) return 'free';
  if (isSuccess(target)) return whereTargetAccepts(mock.status, operation, basis);
  // Of several faults of one request each may be told first, and both are rejections.
  const isSynonym = SYNONYMS.some((group) => group.has(target.status) && group.has(mock.status));
  if (isSynonym || NOT_OWED.has(mock.status) || NOT_OWED.has(target.status)) return 'free';
  return basis === 'stated' ? 'error' : 'warning';
}

function whereMockAccepts(
  status: number,
  { basis, isStateful, isOwn }: Pick<AnswerReason, 'basis' | 'isStateful'> & { readonly isOwn: boolean },
): StatusDifference {
  // Other successes say the same in other words, and an example is no state that anything follows from.
  if (status < 300 || !isStateful || NOT_OWED.has(status)) return 'free';
  if (OF_POLICY.has(status)) return 'warning';
  // What was made and not removed is there (RFC 9110 §9.3.4, §15.5.5).
  if ((status === 404 || status === 410) && isOwn) return 'error';
  return basis === 'stated' ? 'error' : 'warning';
}

function whereTargetAccepts(status: number, { responses }: Operation, basis: AnswerReason['basis']): StatusDifference {
  if (NOT_OWED.has(status)) return 'free';
  // Conditions are of use only where a service has validators (RFC 9110 §13.1); redirects are one of several ways.
  if (status < 400 || status === 412) return responses.has(String(status)) && status !== 302 ? 'error' : 'free';
  return basis === 'inferred' ? 'warning' : 'error';
}
