import { parseTarget } from '../../core/http/request-target';
import { type ApiModel, buildModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { type RouteMatch, selectOperation } from '../../openapi/model/operation-selection';
import { readSource } from '../../openapi/read/read-source';
import type { RecordedRequest } from '../exchange/recorded-exchange';

const EMPTY = '{"openapi":"3.1.0","info":{"title":"No description","version":""},"paths":{}}';

/** The model of a description that says nothing, for traffic of which there is none yet. */
export function emptyApi(): ApiModel {
  return buildModel(readSource(EMPTY, 'no description'));
}

/** What a recorded request asks for. */
export interface AskedOperation {
  readonly match: RouteMatch;
  /** `undefined` where the path is described, but not with this method. */
  readonly operation: Operation | undefined;
}

/**
 * Finds the operation of a recorded request: below the longest base path that has the path, else below what a variable of
 * a server may be, else with the path of no server before it, as behind a gateway that takes it off.
 *
 * @param basePath - of the target's URL: the paths of the description may be below it, whatever its servers say
 * @returns `undefined` where the description has no such path
 */
export function askedOperation(api: ApiModel, request: RecordedRequest, basePath = ''): AskedOperation | undefined {
  const target = parseTarget(request.target);
  const match = target === undefined ? undefined : matchPath(api, target.path, request.method, basePath);
  if (target === undefined || match === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (let index = 0; index < request.headers.length; index += 2)
    headers[(request.headers[index] ?? '').toLowerCase()] ??= request.headers[index + 1] ?? '';
  // HEAD asks for what GET shows (RFC 9110 §9.3.2).
  const method = request.method === 'HEAD' && !match.route.operations.has('HEAD') ? 'GET' : request.method;
  return { match, operation: selectOperation(match.route, method, target.query, headers) };
}

function matchPath(api: ApiModel, path: string, method: string, told: string): RouteMatch | undefined {
  for (const { basePath, routes } of api.mounts.toSorted((a, b) => b.basePath.length - a.basePath.length)) {
    const isInside = basePath === '' || path.startsWith(`${basePath}/`);
    const match = isInside ? routes.match(path.slice(basePath.length), method) : undefined;
    if (match !== undefined) return match;
  }
  for (const { pattern, routes } of api.mounts) {
    const basePath = pattern?.exec(path)?.[0];
    const match = basePath === undefined ? undefined : routes.match(path.slice(basePath.length), method);
    if (match !== undefined && basePath !== undefined) return { ...match, basePath };
  }
  return matchBare(api, path, method, told) ?? matchBare(api, path, method, '');
}

function matchBare({ routes }: ApiModel, path: string, method: string, basePath: string): RouteMatch | undefined {
  const bare = path.startsWith(`${basePath}/`) ? routes.match(path.slice(basePath.length), method) : undefined;
  return bare === undefined ? undefined : { ...bare, basePath: '' };
}
