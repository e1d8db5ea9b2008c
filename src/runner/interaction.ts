import type { ObservedResponse } from '../checks/response/response-check';
import type { Capture, Expectation, Phase, Repeat, Touches } from '../formats/contract';
import type { Browser } from '../http/cross-origin';
import { headerValue } from '../http/headers';
import type { HttpRequest, RawHeaders, RequestHead } from '../http/message';
import { parseTarget } from '../http/request-target';
import { houseError } from '../openapi/error-schema';
import type { ApiModel, Operation } from '../openapi/model';
import { operationOf } from '../openapi/operation-choice';
import type { Run } from './run';
import type { Recipe, SentRequest } from './run-result';
import { binaryNote, shorten, textOf } from './received-body';
import { userAgentOf } from './user-agent';
import type { Within } from './within';

/** A request that is ready to be sent, and what to expect of the answer. */
export interface Interaction {
  readonly name: string;
  readonly phase: Phase | 'auth';
  readonly place: string | undefined;
  /** `undefined` when the description has none for the request. */
  readonly operation: Operation | undefined;
  readonly request: HttpRequest;
  /** Is it the contract itself, and no value of an answer, that leads out of its path? */
  readonly writesWayOut?: boolean | undefined;
  /** How it authenticates: `valid`, the name of an identity, or what is wrong with it. */
  readonly auth: string;
  /** The request with shell variables in the place of captured values; `undefined` for a probe. */
  readonly recipe: Recipe | undefined;
  readonly expected: Expectation;
  readonly captures: readonly Capture[];
  /** Names of those that later steps send as credentials; none when left out. */
  readonly keys?: ReadonlySet<string> | undefined;
  /** The page that it is sent for; `undefined` when for none. */
  readonly browser?: Browser | undefined;
  /** Why what it makes stays; `undefined` when it can be removed. */
  readonly leaves?: string | undefined;
  /** Sends it again until its answer is as awaited. */
  readonly repeat?: Repeat | undefined;
  /** Is this answer the one that ends the repetition? Always, when left out. */
  readonly isLast?: ((observed: ObservedResponse) => boolean) | undefined;
  /** What takes longer is told as a warning. */
  readonly maxDurationMs?: number | undefined;
  /** Does its contract say that it makes something: by what it `leaves`, or by a later step that `removes` it? */
  readonly makes?: boolean | undefined;
  /** What it touches, where its path does not tell. */
  readonly touches?: Touches | undefined;
  /** Pointer into its contract; `undefined` for a probe. */
  readonly step?: string | undefined;
  /** That of the step whose creation it removes. */
  readonly removes?: string | undefined;
  /** Below what it may make something; nothing when left out. */
  readonly within?: Within | undefined;
}

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
 * @param headers - by lower-case name, for descriptions that tell operations apart by them
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
  return operationOf(match.route, asked, target.query, headers);
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
  const types = documented.length > 0 ? documented : [houseError(api)?.mediaType ?? '*/*'];
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
  const text = textOf(body, mediaType);
  if (text !== undefined) return { method, url, headers, body: text };
  return { method, url, headers, body: undefined, omitted: binaryNote(mediaType, body.length) };
}

/** The same with no more of its body than a report can bear. To be called once secrets were taken out: half a body cannot be read. */
export function shortenRequest(request: SentRequest): SentRequest {
  const shown = shorten(request.body ?? '');
  return shown.omitted === undefined ? request : { ...request, body: shown.text, omitted: shown.omitted };
}
