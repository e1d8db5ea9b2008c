import { headerValue, joinedHeaders } from '../../core/http/headers';
import type { HttpRequest, RawHeaders, RequestHead } from '../../core/http/message';
import { parseTarget } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { selectOperation } from '../../openapi/model/operation-selection';
import { defaultErrorContent } from '../../openapi/view/responses';
import { userAgentOf } from '../result/step-result';
import type { Run } from './run-state';

const NO_BODY = new Uint8Array(0);

/** @param path - with its query, below the base URL */
export function makeRequest(
  run: Run,
  method: string,
  path: string,
  rawHeaders: RawHeaders,
  body: string | Uint8Array | undefined,
): HttpRequest {
  const hasAgent = headerValue(rawHeaders, 'user-agent') !== undefined;
  const lines = hasAgent ? rawHeaders : [...rawHeaders, 'User-Agent', userAgentOf(run)];
  return {
    method,
    target: `${run.basePath}${path}`,
    rawHeaders: lines,
    headers: joinedHeaders(lines),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? NO_BODY),
  };
}

/**
 * The operation that answers a method at a path; HEAD is answered by GET (RFC 9110 §9.3.2).
 *
 * @param headers - by lower-case name, for descriptions that distinguish operations by them
 */
export function findOperation(
  api: ApiModel,
  method: string,
  path: string,
  headers: RequestHead['headers'] = {},
): Operation | undefined {
  const target = parseTarget(path);
  const match = target === undefined ? undefined : api.routes.match(target.path, method);
  if (match === undefined || target === undefined) return undefined;
  const asked = method === 'HEAD' && !match.route.operations.has('HEAD') ? 'GET' : method;
  return selectOperation(match.route, asked, target.query, headers);
}

/** What is accepted: everything that the operation documents, or what errors are written in. */
export function acceptOf(api: ApiModel, operation: Operation | undefined): string {
  if (operation === undefined) return documentedTypes(api, undefined);
  let types = ACCEPTED.get(operation);
  if (types === undefined) ACCEPTED.set(operation, (types = documentedTypes(api, operation)));
  return types;
}

const ACCEPTED = new WeakMap<Operation, string>();

function documentedTypes(api: ApiModel, operation: Operation | undefined): string {
  const documented = [...(operation?.responses.values() ?? [])].flatMap(({ mediaTypes }) => mediaTypes);
  const types = documented.length > 0 ? documented : [defaultErrorContent(api)?.mediaType ?? '*/*'];
  return [...new Set(types)].join(', ');
}
