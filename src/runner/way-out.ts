import type { Finding } from '../checks/finding';
import { wayOut } from './dot-segment';
import { pathOf } from './guard';
import type { Interaction } from './interaction';
import { routeOf } from './item-routes';
import type { Run } from './run';

/**
 * Why a request is not sent whatever the mode: an id that the service gave out, such as `../admin/users/7`, would make it
 * a request for something else, with the tester's key. What a contract itself writes is meant.
 */
export function refusedWayOut(run: Run, { request, writesWayOut }: Interaction): Finding | undefined {
  if (writesWayOut === true) return undefined;
  const path = pathOf(run, request);
  const id = wayOut(path);
  if (id === undefined) return undefined;
  const variables = Object.entries(routeOf(run.api, path)?.pathParameters ?? {});
  const [variable] = variables.find(([, value]) => wayOut(`/${encodeURIComponent(value)}`) !== undefined) ?? [];
  return {
    check: 'id-in-path',
    severity: 'error',
    at: '/request/path',
    message: `${request.method} ${path} was not sent: its id leads out of the path, for whoever decodes it before routing`,
    expected: `${variable === undefined ? 'an id' : `an id for {${variable}}`} without dot segments`,
    actual: id,
    hint: 'The id came from an answer of the service. A contract that means such a path writes it out.',
  };
}
