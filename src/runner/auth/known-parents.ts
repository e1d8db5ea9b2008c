import { decodePathSegment, splitPath } from '../../http/request-target';
import type { Operation } from '../../openapi/model';
import { routeOf } from '../item-routes';
import type { Run } from '../run';

/**
 * Values of path variables that a run saw to be there and that are not its own: a server, a tenant, an organisation,
 * which contracts name as they are. By the template up to the variable: `/servers/{id}`.
 */
export type KnownParents = ReadonlyMap<string, string>;

const KNOWN = new WeakMap<Run, KnownParents>();

/**
 * What a run has seen when its contracts are over. A path is known by an answer with a success to a request with the
 * right key; of what the run made, what was removed, and what holds the id of the run nothing is known any more.
 */
export function knownParents(run: Run): KnownParents {
  let known = KNOWN.get(run);
  if (known === undefined) KNOWN.set(run, (known = lookBack(run)));
  return known;
}

function lookBack(run: Run): KnownParents {
  const seen = run.log.exchanges().flatMap(({ method, path, status = 0, auth }) => {
    return status >= 200 && status <= 299 && auth === 'valid'
      ? [{ method, path: path.slice(run.basePath.length) }]
      : [];
  });
  const gone = new Set(seen.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : [])));
  const values = new Map<string, string>();
  for (const { template, place, value, raw } of seen.flatMap(({ path }) => variablesIn(run, path))) {
    const isOwn = run.creations.owns(place) || run.creations.ownedBefore(place) || value.includes(run.runId);
    if (!isOwn && !gone.has(place) && !values.has(template)) values.set(template, raw);
  }
  return values;
}

interface PlacedVariable {
  /** Up to the variable. */
  readonly template: string;
  /** The same of the path. */
  readonly place: string;
  readonly value: string;
  /** As it stands in the path. */
  readonly raw: string;
}

function variablesIn(run: Run, path: string): PlacedVariable[] {
  const template = routeOf(run.api, path)?.route.path;
  const [names, values] = [splitPath(template ?? ''), splitPath(path)];
  if (template === undefined || names.length !== values.length) return [];
  return names.flatMap((name, index): PlacedVariable[] => {
    if (!/^\{[^{}]+\}$/.test(name)) return [];
    const upTo = (segments: readonly string[]): string => `/${segments.slice(0, index + 1).join('/')}`;
    const raw = values[index] ?? '';
    return [{ template: upTo(names), place: upTo(values), value: decodePathSegment(raw) ?? '', raw }];
  });
}

/** The template of an operation up to a variable, as {@link KnownParents} has it. */
export function templateUpTo({ path }: Pick<Operation, 'path'>, variable: string): string {
  return path.slice(0, path.indexOf(`{${variable}}`) + variable.length + 2);
}
