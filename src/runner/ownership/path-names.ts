import { decodePathSegment, splitPath } from '../../core/http/request-target';
import type { Link, Operation } from '../../openapi/model/operation';
import { containsRunId } from './sent-content';
import type { Route } from '../../openapi/model/operation-selection';

/** Names of variables that many kinds of things have, so that the same value may be another thing. */
const GENERIC = new Set([
  ...['id', 'ids', 'key', 'name', 'slug', 'uuid', 'guid', 'code', 'number', 'no', 'ref', 'identifier', 'value'],
  ...['type', 'kind', 'index', 'version', 'date', 'path', 'file', 'filename', 'title', 'label', 'tag', 'locale'],
  ...['lang', 'language', 'region', 'handle', 'hash', 'token', 'username', 'parent', 'owner', 'status', 'email'],
  ...['item', 'resource', 'entity', 'object', 'record', 'element', 'entry', 'row', 'parent', 'child', 'node'].flatMap(
    (word) => [word, `${word}id`, `${word}key`, `${word}name`],
  ),
]);

/** Does the name of a variable say of what kind the thing is? `bookId` does, `id` does not. */
export function isSpecificName(name: string): boolean {
  return !GENERIC.has(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}

/**
 * Variables of paths that the links of a creation (OAS 3.0.3 §4.7.20) fill with the key of what it made.
 *
 * @param route - where what was made stands
 * @param variable - the last one of that path
 * @returns as `getStock id`: which operation, and which variable of its path
 */
export function linkedVariables(creation: Operation, route: Route, variable: string | undefined): string[] {
  if (variable === undefined) return [];
  const links = [...creation.responses]
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => response.links);
  const targets = [...route.operations.values()].map(({ id }) => id);
  const keys = links
    .filter(({ operationId }) => operationId !== undefined && targets.includes(operationId))
    .map((link) => parameterOf(link, variable));
  return links.flatMap(({ operationId, parameters }) =>
    [...parameters].flatMap(([name, expression]) =>
      operationId !== undefined && typeof expression === 'string' && keys.includes(expression)
        ? [`${operationId} ${name.replace(/^path\./, '')}`]
        : [],
    ),
  );
}

function parameterOf({ parameters }: Link, variable: string): unknown {
  return parameters.get(variable) ?? parameters.get(`path.${variable}`);
}

/** Segments of nothing but characters that `encodeURIComponent` leaves as they are. */
const UNRESERVED = /^\/[\w\-.!~*'()/]*$/;

/** Do two paths name the same thing, however their segments are percent-encoded (RFC 3986 §6.2.2)? */
export function isSamePath(left: string, right: string): boolean {
  return left === right || pathKey(left) === pathKey(right);
}

/** Does a path name something, or what stands below it? */
export function isAtOrBelow(path: string | undefined, item: string): boolean {
  return path !== undefined && `${pathKey(path)}/`.startsWith(`${pathKey(item)}/`);
}

/** A key with the id of the run in it is nobody else's. @param item - its path */
export function isNamedByRun(item: string, runId: string): boolean {
  return containsRunId(splitPath(item.replace(/\/$/, '')).at(-1) ?? '', runId);
}

/** A path with its segments in one spelling each, without a slash at its end. */
export function pathKey(given: string): string {
  const path = given.replace(/(?<=.)\/$/, '');
  // Most paths are spelt in the only way there is.
  if (UNRESERVED.test(path)) return path.slice(1);
  return splitPath(path)
    .map((segment) => encodeURIComponent(decodePathSegment(segment) ?? segment))
    .join('/');
}
