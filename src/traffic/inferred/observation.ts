import { jsonInText } from '../exchange/json-text';
import { meantType } from '../exchange/meant-type';
import { headerValue } from '../../core/http/headers';
import { bodyKind, parseMediaType } from '../../core/http/media-type';
import { parseQuery, parseTarget, type QueryPair, splitPath } from '../../core/http/request-target';
import type { RawHeaders } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { type FormPart, multipartParts } from '../exchange/multipart-parts';
import { type CleanExchange, type RecordedBody, SECRET_MARK } from '../exchange/recorded-exchange';

/** A recorded exchange, read as far as a description is made from it. */
export interface Observation {
  readonly method: string;
  /** Raw segments of the path, without those of the base path; one empty segment for a slash at the end. */
  readonly segments: readonly string[];
  readonly query: readonly QueryPair[];
  readonly headers: RawHeaders;
  readonly request: ObservedBody | undefined;
  readonly status: number;
  readonly responseHeaders: RawHeaders;
  readonly response: ObservedBody | undefined;
}

/** A body by what can be said of it. */
export type ObservedBody = {
  /** As a key of `content`: type and subtype in lower case, without parameters. */
  readonly mediaType: string;
} &
  /** Its text is JSON: what is cut, or none whatever its type says, is opaque, and nothing is learnt from it. */
  (
    | { readonly kind: 'json'; readonly text: string }
    | { readonly kind: 'form'; readonly fields: readonly FormField[] }
    | { readonly kind: 'multipart'; readonly fields: readonly FormField[] }
    | { readonly kind: 'text' }
    /** Bytes, a language that no schema describes, or what was not recorded. */
    | { readonly kind: 'opaque' }
  );

/** A field of a form, as far as a schema speaks of it. */
export type FormField = Pick<FormPart, 'name' | 'isFile' | 'text'>;

/** Methods that a Path Item has a field for (OAS 3.1.1 §4.8.9.1). */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);

/** @returns `undefined` for what no operation can say: without a response, with a method or a target that has no place in a path */
export function observe({ request, response }: CleanExchange): Observation | undefined {
  const target = parseTarget(request.target);
  if (response === undefined || target === undefined || !METHODS.has(request.method)) return undefined;
  const segments = splitPath(target.path);
  if (segments.length === 0 || response.status < 200) return undefined;
  return {
    method: request.method,
    segments,
    query: parseQuery(target.query),
    headers: request.headers,
    request: readBody(request.body, request.headers),
    status: response.status,
    responseHeaders: response.headers,
    response: request.method === 'HEAD' ? undefined : readBody(response.body, response.headers),
  };
}

/** Did the service do what was asked for? */
export function isAccepted({ status }: Observation): boolean {
  return status < 400;
}

/** Is it a response with what was asked for, and not one that sends the client elsewhere? */
export function isSuccess({ status }: Observation): boolean {
  return status < 300;
}

/** The value of a body that is JSON. */
export function jsonOf(body: ObservedBody | undefined): JsonValue | undefined {
  return body?.kind === 'json' ? jsonInText(body.text) : undefined;
}

/** Is a text nothing but the mark of a secret? */
export function isSecretMark(text: string): boolean {
  return text.startsWith('~secret.') && text.replace(SECRET_MARK, '') === '';
}

/** Has a text the mark of a secret in it? */
export function holdsSecretMark(text: string): boolean {
  return text.search(SECRET_MARK) !== -1;
}

function readBody(body: RecordedBody | undefined, headers: RawHeaders): ObservedBody | undefined {
  const contentType = meantType(body, headerValue(headers, 'content-type'));
  if (body === undefined || (body.kind === 'text' && body.text === '')) return undefined;
  if (contentType === undefined) return unnamedBody(body);
  const mediaType = parseMediaType(contentType)?.essence;
  // What has no name cannot stand in `content`.
  if (mediaType === undefined) return undefined;
  return { mediaType, ...contentOf(body, contentType) };
}

type Content = ObservedBody extends infer Body ? (Body extends unknown ? Omit<Body, 'mediaType'> : never) : never;
const OPAQUE = { kind: 'opaque' } as const;

function contentOf(body: RecordedBody, contentType: string): Content {
  if (body.kind === 'omitted') return OPAQUE;
  const text = body.kind === 'text' ? body.text : undefined;
  switch (bodyKind(contentType)) {
    case 'json': {
      return text === undefined || jsonInText(text) === undefined ? OPAQUE : { kind: 'json', text };
    }
    case 'form':
      return text === undefined ? OPAQUE : { kind: 'form', fields: formFields(text) };
    case 'multipart': {
      const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
      return { kind: 'multipart', fields: multipartParts(body, boundary) };
    }
    case 'text':
      return { kind: 'text' };
    default:
      return OPAQUE;
  }
}

/** A client that forgot to say what it sends means JSON where it is some. */
function unnamedBody(body: RecordedBody): ObservedBody | undefined {
  const text = body.kind === 'text' && /^\s*[{[]/.test(body.text) ? body.text : undefined;
  if (text === undefined || jsonInText(text) === undefined) return undefined;
  return { mediaType: 'application/json', kind: 'json', text };
}

function formFields(text: string): FormField[] {
  return parseQuery(text.trim()).flatMap(({ name, value }) =>
    name === undefined ? [] : [{ name, isFile: false, text: value ?? '' }],
  );
}
