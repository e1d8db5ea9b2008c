import type { ObservedBody } from '../checks/response/response-check';
import type { HttpRequest, HttpResponse } from '../http/message';
import type { Operation } from '../openapi/model';
import { isAnswerOfApi, isOfGateway } from './answer-of-api';
import { jsonOf } from './auth/marked-body';
import { chooseScheme } from './auth/schemes';
import type { Creation } from './creation';
import { isKnownEmpty, pathOf } from './guard';
import { findOperation, type Interaction } from './interaction';
import { isCreation } from './item-routes';
import { sentParameters } from './needed-parameters';
import { isSafe, type Run } from './run';
import { holdsMark } from './run-mark';
import { sentMembers } from './sent-members';

/** Writes down what a request may create, before it is sent. @throws ConfigError when that is not possible */
export function noteRequest(run: Run, interaction: Interaction): Creation | undefined {
  const { request, leaves, auth, makes, step, touches } = interaction;
  const { method } = request;
  if (isSafe(method) || (touches === 'nothing' && makes !== true)) return undefined;
  const sentTo = pathOf(run, request);
  const path = tidy(sentTo);
  const wasAbsent = isKnownEmpty(run, path);
  run.creations.forgetAbsent(path);
  const operation = interaction.operation ?? findOperation(run.api, method, path, request.headers);
  if (operation === undefined) return undefined;
  // A PATCH may create as a PUT may (RFC 5789 §2).
  const isToPath = method === 'PUT' || method === 'PATCH';
  const mayCreate = isToPath ? !run.creations.owns(path) : makes === true || isCreation(run.api, operation);
  const sent = sentMembers(request, run.runId);
  if (!mayCreate) {
    run.creations.noteChange(path, sent);
    return undefined;
  }
  const marked = holdsMark(new TextDecoder().decode(request.body), run.runId);
  const caller = run.identities?.has(auth) === true ? auth : 'valid';
  const facts = { leaves, marked, auth: caller, sent, makes, step, like: sentParameters(request) };
  const creation = run.creations.announce(operation, path, facts);
  creation.wasAbsent = wasAbsent;
  return creation;
}

/** Writes down what an answer says of what was made, what is gone and what never was. */
export function noteAnswer(
  run: Run,
  creation: Creation | undefined,
  interaction: Interaction,
  response: HttpResponse,
  body: ObservedBody,
): void {
  const { operation, request, auth, removes } = interaction;
  const { status } = response;
  if (creation !== undefined) settle(run, creation, interaction, response, body);
  run.isApi ||= isAnswerOfApi(operation, response, body);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && removes !== undefined) run.creations.markStepRemoved(removes);
  if (operation === undefined) return;
  // A 404 may also say that there is no such operation here: what it means is looked at in the end.
  if (operation.method === 'DELETE' && isSuccess) noteRemoval(run, request, status);
  if (request.method === 'GET' && auth === 'valid') noteRead(run, operation, request, status);
}

function settle(
  run: Run,
  creation: Creation,
  interaction: Interaction,
  response: HttpResponse,
  body: ObservedBody,
): void {
  const { operation, request } = interaction;
  const isElsewhere = isStranger(interaction) && !isAnswerOfApi(operation, response, body);
  const isTurnedAway = isElsewhere && isOfGateway(run, pathOf(run, request), response);
  const value = body.kind === 'json' ? body.value : undefined;
  if (isTurnedAway) run.creations.markRefused(creation);
  else run.creations.settle(creation, response, value, run, jsonOf(request));
}

/** Is it sent as somebody whom nobody knows? */
function isStranger({ phase, auth }: Interaction): boolean {
  return phase === 'auth' && auth !== 'valid';
}

/** What is only accepted, or was asked for with a query such as `dryRun`, is looked at in the end as well. */
function noteRemoval(run: Run, request: HttpRequest, status: number): void {
  const path = pathOf(run, request);
  if (status === 202 || request.target.includes('?')) run.creations.noteRemovalAnswered(path);
  else run.creations.markRemoved(path);
}

function noteRead(run: Run, operation: Operation, request: HttpRequest, status: number): void {
  const path = pathOf(run, request);
  const { readable } = run;
  if (status >= 200 && status < 300) {
    readable.add(operation.id);
    run.creations.noteSeen(path);
  }
  const isNothing = status === 404 || status === 410;
  // A 404 for a revision or a tenant says nothing of what the path alone names.
  if (isNothing && !isPlain(run, operation, request)) return;
  if (isNothing && (readable.has(operation.id) || run.creations.ownedBefore(path))) run.creations.noteAbsent(path);
  else run.creations.forgetAbsent(path);
}

const OWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** Is a request as the runner would ask for a thing: without a query, and without headers but those that it sets? */
function isPlain(run: Run, operation: Operation, { target, rawHeaders }: HttpRequest): boolean {
  const choice = chooseScheme(run.api, operation);
  const credentials = choice.kind === 'known' ? choice.scheme.headerNames : [];
  const names = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [name.toLowerCase()] : []));
  return !target.includes('?') && names.every((name) => OWN_HEADERS.has(name) || credentials.includes(name));
}

/** Many a service takes `/books/` and `//books` for `/books`. */
function tidy(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}
