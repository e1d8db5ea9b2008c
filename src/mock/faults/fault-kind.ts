import { headerValue, withoutHeaders } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import type { Delivery, HttpResponse } from '../../core/http/message';
import type { Operation } from '../../openapi/model/operation';
import type { ActiveFault, FaultAction, RandomStream } from './fault';

/** When and by what random numbers a fault decides. */
export interface FaultMoment {
  /** Epoch milliseconds of the clock of the sandbox. */
  readonly nowMs: number;
  /** Each draw moves it on. */
  readonly random: RandomStream;
}

/** An error response in place of the one that the request would get. */
export interface ForcedError {
  readonly status: number;
  /** After how many milliseconds a retry may succeed; `undefined` where that is not said. */
  readonly retryMs?: number | undefined;
}

type Deformed = { readonly kind: 'deformed'; readonly response: HttpResponse } | Missed;

/** The response has nothing that the fault could happen to. */
export interface Missed {
  readonly kind: 'missed';
  readonly reason: string;
}

/** One kind of fault: how it is written, and what it does. It has exactly one of the last four methods. */
export interface FaultKind<Action extends FaultAction = FaultAction> {
  readonly kind: Action['kind'];
  /** All that may be written, as examples: `fail:2 or fail:2:500`. */
  readonly syntax: string;
  /**
   * @param argument - what follows the first colon; `undefined` for no colon
   * @param text - the whole fault, to be quoted
   * @throws FaultSyntaxError
   */
  read(argument: string | undefined, text: string): Action;
  /** Does it happen only where there is a connection that can be slow, cut or reset? */
  needsConnection?(action: Action): boolean;
  delay?(action: Action, moment: FaultMoment): number;
  /** @returns the error in place of the operation, which then does nothing; `undefined`: not this time */
  force?(action: Action, fault: ActiveFault, moment: FaultMoment): ForcedError | undefined;
  /** @returns what comes in place of the response after the operation was done; `reset` ends the connection */
  lose?(action: Action): ForcedError | 'reset';
  deform?(response: HttpResponse, action: Action, operation: Operation | undefined): Deformed;
}

/** Something in the text of a fault cannot be read; the message says what, and what was expected. */
export class FaultSyntaxError extends Error {}

export function expected(text: string, what: string): FaultSyntaxError {
  return new FaultSyntaxError(`The fault "${text.slice(0, 120)}" cannot be read: expected ${what}`);
}

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds, unless it says s, m or h. @param text - to be quoted */
export function readDuration(duration: string, text: string, maxMs: number): number {
  const [, amount, unit = 'ms'] = DURATION.exec(duration) ?? [];
  if (amount === undefined) throw expected(text, 'a time such as 200ms, 1.5s or 2m');
  const ms = Number(amount) * (UNIT_MS[unit] ?? 1);
  if (ms > maxMs) throw expected(text, `at most ${maxMs / 1000}s`);
  return ms;
}

/** @param text - to be quoted */
export function readWhole(value: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw expected(text, 'a whole number from 1');
  return Number(value);
}

export function readStatus(value: string, text: string): number {
  if (!/^[45]\d\d$/.test(value)) throw expected(text, 'a status from 400 to 599');
  return Number(value);
}

export function deformed(response: HttpResponse): Deformed {
  return { kind: 'deformed', response };
}

export function deliver(response: HttpResponse, delivery: Delivery): HttpResponse {
  return { ...response, delivery: { ...response.delivery, ...delivery } };
}

const LENGTH: ReadonlySet<string> = new Set(['content-length']);

/** The response with another body, whose length is another one. */
export function withBody(response: HttpResponse, body: string | undefined): Deformed {
  return deformed({ ...response, headers: withoutHeaders(response.headers, LENGTH), body });
}

const NO_BODY: Missed = { kind: 'missed', reason: 'this response has no body' };
export const NO_JSON: Missed = { kind: 'missed', reason: 'this response has no JSON body' };

/** @returns why a fault of bodies does not happen to a response; `undefined` where it may */
export function missedBody({ body }: HttpResponse): Missed | undefined {
  return body === undefined || body.length === 0 ? NO_BODY : undefined;
}

/** The body of a response as text; `undefined` where it is not JSON. */
export function jsonTextOf({ headers, body }: HttpResponse): string | undefined {
  if (body === undefined || !isJsonMediaType(headerValue(headers, 'content-type') ?? '')) return undefined;
  return typeof body === 'string' ? body : Buffer.from(body).toString();
}
