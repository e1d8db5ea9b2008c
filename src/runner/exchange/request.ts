import { headerValue } from '../../core/http/headers';
import { bodyKind } from '../../core/http/media-type';
import type { HttpRequest, RawHeaders, RequestHead } from '../../core/http/message';
import { parseTarget } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { selectOperation } from '../../openapi/model/route';
import { defaultErrorContent } from '../../openapi/view/responses';
import type { SentRequest } from '../result/run-result';
import type { Run, RunInput } from './run-state';

const NO_BODY = new Uint8Array(0);

/** @param path - with its query, below the base URL */
export function makeRequest(
  run: Run,
  method: string,
  path: string,
  rawHeaders: RawHeaders,
  body: string | Uint8Array | undefined,
): HttpRequest {
  const hasAgent = headerValue(rawHeaders, 'user-agent') !== undefined;
  const lines = hasAgent ? rawHeaders : [...rawHeaders, 'User-Agent', userAgentOf(run)];
  return {
    method,
    target: `${run.basePath}${path}`,
    rawHeaders: lines,
    headers: joinedHeaders(lines),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? NO_BODY),
  };
}

/**
 * The operation that answers a method at a path; HEAD is answered by GET (RFC 9110 §9.3.2).
 *
 * @param headers - by lower-case name, for descriptions that distinguish operations by them
 */
export function findOperation(
  api: ApiModel,
  method: string,
  path: string,
  headers: RequestHead['headers'] = {},
): Operation | undefined {
  const target = parseTarget(path);
  const match = target === undefined ? undefined : api.routes.match(target.path);
  if (match === undefined || target === undefined) return undefined;
  const asked = method === 'HEAD' && !match.route.operations.has('HEAD') ? 'GET' : method;
  return selectOperation(match.route, asked, target.query, headers);
}

/** What is accepted: everything that the operation documents, or what errors are written in. */
export function acceptOf(api: ApiModel, operation: Operation | undefined): string {
  if (operation === undefined) return documentedTypes(api, undefined);
  let types = ACCEPTED.get(operation);
  if (types === undefined) ACCEPTED.set(operation, (types = documentedTypes(api, operation)));
  return types;
}

const ACCEPTED = new WeakMap<Operation, string>();

function documentedTypes(api: ApiModel, operation: Operation | undefined): string {
  const documented = [...(operation?.responses.values() ?? [])].flatMap(({ mediaTypes }) => mediaTypes);
  const types = documented.length > 0 ? documented : [defaultErrorContent(api)?.mediaType ?? '*/*'];
  return [...new Set(types)].join(', ');
}

/** Headers of which Node keeps the first line; of all others it joins the lines. */
const SINGLE = new Set(['authorization', 'content-length', 'content-type', 'host', 'user-agent']);

function joinedHeaders(rawHeaders: RawHeaders): RequestHead['headers'] {
  const joined: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const earlier = joined[name];
    if (earlier === undefined) joined[name] = value;
    else if (!SINGLE.has(name)) joined[name] = `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return joined;
}

/** A request as reports show it, without the User-Agent that the run gives each. */
export function sentRequest(run: Run, { method, target, rawHeaders, body }: HttpRequest): SentRequest {
  const agent = userAgentOf(run);
  const headers = rawHeaders.filter((_, index) => rawHeaders[index | 1] !== agent);
  const url = `${run.baseUrl}${target.slice(run.basePath.length)}`;
  if (body.length === 0) return { method, url, headers, body: undefined };
  const mediaType = headerValue(rawHeaders, 'content-type');
  const text = bodyText(body, mediaType);
  if (text !== undefined) return { method, url, headers, body: text };
  return { method, url, headers, body: undefined, omitted: binaryNote(mediaType, body.length) };
}

/** The same with no more of its body than a report can bear. To be called once secrets were taken out: half a body cannot be read. */
export function shortenRequest(request: SentRequest): SentRequest {
  const shown = shortenBody(request.body ?? '');
  return shown.omitted === undefined ? request : { ...request, body: shown.text, omitted: shown.omitted };
}

/**
 * What a run calls itself, such as `standin/0.1.0 (run 1a2b3c4d)`: who reads the log of the target can tell the
 * requests of a run (RFC 9110 §10.1.5).
 */
export function userAgentOf({ version, runId }: Pick<RunInput, 'version' | 'runId'>): string {
  return `standin/${version} (run ${runId})`;
}

/** How much of a body a report shows, in bytes of UTF-8. */
export const MOST_SHOWN = 16 * 1024;

/** A body as a report shows it. */
export interface ShownBody {
  /** `undefined` when there is none, or when it is not a text. */
  readonly text: string | undefined;
  /** What is not shown, in words: `binary, image/png, 2048 bytes`; `undefined` when all of it is. */
  readonly omitted: string | undefined;
}

/** The text of a body; `undefined` for what is none, such as an image. */
export function bodyText(bytes: Uint8Array, mediaType: string | undefined): string | undefined {
  const isText = mediaType !== undefined && bodyKind(mediaType) !== 'binary' && bodyKind(mediaType) !== 'opaque';
  if (isText) return new TextDecoder().decode(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Bytes that are text by chance hold what no text does.
    return /[\u0000-\u0008\u000e-\u001a]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What is said in the place of a body that is not a text. */
export function binaryNote(mediaType: string | undefined, size: number): string {
  return `binary, ${mediaType ?? 'no Content-Type'}, ${size} bytes`;
}

/**
 * The beginning of a text that fits into what a report shows.
 *
 * @param size - of the whole, in bytes, where the text is not all of it
 */
export function shortenBody(text: string, size = Buffer.byteLength(text)): ShownBody {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_SHOWN && size <= bytes.length) return { text, omitted: undefined };
  // A character that was cut in two is left out.
  const shown = bytes.length <= MOST_SHOWN ? text : bytes.toString('utf8', 0, MOST_SHOWN).replace(/\ufffd$/, '');
  return { text: shown, omitted: `cut after ${Buffer.byteLength(shown)} of ${size} bytes` };
}
