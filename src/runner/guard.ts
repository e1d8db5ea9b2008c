import type { HttpRequest } from '../http/message';
import type { Operation } from '../openapi/model';
import { isKnownAbsent } from './auth/absent-path';
import { isCreation, routeOf } from './item-routes';
import { refusedOverride } from './method-override';
import { isSafe, type Run } from './run';

/**
 * Why a request must not be sent to a target that is not ours; `undefined` when it may be.
 *
 * In mode `own` a request that is not safe may create, and may change what this run made and what stands below that.
 * Of everything else it may name only what is known to be absent.
 *
 * @param operation - `undefined` when the description has none for the request
 */
export function refusedByMode(run: Run, operation: Operation | undefined, request: HttpRequest): string | undefined {
  const { method } = request;
  const override = refusedOverride(run, request);
  if (override !== undefined) return override;
  if (run.mode === 'full' || isSafe(method)) return undefined;
  const { host } = new URL(run.baseUrl);
  if (run.mode === 'observe') return `it could change ${host}, and mode observe sends safe methods only`;
  const path = pathOf(run, request);
  const last = lastVariable(run, path);
  const foreign = run.creations.foreignVariable(
    path,
    (name, value) => isKnownAbsent(run.api, path, name, value) || (name === last && run.creations.isAbsent(path)),
  );
  if (foreign !== undefined) {
    return `${method} ${path} could change what this run did not make; --mode full sends it`;
  }
  const hasVariables = (routeOf(run.api, path)?.route.variables ?? []).length > 0;
  if (hasVariables || isCreation(run.api, operation) || run.creations.owns(path)) return undefined;
  return `${method} ${path} names nothing that this run made; --mode full sends it`;
}

/** Is it known that nothing stands at a path? By its largest id, or because a GET just found nothing. */
export function isKnownEmpty({ api, creations }: Pick<Run, 'api' | 'creations'>, path: string): boolean {
  if (creations.isAbsent(path)) return true;
  const variables = Object.entries(routeOf(api, path)?.pathParameters ?? {});
  return variables.some(([name, value]) => isKnownAbsent(api, path, name, value));
}

/** The variable that the template of a path ends in. */
function lastVariable({ api }: Pick<Run, 'api'>, path: string): string | undefined {
  return /\/\{([^{}/]+)\}$/.exec(routeOf(api, path)?.route.path ?? '')?.[1];
}

/** The path of a request below the base URL, its query left out. */
export function pathOf({ basePath }: Pick<Run, 'basePath'>, { target }: Pick<HttpRequest, 'target'>): string {
  return target.slice(basePath.length).split('?')[0] ?? '';
}
