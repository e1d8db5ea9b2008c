import { setMaxListeners } from 'node:events';
import { codeOf, TransportError } from '../../core/errors/standin-error';
import { headerValue } from '../../core/http/headers';
import { type HttpRequest, type HttpResponse, isSafe, type SendOptions, type Transport } from '../../core/http/message';
import { parseRetryAfter } from '../../core/http/http-date';
import type { Operation } from '../../openapi/model/operation';
import { createRequestRateLimit, createSemaphore, REAL_TIMING, type Timing } from './timing';

export interface RetryOptions {
  /** Requests per second, repetitions too; no limit when left out. */
  readonly ratePerSecond?: number | undefined;
  /** Requests on their way at the same time; no limit when left out. */
  readonly concurrency?: number | undefined;
  /** How often one request is sent again at most; 3 when left out. */
  readonly retries?: number | undefined;
  /** How long one request waits between its repetitions in all; 60 000 when left out. */
  readonly maxWaitMs?: number | undefined;
  /** Wait for a 503 that has a Retry-After, too? By default it is a response like any other. */
  readonly waitsFor503?: boolean | undefined;
  /**
   * Ends all sending and waiting, and lets nothing more be sent but what goes `despiteInterrupt`. A signal that is given
   * with a request takes its place for that one.
   */
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Timing | undefined;
}

const RETRIES = 3;
const MAX_WAIT_MS = 60_000;
/** Where the target does not say how long: 0.5 s, 1 s, 2 s, … and never more than 16 s at a time. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 16_000;

/**
 * A transport that keeps within a budget and does what a target asks for: it waits after a 429 as long as Retry-After
 * says (RFC 6585 §4, RFC 9110 §10.2.3), and sends again what broke off where that does no harm (RFC 9110 §9.2.2). How
 * an outcome came about is reported by `deliveryOf(outcome)`, of responses and of errors.
 *
 * Its promises reject with the TransportErrors of the transport below, and with `TRANSPORT_RATE_LIMITED` when the
 * target still rejects after all repetitions, `TRANSPORT_INTERRUPTED` when the signal ended it, and
 * `TRANSPORT_BROKEN_CONNECTION` when what answered a repetition may be the effect of the first sending.
 */
export function createRetryingTransport(transport: Transport, options: RetryOptions = {}): Transport {
  const { ratePerSecond, concurrency, signal: interrupt, timing = REAL_TIMING } = options;
  const pace = createRequestRateLimit(ratePerSecond, timing);
  const semaphore = createSemaphore(concurrency);
  // Every request on its way listens to it; Node warns of the eleventh.
  if (interrupt !== undefined) allowManyListeners(interrupt);

  return {
    async send(request, sendOptions = {}) {
      const signal = sendOptions.signal ?? (sendOptions.despiteInterrupt === true ? undefined : interrupt);
      const leave = await semaphore.acquire(signal);
      try {
        const once = async (isFresh: boolean): Promise<HttpResponse> => {
          await pace.take(signal);
          await sendOptions.gate?.();
          if (signal?.aborted === true) throw interrupted();
          return transport.send(request, { ...sendOptions, signal, isFresh });
        };
        return await sendWithRetries(request, { ...sendOptions, signal }, options, once);
      } finally {
        leave?.();
      }
    },
  };
}

/** The signal of a browser's scope in a test runner, such as that of jsdom, warns of nothing, and Node does not know it. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(Infinity, signal);
  } catch (error) {
    if (codeOf(error) !== 'ERR_INVALID_ARG_TYPE') throw error;
  }
}

/** What is to be done before the next attempt. */
interface Retry {
  readonly waitMs: number;
  readonly reason: string;
  readonly isFresh: boolean;
}

async function sendWithRetries(
  request: HttpRequest,
  sendOptions: SendOptions,
  options: RetryOptions,
  once: (isFresh: boolean) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { expects, signal } = sendOptions;
  const { retries = RETRIES, maxWaitMs = MAX_WAIT_MS, timing = REAL_TIMING } = options;
  let delivery: Delivery = { attempts: 1, waitedMs: 0, reasons: [] };
  let isFresh = false;
  let broke: TransportError | undefined;
  for (;;) {
    const outcome: HttpResponse | TransportError = await once(isFresh).catch((error: unknown) => {
      if (error instanceof TransportError) return error;
      throw error;
    });
    const again = nextRetry(outcome, request, sendOptions, options, delivery.attempts);
    if (again === undefined) return finalOutcome(request, outcome, expects, broke, delivery);
    if (delivery.attempts > retries || delivery.waitedMs + again.waitMs > maxWaitMs) {
      throw deliveredError(exhausted(outcome, again, delivery), delivery);
    }
    if (again.waitMs > 0) await timing.sleep(again.waitMs, signal);
    if (signal?.aborted === true) throw deliveredError(interrupted(), delivery);
    const { attempts, waitedMs, reasons } = delivery;
    delivery = { attempts: attempts + 1, waitedMs: waitedMs + again.waitMs, reasons: [...reasons, again.reason] };
    isFresh = again.isFresh;
    if (outcome instanceof TransportError) broke = outcome;
  }
}

/** @returns `undefined` when it is settled */
function nextRetry(
  outcome: HttpResponse | TransportError,
  request: HttpRequest,
  { expects, mayRepeat = false }: SendOptions,
  options: RetryOptions,
  attempt: number,
): Retry | undefined {
  if (!(outcome instanceof TransportError)) return retryAfterResponse(outcome, expects, options, attempt);
  return isRepeatable(request, mayRepeat) ? retryAfterFailure(outcome, attempt) : undefined;
}

/** @returns `undefined` when the response is the response */
function retryAfterResponse(
  { status, headers }: HttpResponse,
  expects: readonly number[] | undefined,
  { waitsFor503 = false, timing = REAL_TIMING }: RetryOptions,
  attempt: number,
): Retry | undefined {
  if (expects?.includes(status) === true) return undefined;
  const header = headerValue(headers, 'retry-after');
  const asked = header === undefined ? undefined : parseRetryAfter(header, timing.now());
  if (status !== 429 && !(status === 503 && waitsFor503 && asked !== undefined)) return undefined;
  const waitMs = asked ?? backoff(attempt);
  return { waitMs, reason: `It was returned ${status}, and sent again after ${waitMs / 1000} s.`, isFresh: false };
}

/** @returns `undefined` when it would only fail again */
function retryAfterFailure(error: TransportError, attempt: number): Retry | undefined {
  if (error.code !== 'TRANSPORT_BROKEN_CONNECTION') return undefined;
  // The first time at once: most often an idle connection was closed at the moment when it was used again.
  const waitMs = attempt === 1 ? 0 : backoff(attempt - 1);
  return { waitMs, reason: 'The connection broke, and it was sent again.', isFresh: true };
}

function finalOutcome(
  { method }: HttpRequest,
  outcome: HttpResponse | TransportError,
  expects: readonly number[] | undefined,
  broke: TransportError | undefined,
  delivery: Delivery,
): HttpResponse {
  if (outcome instanceof TransportError) throw deliveredError(outcome, delivery);
  if (broke === undefined || !isAmbiguous(method, outcome.status, expects)) {
    return deliveredResponse(outcome, delivery);
  }
  const message = `A connection broke, and the ${method} that was sent again got a ${outcome.status}`;
  const hint = 'That may be the effect of the first sending, so nothing can be judged by it.';
  throw deliveredError(new TransportError('TRANSPORT_BROKEN_CONNECTION', message, { hint, cause: broke }), delivery);
}

function backoff(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
}

function exhausted(
  outcome: HttpResponse | TransportError,
  { waitMs }: Retry,
  { attempts, waitedMs }: Delivery,
): TransportError {
  if (outcome instanceof TransportError) return outcome;
  const times = attempts === 1 ? 'once' : `${attempts} times`;
  const message =
    `The target returned ${outcome.status} ${times}, ${waitedMs / 1000} s were waited, ` +
    `and the next attempt would be ${waitMs / 1000} s away`;
  return new TransportError('TRANSPORT_RATE_LIMITED', message, {
    hint: 'Send fewer requests per second, allow more repetitions, or ask for a higher limit.',
  });
}

function interrupted(): TransportError {
  return new TransportError('TRANSPORT_INTERRUPTED', 'The run was interrupted before a response came');
}

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
function deliveredResponse(response: HttpResponse, delivery: Delivery): HttpResponse {
  if (delivery.attempts === 1) return response;
  const copy = { ...response };
  DELIVERIES.set(copy, delivery);
  return copy;
}

function deliveredError<Failure extends object>(error: Failure, delivery: Delivery): Failure {
  DELIVERIES.set(error, delivery);
  return error;
}

const IDEMPOTENCY_KEY = 'idempotency-key';

/**
 * May a request be sent again when nobody knows whether it was carried out? Safe and idempotent methods may
 * (RFC 9110 §9.2.2), and others with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2) where the
 * target is known to look at it: who ignores the header does the same thing twice.
 *
 * @param mayRepeat - does the operation document the header?
 */
function isRepeatable({ method, rawHeaders }: HttpRequest, mayRepeat: boolean): boolean {
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
function isAmbiguous(method: string, status: number, expects: readonly number[] | undefined): boolean {
  return !isSafe(method) && status >= 400 && status < 500 && expects?.includes(status) === false;
}
