import type { HttpResponse, RawHeaders, Transport } from '../../core/http/message';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import type { Binding } from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';

/**
 * What an answer of the mock follows from: the description or a standard; a rule, an override or a link that says so
 * outright; or what was inferred, which another service need not share.
 */
export type Basis = 'description' | 'stated' | 'inferred';

/** What the mock tells of its latest answer. */
export interface AnswerReason {
  readonly basis: Basis;
  /** Is it a rejection that follows from the request alone, whatever the state is? */
  readonly isOfRequest: boolean;
  /** Does a state stand behind the operation, so that what was written comes back? */
  readonly isStateful: boolean;
  readonly changes: readonly ItemChange[];
  /** In words, with the place in the description: what `standin explain` says. */
  explain(): Promise<string>;
}

/** One item that a request changed in the mock. */
export interface ItemChange {
  readonly resource: ResourceDescription;
  /** Of the collection that it is in, with the values of its variables. */
  readonly collection: string;
  /** As text. */
  readonly key: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** The mock as one contract sees it: with a state of its own, so that contracts that run at the same time are apart. */
export interface ReferenceSession {
  readonly transport: Transport;
  /** Of the request that was answered last. */
  latest(): AnswerReason;
}

/** A mock of the same description, beside the target: a way to send requests, and what it makes of the description. */
export interface Reference {
  open(): ReferenceSession;
  /** What the mock takes an operation for, overrides included; `undefined` where no state stands behind it. */
  bindingOf(operation: string): Binding | undefined;
}

/** One request and its response, at the target or at the mock. */
export interface AnsweredRequest {
  /** Values of the variables of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestHeaders: RawHeaders;
  /** JSON of the request; `undefined` for none. */
  readonly sent: JsonValue | undefined;
  readonly response: HttpResponse;
  readonly status: number;
  /** JSON of the response; `undefined` for none. */
  readonly body: JsonValue | undefined;
}

/** The two answers to one step. */
export interface AnswerPair {
  readonly target: AnsweredRequest;
  readonly mock: AnsweredRequest;
}

/** Whose of the two something is. */
export type Side = keyof AnswerPair;

export const isSuccess = ({ status }: Pick<AnsweredRequest, 'status'>): boolean => status >= 200 && status < 300;
