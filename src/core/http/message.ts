import { STATUS_CODES } from 'node:http';
import type { RequestTarget } from './request-target';

/** Header names and values in the order received or to be sent: name, value, name, value… (RFC 9110 §5). */
export type RawHeaders = readonly string[];

/** The part of a request that arrives before its body. */
export interface RequestHead {
  /** Upper-case method token. */
  readonly method: string;
  /** Request target as received, origin-form or absolute-form (RFC 9112 §3.2). */
  readonly target: string;
  /** The same in parts, where it was parsed already. */
  readonly parsedTarget?: RequestTarget | undefined;
  /** Lower-case names; repeated lines joined as Node does. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As received, so that repeated lines can be distinguished. */
  readonly rawHeaders: RawHeaders;
  /** Where a request of HTTP/1.0 came in, which need not name its host; `undefined` from 1.1 on (RFC 9112 §3.2). */
  readonly defaultHost?: string | undefined;
  /** Path that a surrounding server took off the target, to be put before the links of a response. */
  readonly mountPath?: string | undefined;
}

export interface HttpRequest extends RequestHead {
  /** Body bytes after transfer decoding; empty when there is none. */
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  /** Text is sent as UTF-8; `undefined` means no body. */
  readonly body: string | Uint8Array | undefined;
  /** What a HEAD does not show: its length is reported, and who changes the body of a GET changes that too. */
  readonly suppressedBody?: string | undefined;
  /** How it is sent, when that is to go wrong; who has no connection ignores it. */
  readonly delivery?: Delivery | undefined;
  /** What the body has no room to tell, such as the cause of a rejection: for logs; a header tells it as well. */
  readonly diagnostic?: { readonly code: string; readonly message: string } | undefined;
  /** What the client should know although it was answered: for logs; a header tells it as well. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[] | undefined;
}

/** A way to send a response that a client should be able to bear. */
export interface Delivery {
  /** Before the first byte. */
  readonly delayMs?: number;
  /** The body comes in small pieces. */
  readonly dribble?: { readonly bytes: number; readonly everyMs: number };
  /** `reset`: the connection is reset before the first byte; `truncate`: it ends in the middle of the body. */
  readonly end?: 'reset' | 'truncate';
}

/** Methods that ask for no change (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}

/** What a status is called (RFC 9110 §15); `Status 599` for one that nobody registered. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}

/** How one request is to be sent. Transports without a socket need not look at it. */
export interface SendOptions {
  /**
   * Statuses that the sender counts on. One that asks to come back later (429, 503) is then the response, and nothing is
   * waited for.
   */
  readonly expects?: readonly number[] | undefined;
  /** Ends the sending, and the waiting for its response, at once. */
  readonly signal?: AbortSignal | undefined;
  /** Send on a connection of its own: those that are open may have been closed by the other side (RFC 9112 §9.3.1). */
  readonly isFresh?: boolean | undefined;
  /**
   * Is the request one that the target carries out once however often it comes, although its method does not say so?
   */
  readonly mayRepeat?: boolean | undefined;
  /** Send although the run was interrupted: what the run made has still to be removed. */
  readonly despiteInterrupt?: boolean | undefined;
  /**
   * Is awaited when the request may go, its turn by the rate included, and before it does: requests that go through one
   * gate are sent at the same time.
   */
  readonly gate?: (() => Promise<void>) | undefined;
}

/**
 * The only way to a target: who sends a request sends it through this, and cannot tell a socket from a mock in
 * the same process.
 */
export interface Transport {
  /**
   * Sends one request and gives the whole response. Any status is a response; the promise rejects only when no
   * response came.
   */
  send(request: HttpRequest, options?: SendOptions): Promise<HttpResponse>;
}
