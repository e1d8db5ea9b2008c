import type { HttpResponse, RawHeaders, RequestHead } from '../http/message';
import type { RouteMatch } from '../openapi/route-table';
import { addDeclaredHeaders } from '../payload/response-headers';
import type { OperationPlan } from './operation-plan';
import { serverUrlOf } from './perform';

/** What is known of a request once its operation was found. */
export interface Target {
  readonly plan: OperationPlan;
  readonly match: RouteMatch;
  /** Headers that every answer to this request carries, whatever it is. */
  readonly extraHeaders: RawHeaders;
}

/**
 * Adds what belongs to every answer of an operation: the headers that announce its end, as far as the response
 * documents them, those of the rate limit, and those that the response must have and nothing else gave. Takes the body from the answer to a HEAD (RFC 9110 §9.3.2).
 */
export function completeResponse(response: HttpResponse, target: Target, head: RequestHead): HttpResponse {
  const { plan, extraHeaders } = target;
  const isHead = head.method === 'HEAD' && plan.operation.method === 'GET';
  const isPlain = plan.lifecycle === undefined && plan.requiredHeaders === undefined && plan.cookie === undefined;
  if (isPlain && extraHeaders.length === 0 && !isHead) return response;
  const headers = [...response.headers, ...extraHeaders];
  if (plan.cookie !== undefined && response.status < 400) headers.push('Set-Cookie', plan.cookie);
  announceEnd(headers, response.status, target, head);
  // Last, because all that is known otherwise comes first.
  if (plan.requiredHeaders !== undefined) addDeclaredHeaders(headers, plan.requiredHeaders(response.status), true);
  return isHead ? withoutBody({ ...response, headers }) : { status: response.status, headers, body: response.body };
}

/** The answer to a HEAD: the length stays, the body does not. */
export function withoutBody({ status, headers, body }: HttpResponse): HttpResponse {
  if (body === undefined) return { status, headers, body };
  const length = headers.includes('Content-Length') ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const unshown = typeof body === 'string' ? { unshown: body } : {};
  return { status, headers: [...headers, ...length], body: undefined, ...unshown };
}

function announceEnd(headers: string[], status: number, target: Target, head: RequestHead): void {
  const { plan, match } = target;
  const declared = plan.response(status)?.headers;
  if (plan.lifecycle === undefined || declared === undefined) return;
  const { deprecation, sunset } = plan.lifecycle;
  if (deprecation !== undefined && declared.has('deprecation')) headers.push('Deprecation', deprecation);
  if (sunset !== undefined && declared.has('sunset')) headers.push('Sunset', sunset);
  if (!declared.has('link')) return;
  const link = plan.lifecycle.link(serverUrlOf(head), match.basePath, match.pathParameters);
  if (link !== undefined) headers.push('Link', link);
}
