import type { HttpResponse } from '../../core/http/message';
import type { Operation } from '../../openapi/model/operation';
import {
  findSendableResponse,
  jsonContent,
  schemalessErrorContent,
  textErrorContent,
} from '../../openapi/view/responses';
import type { MockContext } from '../context/context';
import { RETRY_MS } from '../faults/error-faults';
import { toProblem } from '../faults/fault-plan';
import type { ResponseReference } from '../faults/forced-response-checks';
import type { ForcedAnswer } from '../faults/forced-response-queue';
import type { Result } from './request-context';

/**
 * Writes the response that is forced on an operation: with the body that was given for it, with an example, as an error in
 * the shape that the description declares, or with a sample of the schema.
 *
 * @param accept - the header Accept; what it leaves out is sent where there is nothing else
 */
export function forcedResponse(
  { payloads }: MockContext,
  operation: Operation,
  { status, example, body }: ForcedAnswer,
  accept: string | undefined,
): Result {
  const response = findSendableResponse(operation, status);
  if (body !== undefined) return payloads.withBody(response, status, body.value, body.mediaTypes, accept);
  if (example === undefined && status >= 400 && !isOtherContent(operation, status))
    return toProblem({ status, retryMs: RETRY_MS }, { text: `status:${status}` });
  return payloads.sample(operation, response, status, accept, { example, isDynamic: false, seed: undefined });
}

/** Is an error documented in a media type alone that errors are not written in, such as XML? */
function isOtherContent(operation: Operation, status: number): boolean {
  const response = findSendableResponse(operation, status);
  if (response === undefined || response.content.length === 0 || jsonContent(response) !== undefined) return false;
  return textErrorContent(operation, status) === undefined && schemalessErrorContent(operation, status) === undefined;
}

/** What forced responses are held against, for a mock. */
export function responseReference({ api, payloads, plans }: MockContext): ResponseReference {
  return { api, payloads, successStatusOf: (operation) => plans.get(operation).successStatus };
}

/** What an operation would answer if a response was forced on it; without the headers that depend on the request. */
export function sampleResponse(context: MockContext, operation: Operation, answer: ForcedAnswer): HttpResponse {
  const result = forcedResponse(context, operation, answer, undefined);
  if (!('code' in result)) return result;
  const { method, path: target } = operation;
  return context.errors.write(result, operation, { head: { method, target }, nowMs: context.clock.now() });
}
