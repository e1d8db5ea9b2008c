import {
  ANONYMOUS,
  apiKeyTexts,
  checkAuthentication,
  type Authentication,
  type Principal,
} from '../checks/request/authentication';
import { checkContent, type ContentChoice } from '../checks/request/content';
import { problem, type Problem } from '../checks/problem';
import { bestMediaType } from '../http/accept';
import { parseBearer } from '../http/authorization';
import { isKnownCoding } from '../http/content-coding';
import { countHeader } from '../http/headers';
import { isValidHost } from '../http/host';
import type { RawHeaders, RequestHead } from '../http/message';
import { parsePrefer } from '../http/prefer';
import { decodePathSegment, parseTarget, splitPath } from '../http/request-target';
import type { ApiModel, MediaTypeEntry, Operation } from '../openapi/model';
import { operationOf, withQueryVariables } from '../openapi/operation-choice';
import type { RouteMatch } from '../openapi/route-table';
import type { MockContext } from './context';
import type { OperationPlan } from './operation-plan';
import { pathHint } from './path-hint';

/** A request that may go on to its body. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly operation: Operation;
  readonly plan: OperationPlan;
  readonly match: RouteMatch;
  readonly principal: Principal;
  readonly query: string;
  readonly preferences: ReadonlyMap<string, string>;
  /** What the body is judged by; `undefined` when the operation takes none. */
  readonly content: MediaTypeEntry | undefined;
  /** Headers that every answer from here on carries. */
  readonly extraHeaders: RawHeaders;
}

export type Admission =
  | Admitted
  | { readonly kind: 'options'; readonly allow: string; readonly extraHeaders: RawHeaders }
  | {
      readonly kind: 'refused';
      readonly problem: Problem;
      readonly operation: Operation | undefined;
      readonly match: RouteMatch | undefined;
      readonly extraHeaders: RawHeaders;
    };

const NO_HEADERS: RawHeaders = [];

/** What is known of a request beside its head. */
export interface OpenOptions {
  /** Bytes of the body; `undefined` when only reading it will tell. */
  readonly bodyLength?: number | undefined;
  /** {@link checkMessage} found nothing already. */
  readonly isMessageChecked?: boolean | undefined;
  /** There is a connection, which can be slow, cut or reset when a fault asks for it. */
  readonly canDeliver?: boolean | undefined;
}

/**
 * The checks that need no body, in the order that decides which fault speaks: message, path, method, rate, credentials,
 * sunset, Accept, Content-Encoding, Content-Type, declared size.
 */
export function admit(context: MockContext, head: RequestHead, options: OpenOptions): Admission {
  const { bodyLength } = options;
  const fault = options.isMessageChecked === true ? undefined : checkMessage(context, head);
  const target = parseTarget(head.target);
  if (fault !== undefined || target === undefined) return refuse(fault ?? NOT_A_PATH);
  if (target.path === '*')
    return { kind: 'options', allow: 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE', extraHeaders: NO_HEADERS };

  const match = matchPath(context, target.path);
  if ('code' in match) return refuse(match);
  const method = head.method === 'HEAD' && !match.route.operations.has('HEAD') ? 'GET' : head.method;
  const operation = operationOf(match.route, method, target.query, head.headers);
  if (operation === undefined) {
    if (method === 'OPTIONS') return { kind: 'options', allow: match.route.allow, extraHeaders: patchTypes(match) };
    const allow: RawHeaders = ['Allow', match.route.allow];
    const message = `${match.route.path} does not answer ${head.method}; it answers ${match.route.allow}`;
    return refuse(problem('method_not_allowed', message, { headers: allow }), undefined, match);
  }
  const found = withQueryVariables(match, operation, target.query);
  return admitOperation(context, head, { operation, match: found, query: target.query, bodyLength });
}

interface Found {
  readonly operation: Operation;
  readonly match: RouteMatch;
  readonly query: string;
  readonly bodyLength: number | undefined;
}

function admitOperation(context: MockContext, head: RequestHead, found: Found): Admission {
  const { operation, match, query } = found;
  const plan = context.plans.get(operation);
  const rate = takeRate(context, operation, head, query);
  const extraHeaders = rate?.headers ?? NO_HEADERS;
  const stop = (fault: Problem): Admission => refuse(fault, operation, match, extraHeaders);
  if (rate?.isAllowed === false)
    return stop(problem('rate_limited', 'Too many requests; wait as long as Retry-After says'));

  const authentication = authenticate(context, operation, head, query);
  if (authentication.kind === 'refused') return stop(authentication.problem);
  const late = checkSunset(context, operation) ?? checkAccept(head, plan) ?? checkEncoding(head);
  if (late !== undefined) return stop(late);
  const content = chooseContent(context, operation, head, found.bodyLength);
  if (content.kind === 'refused') return stop(content.problem);
  return {
    kind: 'admitted',
    operation,
    plan,
    match,
    principal: authentication.principal,
    query,
    preferences: parsePrefer(joined(head.headers['prefer'])),
    content: content.kind === 'chosen' ? content.entry : undefined,
    extraHeaders,
  };
}

/** The credentials of a request, judged as the options of the mock want it. */
export function authenticate(
  { options, api, credentials, clock }: MockContext,
  operation: Operation,
  head: RequestHead,
  query: string,
): Authentication {
  if (options.auth === 'off') return { kind: 'accepted', principal: ANONYMOUS };
  return checkAuthentication(api, operation, { head, query, nowMs: clock.now() }, credentials);
}

/** Which kinds of patch the path takes (RFC 5789 §3.1). */
function patchTypes({ route }: RouteMatch): RawHeaders {
  const types = route.operations.get('PATCH')?.requestBody?.mediaTypes ?? [];
  return types.length === 0 ? NO_HEADERS : ['Accept-Patch', types.join(', ')];
}

/** Without a body nothing is said about its type: an absent one that is required is missed later. */
function chooseContent(
  context: MockContext,
  operation: Operation,
  head: RequestHead,
  bodyLength: number | undefined,
): ContentChoice {
  if (bodyLength === 0) {
    const entry = operation.requestBody?.content[0];
    return entry === undefined ? { kind: 'no-body-declared' } : { kind: 'chosen', entry };
  }
  const choice = checkContent(operation, head);
  if (choice.kind !== 'chosen' || (bodyLength ?? 0) <= context.options.limits.bodyBytes) return choice;
  return { kind: 'refused', problem: bodyTooLarge(context) };
}

function joined(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}

export function bodyTooLarge({ options }: MockContext): Problem {
  return problem('body_too_large', `The body has more than ${options.limits.bodyBytes} bytes`, {
    headers: ['Connection', 'close'],
  });
}

/** A bad percent sequence, bytes that are not UTF-8, or NUL (RFC 3986 §2.1, §7.3). */
export const UNDECODABLE_PATH = problem(
  'invalid_parameter',
  'The path holds a percent sequence that is not UTF-8 text, or %00',
);

const NOT_A_PATH = problem('bad_request', 'The request target is not a path (RFC 9112 §3.2.1)');

/** Faults of the message itself, whatever it asks for (RFC 9112 §3.2; RFC 9110 §10.1.1, §15.5.15). */
export function checkMessage({ options }: MockContext, head: RequestHead): Problem | undefined {
  if (head.target.length > options.limits.targetBytes) {
    return problem('uri_too_long', `The request target has more than ${options.limits.targetBytes} bytes`);
  }
  const expect = head.headers['expect'];
  if (typeof expect === 'string' && expect.toLowerCase() !== '100-continue') {
    return problem('expectation_failed', 'The header Expect asks for something other than 100-continue');
  }
  const hosts = countHeader(head.rawHeaders, 'host');
  if (hosts !== 1) {
    return problem(
      'bad_request',
      hosts === 0 ? 'The header Host is missing' : 'The header Host was sent more than once',
    );
  }
  const host = head.headers['host'];
  if (typeof host !== 'string' || !isValidHost(host)) return problem('bad_request', 'The header Host is not a host');
  const target = parseTarget(head.target);
  // `*` is the server itself, of which only the options can be asked (RFC 9112 §3.2.4).
  return target === undefined || (target.path === '*' && head.method !== 'OPTIONS') ? NOT_A_PATH : undefined;
}

/** Of the base paths that have the path, the longest. */
export function matchPath({ api, basePath, mounts }: MockContext, path: string): RouteMatch | Problem {
  for (const mount of mounts) {
    const isInside = mount.basePath === '' || path.startsWith(`${mount.basePath}/`);
    const match = isInside ? mount.routes.match(path.slice(mount.basePath.length)) : undefined;
    if (match !== undefined) return match;
  }
  // Whether there is such a path cannot be told when a part of it cannot be read.
  if (splitPath(path).some((segment) => decodePathSegment(segment) === undefined)) return UNDECODABLE_PATH;
  const hint = pathHint({ api, basePath }, path);
  return problem('route_not_found', `The description has no path that matches this one${hint}`);
}

function takeRate(
  { limiter, clock, api }: MockContext,
  operation: Operation,
  head: RequestHead,
  query: string,
): { isAllowed: boolean; headers: RawHeaders } | undefined {
  if (limiter === undefined) return undefined;
  return limiter.take(callerOf(api, operation, head, query), clock.now());
}

/** Whose bucket a request takes from: that of its credentials, good or not. */
function callerOf(api: ApiModel, { security }: Operation, head: RequestHead, query: string): string {
  const header = head.headers['authorization'];
  if (header !== undefined) {
    const credentials = parseBearer(header as string);
    return credentials.kind === 'bearer' ? credentials.token : String(header);
  }
  for (const { name } of security.flat()) {
    const scheme = api.securitySchemes.get(name);
    const [key] = scheme?.type === 'apiKey' ? apiKeyTexts(scheme, { head, query }) : [];
    if (key !== undefined) return key;
  }
  return '';
}

/** 410 for an operation that is over, by the clock of the mock. */
export function checkSunset({ options, clock }: MockContext, operation: Operation): Problem | undefined {
  const { deprecated, sunset } = operation.lifecycle;
  if (!deprecated || sunset === undefined || options.afterSunset === 'serve' || clock.now() < sunset) return undefined;
  return problem(
    'operation_sunset',
    `This operation ended on ${new Date(sunset).toISOString()}; the header Link names its successor`,
  );
}

function checkAccept(head: RequestHead, plan: OperationPlan): Problem | undefined {
  const accept = head.headers['accept'];
  if (typeof accept !== 'string' || plan.offered.length === 0) return undefined;
  if (bestMediaType(accept, plan.offered) !== undefined) return undefined;
  return problem('not_acceptable', `The header Accept leaves out ${plan.offered.join(' and ')}, which is all there is`);
}

function checkEncoding(head: RequestHead): Problem | undefined {
  const coding = head.headers['content-encoding'];
  if (typeof coding !== 'string' || isKnownCoding(coding)) return undefined;
  return problem('unsupported_content_encoding', 'The Content-Encoding is not known; send gzip, deflate, br or none', {
    headers: ['Accept-Encoding', 'gzip, deflate, br'],
  });
}

/** What is known of the body before it is read. */
export function bodyOf(head: RequestHead, body: Uint8Array | undefined, options: OpenOptions = {}): OpenOptions {
  const bodyLength = bodyLengthOf(head, body?.length);
  return { bodyLength, isMessageChecked: options.isMessageChecked === true };
}

/** @returns 0 for no body, `undefined` when only reading will tell (RFC 9112 §6.3) */
function bodyLengthOf(head: RequestHead, known: number | undefined): number | undefined {
  if (known !== undefined) return known;
  if (head.headers['transfer-encoding'] !== undefined) return undefined;
  const length = head.headers['content-length'];
  return typeof length === 'string' ? Number(length) : 0;
}

function refuse(
  fault: Problem,
  operation?: Operation,
  match?: RouteMatch,
  extraHeaders: RawHeaders = NO_HEADERS,
): Admission {
  return { kind: 'refused', problem: fault, operation, match, extraHeaders };
}
