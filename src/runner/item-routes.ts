import { parseTarget } from '../http/request-target';
import type { ApiModel, Operation } from '../openapi/model';
import type { Route, RouteMatch } from '../openapi/route-table';

/** The path that items of a collection stand at: the collection's path and one more segment, a variable. */
export interface ItemRoute {
  readonly route: Route;
  /** Name of that variable. */
  readonly variable: string;
}

/**
 * Where what an operation creates will stand: `/books/{bookId}` for POST on `/books`.
 *
 * @returns `undefined` when the description has no such path, so that nothing can be found or removed again
 */
export function itemRouteOf({ routes }: ApiModel, { path }: Pick<Operation, 'path'>): ItemRoute | undefined {
  for (const route of routes.routes) {
    const rest = route.path.startsWith(`${path}/`) ? route.path.slice(path.length + 1) : '';
    const [, variable] = /^\{([^{}/]+)\}$/.exec(rest) ?? [];
    if (variable !== undefined) return { route, variable };
  }
  return undefined;
}

/**
 * Does an operation create something at an address of its own? A POST that documents a 201, or on a path that has
 * items below it (RFC 9110 §9.3.3).
 */
export function isCreation(api: ApiModel, operation: Operation | undefined): boolean {
  if (operation?.method !== 'POST') return false;
  return operation.responses.has('201') || itemRouteOf(api, operation) !== undefined;
}

/** The route of a path, its query left out. @param path - below the base URL */
export function routeOf({ routes }: ApiModel, path: string): RouteMatch | undefined {
  const target = parseTarget(path);
  return target === undefined ? undefined : routes.match(target.path);
}

/**
 * The route that something which an operation makes stands at: that of its own path, for a POST that of the items below.
 *
 * @param item - below the base URL
 * @returns `undefined` when the path is one of another operation: `/labels/all` is no label
 */
export function routeOfItem(api: ApiModel, operation: Operation, item: string): Route | undefined {
  const route = routeOf(api, item)?.route;
  const path = operation.method === 'POST' ? itemRouteOf(api, operation)?.route.path : operation.path;
  return route !== undefined && route.path === path ? route : undefined;
}
