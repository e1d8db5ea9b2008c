import { PROBLEM_STATUS, problem, type Problem } from '../checks/problem';
import type { HttpResponse, RequestHead } from '../http/message';
import { jsonContent } from '../openapi/error-schema';
import { findSendable } from '../openapi/find-response';
import type { Operation, ResponseSpec } from '../openapi/model';
import { addDeclaredHeaders, declaredHeaders } from '../payload/response-headers';
import type { Admitted } from './admit';
import type { MockContext } from './context';
import type { Call } from './call';
import type { Draft } from './draft';
import { downloaded, keepFile } from './uploaded';
import { storeTasks } from './store-tasks';
import { streamAskedFor } from './represent-as';
import type { Wish } from './wish';

/**
 * Answers from the description alone: with the success of an operation, or with what the request asks for by `code`,
 * `example`, `dynamic` and `seed`. The state is asked for an upload that is downloaded, and gets the tasks that are told.
 *
 * @returns a problem when the description has no such answer; it lists what there is
 */
export async function describedAnswer(
  context: MockContext,
  head: RequestHead,
  { operation, plan }: Admitted,
  wish: Wish | undefined,
  call: Call,
  draft: Draft,
): Promise<HttpResponse | Problem> {
  const sent = typeof head.headers['accept'] === 'string' ? head.headers['accept'] : undefined;
  const accept = streamAskedFor(plan, call) ?? sent;
  if (wish === undefined) return usualAnswer(context, operation, plan, accept, call, draft);
  const chosen = chooseResponse(operation, plan, wish);
  if ('message' in chosen) return chosen;
  const { status, response } = chosen;
  const answer = isErrorToFill(chosen, wish)
    ? filledError(context, head, operation, chosen)
    : await context.payloads.answer(operation, response, status, accept, wish.body);
  if ('code' in answer) return answer;
  const headers = [...answer.headers, 'Preference-Applied', appliedText(wish), 'Vary', 'Prefer'];
  return { ...answer, headers };
}

async function usualAnswer(
  context: MockContext,
  operation: Operation,
  plan: Admitted['plan'],
  accept: string | undefined,
  call: Call,
  draft: Draft,
): Promise<HttpResponse | Problem> {
  const kept = downloaded(plan, call, draft);
  if (kept !== undefined) return kept;
  const answer = await context.payloads.answer(operation, plan.success, plan.successStatus, accept);
  if ('code' in answer) return answer;
  const lost = keepFile(context, plan, call, draft);
  if (lost !== undefined) return lost;
  const page = plan.onlyPage?.(answer, call) ?? answer;
  return storeTasks(context, plan, call, plan.overlay?.(page, call) ?? page, draft);
}

interface Chosen {
  readonly status: number;
  readonly response: ResponseSpec | undefined;
}

function chooseResponse(operation: Operation, plan: Admitted['plan'], { code, body }: Wish): Chosen | Problem {
  const status = code === undefined ? plan.successStatus : Number(code);
  const response = code === undefined ? plan.success : findSendable(operation, status);
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus || response === undefined) {
    const declared = [...operation.responses.keys()].join(', ') || 'none';
    return problem(
      'bad_request',
      `The preference code=${code ?? status} names no response of ${operation.id}: it declares ${declared}${forceHint(status)}`,
    );
  }
  const { example } = body;
  const names = response.content.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
  if (example === undefined || names.includes(example)) return { status, response };
  const known = [...new Set(names)].join(', ');
  const there = known === '' ? 'it has none' : `it has ${known}`;
  return problem(
    'bad_request',
    `The preference example=${example} names no example of ${operation.id} ${status}: ${there}`,
  );
}

/** An error that is not declared cannot be preferred, but it can go wrong on purpose. */
function forceHint(status: number): string {
  const isError = Number.isInteger(status) && status >= 400 && status <= 599;
  return isError ? `; to get it all the same, send X-Standin-Fault: status:${status}` : '';
}

/** An error that the description shows no example of says by role what it is, rather than "string". */
function isErrorToFill({ status, response }: Chosen, { body }: Wish): boolean {
  if (status < 400 || body.isDynamic || body.example !== undefined) return false;
  const content = jsonContent(response);
  return content !== undefined && content.examples.length === 0 && content.schema?.value['example'] === undefined;
}

function filledError(
  context: MockContext,
  head: RequestHead,
  operation: Operation,
  { status, response }: Chosen,
): HttpResponse {
  const known = Object.entries(PROBLEM_STATUS).find(([name, value]) => value === status && name !== 'route_not_found');
  const message = 'This answer was asked for by the preference "code"';
  const fault = { status, code: known?.[0] ?? `status_${status}`, message };
  const written = context.errors.write(fault, operation, { head, nowMs: context.clock.now() });
  const headers = [...written.headers];
  if (response !== undefined) addDeclaredHeaders(headers, declaredHeaders(context.api, response), false);
  return { ...written, headers };
}

/** RFC 7240 §3: what was done, in the words of the request as far as they are tokens. */
function appliedText({ code, body: { example, isDynamic, seed } }: Wish): string {
  const pairs = Object.entries({ code, example, dynamic: isDynamic ? 'true' : undefined, seed });
  return pairs
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${/^[\w.~+-]+$/.test(value) ? value : quoted(value)}`],
    )
    .join(', ');
}

function quoted(value: string): string {
  return `"${value.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"`;
}
