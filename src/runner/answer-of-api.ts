import type { ObservedBody } from '../checks/response/response-check';
import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import { findResponse } from '../openapi/find-response';
import type { Operation } from '../openapi/model';
import { pathOfLocation } from './item-place';
import { routeOf } from './item-routes';
import type { Run } from './run';

const PAGE = /^(?:text|application)\/x?html\b/i;

/**
 * Does an answer come from the API? JSON does, and what the operation documents by its status and is no page for people.
 * A login page, a redirect to one and the page of a gateway do not: they have made nothing.
 */
export function isAnswerOfApi(operation: Operation | undefined, response: HttpResponse, body: ObservedBody): boolean {
  if (body.kind === 'json') return true;
  const documented = operation === undefined ? undefined : findResponse(operation, response.status);
  if (documented === undefined) return false;
  return !isPage(response) || documented.mediaTypes.some((type) => PAGE.test(type));
}

/**
 * Is an answer that is not of the API one of something in front of it, which sends strangers to a page: a redirect out of
 * the API, or a page itself? Behind it nothing was done.
 */
export function isOfGateway(
  { api, baseUrl }: Pick<Run, 'api' | 'baseUrl'>,
  from: string,
  response: HttpResponse,
): boolean {
  const { status, headers } = response;
  if (status < 300 || status > 399) return status < 500 && isPage(response);
  const location = headerValue(headers, 'location');
  const path = location === undefined ? undefined : pathOfLocation(location, baseUrl, from);
  return path === undefined || routeOf(api, path) === undefined;
}

function isPage({ headers }: HttpResponse): boolean {
  return PAGE.test(headerValue(headers, 'content-type') ?? '');
}
