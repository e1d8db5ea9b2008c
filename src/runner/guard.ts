import type { HttpRequest } from '../http/message';
import { decodePathSegment, splitPath } from '../http/request-target';
import type { Operation } from '../openapi/model';
import type { RouteMatch } from '../openapi/route-table';
import { isKnownAbsent } from './auth/absent-path';
import { wayOut } from './dot-segment';
import type { Interaction } from './interaction';
import { isCreation, itemRouteOf, routeOf } from './item-routes';
import { refusedOverride } from './method-override';
import { isSafe, type Run } from './run';
import { isNamed, NOTHING_NAMED } from './within';

/** What is asked to be sent, and what its contract says of it. */
export type Asked = Pick<Interaction, 'operation' | 'request'> &
  Partial<Pick<Interaction, 'makes' | 'touches' | 'within' | 'removes'>>;

/**
 * Why a request must not be sent to a target that is not ours; `undefined` when it may be.
 *
 * In mode `own` a request that is not safe may create, also below parents that the tester named, and may change what
 * this run made and what stands below that. Of everything else it may name only what is known to be absent.
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
  const why = whyNot(run, asked, path);
  return why === undefined ? undefined : `${method} ${path} ${why}; --mode full sends it`;
}

function whyNot(run: Run, asked: Asked, path: string): string | undefined {
  const { operation } = asked;
  // A service may take it for another path than the one that was judged here.
  if (!isTidy(path)) return 'has a segment that names nothing, so that it may lead elsewhere';
  const match = routeOf(run.api, path);
  if (match === undefined) return 'names nothing that this run made';
  if (operation !== undefined && operation.path !== match.route.path) {
    return `is a path of ${match.route.path}, and not of ${operation.path}`;
  }
  return whyNotAt(run, asked, path, match);
}

/** The same of a request whose path is one of its operation. */
function whyNotAt(run: Run, asked: Asked, path: string, match: RouteMatch): string | undefined {
  const { operation, touches, makes } = asked;
  // Somebody looked at that.
  if (touches === 'nothing' && operation?.method === 'POST') return undefined;
  const foreign = foreignVariable(run, asked, path, match);
  if (foreign !== undefined) return whyForeign(run, asked, match, foreign);
  const namesOwn = touches === 'own' || run.creations.owns(path) || hasMoreThanParents(asked, match);
  if (namesOwn) return undefined;
  if (canBeCreated(run.api, operation, makes)) return undefined;
  if (!isCreation(run.api, operation)) return 'names nothing that this run made';
  return 'makes nothing with a path of its own, and its step does not say what it `leaves`, nor a later one that it `removes` it';
}

/** The first variable that names something else than what is the run's own, absent, or named by the tester. */
function foreignVariable(
  run: Run,
  { request, within, removes }: Asked,
  path: string,
  match: RouteMatch,
): string | undefined {
  const last = lastVariable(match);
  return run.creations.foreignVariable(
    path,
    (name, value) =>
      isKnownAbsent(run, path, name, value) ||
      (name === last && run.creations.isAbsent(path)) ||
      // Whoever wrote the contract says so, and the value is one that the answer to the creation gave.
      (removes !== undefined && run.creations.gave(value, removes)) ||
      (name !== last && isNamed(within ?? NOTHING_NAMED, name, value)),
    request.method,
  );
}

/** Does a path name more than parents that the tester named? Then what it names beside them was judged. */
function hasMoreThanParents({ within }: Asked, { route, pathParameters }: RouteMatch): boolean {
  return route.variables.some((name) => !isNamed(within ?? NOTHING_NAMED, name, pathParameters[name] ?? ''));
}

/** Where what is asked for is not the run's own: what would have to be said to have it sent. */
function whyForeign(run: Run, { operation, makes, request }: Asked, match: RouteMatch, variable: string): string {
  const open = run.creations.openAt(pathOf(run, request));
  if (open?.mayBeOthers === true) {
    return `may name what somebody else made: the answer to its creation was ${open.answered ?? 'a success'}, where the description has another one for what is new`;
  }
  if (open !== undefined) {
    return `may name what this run made, and no answer told: a text with \${runId} in the body of its creation would`;
  }
  const value = match.pathParameters[variable] ?? '';
  if (makes !== true && !isCreation(run.api, operation)) {
    const isGiven = operation?.method === 'DELETE' && run.creations.gave(value);
    const advice = isGiven ? ', as far as the description tells: `removes` in its step says what it is' : '';
    return `could change what this run did not make${advice}`;
  }
  return `would make something below ${variable} ${value}, which this run did not make: --within ${variable}=${value} allows that`;
}

/**
 * May a creation be sent in mode `own`? What it makes is found again where it has a path of its own. A POST that makes
 * nothing of that kind may as well remove many things; what its contract says of it shows that somebody looked at that.
 *
 * @param makes - does its contract say that it makes something?
 */
export function canBeCreated(api: Run['api'], operation: Operation | undefined, makes: boolean | undefined): boolean {
  if (makes === true) return operation?.method === 'POST';
  return operation !== undefined && isCreation(api, operation) && itemRouteOf(api, operation) !== undefined;
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
  return (
    segments.length > 0 &&
    wayOut(path) === undefined &&
    segments.every((raw) => !['', undefined].includes(decodePathSegment(raw)))
  );
}

/** The path of a request below the base URL, its query left out. */
export function pathOf({ basePath }: Pick<Run, 'basePath'>, { target }: Pick<HttpRequest, 'target'>): string {
  return target.slice(basePath.length).split('?')[0] ?? '';
}
