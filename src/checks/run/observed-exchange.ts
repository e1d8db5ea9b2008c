import type { Expectation } from '../../formats/contract';
import type { RawHeaders } from '../../http/message';
import type { JsonValue } from '../../json/json-value';

/** One request of a run and what came back, as plain values. */
export interface ObservedExchange {
  /** Id of the operation; `undefined` when the description has none for the request. */
  readonly operation: string | undefined;
  /** Upper case. */
  readonly method: string;
  /** Path of the URL as it was sent, that of the base URL included, without the query. */
  readonly path: string;
  /** As it was sent, without `?`; `''` for none. */
  readonly query: string;
  /** How the request authenticated: `valid`, `none`, …, or the name of an identity. */
  readonly auth: string;
  /** As they were sent. Credentials may be left out. */
  readonly requestHeaders: RawHeaders;
  /** The body as it was sent; `''` for none. */
  readonly requestText: string;
  /** The JSON in it; `undefined` when there is none. */
  readonly requestBody: JsonValue | undefined;
  /** What the contract expects; `undefined` when nobody said. */
  readonly expected: Pick<Expectation, 'statuses' | 'codes'> | undefined;
  /** Was it sent again until its answer was as the contract waits for? Then something else makes the change. */
  readonly isAwaited?: boolean | undefined;
  /** `undefined` when no whole answer came: the request may have had its effect or not. */
  readonly status: number | undefined;
  readonly headers: RawHeaders;
  /** The JSON of the answer; `undefined` when there is none. */
  readonly body: JsonValue | undefined;
  /**
   * When the request was sent, by a counter of the run that goes up by one with every request that is sent and every
   * answer that has arrived. What was sent after another one's answer had arrived can see its effects; what overlaps may
   * or may not.
   */
  readonly sentAt: number;
  /** When the answer had arrived, or the request was given up, by the same counter. */
  readonly answeredAt: number;
}

/** Was the request sent when the answer to the other one had arrived? */
export function isAfter(later: ObservedExchange, earlier: ObservedExchange): boolean {
  return later.sentAt > earlier.answeredAt;
}

/** Did the answer say that what was asked for is done? */
export function isSuccess({ status }: ObservedExchange): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Does the contract expect the status that came? Then its author knows why it is right. */
export function isExpected({ status, expected }: ObservedExchange): boolean {
  return status !== undefined && expected?.statuses.includes(status) === true;
}

/** Does the method ask for no change (RFC 9110 §9.2.1)? */
export function isSafe({ method }: ObservedExchange): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}
