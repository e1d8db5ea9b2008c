import type { CheckDefinition, CheckFinding } from '../core/errors/finding';
import type { Browser } from '../core/http/cors';
import { bestMediaType } from '../core/http/accept';
import { headerValue, headerValues } from '../core/http/headers';
import type { HttpResponse, RawHeaders } from '../core/http/message';
import { compareNumbers, isJsonNumber } from '../core/json/exact-number';
import { joinPointer } from '../core/json/json-pointer';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { decodeUtf8, parseJson } from '../core/json/parse-json';
import { previewText } from '../core/json/stringify-json';
import type { Expectation } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import type { MediaTypeEntry, Operation, ResponseSpec, Schema } from '../openapi/model/operation';
import { commonErrorContent, errorRole, findResponse, jsonContent } from '../openapi/view/responses';

/**
 * One cause, one finding: a check has nothing to add where one of these checks reports the location `at`, whatever it
 * finds itself; without `at`, each of its findings has nothing to add whose location one of them reports.
 */
interface Superseded {
  readonly checks: readonly string[];
  readonly at?: string;
}

/** A named rule about one response. */
export interface ResponseCheck extends CheckDefinition {
  readonly source: string;
  /** What the response is compared with: what a contract expects, what the description documents, or HTTP itself. */
  readonly basis: 'contract' | 'description' | 'http';
  readonly supersededBy?: Superseded;
  /**
   * @returns the disagreements, none when the response is right; `undefined` when there was nothing to check, which is
   *   no pass
   * @throws SpecError when a schema does not compile
   */
  readonly run: (observed: ObservedResponse) => readonly CheckFinding[] | undefined;
}

export type ObservedBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** `reason` says why the bytes are no JSON. */
  | { readonly kind: 'not-json'; readonly reason: string };

/** What is known of the request beside its method. A check that needs more than is known has nothing to check. */
export interface RequestFacts {
  /** As it was sent, below the base URL, with its query. */
  readonly target?: string | undefined;
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

/** A response, and all that it is checked by. */
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
  /** Was that made of the description, so that nobody wrote it? */
  readonly isGuessed?: boolean | undefined;
}

interface ResponseInput extends RequestFacts {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly response: HttpResponse;
  readonly expected: Expectation | undefined;
  readonly isGuessed?: boolean | undefined;
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
    body: parseBody(response.body),
    rawBody: response.body,
    documented: operation === undefined ? undefined : findResponse(operation, response.status),
    commonError: commonErrorContent(api),
    expected,
  };
}

export function contentTypeOf({ headers }: ObservedResponse): string | undefined {
  return headerValue(headers, 'content-type');
}

/** All lines of a header as one value (RFC 9110 §5.3); `undefined` when there is none. Not for Set-Cookie. */
export function joinedHeader({ headers }: Pick<ObservedResponse, 'headers'>, name: string): string | undefined {
  const lines = headerValues(headers, name);
  return lines.length === 0 ? undefined : lines.join(', ');
}

/** Is it an error for a client that takes none of these types? Then it may come as another one (RFC 9110 §12.4.1, §15.5.7). */
export function isUnwantedError(
  { status, requestHeaders = [] }: Pick<ObservedResponse, 'status' | 'requestHeaders'>,
  offered: readonly string[],
): boolean {
  const accept = joinedHeader({ headers: requestHeaders }, 'accept');
  return status >= 400 && accept !== undefined && bestMediaType(accept, offered) === undefined;
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
export function isReturnMinimal({ headers }: ObservedResponse): boolean {
  return /(?:^|[\s,;])return\s*=\s*"?minimal"?(?:$|[\s,;])/i.test(headerValue(headers, 'preference-applied') ?? '');
}

function parseBody(body: HttpResponse['body']): ObservedBody {
  if (body === undefined || body.length === 0) return { kind: 'empty' };
  try {
    return { kind: 'json', value: parseJson(typeof body === 'string' ? body : decodeUtf8(body)) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'not-json', reason: error.message };
  }
}

/** The status with what the error object says about it: `422 unknown_reference: no book has the id 9`. */
export function previewStatus({ status, body }: ObservedResponse): string {
  if (status < 400 || body.kind !== 'json' || !isJsonObject(body.value)) return String(status);
  const words = (['code', 'message'] as const).flatMap((role) => {
    const property = Object.entries(body.value as object).find(([name]) => errorRole(name) === role);
    return typeof property?.[1] === 'string' ? [property[1]] : [];
  });
  return previewText([status, words.join(': ')].join(' ').trim());
}

/**
 * Is the body of a success an error object? It has every property that the errors of the description require. Where one
 * of them is the status, it is that of an error; else the body is valid as an error and is nothing beside it.
 */
export function isErrorInSuccess({
  api,
  status,
  body,
  documented,
  commonError,
}: Pick<ObservedResponse, 'api' | 'status' | 'body' | 'documented' | 'commonError'>): boolean {
  const schema = commonError?.schema;
  if (status < 200 || status > 299 || schema === undefined) return false;
  if (body.kind !== 'json' || !isJsonObject(body.value)) return false;
  const error = body.value;
  const needed = [...api.propertiesOf(schema).values()].filter(({ required }) => required).map(({ name }) => name);
  if (!needed.some((name) => errorRole(name) === 'code' || errorRole(name) === 'status')) return false;
  if (!needed.every((name) => Object.hasOwn(error, name)) || isDocumented(api, documented, needed)) return false;
  const statusName = needed.find((name) => errorRole(name) === 'status');
  return statusName === undefined ? hasOnlyErrorProperties(api, schema, error) : isErrorStatus(error[statusName]);
}

function isErrorStatus(value: JsonValue | undefined): boolean {
  return isJsonNumber(value) && compareNumbers(value, 400) >= 0;
}

/** Without a status that gives it away, an error is what is valid as one and has no property that errors do not have. */
function hasOnlyErrorProperties(api: ApiModel, schema: Schema, error: JsonObject): boolean {
  const known = api.propertiesOf(schema);
  return Object.keys(error).every((name) => known.has(name)) && schema.accepts(error, 'response');
}

/** A resource may have such properties of its own: a job that failed, an entry of a log. */
function isDocumented(api: ApiModel, documented: ResponseSpec | undefined, names: readonly string[]): boolean {
  const schema = jsonContent(documented)?.schema;
  const properties = schema === undefined ? undefined : api.propertiesOf(schema);
  return properties !== undefined && names.every((name) => properties.has(name));
}

/** A text within a JSON value. */
interface LocatedString {
  /** JSON pointer to the text, or to the property that has it as its name. */
  readonly pointer: string;
  readonly text: string;
  /** Name of the property that holds it; `undefined` at the top and in lists. */
  readonly property: string | undefined;
}

/** Every string of a JSON value, and with `names` every property name as well. */
export function* stringsIn(value: JsonValue, names = false, pointer = '', property?: string): Generator<LocatedString> {
  if (typeof value === 'string') yield { pointer, text: value, property };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stringsIn(item, names, joinPointer(pointer, index));
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const place = joinPointer(pointer, name);
      if (names) yield { pointer: place, text: name, property: name };
      yield* stringsIn(item, names, place, name);
    }
  }
}
