import type { HttpResponse } from '../http/message';

/** How an answer, or the lack of one, came about. */
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
