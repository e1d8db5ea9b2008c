import type { ObservedBody } from '../../checks/response-check';
import { headerValue } from '../../core/http/headers';
import { type HttpRequest, type HttpResponse, isSafe } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import type { Operation } from '../../openapi/model/operation';
import { findResponse } from '../../openapi/view/responses';
import { chooseScheme } from '../../security/registry';
import type { Creation } from '../ownership/creation';
import { pathOfLocation } from '../ownership/item-location';
import { isCreation, routeOf } from '../ownership/item-routes';
import { isSamePath } from '../ownership/path-names';
import {
  containsRunId,
  type OwnershipEvidence,
  jsonBodyOf,
  ownershipEvidenceIn,
  sentParameters,
  sentProperties,
} from '../ownership/sent-content';
import type { Interaction } from './interaction';
import { findOperation } from './request';
import { isKnownEmpty, pathOf, thingOfOther } from './request-guard';
import type { Run } from './run-state';

/** Writes down what a request may create, before it is sent. @throws ConfigError when that is not possible */
export function trackRequest(run: Run, interaction: Interaction): Creation | undefined {
  const { request, leaves, auth, creates, step, touches } = interaction;
  const { method } = request;
  if (isSafe(method) || (touches === 'nothing' && creates !== true)) return undefined;
  const sentTo = pathOf(run, request);
  const path = routeOf(run.api, sentTo) === undefined ? normalizePath(sentTo) : sentTo;
  const wasAbsent = isKnownEmpty(run, path);
  run.creations.absentPaths.delete(path);
  const operation = interaction.operation ?? findOperation(run.api, method, path, request.headers);
  if (operation === undefined) return undefined;
  // A PATCH may create as a PUT may (RFC 5789 §2).
  const isToPath = method === 'PUT' || method === 'PATCH';
  const mayCreate = isToPath ? !run.creations.owns(path) : creates === true || isCreation(run.api, operation);
  const sent = sentProperties(request, run.runId);
  if (!mayCreate) {
    run.creations.noteChange(path, sent);
    return undefined;
  }
  const marked = containsRunId(new TextDecoder().decode(request.body), run.runId);
  const basedOn = sentParameters(request);
  const facts = { leaves, marked, ...callerOf(run, auth), sent, creates, step, basedOn };
  const creation = run.creations.announce(operation, path, facts);
  creation.wasAbsent = wasAbsent;
  return creation;
}

/** An action below something of the run may have changed places with a row of others, or given its key to one. */
function doubtAbove({ creations }: Run, path: string): void {
  const maker = creations.createdAt(path) === undefined ? creations.makerOf(path) : undefined;
  if (maker !== undefined) maker.isVerified = false;
}

/** Who made it, and is to look at it and to remove it. */
function callerOf({ identities, sessions }: Run, auth: string): Pick<Creation, 'auth' | 'session'> {
  return { auth: identities?.has(auth) === true ? auth : 'valid', session: sessions.has(auth) ? auth : undefined };
}

/** Writes down what a response says of what was made, what is gone and what never was. */
export function trackResponse(
  run: Run,
  creation: Creation | undefined,
  interaction: Interaction,
  response: HttpResponse,
  body: ObservedBody,
): void {
  const { operation, request, removes } = interaction;
  const { status } = response;
  if (creation !== undefined) settleCreation(run, creation, interaction, response, body);
  run.hasApiResponse ||= isApiResponse(operation, response, body);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && removes !== undefined) run.creations.markStepRemoved(removes);
  if (operation === undefined) return;
  if (!isSafe(request.method)) doubtAbove(run, pathOf(run, request));
  // A 404 may also say that there is no such operation here: what it means is looked at in the end.
  if (operation.method === 'DELETE' && isSuccess) trackRemoval(run, interaction, status);
  if (request.method === 'GET') trackGet(run, operation, interaction, status, body);
}

function settleCreation(
  run: Run,
  creation: Creation,
  interaction: Interaction,
  response: HttpResponse,
  body: ObservedBody,
): void {
  const { operation, request, phase, auth } = interaction;
  const isStranger = phase === 'auth' && auth !== 'valid';
  const isElsewhere = isStranger && !isApiResponse(operation, response, body);
  const isTurnedAway = isElsewhere && isGatewayResponse(run, pathOf(run, request), response);
  const value = body.kind === 'json' ? body.value : undefined;
  if (isTurnedAway) run.creations.markRefused(creation);
  else run.creations.settle(creation, response, value, run, jsonBodyOf(request));
}

/**
 * What is only accepted, or was asked for with a query such as `dryRun`, is looked at in the end as well; and so is what
 * another caller removed: to him a service may say so of what it does not show him.
 */
function trackRemoval(run: Run, { request, auth }: Interaction, status: number): void {
  const path = pathOf(run, request);
  const isOfOther = auth !== 'valid' && thingOfOther(run, { request, auth }) !== undefined;
  if (isOfOther || status === 202 || request.target.includes('?')) run.creations.noteRemovalConfirmed(path);
  else run.creations.markRemoved(path);
}

function trackGet(
  run: Run,
  operation: Operation,
  { request, auth }: Interaction,
  status: number,
  body: ObservedBody,
): void {
  if (auth === 'valid') trackRead(run, operation, request, status);
  if (status !== 200 || body.kind !== 'json') return;
  const path = pathOf(run, request);
  noteStillThere(run, path, body.value);
  const maker = run.creations.createdAt(path);
  // What is somebody else's by now is looked at again before it is changed.
  const evidence = maker === undefined ? 'none' : evidenceOf(run, maker, body.value);
  if (maker !== undefined && evidence !== 'none') maker.isVerified = evidence !== 'foreign';
  run.creations.noteListed(operation, path, body.value);
}

/** What only marks a thing as removed leaves it the run's own, as long as it holds what the run wrote. */
function noteStillThere(run: Run, path: string, value: JsonValue): void {
  const removed = run.creations.removed().find(({ item }) => item !== undefined && isSamePath(item, path));
  if (removed !== undefined && evidenceOf(run, removed, value) === 'marked') run.creations.ownAgain(removed);
}

function evidenceOf({ runId }: Run, { sent = [], changed = [] }: Creation, value: JsonValue): OwnershipEvidence {
  return ownershipEvidenceIn(value, [...sent, ...changed], runId);
}

function trackRead(run: Run, operation: Operation, request: HttpRequest, status: number): void {
  const path = pathOf(run, request);
  const { readableOperations } = run;
  if (status >= 200 && status < 300) {
    readableOperations.add(operation.id);
    run.creations.noteSeen(path);
  }
  const isNothing = status === 404 || status === 410;
  // Its key may be given out again.
  if (isNothing) run.creations.doubt(path);
  // A 404 for a revision or a tenant says nothing of what the path alone names.
  if (isNothing && !isPlain(run, operation, request)) return;
  if (isNothing && (readableOperations.has(operation.id) || run.creations.ownedBefore(path))) {
    run.creations.absentPaths.add(path);
    run.creations.emptyPaths.add(path);
  } else run.creations.absentPaths.delete(path);
}

const OWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** Is a request as the runner would ask for a thing: without a query, and without headers but those that it sets? */
function isPlain(run: Run, operation: Operation, { target, rawHeaders }: HttpRequest): boolean {
  const choice = chooseScheme(run.api, operation, run);
  const credentials = choice.kind === 'known' ? choice.scheme.locations.headers : [];
  const names = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [name.toLowerCase()] : []));
  return !target.includes('?') && names.every((name) => OWN_HEADERS.has(name) || credentials.includes(name));
}

/** Many a service takes `/books/` and `//books` for `/books`. */
function normalizePath(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

const PAGE = /^(?:text|application)\/x?html\b/i;

/**
 * Does a response come from the API? JSON does, and what the operation documents by its status and is not a page for people.
 * A login page, a redirect to one and the page of a gateway do not: they have made nothing.
 */
function isApiResponse(operation: Operation | undefined, response: HttpResponse, body: ObservedBody): boolean {
  if (body.kind === 'json') return true;
  const documented = operation === undefined ? undefined : findResponse(operation, response.status);
  if (documented === undefined) return false;
  return !isPage(response) || documented.mediaTypes.some((type) => PAGE.test(type));
}

/**
 * Is a response that is not of the API one of something in front of it, which sends strangers to a page: a redirect out of
 * the API, or a page itself? Behind it nothing was done.
 */
function isGatewayResponse(
  { api, baseUrl }: Pick<Run, 'api' | 'baseUrl'>,
  from: string,
  response: HttpResponse,
): boolean {
  const { status, headers } = response;
  if (status < 300 || status > 399) return status < 500 && isPage(response);
  const location = headerValue(headers, 'location');
  const path = location === undefined ? undefined : pathOfLocation(location, baseUrl, from);
  return path === undefined || routeOf(api, path) === undefined;
}

function isPage({ headers }: HttpResponse): boolean {
  return PAGE.test(headerValue(headers, 'content-type') ?? '');
}
