import { BODY_HEADERS, withoutHeaders } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import { isJsonObject } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { isXmlMediaType } from '../../payload/media-body';
import { addDeclaredHeaders } from '../../payload/response-headers';
import { writeXml } from '../../payload/xml-body';
import type { Call } from '../calls/call';
import { fitStatus } from '../context/error-response';
import type { OperationPlan } from '../plans/operation-plan';
import type { AdmittedRequest, PreparedRequest, RequestContext, Result } from './request-context';
import { serverUrlOf } from './request-preparation';

/** Does the body ask for a stream (`stream: true`), where the operation documents one? @returns its media type */
export function requestedStream({ stream }: OperationPlan, { body }: Call): string | undefined {
  if (stream === undefined || !isJsonObject(body)) return undefined;
  return body['stream'] === true ? stream : undefined;
}

/**
 * Puts a success that was written from the state into the media type that Accept asks for: another name for JSON, XML of
 * the same value; a stream or a file is what the description shows of it.
 */
export function convertMediaType(
  { context, operation, plan, responseMediaType, call }: PreparedRequest,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const mediaType = requestedStream(plan, call) ?? responseMediaType;
  const { body, status, headers } = response;
  if (mediaType === undefined || !isOther(mediaType, plan) || typeof body !== 'string' || status >= 300)
    return response;
  // Another name for the same bytes: what is known of them stays true.
  if (isJsonMediaType(mediaType)) return { ...response, headers: named(headers, mediaType) };
  const spec = plan.response(status);
  const schema = spec?.content.find((entry) => entry.mediaType === mediaType)?.schema;
  if (isXmlMediaType(mediaType) && schema !== undefined) {
    const text = writeXml(context.api, schema, parseJson(body));
    return { ...response, headers: withContentType(headers, mediaType), body: text };
  }
  return context.payloads.respond(operation, spec, status, mediaType).then((answer) => {
    if ('code' in answer) return response;
    const type = answer.headers[answer.headers.indexOf('Content-Type') + 1] ?? mediaType;
    return { ...response, headers: withContentType(headers, type), body: answer.body };
  });
}

/** Is it another type than usual, and neither a range nor a key that is not a media type at all? */
function isOther(mediaType: string, { behaviour }: OperationPlan): boolean {
  return mediaType !== behaviour?.body.contentType && !mediaType.includes('*') && mediaType.includes('/');
}

function named(headers: HttpResponse['headers'], mediaType: string): string[] {
  return headers.map((text, index) => (headers[index - 1] === 'Content-Type' && index % 2 === 1 ? mediaType : text));
}

/** Without the length of the body that was. */
function withContentType(headers: HttpResponse['headers'], mediaType: string): string[] {
  return named(withoutHeaders(headers, BODY_HEADERS), mediaType);
}

/** The response to a request: an error response for a problem, and what every response of the operation has. */
export function render(request: RequestContext, result: Result): HttpResponse {
  const response = 'code' in result ? errorResponse(request, result) : result;
  if (request.operation !== undefined) return complete(response, request as AdmittedRequest);
  return 'code' in result && request.head.method === 'HEAD' ? withoutBody(response) : response;
}

function errorResponse(request: RequestContext, rejection: Problem): HttpResponse {
  const { context, operation, head, target } = request;
  const problem = operation === undefined ? rejection : fitStatus(rejection, operation, context.api);
  request.problem = problem;
  return context.errors.write(problem, operation, { head, target, nowMs: context.clock.now() });
}

/**
 * Adds what belongs to every response of an operation: the headers that announce its end, as far as the response
 * documents them, those of the rate limit, and those that the response must have and nothing else set. Takes the body
 * from the response to a HEAD (RFC 9110 §9.3.2).
 */
function complete(response: HttpResponse, request: AdmittedRequest): HttpResponse {
  const { plan, extraHeaders, head } = request;
  const isHead = head.method === 'HEAD' && plan.operation.method === 'GET';
  const isPlain = plan.lifecycle === undefined && plan.requiredHeaders === undefined && plan.cookie === undefined;
  if (isPlain && extraHeaders.length === 0 && !isHead) return response;
  const headers = [...response.headers, ...extraHeaders];
  if (plan.cookie !== undefined && response.status < 400) headers.push('Set-Cookie', plan.cookie);
  announceEnd(headers, response.status, request);
  // Last, because all that is known otherwise comes first.
  if (plan.requiredHeaders !== undefined) addDeclaredHeaders(headers, plan.requiredHeaders(response.status), true);
  return isHead ? withoutBody({ ...response, headers }) : { status: response.status, headers, body: response.body };
}

/** The response to a HEAD: the length stays, the body does not. */
function withoutBody({ status, headers, body }: HttpResponse): HttpResponse {
  if (body === undefined) return { status, headers, body };
  const length = headers.includes('Content-Length') ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const unshown = typeof body === 'string' ? { suppressedBody: body } : {};
  return { status, headers: [...headers, ...length], body: undefined, ...unshown };
}

function announceEnd(headers: string[], status: number, { plan, match, head }: AdmittedRequest): void {
  const declared = plan.response(status)?.headers;
  if (plan.lifecycle === undefined || declared === undefined) return;
  const { deprecation, sunset } = plan.lifecycle;
  if (deprecation !== undefined && declared.has('deprecation')) headers.push('Deprecation', deprecation);
  if (sunset !== undefined && declared.has('sunset')) headers.push('Sunset', sunset);
  if (!declared.has('link')) return;
  const link = plan.lifecycle.link(serverUrlOf(head), match.basePath, match.pathParameters);
  if (link !== undefined) headers.push('Link', link);
}
