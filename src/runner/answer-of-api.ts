import type { ObservedBody } from '../checks/response/response-check';
import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import { findResponse } from '../openapi/find-response';
import type { Operation } from '../openapi/model';

const PAGE = /^(?:text|application)\/x?html\b/i;

/**
 * Does an answer come from the API? JSON does, and what the operation documents by its status and is no page for people.
 * A login page, a redirect to one and the page of a gateway do not: they have made nothing.
 */
export function isAnswerOfApi(operation: Operation | undefined, response: HttpResponse, body: ObservedBody): boolean {
  if (body.kind === 'json') return true;
  const documented = operation === undefined ? undefined : findResponse(operation, response.status);
  if (documented === undefined) return false;
  const isPage = PAGE.test(headerValue(response.headers, 'content-type') ?? '');
  return !isPage || documented.mediaTypes.some((type) => PAGE.test(type));
}
