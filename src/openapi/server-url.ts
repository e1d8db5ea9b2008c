import type { Operation } from './model';
import type { Located } from './references';
import { RouteTable } from './route-table';
import type { SourceDocument } from './source-document';
import { items, member, members, rootOf, type RawOperation } from './walk';

/** Operations that answer below a path. */
export interface Mount {
  /** `''`, or `/v1` without a trailing slash. */
  readonly basePath: string;
  readonly routes: RouteTable;
}

/** More values of variables than this, taken together, are no base paths that anybody calls. */
const MOST_PATHS = 64;

/** Base paths of a document that has no servers: one server, `/` (OAS 3.0.3 §4.7.1). */
const NO_SERVERS: readonly string[] = [''];

/**
 * The paths that the servers of a description put before every path of it, the first server's first: the rest of a mock
 * is somewhere else. A variable has each value of its `enum`, else its default (OAS 3.0.3 §4.7.5, §4.7.6).
 */
export function readBasePaths(document: SourceDocument): readonly string[] {
  return basePathsOf(rootOf(document)) ?? NO_SERVERS;
}

/** The same of an operation: its own servers replace those of its path item, and these the root's. */
export function operationBasePaths(
  { operation, pathItem }: RawOperation,
  rootPaths: readonly string[],
): readonly string[] {
  return basePathsOf(operation) ?? basePathsOf(pathItem) ?? rootPaths;
}

/**
 * What answers where. Nearly always this is one table below one path.
 *
 * @param pathsOf - base paths of an operation
 */
export function mountOperations(
  operations: readonly Operation[],
  pathsOf: (operation: Operation) => readonly string[],
  rootPaths: readonly string[],
): readonly Mount[] {
  const byPath = new Map<string, Operation[]>(rootPaths.map((path) => [path, []]));
  for (const operation of operations) {
    for (const path of pathsOf(operation)) {
      const known = byPath.get(path);
      if (known === undefined) byPath.set(path, [operation]);
      else known.push(operation);
    }
  }
  return [...byPath].map(([basePath, mounted]) => ({ basePath, routes: new RouteTable(mounted, basePath) }));
}

/** @returns `undefined` where no servers are listed: those around count */
function basePathsOf(owner: Located): readonly string[] | undefined {
  const paths = new Set<string>();
  for (const server of items(member(owner, 'servers'))) {
    for (const url of urlsOf(server)) if (paths.size < MOST_PATHS) paths.add(pathOfUrl(url));
  }
  return paths.size === 0 ? undefined : [...paths];
}

/** The URL of a server with each value of its variables, the defaults first. */
function urlsOf(server: Located): readonly string[] {
  const url = member(server, 'url')?.value;
  if (typeof url !== 'string') return [];
  let urls: readonly string[] = [url];
  for (const { name, ...variable } of members(member(server, 'variables'))) {
    if (!url.includes(`{${name}}`)) continue;
    const values = valuesOf(variable);
    urls = values.flatMap((value) => urls.map((each) => each.replaceAll(`{${name}}`, value))).slice(0, MOST_PATHS);
  }
  return urls.map((each) => each.replace(/\{[^{}]*\}/g, ''));
}

function valuesOf(variable: Located): readonly string[] {
  const listed = items(member(variable, 'enum')).map(({ value }) => value);
  const values = [member(variable, 'default')?.value, ...listed].filter((value) => typeof value === 'string');
  return values.length === 0 ? [''] : [...new Set(values)];
}

/** A URL that begins with `//` has a host as well (RFC 3986 §4.2). */
function pathOfUrl(url: string): string {
  return normaliseBasePath(url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, ''));
}

/** `v1/` → `/v1`; `/` → `''`. Query and fragment are dropped. */
export function normaliseBasePath(path: string): string {
  const trimmed = path.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}
