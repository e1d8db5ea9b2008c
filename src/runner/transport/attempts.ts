import { headerValue } from '../../core/http/headers';
import { type HttpRequest, type HttpResponse, isSafe } from '../../core/http/message';
import type { Operation } from '../../openapi/model/operation';

/** How a response, or the lack of one, came about. */
export interface Delivery {
  /** How often the request was sent. */
  readonly attempts: number;
  /** Milliseconds waited because the target asked for it or did not answer; the budget of requests is not in it. */
  readonly waitedMs: number;
  /** Why the request was sent again, one sentence for each time. */
  readonly reasons: readonly string[];
}

const AT_ONCE: Delivery = { attempts: 1, waitedMs: 0, reasons: [] };

// Beside the values and not in them: a response stays what the wire brought, and an error can have one as well.
const DELIVERIES = new WeakMap<object, Delivery>();

/**
 * How the outcome of `Transport.send` came about, be it the response or the error that it rejected with. One attempt
 * and no waiting where no patient transport says otherwise.
 */
export function deliveryOf(outcome: unknown): Delivery {
  return (typeof outcome === 'object' && outcome !== null ? DELIVERIES.get(outcome) : undefined) ?? AT_ONCE;
}

/** The response with a note of its delivery: a copy, because a transport may give one object to many requests. */
export function deliveredResponse(response: HttpResponse, delivery: Delivery): HttpResponse {
  if (delivery.attempts === 1) return response;
  const copy = { ...response };
  DELIVERIES.set(copy, delivery);
  return copy;
}

/** The error with a note of its delivery. */
export function deliveredError<Failure extends object>(error: Failure, delivery: Delivery): Failure {
  DELIVERIES.set(error, delivery);
  return error;
}

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
 * Could a response to a repeated request be the effect of its first sending, as the 404 of a second DELETE is? Then it
 * says nothing about the target.
 *
 * @param expects - statuses that are right in any case; `undefined` when the sender does not say
 */
export function isAmbiguous(method: string, status: number, expects: readonly number[] | undefined): boolean {
  return !isSafe(method) && status >= 400 && status < 500 && expects?.includes(status) === false;
}
