import type { Warnings } from '../../checks/request/warnings';
import { countHeader } from '../../core/http/headers';
import type { RequestHead } from '../../core/http/message';
import { problem, type Problem } from '../../core/http/problem';
import {
  decodePathSegment,
  isValidHost,
  type RequestTarget,
  splitPath,
  targetOf,
} from '../../core/http/request-target';
import { matchBelow, type Mount } from '../../openapi/model/base-paths';
import type { RouteMatch } from '../../openapi/model/operation-selection';
import type { MockContext } from '../context/context';

/** A bad percent sequence, bytes that are not UTF-8, or NUL (RFC 3986 §2.1, §7.3). */
export const UNDECODABLE_PATH = problem(
  'invalid_parameter',
  'The path holds a percent sequence that is not UTF-8 text, or %00',
);

export const NOT_A_PATH = problem('bad_request', 'The request target is not a path (RFC 9112 §3.2.1)');

/** One Host from HTTP/1.1 on, at most one before (RFC 9112 §3.2). */
function checkHost({ rawHeaders, headers, defaultHost }: RequestHead): Problem | undefined {
  const hosts = countHeader(rawHeaders, 'host');
  if (hosts > 1) return problem('bad_request', 'The header Host was sent more than once');
  if (hosts === 0) return defaultHost === undefined ? problem('bad_request', 'The header Host is missing') : undefined;
  const { host } = headers;
  return typeof host === 'string' && isValidHost(host)
    ? undefined
    : problem('bad_request', 'The header Host is not a host');
}

/**
 * `chunked` alone is understood. Node takes whatever stands before it, and would hand on what another server on the way
 * reads otherwise (RFC 9112 §6.1, §7; `identity` is none since RFC 7230).
 */
function checkTransferCoding({ headers, defaultHost }: RequestHead): Problem | undefined {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return undefined;
  if (defaultHost !== undefined)
    return problem('bad_request', 'HTTP/1.0 has no Transfer-Encoding; send Content-Length (RFC 9112 §6.1)');
  const text = String(codings).trim().toLowerCase();
  if (text === 'chunked') return undefined;
  // Nobody knows where such a body ends (RFC 9112 §6.3).
  if (!/(?:^|[, \t])chunked$/.test(text))
    return problem('bad_request', 'The last coding of Transfer-Encoding is not chunked');
  return problem(
    'unsupported_transfer_coding',
    `The transfer coding ${JSON.stringify(String(codings))} is not known; send chunked or Content-Length`,
  );
}

/**
 * Checks the message itself, whatever it asks for (RFC 9112 §3.2; RFC 9110 §10.1.1, §15.5.15).
 *
 * @returns its target, or why it is rejected
 */
export function checkMessage({ options }: MockContext, head: RequestHead): RequestTarget | Problem {
  if (head.target.length > options.limits.targetBytes) {
    return problem('uri_too_long', `The request target has more than ${options.limits.targetBytes} bytes`);
  }
  const expect = head.headers['expect'];
  if (typeof expect === 'string' && expect.toLowerCase() !== '100-continue') {
    return problem('expectation_failed', 'The header Expect asks for something other than 100-continue');
  }
  const framing = checkTransferCoding(head);
  if (framing !== undefined) return framing;
  const host = checkHost(head);
  if (host !== undefined) return host;
  const target = targetOf(head);
  // `*` is the server itself, of which only the options can be asked (RFC 9112 §3.2.4).
  return target === undefined || (target.path === '*' && head.method !== 'OPTIONS') ? NOT_A_PATH : target;
}

/**
 * What may help with a path that the description does not have, as the rest of a sentence; empty when nothing is near.
 *
 * @param path - as received, with the base path
 */
function pathHint({ api, basePath }: Pick<MockContext, 'api' | 'basePath'>, path: string): string {
  if (basePath !== '' && !path.startsWith(`${basePath}/`)) return `; paths start with ${basePath}`;
  const below = path.slice(basePath.length);
  // A slash at the end makes another path of it (RFC 3986 §6.2.3).
  const hasSlash = below.endsWith('/');
  const route = api.routes.match(hasSlash ? below.slice(0, -1) : `${below}/`)?.route;
  if (route === undefined) return '';
  return `; ${hasSlash ? 'without' : 'with'} a slash at the end it is ${basePath}${route.path}`;
}

/** Where a request goes. */
interface Asked {
  /** Raw, with the base path. */
  readonly path: string;
  readonly method: string;
}

/** Of the base paths that have the path, the longest; of the templates that fit it, one with the method. */
export function matchPath(context: MockContext, asked: Asked, warnings?: Warnings): RouteMatch | Problem {
  const { path, method } = asked;
  const found = matchBelow(context.mounts, path, method) ?? matchAnyBase(context.mounts, asked, warnings);
  if (found !== undefined) return found;
  // Whether there is such a path cannot be told when a part of it cannot be read.
  if (splitPath(path).some((segment) => decodePathSegment(segment) === undefined)) return UNDECODABLE_PATH;
  const otherwise = warnings === undefined ? undefined : matchSlash(context, asked, warnings);
  if (otherwise !== undefined) return otherwise;
  const { api, basePath } = context;
  const hint = pathHint({ api, basePath }, path);
  return problem('route_not_found', `The description has no path that matches this one${hint}`);
}

/** Below a base path that has other values of the server's variables than those that are listed. */
function matchAnyBase(
  mounts: readonly Mount[],
  { path, method }: Asked,
  warnings: Warnings | undefined,
): RouteMatch | undefined {
  for (const { pattern, isListed, basePath: usual, routes } of mounts) {
    const basePath = pattern?.exec(path)?.[0];
    const match = basePath === undefined ? undefined : routes.match(path.slice(basePath.length), method);
    if (match === undefined || basePath === undefined) continue;
    if (!isListed || warnings?.allows('server_variable', basePath, usual) === true) return { ...match, basePath };
  }
  return undefined;
}

/** Methods of the templates that a path fits, as the header Allow lists them: those of the best template first. */
export function allowedMethods(context: MockContext, path: string, { route }: RouteMatch): string {
  const best = route.allow.split(', ');
  const others = METHODS.filter((method) => {
    const match = best.includes(method) ? undefined : matchPath(context, { path, method });
    return match !== undefined && 'route' in match && match.route.operations.has(method);
  });
  return [...best, ...others].join(', ');
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The path with a slash at its end, or without (RFC 3986 §6.2.3 has them as two). */
function matchSlash(
  { mounts, plans }: MockContext,
  { path, method }: Asked,
  warnings: Warnings,
): RouteMatch | undefined {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  const match = matchBelow(mounts, other, method) ?? matchAnyBase(mounts, { path: other, method }, warnings);
  if (match === undefined) return undefined;
  const isStrict = [...match.route.operations.values()].some((operation) => plans.get(operation).accept === 'strict');
  const how = path.endsWith('/') ? 'without' : 'with';
  return !isStrict && warnings.allows('trailing_slash', match.basePath + match.route.path, how) ? match : undefined;
}
