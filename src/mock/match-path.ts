import { problem, type Problem } from '../checks/problem';
import type { Warnings } from '../checks/warnings';
import { decodePathSegment, splitPath } from '../http/request-target';
import type { RouteMatch } from '../openapi/route-table';
import type { Mount } from '../openapi/server-url';
import { UNDECODABLE_PATH } from './check-message';
import type { MockContext } from './context';
import { pathHint } from './path-hint';

/** Of the base paths that have the path, the longest. */
export function matchPath(context: MockContext, path: string, warnings?: Warnings): RouteMatch | Problem {
  const found = matchBelow(context.mounts, path) ?? matchAnyBase(context.mounts, path, warnings);
  if (found !== undefined) return found;
  // Whether there is such a path cannot be told when a part of it cannot be read.
  if (splitPath(path).some((segment) => decodePathSegment(segment) === undefined)) return UNDECODABLE_PATH;
  const otherwise = warnings === undefined ? undefined : matchSlash(context, path, warnings);
  if (otherwise !== undefined) return otherwise;
  const { api, basePath } = context;
  const hint = pathHint({ api, basePath }, path);
  return problem('route_not_found', `The description has no path that matches this one${hint}`);
}

function matchBelow(mounts: readonly Mount[], path: string): RouteMatch | undefined {
  for (const mount of mounts) {
    const isInside = mount.basePath === '' || path.startsWith(`${mount.basePath}/`);
    const match = isInside ? mount.routes.match(path.slice(mount.basePath.length)) : undefined;
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Below a base path that has other values of the server's variables than those that are listed. */
function matchAnyBase(mounts: readonly Mount[], path: string, warnings: Warnings | undefined): RouteMatch | undefined {
  for (const { pattern, isListed, basePath: usual, routes } of mounts) {
    const basePath = pattern?.exec(path)?.[0];
    const match = basePath === undefined ? undefined : routes.match(path.slice(basePath.length));
    if (match === undefined || basePath === undefined) continue;
    const message = `The base path ${basePath} has a value of a server variable that is not listed; taken as ${usual}`;
    if (!isListed || warnings?.allows('server_variable', message) === true) return { ...match, basePath };
  }
  return undefined;
}

/** The path with a slash at its end, or without (RFC 3986 §6.2.3 has them as two). */
function matchSlash({ mounts, plans }: MockContext, path: string, warnings: Warnings): RouteMatch | undefined {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  const match = matchBelow(mounts, other) ?? matchAnyBase(mounts, other, warnings);
  if (match === undefined) return undefined;
  const isStrict = [...match.route.operations.values()].some((operation) => plans.get(operation).accept === 'strict');
  const message = `The path was read as ${match.basePath}${match.route.path}, ${path.endsWith('/') ? 'without' : 'with'} a slash at its end`;
  return !isStrict && warnings.allows('trailing_slash', message) ? match : undefined;
}
