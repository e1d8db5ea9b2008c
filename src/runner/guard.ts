import type { HttpRequest } from '../http/message';
import type { Operation } from '../openapi/model';
import { isKnownAbsent } from './auth/absent-path';
import { isCreation, routeOf } from './item-routes';
import { isSafe, type Run } from './run';

/**
 * Why a request must not be sent to a target that is not ours; `undefined` when it may be.
 *
 * In mode `own` a request that is not safe may create, and may change what stands at a path whose every variable names
 * something that this run made, or an id that is known to be absent.
 *
 * @param operation - `undefined` when the description has none for the request
 */
export function refusedByMode(run: Run, operation: Operation | undefined, request: HttpRequest): string | undefined {
  const { method } = request;
  if (run.mode === 'full' || isSafe(method)) return undefined;
  const { host } = new URL(run.baseUrl);
  if (run.mode === 'observe') return `it could change ${host}, and mode observe sends safe methods only`;
  const path = pathOf(run, request);
  const variables = Object.entries(routeOf(run.api, path)?.pathParameters ?? {});
  const foreign = variables.find(
    ([name, value]) => !run.creations.owns(name, value) && !isKnownAbsent(run.api, path, name, value),
  );
  if (foreign !== undefined) {
    return `${method} ${path} could change what this run did not make; --mode full sends it`;
  }
  if (variables.length > 0 || isCreation(run.api, operation)) return undefined;
  return `${method} ${path} names nothing that this run made; --mode full sends it`;
}

/** The path of a request below the base URL, its query left out. */
export function pathOf({ basePath }: Pick<Run, 'basePath'>, { target }: Pick<HttpRequest, 'target'>): string {
  return target.slice(basePath.length).split('?')[0] ?? '';
}
