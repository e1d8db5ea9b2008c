import type { Expectation } from '../../formats/contract';
import type { Browser } from '../../http/cross-origin';
import { headerValue, headerValues } from '../../http/headers';
import type { HttpResponse, RawHeaders } from '../../http/message';
import { decodeUtf8 } from '../../json/decode-utf8';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import type { JsonValue } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';
import { commonError } from '../../openapi/error-schema';
import { findResponse } from '../../openapi/find-response';
import type { ApiModel, MediaTypeEntry, Operation, ResponseSpec } from '../../openapi/model';
import type { Finding } from '../finding';

/** A named rule about one response. */
export interface ResponseCheck {
  /** Stable; `docs/checks.md` explains it (a test holds that). */
  readonly id: string;
  /** Where the rule comes from. */
  readonly source: string;
  /**
   * @returns the disagreements, none when the response is right; `undefined` when there was nothing here to judge,
   *   which is no pass
   * @throws SpecError when a schema does not compile
   */
  run(observed: ObservedResponse): readonly Finding[] | undefined;
}

export type ObservedBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** `reason` says why the bytes are no JSON. */
  | { readonly kind: 'not-json'; readonly reason: string };

/** What is known of the request beside its method. A check that needs more than is known has nothing to judge. */
export interface RequestFacts {
  /** As they were sent. */
  readonly requestHeaders?: RawHeaders | undefined;
  /** In bytes. */
  readonly requestBodyLength?: number | undefined;
  /** Did it carry credentials that were meant to be good? */
  readonly isAuthenticated?: boolean | undefined;
  /** Credentials that it carried, good or not, as they were sent. Never shown in a finding. */
  readonly secrets?: readonly string[] | undefined;
  /** The page that it was sent for, as browsers do; `undefined` when for none. */
  readonly browser?: Browser | undefined;
}

/** A response, and all that it is judged by. */
export interface ObservedResponse extends RequestFacts {
  readonly api: ApiModel;
  /** `undefined` when the description has no such operation: only HTTP's own rules and the error contract speak. */
  readonly operation: Operation | undefined;
  /** Of the request, upper case. */
  readonly method: string;
  readonly status: number;
  readonly headers: RawHeaders;
  /** Parsed whatever the Content-Type says. */
  readonly body: ObservedBody;
  /** As it came, after transfer and content decoding. */
  readonly rawBody: HttpResponse['body'];
  /** What the operation documents for the status. */
  readonly documented: ResponseSpec | undefined;
  /** The shape of errors that no operation documents. */
  readonly commonError: MediaTypeEntry | undefined;
  /** What a contract expects; `undefined` when nobody said. */
  readonly expected: Expectation | undefined;
}

export interface ResponseInput extends RequestFacts {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly response: HttpResponse;
  readonly expected: Expectation | undefined;
}

/** Puts together what the checks need, once for each response. */
export function observeResponse(api: ApiModel, input: ResponseInput): ObservedResponse {
  const { operation, method, response, expected, ...facts } = input;
  return {
    ...facts,
    api,
    operation,
    method,
    status: response.status,
    headers: response.headers,
    body: observeBody(response.body),
    rawBody: response.body,
    documented: operation === undefined ? undefined : findResponse(operation, response.status),
    commonError: commonError(api),
    expected,
  };
}

export function contentTypeOf({ headers }: ObservedResponse): string | undefined {
  return headerValue(headers, 'content-type');
}

/** All lines of a header as one value (RFC 9110 §5.3); `undefined` when there is none. Not for Set-Cookie. */
export function fieldValue({ headers }: Pick<ObservedResponse, 'headers'>, name: string): string | undefined {
  const lines = headerValues(headers, name);
  return lines.length === 0 ? undefined : lines.join(', ');
}

/** The body as text, whatever it is; bytes that are no UTF-8 become U+FFFD. */
export function textOfBody({ rawBody }: ObservedResponse): string {
  return typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
}

/** May a response to this method with this status have a body at all (RFC 9110 §6.4.1, §15.3.6)? */
export function mayHaveBody({ method, status }: Pick<ObservedResponse, 'method' | 'status'>): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304;
}

/** Did the service say that it left out the body because the client asked for that (RFC 7240 §3, §4.2)? */
export function isMinimal({ headers }: ObservedResponse): boolean {
  return /(?:^|[\s,;])return\s*=\s*"?minimal"?(?:$|[\s,;])/i.test(headerValue(headers, 'preference-applied') ?? '');
}

function observeBody(body: HttpResponse['body']): ObservedBody {
  if (body === undefined || body.length === 0) return { kind: 'empty' };
  try {
    return { kind: 'json', value: parseJson(typeof body === 'string' ? body : decodeUtf8(body)) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'not-json', reason: error.message };
  }
}
