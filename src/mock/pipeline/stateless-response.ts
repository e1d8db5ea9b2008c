import type { HttpResponse } from '../../core/http/message';
import { problem, type Problem } from '../../core/http/problem';
import { parseQuery } from '../../core/http/request-target';
import type { MediaTypeEntry, Operation, ResponseSpec } from '../../openapi/model/operation';
import {
  findSendableResponse,
  jsonContent,
  schemalessErrorContent,
  textErrorContent,
} from '../../openapi/view/responses';
import type { BodyPreference } from '../../payload/payload-source';
import { addDeclaredHeaders, declaredHeaders } from '../../payload/response-headers';
import { storeTasks } from '../effects/tasks';
import { storedFileResponse, storeFile } from '../effects/uploads';
import type { OperationPlan } from '../plans/operation-plan';
import type { Draft } from '../state/draft';
import { askedError } from './asked-error';
import { requestedStream } from './rendering';
import type { AdmittedRequest, PreparedRequest } from './request-context';

/** What a request asks for by `Prefer`, or by the query parameters that stand in for it, in the words of Prism. */
export interface ResponsePreference {
  /** As it was sent; {@link statelessResponse} checks it. */
  readonly code: string | undefined;
  readonly body: BodyPreference;
  /** Whether the description answers, also where there is a state. */
  readonly bypassesState: boolean;
}

/** @returns `undefined` for a request that asks for nothing */
export function readResponsePreference({
  preferences,
  query,
}: Pick<AdmittedRequest, 'preferences' | 'query'>): ResponsePreference | undefined {
  if (preferences.size === 0 && !query.includes('__')) return undefined;
  const preferred = (name: string): string | undefined => preferences.get(name) ?? fromQuery(query, `__${name}`);
  const code = preferred('code');
  const example = preferred('example');
  const dynamic = preferred('dynamic');
  const seed = preferred('seed');
  if ((code ?? example ?? dynamic ?? seed) === undefined) return undefined;
  const isDynamic = dynamic === 'true';
  const bypassesState = code !== undefined || example !== undefined || isDynamic;
  return { code, body: { example, isDynamic, seed }, bypassesState };
}

function fromQuery(query: string, wanted: string): string | undefined {
  return parseQuery(query).find(({ name }) => name === wanted)?.value;
}

/**
 * Answers from the description alone: with the success of an operation, or with what the request asks for by `code`,
 * `example`, `dynamic` and `seed`. The state is asked for an upload that is downloaded, and gets the tasks that are reported.
 *
 * @returns a problem when the description has no such response; it lists what there is
 */
export async function statelessResponse(
  request: PreparedRequest,
  preference: ResponsePreference | undefined,
  draft: Draft,
): Promise<HttpResponse | Problem> {
  const { context, head, operation, plan, call } = request;
  const sent = typeof head.headers['accept'] === 'string' ? head.headers['accept'] : undefined;
  const accept = requestedStream(plan, call) ?? sent;
  if (preference === undefined) return defaultResponse(request, accept, draft);
  const chosen = chooseResponse(operation, plan, preference);
  if ('message' in chosen) return chosen;
  const { status, response } = chosen;
  const answer = isErrorToFill(operation, chosen, preference)
    ? filledError(request, chosen)
    : await context.payloads.respond(operation, response, status, accept, preference.body);
  if ('code' in answer) return answer;
  const headers = [...answer.headers, 'Preference-Applied', appliedText(preference), 'Vary', 'Prefer'];
  return { ...answer, headers };
}

async function defaultResponse(
  request: PreparedRequest,
  accept: string | undefined,
  draft: Draft,
): Promise<HttpResponse | Problem> {
  const { context, operation, plan, call } = request;
  const only = { status: plan.successStatus, response: plan.success };
  if (isErrorToFill(operation, only)) return filledError(request, only, 'The description documents failures alone');
  const stored = storedFileResponse(plan, call, draft);
  if (stored !== undefined) return stored;
  const example = plan.findExamplePair?.(call);
  const preference = example === undefined ? undefined : { example, isDynamic: false, seed: undefined };
  const response = await context.payloads.respond(operation, plan.success, plan.successStatus, accept, preference);
  if ('code' in response) return response;
  const rejection = storeFile(context, plan, call, draft);
  if (rejection !== undefined) return rejection;
  const page = plan.singlePage?.(response, call) ?? response;
  return storeTasks(context, plan, call, plan.requestEcho?.(page, call) ?? page, draft);
}

interface Chosen {
  readonly status: number;
  readonly response: ResponseSpec | undefined;
}

function chooseResponse(
  operation: Operation,
  plan: OperationPlan,
  { code, body }: ResponsePreference,
): Chosen | Problem {
  const status = code === undefined ? plan.successStatus : Number(code);
  const response = code === undefined ? plan.success : findSendableResponse(operation, status);
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
function isErrorToFill(operation: Operation, { status, response }: Chosen, preference?: ResponsePreference): boolean {
  const body = preference?.body;
  if (status < 400 || body?.isDynamic === true || body?.example !== undefined) return false;
  const content = errorContentOf(operation, { status, response });
  return content !== undefined && content.examples.length === 0 && content.schema?.value['example'] === undefined;
}

function errorContentOf(operation: Operation, { status, response }: Chosen): MediaTypeEntry | undefined {
  const text = textErrorContent(operation, status);
  const written = response?.content.find(({ mediaType }) => mediaType === text);
  return jsonContent(response) ?? schemalessErrorContent(operation, status) ?? written;
}

/** @param message - in place of one that is usual for the status */
function filledError(request: PreparedRequest, { status, response }: Chosen, message?: string): HttpResponse {
  const { context, head, target, operation } = request;
  const asked = { head, target, nowMs: context.clock.now(), isAsked: true };
  const fault = askedError(request, status, response);
  const written = context.errors.write({ ...fault, message: message ?? fault.message }, operation, asked);
  const headers = [...written.headers];
  if (response !== undefined) addDeclaredHeaders(headers, declaredHeaders(context.api, response), false);
  return { ...written, headers };
}

/** RFC 7240 §3: what was done, in the words of the request as far as they are tokens. */
function appliedText({ code, body: { example, isDynamic, seed } }: ResponsePreference): string {
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
