import type { RequestHead } from '../../core/http/message';
import { bodyKind, isJsonMediaType, isUtf8MediaType, matchMediaType, parseMediaType } from '../../core/http/media-type';
import { findResponse } from '../../openapi/view/responses';
import type { MediaTypeEntry, Operation, RequestBody } from '../../openapi/model/operation';
import { hasReadableCharset } from '../../core/http/body-text';
import { problem, PROBLEM_STATUS, type Problem, type Refused, refused } from '../../core/http/problem';
import type { Warnings } from './warnings';

/** The entry of `content` that a request body is checked by, or why there is none. */
export type ContentChoice =
  | { readonly kind: 'chosen'; readonly entry: MediaTypeEntry }
  | { readonly kind: 'no-body-declared' }
  | Refused;

const NO_BODY_DECLARED: ContentChoice = { kind: 'no-body-declared' };

/**
 * Checks the Content-Type of a request with a body. A wrong one gets 415 (RFC 9110 §15.5.16) where the operation
 * describes that: by itself, by `4XX` or by `default`. Any other operation answers 400, the status of an absent one:
 * both look the same to a client that let `fetch` choose.
 */
export function checkContentType(operation: Operation, head: RequestHead, manner: ContentTypeOptions): ContentChoice {
  const body = operation.requestBody;
  if (body === undefined || body.content.length === 0) return NO_BODY_DECLARED;
  const offered = body.mediaTypes;
  const header = head.headers['content-type'];
  const sent = typeof header === 'string' && header !== '' ? header : undefined;
  const key = sent === undefined ? undefined : matchMediaType(sent, offered);
  const entry = body.content.find((candidate) => candidate.mediaType === key);
  if (entry !== undefined && sent !== undefined && isReadable(sent)) return { kind: 'chosen', entry };
  const meant = entry === undefined ? lenientEntry(operation, sent, manner) : undefined;
  if (meant !== undefined) return { kind: 'chosen', entry: meant };
  const wanted = offered.join(' or ');
  if (sent === undefined) {
    return refused(
      problem('missing_content_type', `The header Content-Type is missing; send "Content-Type: ${wanted}"`),
    );
  }
  return refused(wrongType(operation, sent, entry === undefined, wanted));
}

/** How a Content-Type is taken that fits nothing. */
interface ContentTypeOptions {
  readonly warnings: Warnings;
  /** Is it taken leniently although its rejection is documented? */
  readonly isLenient: boolean;
}

const OCTETS = 'application/octet-stream';

/**
 * The entry that a body is meant for whose Content-Type is missing, or is another name for JSON, or is any where bytes
 * are declared and no JSON. An operation that documents the rejection of it rejects it.
 */
function lenientEntry(
  operation: Operation,
  sent: string | undefined,
  { warnings, isLenient }: ContentTypeOptions,
): MediaTypeEntry | undefined {
  if (!isLenient && documentsRejection(operation)) return undefined;
  const content = operation.requestBody?.content ?? [];
  const json = content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const octets = content.find(({ mediaType }) => parseMediaType(mediaType)?.essence === OCTETS);
  const isMissing = sent === undefined;
  // Who declares JSON and bytes means one thing in two forms, as programs do; who declares bytes alone, any file.
  const meant = isMissing || isJsonMediaType(sent) ? (json ?? octets) : json === undefined ? octets : undefined;
  if (meant === undefined) return undefined;
  const found = isMissing
    ? 'The header Content-Type is missing'
    : `The Content-Type "${excerpt(sent)}" is not declared here`;
  return warnings.allows('content_type', found, meant.mediaType) ? meant : undefined;
}

/** 415 by itself, or an example of a 400 that is named after a missing Content-Type. */
function documentsRejection(operation: Operation): boolean {
  if (operation.responses.has('415')) return true;
  const content = findResponse(operation, PROBLEM_STATUS.missing_content_type)?.content ?? [];
  return content.some(({ examples }) => examples.some(({ name }) => name === 'missing_content_type'));
}

/** @param isOther - it is another type than those that are taken, and not only in another charset */
function wrongType(operation: Operation, sent: string, isOther: boolean, wanted: string): Problem {
  const message = isOther
    ? `The Content-Type "${excerpt(sent)}" is not accepted here; send "Content-Type: ${wanted}"`
    : `The Content-Type "${excerpt(sent)}" names a charset ${charsetFault(sent)}`;
  // Which kinds of patch are known is reported with the rejection of another (RFC 5789 §2.2).
  const offered = operation.requestBody?.mediaTypes ?? [];
  const headers = operation.method === 'PATCH' ? ['Accept-Patch', offered.join(', ')] : [];
  const code = sharesOneErrorCode(operation) ? 'missing_content_type' : 'unsupported_media_type';
  const status = findResponse(operation, 415) === undefined ? PROBLEM_STATUS.missing_content_type : 415;
  return { ...problem(code, message, { headers }), status };
}

/** A description that shows an example for an absent Content-Type and none for another one says the same of both. */
function sharesOneErrorCode(operation: Operation): boolean {
  if (findResponse(operation, 415) !== undefined) return false;
  const content = findResponse(operation, PROBLEM_STATUS.missing_content_type)?.content ?? [];
  const names = new Set(content.flatMap(({ examples }) => examples.map(({ name }) => name)));
  return names.has('missing_content_type') && !names.has('unsupported_media_type');
}

/** Bytes have no charset; XML may be in any, and is not read. */
function isReadable(sent: string): boolean {
  const kind = bodyKind(sent);
  if (kind === 'text') return hasReadableCharset(sent);
  return kind === 'binary' || kind === 'opaque' || kind === 'xml' || isUtf8MediaType(sent);
}

function charsetFault(sent: string): string {
  if (bodyKind(sent) === 'json') return 'other than UTF-8; JSON is always UTF-8';
  return bodyKind(sent) === 'text' ? 'that is not read; send UTF-8 or ISO-8859-1' : 'other than UTF-8';
}

/** A header is the client's text: short, and on one line. */
function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** As it was sent; where that is not a name for what was taken, as the description has it. */
export function contentTypeOf({ mediaType, shape }: MediaTypeEntry, { headers }: RequestHead): string {
  const sent = headers['content-type'];
  if (typeof sent !== 'string' || sent === '') return mediaType;
  const isOctets = bodyKind(mediaType) === 'binary' && (shape.isBinary || !mediaType.includes('*'));
  return isOctets ? mediaType : sent;
}

export function missingBody({ mediaTypes }: Pick<RequestBody, 'mediaTypes'>): Problem {
  return problem('missing_body', `The body is missing; send ${mediaTypes.join(' or ')}`);
}
