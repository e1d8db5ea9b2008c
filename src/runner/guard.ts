import type { HttpRequest } from '../http/message';
import { decodePathSegment, splitPath } from '../http/request-target';
import type { Operation } from '../openapi/model';
import type { RouteMatch } from '../openapi/route-table';
import { isKnownAbsent } from './auth/absent-path';
import type { Interaction } from './interaction';
import { isCreation, itemRouteOf, routeOf } from './item-routes';
import { refusedOverride } from './method-override';
import { isSafe, type Run } from './run';

/** What is asked to be sent: `leaves` where the step says that what it makes stays. */
type Asked = Pick<Interaction, 'operation' | 'request' | 'leaves'>;

/**
 * Why a request must not be sent to a target that is not ours; `undefined` when it may be.
 *
 * In mode `own` a request that is not safe may create, and may change what this run made and what stands below that.
 * Of everything else it may name only what is known to be absent.
 *
 * @param asked - its operation is `undefined` when the description has none for the request
 */
export function refusedByMode(run: Run, asked: Asked): string | undefined {
  const { request } = asked;
  const { method } = request;
  const override = refusedOverride(run, request);
  if (override !== undefined) return override;
  if (run.mode === 'full' || isSafe(method)) return undefined;
  const { host } = new URL(run.baseUrl);
  if (run.mode === 'observe') return `it could change ${host}, and mode observe sends safe methods only`;
  const path = pathOf(run, request);
  const match = routeOf(run.api, path);
  const why = whyForeign(run, asked, path, match) ?? whyNoCreation(run, asked, path, match);
  return why === undefined ? undefined : `${method} ${path} ${why}; --mode full sends it`;
}

/** Why a path may name something that the run did not make. */
function whyForeign(
  run: Run,
  { operation, request }: Asked,
  path: string,
  match: RouteMatch | undefined,
): string | undefined {
  // A service may take it for another path than the one that was judged here.
  if (!isTidy(path)) return 'has a segment that names nothing, so that it may lead elsewhere';
  if (match === undefined) return 'names nothing that this run made';
  if (operation !== undefined && operation.path !== match.route.path) {
    return `is a path of ${match.route.path}, and not of ${operation.path}`;
  }
  const last = lastVariable(match);
  const isHarmless = (name: string, value: string): boolean =>
    isKnownAbsent(run, path, name, value) || (name === last && run.creations.isAbsent(path));
  const foreign = run.creations.foreignVariable(path, isHarmless, request.method);
  return foreign === undefined ? undefined : 'could change what this run did not make';
}

/** Why a request without variables in its path, which names nothing that the run made, is no creation. */
function whyNoCreation(
  { api, creations }: Run,
  { operation, leaves }: Asked,
  path: string,
  match: RouteMatch | undefined,
): string | undefined {
  const hasVariables = (match?.route.variables ?? []).length > 0;
  if (hasVariables || creations.owns(path)) return undefined;
  if (!isCreation(api, operation)) return 'names nothing that this run made';
  if (canBeCreated(api, operation, leaves)) return undefined;
  return 'makes nothing with a path of its own, and its step does not say what it `leaves`';
}

/**
 * May a creation be sent in mode `own`? What it makes is found again where it has a path of its own. A POST that makes
 * nothing of that kind may as well remove many things; what its step `leaves` says that somebody looked at that.
 */
export function canBeCreated(api: Run['api'], operation: Operation | undefined, leaves: string | undefined): boolean {
  if (operation === undefined || !isCreation(api, operation)) return false;
  return leaves !== undefined || itemRouteOf(api, operation) !== undefined;
}

/** Is it known that nothing stands at a path? By an id that nothing has, or because a GET just found nothing. */
export function isKnownEmpty(run: Pick<Run, 'api' | 'creations' | 'runId'>, path: string): boolean {
  if (run.creations.isAbsent(path)) return true;
  const variables = Object.entries(routeOf(run.api, path)?.pathParameters ?? {});
  return variables.some(([name, value]) => isKnownAbsent(run, path, name, value));
}

/** The variable that the template of a path ends in. */
function lastVariable({ route }: RouteMatch): string | undefined {
  return /\/\{([^{}/]+)\}$/.exec(route.path)?.[1];
}

/** Do all segments name something, and none a way up? */
function isTidy(path: string): boolean {
  const segments = splitPath(path);
  return segments.length > 0 && segments.every((raw) => !['', '.', '..', undefined].includes(decodePathSegment(raw)));
}

/** The path of a request below the base URL, its query left out. */
export function pathOf({ basePath }: Pick<Run, 'basePath'>, { target }: Pick<HttpRequest, 'target'>): string {
  return target.slice(basePath.length).split('?')[0] ?? '';
}
