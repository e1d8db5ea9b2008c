import {
  ANONYMOUS,
  apiKeyTexts,
  checkAuthentication,
  type Authentication,
  type Principal,
} from '../checks/request/authentication';
import { bodyKind } from '../http/body-kind';
import { checkContent, type ContentChoice } from '../checks/request/content';
import { problem, type Problem } from '../checks/problem';
import { Warnings } from '../checks/warnings';
import { parseBearer } from '../http/authorization';
import { isKnownCoding } from '../http/content-coding';
import type { RawHeaders, RequestHead } from '../http/message';
import { parsePrefer } from '../http/prefer';
import { parseTarget } from '../http/request-target';
import type { ApiModel, MediaTypeEntry, Operation } from '../openapi/model';
import { operationOf, withQueryVariables } from '../openapi/operation-choice';
import type { RouteMatch } from '../openapi/route-table';
import { isProcedure } from '../resources/readings';
import { checkMessage, NOT_A_PATH } from './check-message';
import type { MockContext } from './context';
import { negotiateAnswer } from './negotiate-answer';
import { matchPath } from './match-path';
import type { OperationPlan } from './operation-plan';

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
  /** Key of the success's `content` that it is answered with; `undefined` where Accept does not say. */
  readonly wanted: string | undefined;
  /** Headers that every answer from here on carries. */
  readonly extraHeaders: RawHeaders;
  readonly warnings: Warnings;
  /** Does the body hold the parameters of an operation that takes none? */
  readonly isAsked: boolean;
}

export type Admission =
  | Admitted
  | {
      readonly kind: 'options';
      readonly allow: string;
      readonly extraHeaders: RawHeaders;
      readonly warnings: Warnings;
    }
  | {
      readonly kind: 'refused';
      readonly problem: Problem;
      readonly operation: Operation | undefined;
      readonly match: RouteMatch | undefined;
      readonly extraHeaders: RawHeaders;
      readonly warnings: Warnings;
    };

const NO_HEADERS: RawHeaders = [];
const ANY_KEY =
  'only the keys of the mock and what it gave out itself are good; --auth any takes every well-formed one';
const EVERY_METHOD = 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE';

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
  const preferences = parsePrefer(joined(head.headers['prefer']));
  const warnings = new Warnings(context.options.strict || preferences.get('handling') === 'strict');
  const fault = options.isMessageChecked === true ? undefined : checkMessage(context, head);
  const target = parseTarget(head.target);
  if (fault !== undefined || target === undefined) return refuse(fault ?? NOT_A_PATH, warnings);
  if (target.path === '*') return { kind: 'options', allow: EVERY_METHOD, extraHeaders: NO_HEADERS, warnings };

  const match = matchPath(context, target.path, warnings);
  if ('code' in match) return refuse(match, warnings);
  const method = head.method === 'HEAD' && !match.route.operations.has('HEAD') ? 'GET' : head.method;
  const named = operationOf(match.route, method, target.query, head.headers);
  const operation = named ?? askedByPost(match, method, warnings);
  if (operation === undefined) return withoutOperation(match, method, head, warnings);
  const found = withQueryVariables(match, operation, target.query);
  const { query } = target;
  const isAsked = named === undefined;
  return admitOperation(context, head, { operation, match: found, query, bodyLength, preferences, warnings, isAsked });
}

function withoutOperation(match: RouteMatch, method: string, head: RequestHead, warnings: Warnings): Admission {
  const { allow, path } = match.route;
  if (method === 'OPTIONS') return { kind: 'options', allow, extraHeaders: patchTypes(match), warnings };
  const message = `${path} does not answer ${head.method}; it answers ${allow}`;
  return refuse(problem('method_not_allowed', message, { headers: ['Allow', allow] }), warnings, undefined, match);
}

interface Found {
  readonly operation: Operation;
  readonly match: RouteMatch;
  readonly query: string;
  readonly bodyLength: number | undefined;
  readonly preferences: ReadonlyMap<string, string>;
  readonly warnings: Warnings;
  readonly isAsked: boolean;
}

/** A procedure that is documented as GET, and asked for as procedures usually are. */
function askedByPost({ route }: RouteMatch, method: string, warnings: Warnings): Operation | undefined {
  const operation = method === 'POST' ? route.operations.get('GET') : undefined;
  if (operation === undefined || !isProcedure(route.path)) return undefined;
  const message = `${route.path} is documented as GET; the members of the body were taken for its parameters`;
  return warnings.allows('post_for_get', message) ? operation : undefined;
}

function admitOperation(context: MockContext, head: RequestHead, found: Found): Admission {
  const { operation, match, query, preferences, warnings } = found;
  const plan = context.plans.get(operation);
  if (plan.accept === 'strict') warnings.beStrict();
  const rate = takeRate(context, operation, head, query);
  const extraHeaders = rate?.headers ?? NO_HEADERS;
  const stop = (fault: Problem): Admission => refuse(fault, warnings, operation, match, extraHeaders);
  if (rate?.isAllowed === false)
    return stop(problem('rate_limited', 'Too many requests; wait as long as Retry-After says'));

  const authentication = authenticate(context, operation, head, query);
  if (authentication.kind === 'refused') {
    tellOfAnyKey(context, authentication.problem, warnings);
    return stop(authentication.problem);
  }
  const ended = checkSunset(context, operation);
  const negotiated = ended ?? negotiateAnswer(head, plan, warnings);
  if ('code' in negotiated) return stop(negotiated);
  const unknownCoding = checkEncoding(head);
  if (unknownCoding !== undefined) return stop(unknownCoding);
  const content = chooseContent(context, plan, head, found.bodyLength, warnings);
  if (content.kind === 'refused') return stop(content.problem);
  return {
    kind: 'admitted',
    operation,
    plan,
    match,
    principal: authentication.principal,
    query,
    preferences,
    content: content.kind === 'chosen' ? content.entry : undefined,
    wanted: negotiated.mediaType,
    extraHeaders,
    warnings,
    isAsked: found.isAsked,
  };
}

function tellOfAnyKey({ options }: MockContext, { status }: Problem, warnings: Warnings): void {
  if (status === 401 && options.auth === 'keys') warnings.add('auth_keys', ANY_KEY);
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
  { operation, accept }: OperationPlan,
  head: RequestHead,
  bodyLength: number | undefined,
  warnings: Warnings,
): ContentChoice {
  if (bodyLength === 0) {
    const entry = operation.requestBody?.content[0];
    return entry === undefined ? { kind: 'no-body-declared' } : { kind: 'chosen', entry };
  }
  const choice = checkContent(operation, head, { warnings, isLenient: accept === 'lenient' });
  if (choice.kind !== 'chosen' || (bodyLength ?? 0) <= maxBodyBytes(context, choice.entry)) return choice;
  return { kind: 'refused', problem: bodyTooLarge(context, choice.entry) };
}

function joined(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}

/** How many bytes a body of this content may have. @param content - `undefined` where none is declared */
export function maxBodyBytes({ options: { limits } }: MockContext, content: MediaTypeEntry | undefined): number {
  const kind = content === undefined ? undefined : bodyKind(content.mediaType);
  return kind === 'multipart' || kind === 'opaque' || kind === 'binary' ? limits.uploadBytes : limits.bodyBytes;
}

export function bodyTooLarge(context: MockContext, content: MediaTypeEntry | undefined): Problem {
  const message = `The body has more than ${maxBodyBytes(context, content)} bytes`;
  const hint = 'body_too_large: --max-body raises the limit of the mock';
  return problem('body_too_large', message, { headers: ['Connection', 'close', 'X-Standin-Problem', hint] });
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
  warnings: Warnings,
  operation?: Operation,
  match?: RouteMatch,
  extraHeaders: RawHeaders = NO_HEADERS,
): Admission {
  return { kind: 'refused', problem: fault, operation, match, extraHeaders, warnings };
}
