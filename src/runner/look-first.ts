import { callOperation } from './call-operation';
import { pathOf, refusedByMode } from './guard';
import type { Interaction } from './interaction';
import { routeOf } from './item-routes';
import type { Run } from './run';

/**
 * Before a change of what this run made and removed again: a service may have given the key to somebody else since. A
 * GET that finds nothing says that it has not.
 */
export async function lookFirst(run: Run, { operation, request }: Interaction): Promise<void> {
  if (run.mode !== 'own' || refusedByMode(run, operation, request) === undefined) return;
  const path = pathOf(run, request);
  if (!run.creations.ownedBefore(path)) return;
  const read = routeOf(run.api, path)?.route.operations.get('GET');
  // What it answers is noted like that of every other GET.
  if (read !== undefined) await callOperation(run, read, path);
}
