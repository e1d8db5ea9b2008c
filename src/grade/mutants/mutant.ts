import type { HttpRequest, HttpResponse } from '../../core/http/message';
import { isJsonMediaType } from '../../core/http/media-type';
import { headerValue, withoutHeaders } from '../../core/http/headers';
import type { JsonValue } from '../../core/json/json-value';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { MockOptions } from '../../mock/context/options';
import type { Change } from '../../mock/state/state';
import type { ApiModel } from '../../openapi/model/api-model';
import type { ResourceModel } from '../../resources/model/binding';

/** What mutants are made of: a description, and what a mock of it keeps. */
export interface GradedApi {
  readonly api: ApiModel;
  readonly model: ResourceModel;
}

/** A service that does one thing otherwise than its description says. */
export interface Mutant {
  /** The same from run to run: `other-value getPet 200 /name`. */
  readonly id: string;
  /** What it does, in words, without the operation: `"name" has another value`. */
  readonly words: string;
  /** JSON pointer into the description. */
  readonly pointer: string;
  /** Ids of the operations whose calls may show it; `undefined` for all. */
  readonly operations: ReadonlySet<string> | undefined;
  readonly defect: Defect;
}

export type Defect =
  /** A mock of a description that says something else, or with other options. */
  | { readonly kind: 'mock'; readonly edit?: (root: JsonValue) => JsonValue; readonly options?: Partial<MockOptions> }
  /** A mock of which some requests or responses are changed on their way. */
  | { readonly kind: 'exchange'; readonly answer: (exchange: Exchange) => Promise<HttpResponse> };

/** A request that came to a mutant, and what it can do with the mock behind it. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Asks the mock. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  /** What the request changed that was sent last. */
  readonly changes: () => readonly Change[];
  /** Takes changes of that request back. */
  readonly takeBack: (changes: readonly Change[]) => void;
  /** Keys in a collection, as texts. */
  readonly keysOf: (collection: string) => readonly string[];
}

/** JSON of a message; `undefined` where it has none. */
export function jsonIn({
  headers,
  body,
}: {
  readonly headers: HttpResponse['headers'];
  readonly body: HttpResponse['body'];
}): JsonValue | undefined {
  if (body === undefined || body.length === 0 || !isJsonMediaType(headerValue(headers, 'content-type') ?? ''))
    return undefined;
  try {
    return parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const LENGTH = new Set(['content-length']);

/** @param name - in lower case */
export function withoutSentHeader(request: HttpRequest, name: string): HttpRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([each]) => each !== name));
  return { ...request, headers, rawHeaders: withoutHeaders(request.rawHeaders, new Set([name])) };
}

export function withTarget(request: HttpRequest, target: string): HttpRequest {
  return { ...request, target, parsedTarget: undefined };
}

/** The response with another body. */
export function withJson(response: HttpResponse, value: JsonValue): HttpResponse {
  return { ...response, headers: withoutHeaders(response.headers, LENGTH), body: stringifyJson(value) };
}

/** The request with another JSON body. */
export function withSentJson(request: HttpRequest, value: JsonValue): HttpRequest {
  const body = new TextEncoder().encode(stringifyJson(value));
  return { ...withoutSentHeader(request, 'content-length'), body };
}

export function sentJson({ rawHeaders, body }: HttpRequest): JsonValue | undefined {
  return jsonIn({ headers: rawHeaders, body });
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}
