import { ANONYMOUS, checkAuthentication, type Authentication } from '../../security/authentication';
import { apiKeyTexts } from '../../security/api-key';
import { problem, type Problem } from '../../core/http/problem';
import { Warnings } from '../../checks/request/warnings';
import { parseBearer } from '../../core/http/authorization';
import type { HttpResponse, RawHeaders, RequestHead } from '../../core/http/message';
import { parsePrefer } from '../../core/http/header-fields';
import { targetOf } from '../../core/http/request-target';
import type { Operation } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { type RouteMatch, selectOperation, withQueryVariables } from '../../openapi/model/operation-selection';
import { isProcedure } from '../../resources/paths/operation-readings';
import { allowedMethods, checkMessage, matchPath, NOT_A_PATH } from './request-routing';
import type { MockContext } from '../context/context';
import { checkEncoding, chooseRequestContent } from './body-admission';
import { negotiateResponse } from './content-negotiation';
import type { AdmittedRequest, RequestContext, Result } from './request-context';

const ANY_KEY =
  'only the keys of the mock and those that it issued are accepted; start it with --auth any to accept every key';
const EVERY_METHOD = 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE';
const NO_HEADERS: RawHeaders = [];

/**
 * The checks that need no body, in the order that decides which one rejects: message, path, method, rate, credentials,
 * sunset, Accept, Content-Encoding, Content-Type, declared size.
 *
 * @returns the response to OPTIONS, or why the request is rejected; `undefined` for an {@link AdmittedRequest}
 */
export function admit(request: RequestContext): Result | undefined {
  const { context, head } = request;
  const preferences = parsePrefer(joined(head.headers['prefer']));
  const warnings = new Warnings(context.options.strict || preferences.get('handling') === 'strict');
  request.preferences = preferences;
  request.warnings = warnings;
  const target = request.isMessageChecked ? (targetOf(head) ?? NOT_A_PATH) : checkMessage(context, head);
  if ('code' in target) return target;
  request.target = target;
  if (target.path === '*') return optionsResponse(EVERY_METHOD, NO_HEADERS);

  const match = matchPath(context, { path: target.path, method: head.method }, warnings);
  if ('code' in match) return match;
  const method = head.method === 'HEAD' && !match.route.operations.has('HEAD') ? 'GET' : head.method;
  const named = selectOperation(match.route, method, target.query, head.headers);
  const operation = named ?? procedureByPost(match, method, warnings);
  if (operation === undefined) return withoutOperation(request, match, target.path);
  if (operation.disabled !== undefined)
    return problem(
      'not_implemented',
      `The description has an error that disables ${operation.id}: ${operation.disabled}`,
    );
  request.operation = operation;
  request.plan = context.plans.get(operation);
  request.match = withQueryVariables(match, operation, target.query);
  request.query = target.query;
  request.hasParametersInBody = named === undefined;
  return admitOperation(request as AdmittedRequest);
}

function withoutOperation({ context, head }: RequestContext, match: RouteMatch, requested: string): Result {
  const { path } = match.route;
  const allow = allowedMethods(context, requested, match);
  if (head.method === 'OPTIONS') return optionsResponse(allow, patchTypes(match));
  const message = `${path} does not allow ${head.method}; it allows ${allow}`;
  return problem('method_not_allowed', message, { headers: ['Allow', allow] });
}

function optionsResponse(allow: string, more: RawHeaders): HttpResponse {
  return { status: 204, headers: ['Allow', allow, ...more, 'Cache-Control', 'no-store'], body: undefined };
}

/** A procedure that is documented as GET, and asked for as procedures usually are. */
function procedureByPost({ route }: RouteMatch, method: string, warnings: Warnings): Operation | undefined {
  const operation = method === 'POST' ? route.operations.get('GET') : undefined;
  if (operation === undefined || !isProcedure(route.path)) return undefined;
  return warnings.allows('post_for_get', route.path) ? operation : undefined;
}

function admitOperation(request: AdmittedRequest): Problem | undefined {
  const { context, head, operation, plan, query, warnings } = request;
  if (plan.accept === 'strict') warnings.beStrict();
  const rate = context.limiter?.take(callerOf(context.api, operation, head, query), context.clock.now());
  if (rate !== undefined) request.extraHeaders = rate.headers;
  if (rate?.isAllowed === false) return problem('rate_limited', 'Too many requests; wait as long as Retry-After says');

  const authentication = authenticate(context, operation, head, query);
  if (authentication.kind === 'refused') {
    warnOfRejectedKey(context, authentication.problem, warnings);
    return authentication.problem;
  }
  request.principal = authentication.principal;
  const ended = checkSunset(context, operation);
  if (ended !== undefined) return ended;
  const negotiated = negotiateResponse(head, plan, warnings);
  if ('code' in negotiated) return negotiated;
  request.responseMediaType = negotiated.mediaType;
  const unknownCoding = checkEncoding(head);
  if (unknownCoding !== undefined) return unknownCoding;
  const content = chooseRequestContent(context, plan, head, bodyLengthOf(request), warnings);
  if (content.kind === 'refused') return content.problem;
  if (content.kind === 'chosen') request.content = content.entry;
  return undefined;
}

function warnOfRejectedKey({ options }: MockContext, { status }: Problem, warnings: Warnings): void {
  if (status === 401 && options.auth === 'keys') warnings.add('auth_keys', ANY_KEY);
}

/** The credentials of a request, checked as the options of the mock want it. */
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

function joined(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
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

/** @returns 0 for no body, `undefined` when only reading will tell (RFC 9112 §6.3) */
function bodyLengthOf({ head, knownLength }: RequestContext): number | undefined {
  if (knownLength !== undefined) return knownLength;
  if (head.headers['transfer-encoding'] !== undefined) return undefined;
  const length = head.headers['content-length'];
  return typeof length === 'string' ? Number(length) : 0;
}
