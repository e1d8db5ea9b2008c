import type { Problem } from '../checks/problem';
import { toHeaderText } from '../http/header-text';
import type { HttpResponse, RequestHead } from '../http/message';
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
}

/**
 * Writes an answer into the journal of its sandbox.
 *
 * @returns what is to be sent: the response, but for what goes wrong on purpose
 */
export function noteAnswer(sandboxes: Sandboxes, place: Place, answered: Answered): HttpResponse {
  const { sandbox, context, faults } = place;
  if (faults !== undefined) return noteSpoiled(place, faults, answered);
  const { head, body, response, operation, changes, fault } = answered;
  const nowMs = context.clock.now();
  if (sandboxes.isKept(sandbox)) sandbox.journal.add(head, body, operation?.id, response, fault, changes, nowMs);
  else sandboxes.noteUnkept(sandbox, head, operation?.id, { body, response, problem: fault }, nowMs);
  return fault === undefined || tells(response, fault) ? response : telling(response, fault, head);
}

/** With what the body does not tell. Whether that of a GET would is not known of a HEAD, which has the same headers (RFC 9110 §9.3.2). */
function telling(response: HttpResponse, fault: Problem, { method }: RequestHead): HttpResponse {
  if (method === 'HEAD') return { ...response, untold: fault };
  const text = toHeaderText(`${fault.code}: ${fault.message.slice(0, LONGEST_HEADER)}`);
  return { ...response, headers: [...response.headers, 'X-Standin-Problem', text], untold: fault };
}

/** Whoever gets an answer such as `{"ok":false}` looks into the log for the cause. */
function tells({ body }: HttpResponse, { message }: Problem): boolean {
  return typeof body === 'string' && (body.includes(message) || body.includes(stringifyJson(message).slice(1, -1)));
}

/** What was done is done; the answer is another one than it would be, or is sent in another way. */
function noteSpoiled({ sandbox, context }: Place, faults: FaultPlan, answered: Answered): HttpResponse {
  const { head, body, response, operation, changes, fault } = answered;
  const { lost } = faults;
  const nowMs = context.clock.now();
  const isAnswered = lost === undefined || lost === 'reset';
  const answer = isAnswered ? response : context.errors.write(lost, operation, { head, nowMs });
  const sent = deformResponse(answer, faults, operation);
  sandbox.journal.add(head, body, operation?.id, sent, fault, changes, nowMs, sent.headers.at(-1));
  return sent;
}
