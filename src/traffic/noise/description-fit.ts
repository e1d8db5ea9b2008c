import { parseTarget, splitPath } from '../../core/http/request-target';
import { counted, printable } from '../../core/text/printable';
import type { ApiModel } from '../../openapi/model/api-model';
import type { CleanExchange } from '../exchange/recorded-exchange';

/** How much of traffic a description knows. */
export interface DescriptionFit {
  /** Exchanges whose method and path it has an operation for. */
  readonly known: number;
  readonly all: number;
  /** Where it knows none of them: what is wrong, and what can be done about it. */
  readonly misfit: { readonly message: string; readonly hint: string } | undefined;
}

/** So many segments before a path may be a base path that the description has not. */
const MOST_BASE_SEGMENTS = 4;

/**
 * Tells whether a description is one of the API that was recorded.
 *
 * @param exchanges - of the API alone
 * @param name - of the description, as messages have it: its file
 * @param told - the path of the target's URL, below which its paths may be as well
 */
export function descriptionFit(
  api: ApiModel,
  exchanges: readonly CleanExchange[],
  name: string,
  told?: string,
): DescriptionFit {
  const paths = exchanges.map(({ request }) => parseTarget(request.target)?.path ?? '');
  const isKnown = ({ request }: CleanExchange, index: number): boolean =>
    api.mounts.some(
      ({ basePath, pattern, routes }) =>
        hasOperation(routes, paths[index] ?? '', basePath, request.method) ||
        hasOperation(routes, paths[index] ?? '', told, request.method) ||
        hasOperation(routes, paths[index] ?? '', pattern?.exec(paths[index] ?? '')?.[0], request.method),
    );
  const known = exchanges.filter(isKnown).length;
  const misfit = known > 0 || exchanges.length === 0 ? undefined : misfitOf(api, exchanges, paths, name);
  return { known, all: exchanges.length, misfit };
}

type Routes = ApiModel['routes'];

function hasOperation(routes: Routes, path: string, basePath: string | undefined, method: string): boolean {
  if (basePath === undefined || !path.startsWith(`${basePath}/`)) return false;
  return routes.match(path.slice(basePath.length), method)?.route.operations.has(method) === true;
}

function misfitOf(
  api: ApiModel,
  exchanges: readonly CleanExchange[],
  paths: readonly string[],
  name: string,
): DescriptionFit['misfit'] {
  const [first] = exchanges;
  const sent = printable(`${first?.request.method ?? ''} ${first?.origin ?? ''}${paths[0] ?? ''}`);
  const own = [...new Set(api.mounts.map(({ basePath }) => basePath || '/'))].join(', ');
  const base = paths.map((path) => otherBase(api, path)).find((found) => found !== undefined);
  const hint =
    base === undefined
      ? 'Is it the description of this API? Without one, a first description is inferred from the traffic.'
      : `Below ${base === '' ? '/' : base} it would know some of them: write that into its servers, or name it as the path of the target.`;
  const message = `${name} knows none of ${counted(exchanges.length, 'recorded request')}: its paths are below ${own}, the first request was ${sent}`;
  return { message, hint };
}

/** The beginning of a path without which the description has it. */
function otherBase(api: ApiModel, path: string): string | undefined {
  const segments = splitPath(path);
  for (let count = 0; count < Math.min(segments.length, MOST_BASE_SEGMENTS + 1); count += 1) {
    const match = api.routes.match(`/${segments.slice(count).join('/')}`);
    // A template of variables alone has every path.
    const isMeant = match?.route.path.split('/').some((text) => text !== '' && !text.includes('{'));
    if (isMeant === true) return segments.slice(0, count).reduce((base, text) => `${base}/${text}`, '');
  }
  return undefined;
}
