import { escapePattern } from '../../core/text/escape-pattern';
import type { Operation } from './operation';
import type { RouteMatch } from './operation-selection';
import { fieldOf, fieldsOf, itemsOf, type Located, type RawOperation, rootOf } from '../read/references';
import { RouteTable } from './route-table';
import type { SourceDocument } from '../read/source-document';

/** Operations that answer below a path. */
export interface Mount {
  /** `''`, or `/v1` without a trailing slash. */
  readonly basePath: string;
  readonly routes: RouteTable;
  /** The base path with any values of its variables, at the start of a path; `undefined` where it has none. */
  readonly pattern?: RegExp | undefined;
  /** Does the description list the values of them (`enum`)? */
  readonly isListed?: boolean;
}

/** More values of variables than this, taken together, are no base paths that anybody calls. */
const MOST_PATHS = 64;

/** A path that a server puts before every path. */
export interface BasePath extends Pick<Mount, 'pattern' | 'isListed'> {
  /** `''`, or `/v1` without a trailing slash. */
  readonly path: string;
}

/** Base paths of a document that has no servers: one server, `/` (OAS 3.0.3 §4.7.1). */
const NO_SERVERS: readonly BasePath[] = [{ path: '' }];

/**
 * The paths that the servers of a description put before every path of it, the first server's first: the rest of a mock
 * is somewhere else. A variable has each value of its `enum`, else its default (OAS 3.0.3 §4.7.5, §4.7.6); one without an
 * `enum` may have any, which the pattern takes.
 */
export function readBasePaths(document: SourceDocument): readonly BasePath[] {
  return basePathsOf(rootOf(document)) ?? NO_SERVERS;
}

/** The same of an operation: its own servers replace those of its path item, and these the root's. */
export function operationBasePaths(
  { operation, pathItem }: RawOperation,
  rootPaths: readonly BasePath[],
): readonly BasePath[] {
  return basePathsOf(operation) ?? basePathsOf(pathItem) ?? rootPaths;
}

/**
 * What answers where. Nearly always this is one table below one path.
 *
 * @param pathsOf - base paths of an operation
 */
export function mountOperations(
  operations: readonly Operation[],
  pathsOf: (operation: Operation) => readonly BasePath[],
  rootPaths: readonly BasePath[],
): readonly Mount[] {
  const byPath = new Map(rootPaths.map((base) => [base.path, { base, mounted: [] as Operation[] }]));
  for (const operation of operations) {
    for (const base of pathsOf(operation)) {
      const known = byPath.get(base.path);
      if (known === undefined) byPath.set(base.path, { base, mounted: [operation] });
      else known.mounted.push(operation);
    }
  }
  return [...byPath.values()].map(({ base: { path, pattern, isListed = false }, mounted }) => {
    const routes = new RouteTable(mounted, path);
    return pattern === undefined ? { basePath: path, routes } : { basePath: path, routes, pattern, isListed };
  });
}

/**
 * Where a path stands below a base path that has it as written.
 *
 * @param path - raw, with the base path
 * @param method - see {@link RouteTable.match}
 */
export function matchBelow(mounts: readonly Mount[], path: string, method?: string): RouteMatch | undefined {
  for (const mount of mounts) {
    const isInside = mount.basePath === '' || path.startsWith(`${mount.basePath}/`);
    const match = isInside ? mount.routes.match(path.slice(mount.basePath.length), method) : undefined;
    if (match !== undefined) return match;
  }
  return undefined;
}

/** The paths of its own servers. @returns `undefined` where none are listed: those around count */
export function basePathsOf(owner: Located): readonly BasePath[] | undefined {
  const paths = new Map<string, BasePath>();
  for (const server of itemsOf(fieldOf(owner, 'servers'))) {
    const open = openBase(server);
    for (const url of urlsOf(server)) {
      const path = pathOfUrl(url);
      if (paths.size < MOST_PATHS && !paths.has(path)) paths.set(path, { path, ...open });
    }
  }
  return paths.size === 0 ? undefined : [...paths.values()];
}

/** The path of a server's URL in which a variable may be any segment; nothing where its path has no variable. */
function openBase(server: Located): Omit<BasePath, 'path'> {
  const url = fieldOf(server, 'url')?.value;
  // What stands before the path may be variables as well: `{scheme}://{host}/{tenant}`.
  const [, written] = typeof url === 'string' ? (/^(?:[^/?#]*\/\/[^/?#]*)?(\/[^?#]*)/.exec(url) ?? []) : [];
  const template = written === undefined ? '' : normaliseBasePath(written);
  if (!/\{[^{}]+\}/.test(template)) return {};
  const source = template.replace(/\{[^{}]+\}|[^{}]+/g, (part) =>
    part.startsWith('{') ? '[^/]+' : escapePattern(part),
  );
  const listed = fieldsOf(fieldOf(server, 'variables')).filter((variable) => template.includes(`{${variable.name}}`));
  return {
    pattern: new RegExp(`^${source}(?=/)`),
    isListed: listed.some((each) => fieldOf(each, 'enum') !== undefined),
  };
}

/** The address of the first server, its variables filled in; `undefined` where it names no host. No slash at the end. */
export function firstServerUrl(document: SourceDocument): string | undefined {
  const [first] = itemsOf(fieldOf(rootOf(document), 'servers'));
  return first === undefined ? undefined : wholeAddress(urlsOf(first)[0]);
}

/** The addresses of all servers that name a host. */
export function serverUrls(document: SourceDocument): readonly string[] {
  const all = itemsOf(fieldOf(rootOf(document), 'servers')).flatMap(urlsOf);
  return [...new Set(all.flatMap((url) => wholeAddress(url) ?? []))];
}

function wholeAddress(url = ''): string | undefined {
  return /^https?:\/\/[^/]/i.test(url) && URL.canParse(url)
    ? url.replace(/[?#].*$/s, '').replace(/\/+$/, '')
    : undefined;
}

/** The URL of a server with each value of its variables, the defaults first. */

function urlsOf(server: Located): readonly string[] {
  const url = fieldOf(server, 'url')?.value;
  if (typeof url !== 'string') return [];
  let urls: readonly string[] = [url];
  for (const { name, ...variable } of fieldsOf(fieldOf(server, 'variables'))) {
    if (!url.includes(`{${name}}`)) continue;
    const values = valuesOf(variable);
    urls = values.flatMap((value) => urls.map((each) => each.replaceAll(`{${name}}`, value))).slice(0, MOST_PATHS);
  }
  return urls.map((each) => each.replace(/\{[^{}]*\}/g, ''));
}

function valuesOf(variable: Located): readonly string[] {
  const listed = itemsOf(fieldOf(variable, 'enum')).map(({ value }) => value);
  const values = [fieldOf(variable, 'default')?.value, ...listed].filter((value) => typeof value === 'string');
  // A default such as `{tenant}` says no more than the name.
  return values.length === 0 ? [''] : [...new Set(values.map((value) => value.replaceAll(/[{}]/g, '')))];
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
