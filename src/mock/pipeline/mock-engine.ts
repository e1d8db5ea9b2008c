import type { Problem } from '../../core/http/problem';
import type { HttpRequest, HttpResponse, RequestHead } from '../../core/http/message';
import type { Sandboxes } from '../sandbox/sandboxes';

/** What the head of a request leads to: a response at once, or reading the body. */
export type Opening =
  | { readonly kind: 'answered'; readonly response: HttpResponse }
  | {
      readonly kind: 'wants-body';
      /** Reading may stop after so many bytes. */
      readonly maxBytes: number;
      finish(body: Uint8Array): HttpResponse | Promise<HttpResponse>;
      tooLarge(): HttpResponse;
      /** The client went away before the end of its body: nobody gets a response, and nothing is done. */
      abandon(): void;
    };

/** Requests in, responses out, no sockets. */
export interface AnsweringEngine {
  /** Checks the head of a request, so that the body of a rejected one need not be read. */
  open(head: RequestHead, options?: OpenOptions): Opening;
  handle(request: HttpRequest, options?: OpenOptions): HttpResponse | Promise<HttpResponse>;
  /**
   * Checks the message itself, which may be invalid for any route, the admin's included.
   *
   * @returns the error response; `undefined` for a valid message
   */
  refuseMessage(head: RequestHead): HttpResponse | undefined;
  /** The error response to a request that cannot be read: a parser error, a time-out. */
  refuse(problem: Problem): HttpResponse;
}

export interface MockEngine extends AnsweringEngine {
  readonly sandboxes: Sandboxes;
}

/** Called with what went wrong inside, once for each 500. */
export type ReportDefect = (error: unknown, head: RequestHead) => void;

export interface OpenOptions {
  /** {@link AnsweringEngine.refuseMessage} found nothing already. */
  readonly isMessageChecked?: boolean | undefined;
  /** There is a connection, which can be slow, cut or reset when a fault asks for it. */
  readonly canDeliver?: boolean | undefined;
}
