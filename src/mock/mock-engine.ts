import type { Problem } from '../checks/problem';
import type { HttpRequest, HttpResponse, RequestHead } from '../http/message';
import type { OpenOptions } from './admit';
import type { Journal } from './journal';
import type { Sandboxes } from './sandboxes';
import type { State } from './state';

/** What the head of a request leads to: an answer at once, or the wish to see the body. */
export type Opening =
  | { readonly kind: 'answered'; readonly response: HttpResponse }
  | {
      readonly kind: 'wants-body';
      /** Reading may stop after so many bytes. */
      readonly maxBytes: number;
      finish(body: Uint8Array): HttpResponse | Promise<HttpResponse>;
      tooLarge(): HttpResponse;
    };

/** Requests in, responses out, no sockets. */
export interface AnsweringEngine {
  /** Judges the head of a request, so that a refused one never needs its body read. */
  open(head: RequestHead, options?: OpenOptions): Opening;
  handle(request: HttpRequest, options?: OpenOptions): HttpResponse | Promise<HttpResponse>;
  /**
   * Faults of a message that make it unfit for any route, the admin's included.
   *
   * @returns the answer; `undefined` when there is nothing to say
   */
  refuseMessage(head: RequestHead): HttpResponse | undefined;
  /** The answer to a request that cannot be read: a parser error, a time-out. */
  refuse(problem: Problem): HttpResponse;
}

/** The stateful stand-in, with its state. */
export interface MockEngine extends AnsweringEngine {
  /** The state of the main sandbox as it is: a value that later requests do not change. */
  snapshot(): State;
  restore(state: State): void;
  /** Of the main sandbox. */
  readonly journal: Journal;
  readonly sandboxes: Sandboxes;
}

/** Called with what went wrong inside, once for each 500. */
export type ReportDefect = (error: unknown, head: RequestHead) => void;
