import { headerValue } from '../http/headers';
import type { HttpRequest } from '../http/message';
import type { Operation } from '../openapi/model';
import { isSafe } from './run';

const IDEMPOTENCY_KEY = 'idempotency-key';
type Repeated = Pick<HttpRequest, 'method' | 'rawHeaders'>;

/**
 * May a request be sent again when nobody knows whether it was carried out? Safe and idempotent methods may
 * (RFC 9110 §9.2.2), and others with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2) where the
 * target is known to look at it: who ignores the header does the same thing twice.
 *
 * @param mayRepeat - does the operation document the header?
 */
export function isRepeatable({ method, rawHeaders }: Repeated, mayRepeat: boolean): boolean {
  if (isSafe(method) || method === 'PUT' || method === 'DELETE') return true;
  return mayRepeat && headerValue(rawHeaders, IDEMPOTENCY_KEY) !== undefined;
}

/** Does an operation say that it looks at an `Idempotency-Key`? */
export function documentsIdempotency(operation: Pick<Operation, 'parameters'> | undefined): boolean {
  return operation?.parameters.some((one) => one.in === 'header' && one.key === IDEMPOTENCY_KEY) === true;
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
