import { headerValue } from '../http/headers';
import type { HttpRequest } from '../http/message';
import { isSafe } from './run';

/**
 * May a request be sent again when nobody knows whether it was carried out? Safe and idempotent methods may
 * (RFC 9110 §9.2.2), and others with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2).
 */
export function isRepeatable({ method, rawHeaders }: Pick<HttpRequest, 'method' | 'rawHeaders'>): boolean {
  if (isSafe(method) || method === 'PUT' || method === 'DELETE') return true;
  return headerValue(rawHeaders, 'idempotency-key') !== undefined;
}

/**
 * Could an answer to a repeated request be the effect of its first sending, as the 404 of a second DELETE is? Then it
 * says nothing about the target.
 *
 * @param expects - statuses that are right in any case; `undefined` when the sender does not say
 */
export function isAmbiguous(method: string, status: number, expects: readonly number[] | undefined): boolean {
  return !isSafe(method) && status >= 400 && status < 500 && expects?.includes(status) === false;
}
