import type { Finding } from '../../core/errors/finding';
import { type HttpRequest, isSafe } from '../../core/http/message';
import { decodePathSegment, splitPath } from '../../core/http/request-target';
import type { Operation } from '../../openapi/model/operation';
import type { RouteMatch } from '../../openapi/model/operation-selection';
import { isKnownAbsent } from '../ownership/absent-values';
import { isCreation, itemRouteOf, lastVariable, routeOf } from '../ownership/item-routes';
import type { Creation } from '../ownership/creation';
import type { Mode } from '../result/run-result';
import { type Interaction, isNamedParent, NO_NAMED_PARENTS } from './interaction';
import type { Run } from './run-state';

/** What is asked to be sent, and what its contract says of it. */
export type GuardedRequest = Pick<Interaction, 'operation' | 'request'> &
  Partial<Pick<Interaction, 'creates' | 'touches' | 'within' | 'removes' | 'isWritten'>>;

/** The mode that holds for a request: `full` is for what a person wrote, and nothing else. */
export function modeFor({ mode }: Pick<Run, 'mode'>, { isWritten }: Pick<Interaction, 'isWritten'>): Mode {
  return mode === 'full' && isWritten !== true ? 'own' : mode;
}

/**
 * Why a request must not be sent to a target that is not ours; `undefined` when it may be.
 *
 * In mode `own` a request that is not safe may create, also below parents that the tester named, and may change what
 * this run made and what stands below that. Of everything else it may name only what is known to be absent.
 *
 * @param asked - its operation is `undefined` when the description has none for the request
 */
export function modeViolation(run: Run, asked: GuardedRequest): string | undefined {
  const { request } = asked;
  const { method } = request;
  const mode = modeFor(run, asked);
  const override = methodOverrideViolation(mode, request);
  if (override !== undefined) return override;
  if (mode === 'full' || isSafe(method)) return undefined;
  const { host } = new URL(run.baseUrl);
  if (mode === 'observe') return `it could change ${host}, and mode observe sends safe methods only`;
  const path = pathOf(run, request);
  const why = pathViolation(run, asked, path);
  if (why === undefined) return undefined;
  const sender = asked.isWritten === true ? '--mode full' : 'a contract that you write, with --mode full,';
  return `${method} ${path} ${why}; ${sender} sends it`;
}

function pathViolation(run: Run, asked: GuardedRequest, path: string): string | undefined {
  const { operation } = asked;
  // A service may take it for another path than the one that was checked here.
  const match = routeOf(run.api, path);
  // A template may end in a slash itself.
  const named = match?.route.path.endsWith('/') === true ? path.replace(/\/$/, '') : path;
  if (!isNormalized(named)) return 'has a segment that names nothing, so that it may lead elsewhere';
  if (match === undefined) return 'names nothing that this run made';
  if (operation !== undefined && operation.path !== match.route.path) {
    return `is a path of ${match.route.path}, and not of ${operation.path}`;
  }
  return violationAt(run, asked, path, match);
}

/** Goes on after the path. */
const MERGES =
  'was answered with something that was there before, so that another creation there may change what others made';

function violationAt(run: Run, asked: GuardedRequest, path: string, match: RouteMatch): string | undefined {
  const { operation, touches, creates } = asked;
  // Somebody looked at that.
  if (touches === 'nothing' && operation?.method === 'POST') return undefined;
  const foreign = foreignVariable(run, asked, path, match);
  if (foreign !== undefined) return foreignViolation(run, asked, match, foreign);
  if (isMergingPut(run, operation, path, match)) return MERGES;
  const namesOwn = touches === 'own' || run.creations.owns(path) || hasMoreThanParents(asked, match);
  if (namesOwn) return undefined;
  if (canBeCreated(run.api, operation, creates)) return run.creations.isMerging(path) ? MERGES : undefined;
  if (!isCreation(run.api, operation)) return 'names nothing that this run made';
  return 'makes nothing with a path of its own, and its step does not say what it `leaves`, nor a later one that it `removes` it';
}

/** Would a PUT make something where another one was answered with a row that was there before? */
function isMergingPut(
  { creations }: Run,
  operation: Operation | undefined,
  path: string,
  { route }: RouteMatch,
): boolean {
  return operation?.method === 'PUT' && !creations.owns(path) && creations.isMerging(route.path);
}

/** The first variable that names something else than what is the run's own, absent, or named by the tester. */
function foreignVariable(
  run: Run,
  { request, within, removes }: GuardedRequest,
  path: string,
  match: RouteMatch,
): string | undefined {
  const last = lastVariable(match.route);
  return run.creations.owned.foreignVariable(
    path,
    (name, value) =>
      isKnownAbsent(run, path, name, value) ||
      (name === last && run.creations.absentPaths.has(path)) ||
      // Who wrote the contract says so, and the value is one that the response to the creation gave.
      (removes !== undefined && run.creations.hasCaptured(value, removes)) ||
      (name !== last && isNamedParent(within ?? NO_NAMED_PARENTS, name, value)),
    request.method,
  );
}

/** Does a path name more than parents that the tester named? Then what it names beside them was checked. */
function hasMoreThanParents({ within }: GuardedRequest, { route, pathParameters }: RouteMatch): boolean {
  return route.variables.some((name) => !isNamedParent(within ?? NO_NAMED_PARENTS, name, pathParameters[name] ?? ''));
}

/** Where what is asked for is not the run's own: what would have to be said to have it sent. */
function foreignViolation(
  run: Run,
  { operation, creates, request }: GuardedRequest,
  match: RouteMatch,
  variable: string,
): string {
  const open = run.creations.pendingAt(pathOf(run, request));
  if (open?.mayBeOthers === true) {
    return `may name what somebody else made: the response to its creation was ${open.responseStatus ?? 'a success'}, where the description has another status for what is new`;
  }
  if (open !== undefined) {
    return `may name what this run made, and no response said so: a string with \${runId} in the body of its creation would`;
  }
  const value = match.pathParameters[variable] ?? '';
  if (creates !== true && !isCreation(run.api, operation)) {
    const isGiven = operation?.method === 'DELETE' && run.creations.hasCaptured(value);
    const advice = isGiven ? ', as far as the description says: `removes` in its step says what it is' : '';
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
  if (run.creations.known.has(path)) return false;
  if (run.creations.absentPaths.has(path)) return true;
  const variables = Object.entries(routeOf(run.api, path)?.pathParameters ?? {});
  return variables.some(([name, value]) => isKnownAbsent(run, path, name, value));
}

/** Do all segments name something, and none a way up? */
function isNormalized(path: string): boolean {
  const segments = splitPath(path);
  return (
    segments.length > 0 &&
    pathTraversal(path) === undefined &&
    segments.every((raw) => !['', undefined].includes(decodePathSegment(raw)))
  );
}

/** The path of a request below the base URL, its query left out. */
export function pathOf({ basePath }: Pick<Run, 'basePath'>, { target }: Pick<HttpRequest, 'target'>): string {
  return target.slice(basePath.length).split('?')[0] ?? '';
}

/** What a request names that the run made with another key than that of the request; `undefined` for all other requests. */
export function thingOfOther(
  { identities, creations, basePath }: Pick<Run, 'identities' | 'creations' | 'basePath'>,
  { request, auth }: Pick<Interaction, 'request' | 'auth'>,
): Creation | undefined {
  const isCaller = auth === 'valid' || identities?.has(auth) === true;
  const creation = isCaller ? creations.createdAt(pathOf({ basePath }, request)) : undefined;
  return creation === undefined || (creation.auth ?? 'valid') === auth ? undefined : creation;
}

/**
 * Why a request is not sent whatever the mode: an id that the service gave out, such as `../admin/users/7`, would make it
 * a request for something else, with the tester's key. What a contract itself writes is meant.
 */
export function pathTraversalFinding(run: Run, { request, writesPathTraversal }: Interaction): Finding | undefined {
  if (writesPathTraversal === true) return undefined;
  const path = pathOf(run, request);
  const id = pathTraversal(path);
  if (id === undefined) return undefined;
  const variables = Object.entries(routeOf(run.api, path)?.pathParameters ?? {});
  const [variable] = variables.find(([, value]) => pathTraversal(`/${encodeURIComponent(value)}`) !== undefined) ?? [];
  return {
    check: 'id-in-path',
    severity: 'error',
    at: '/request/path',
    message: `${request.method} ${path} was not sent: its id leads out of the path, for whoever decodes it before routing`,
    expected: `${variable === undefined ? 'an id' : `an id for {${variable}}`} without dot segments`,
    actual: id,
    hint: 'The id came from a response of the service. A contract that means such a path writes it out.',
  };
}

/** Encoded twice is what some proxies decode twice; nobody is known to decode more often. */
const MOST_DECODED = 3;

/**
 * A segment of a path that leads out of it: a dot segment, or one behind an encoded slash. Proxies and servers that
 * decode before they route take `/items/..%2Fadmin%2Fusers%2F7` for `/admin/users/7` (RFC 3986 §5.2.4, §7.3).
 *
 * @param path - raw, without its query
 * @returns the segment, decoded; `undefined` where the path leads to what it says
 */
export function pathTraversal(path: string): string | undefined {
  for (const raw of splitPath(path)) {
    let text: string | undefined = raw;
    for (let times = 0; times <= MOST_DECODED && text !== undefined; times += 1) {
      // `..;x` is a dot segment to servers that know parameters of segments.
      if (text.split(/[/\\]/).some((part) => /^\.\.?(?:;.*)?$/s.test(part))) return text;
      const decoded = decodePathSegment(text);
      text = decoded === text ? undefined : decoded;
    }
  }
  return undefined;
}

/** Headers by which many frameworks take a request for one with another method. */
const OVERRIDES: ReadonlySet<string> = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);

/**
 * Why a request that asks to be taken for one with another method must not be sent to a target that is not ours: what
 * it does cannot be told by its own method. `undefined` for all others.
 */
function methodOverrideViolation(mode: Mode, { rawHeaders }: HttpRequest): string | undefined {
  if (mode === 'full') return undefined;
  const name = rawHeaders.find((each, index) => index % 2 === 0 && OVERRIDES.has(each.toLowerCase()));
  return name === undefined ? undefined : `its header ${name} asks for another method; --mode full sends it`;
}

/**
 * Why the right key is not put into a URL: access logs of the target, and of every proxy on the way, keep URLs, and
 * everybody who may read those would have a key that is good. Only mode `full` is for a target that is one's own.
 */
export const NO_KEY_IN_URL = 'it would put the key into the URL, which access logs keep; --mode full sends it';

/** @param auth - how a step or an interaction authenticates @returns `undefined` when it may be sent */
export function keyInUrlViolation(mode: Mode, auth: unknown): string | undefined {
  return mode !== 'full' && auth === 'query' ? NO_KEY_IN_URL : undefined;
}
