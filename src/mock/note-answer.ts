import type { Problem } from '../checks/problem';
import { toHeaderText } from '../http/header-text';
import type { Warning, Warnings } from '../checks/warnings';
import type { HttpResponse, RawHeaders, RequestHead } from '../http/message';
import { stringifyJson } from '../json/stringify-json';
import type { Operation } from '../openapi/model';
import type { FaultPlan } from './faults/decide-faults';
import { deformResponse } from './faults/deform-response';
import type { Place } from './place';
import type { Sandboxes } from './sandboxes';
import type { Change } from './state';

/** In characters: clients take 8 or 16 KiB of headers, and a character may become nine. */
const LONGEST_HEADER = 500;

/** A request with the answer that it gets, and what it did. */
export interface Answered {
  readonly head: RequestHead;
  /** `undefined` where it was not read. */
  readonly body: Uint8Array | undefined;
  readonly response: HttpResponse;
  readonly operation: Operation | undefined;
  readonly changes: readonly Change[];
  /** Why it was refused. */
  readonly fault: Problem | undefined;
  /** `undefined` where its head could not be read. */
  readonly warnings: Warnings | undefined;
}

const NO_WARNINGS: readonly Warning[] = [];

/**
 * Writes an answer into the journal of its sandbox.
 *
 * @returns what is to be sent: the response, but for what goes wrong on purpose
 */
export function noteAnswer(sandboxes: Sandboxes, place: Place, answered: Answered): HttpResponse {
  const { sandbox, context, faults } = place;
  if (faults !== undefined) return noteSpoiled(place, faults, answered);
  const { head, body, operation, changes, fault } = answered;
  const warnings = answered.warnings?.all ?? NO_WARNINGS;
  const response = warnings.length === 0 && fault === undefined ? answered.response : telling(answered, warnings);
  const nowMs = context.clock.now();
  if (operation !== undefined && operation.method !== 'GET') noteCredentials(sandboxes, place, answered, operation);
  if (sandboxes.isKept(sandbox))
    sandbox.journal.add(head, body, operation?.id, response, fault, changes, nowMs, warnings);
  else sandboxes.noteUnkept(sandbox, head, operation?.id, { body, response, problem: fault, warnings }, nowMs);
  return response;
}

/** A token that was given out is good from now on, in a sandbox that is there from now on; one that was signed out is not. */
function noteCredentials(
  sandboxes: Sandboxes,
  { sandbox, context }: Place,
  { head, response }: Answered,
  operation: Operation,
): void {
  const { signIn, cookie } = context.plans.get(operation);
  if (response.status >= 400 || (signIn === undefined && cookie === undefined)) return;
  if (signIn === 'out') sandbox.issued.takeBack(head);
  else if (sandbox.issued.give(response, signIn === 'in', context.clock.now())) sandboxes.keep(sandbox);
}

/**
 * With what the body does not tell. Whether that of a GET would tell the cause of a refusal is not known of a HEAD, which
 * has the same headers (RFC 9110 §9.3.2).
 */
function telling({ head, response, fault }: Answered, warnings: readonly Warning[]): HttpResponse {
  const untold = fault === undefined || tells(response, fault) ? undefined : fault;
  if (untold === undefined && warnings.length === 0) return response;
  const told = untold === undefined || head.method === 'HEAD' ? warnings : [untold, ...warnings];
  const text = told.map(({ code, message }) => `${code}: ${message}`).join('; ');
  const more: RawHeaders = text === '' ? [] : ['X-Standin-Problem', toHeaderText(text.slice(0, LONGEST_HEADER))];
  return { ...response, headers: [...response.headers, ...more], untold, warnings };
}

/** Whoever gets an answer such as `{"ok":false}` looks into the log for the cause. */
function tells({ body }: HttpResponse, { message }: Problem): boolean {
  return typeof body === 'string' && (body.includes(message) || body.includes(stringifyJson(message).slice(1, -1)));
}

/** What was done is done; the answer is another one than it would be, or is sent in another way. */
function noteSpoiled({ sandbox, context }: Place, faults: FaultPlan, answered: Answered): HttpResponse {
  const { head, body, response, operation, changes, fault, warnings } = answered;
  const { lost } = faults;
  const nowMs = context.clock.now();
  const isAnswered = lost === undefined || lost === 'reset';
  const answer = isAnswered ? response : context.errors.write(lost, operation, { head, nowMs });
  const sent = deformResponse(answer, faults, operation);
  const injected = sent.headers.at(-1);
  sandbox.journal.add(head, body, operation?.id, sent, fault, changes, nowMs, warnings?.all, injected);
  return sent;
}
