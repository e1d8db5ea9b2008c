import type { Problem } from '../../core/http/problem';
import { toHeaderText } from '../../core/http/headers';
import type { Warning } from '../../checks/request/warnings';
import type { HttpResponse, RawHeaders } from '../../core/http/message';
import { stringifyJson } from '../../core/json/stringify-json';
import { deformResponse, type FaultPlan } from '../faults/fault-plan';
import { bearerOf } from '../../security/issued-credentials';
import type { RequestContext } from './request-context';

/** In characters: clients take 8 or 16 KiB of headers, and a character may become nine. */
const LONGEST_HEADER = 500;

const NO_WARNINGS: readonly Warning[] = [];

/**
 * The last stage: writes a request and its response into the journal of its sandbox.
 *
 * @returns what is to be sent: the response, but for what goes wrong on purpose
 */
export function record(request: RequestContext, response: HttpResponse): HttpResponse {
  const { sandbox, sandboxes, context, operation, faults, problem } = request;
  if (faults !== undefined) return recordFaultyResponse(request, response, faults);
  const warnings = request.warnings?.all ?? NO_WARNINGS;
  const sent =
    warnings.length === 0 && problem === undefined ? response : withDiagnosticHeader(request, response, warnings);
  const nowMs = context.clock.now();
  if (operation !== undefined && operation.method !== 'GET') recordCredentials(request, sent);
  const rounds = sandboxes.store?.rounds;
  if (rounds === undefined) write(request, sent, warnings, nowMs);
  else
    rounds.whenStored(sandbox, () => {
      write(request, sent, warnings, nowMs);
    });
  return sent;
}

function write(request: RequestContext, sent: HttpResponse, warnings: readonly Warning[], nowMs: number): void {
  const { sandbox, sandboxes, context, head, body, operation, problem, changes, startedMs } = request;
  if (sent.status < 400) context.onDone?.(request, sent);
  const id = operation?.id;
  sandboxes.countAnswer(sandbox, id, sent.status);
  if (sandboxes.isMaterialised(sandbox))
    sandbox.journal.add(head, body, id, sent, problem, changes, nowMs, warnings, undefined, startedMs);
  else
    sandboxes.recordPending(sandbox.id ?? '', head, id, { body, response: sent, problem, warnings, startedMs }, nowMs);
}

/** Credentials in a response are accepted from now on, in a sandbox that exists from now on; signing out ends them. */
function recordCredentials({ sandbox, sandboxes, context, plan, head }: RequestContext, response: HttpResponse): void {
  const { signIn, cookie } = plan ?? {};
  if (response.status >= 400 || (signIn === undefined && cookie === undefined)) return;
  if (signIn === 'out') {
    sandbox.issued.revoke(head);
    context.tokens?.revokeToken(bearerOf(head) ?? '');
  }
  if (signIn !== 'out' && sandbox.issued.issue(response, signIn === 'in', context.clock.now()))
    sandboxes.materialise(sandbox);
  const { store } = sandboxes;
  if (store !== undefined) store.commit(sandbox, sandbox.issued.takeChanges());
}

/**
 * With what the body does not say. Whether the body of a GET would contain the cause of a rejection is unknown for a
 * HEAD, which has the same headers (RFC 9110 §9.3.2).
 */
function withDiagnosticHeader(
  { head, problem }: RequestContext,
  response: HttpResponse,
  warnings: readonly Warning[],
): HttpResponse {
  const diagnostic = problem === undefined || bodyContains(response, problem) ? undefined : problem;
  if (diagnostic === undefined && warnings.length === 0) return response;
  const reported = diagnostic === undefined || head.method === 'HEAD' ? warnings : [diagnostic, ...warnings];
  const text = reported.map(({ code, message }) => `${code}: ${message}`).join('; ');
  const more: RawHeaders = text === '' ? [] : ['X-Standin-Problem', toHeaderText(text.slice(0, LONGEST_HEADER))];
  return { ...response, headers: [...response.headers, ...more], diagnostic, warnings };
}

/** A client that gets a body such as `{"ok":false}` looks into the log for the cause. */
function bodyContains({ body }: HttpResponse, { message }: Problem): boolean {
  return typeof body === 'string' && (body.includes(message) || body.includes(stringifyJson(message).slice(1, -1)));
}

/** The state is changed all the same; the response is another one, or is sent in another way. */
function recordFaultyResponse(request: RequestContext, response: HttpResponse, faults: FaultPlan): HttpResponse {
  const { sandbox, sandboxes, context, head, target, body, operation, problem, changes, warnings, startedMs } = request;
  const { lost } = faults;
  const nowMs = context.clock.now();
  const isSent = lost === undefined || lost === 'reset';
  const answer = isSent ? response : context.errors.write(lost, operation, { head, target, nowMs });
  const sent = deformResponse(answer, faults, operation);
  const injected = sent.headers.at(-1);
  const all = warnings?.all;
  const tell = (): void => {
    // What was done was done, whatever became of its response.
    if (response.status < 400) context.onDone?.(request, response);
    sandboxes.countAnswer(sandbox, operation?.id, sent.status);
    sandbox.journal.add(head, body, operation?.id, sent, problem, changes, nowMs, all, injected, startedMs);
  };
  const rounds = sandboxes.store?.rounds;
  if (rounds === undefined) tell();
  else rounds.whenStored(sandbox, tell);
  return sent;
}
