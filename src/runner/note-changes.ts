import type { ObservedBody } from '../checks/response/response-check';
import type { HttpRequest, HttpResponse } from '../http/message';
import type { Operation } from '../openapi/model';
import type { Creation } from './creations';
import { pathOf } from './guard';
import { isCreation, routeOf } from './item-routes';
import type { Interaction } from './interaction';
import type { Run } from './run';

/** Writes down what a request may create, before it is sent. */
export function noteRequest(run: Run, { operation, request, leaves }: Interaction): Creation | undefined {
  if (operation === undefined) return undefined;
  const path = pathOf(run, request);
  const mayCreate = request.method === 'PUT' ? !isOwned(run, path) : isCreation(run.api, operation);
  return mayCreate ? run.creations.announce(operation, path, leaves) : undefined;
}

/** Writes down what an answer says of what was made and what is gone. */
export function noteAnswer(
  run: Run,
  creation: Creation | undefined,
  operation: Operation | undefined,
  request: HttpRequest,
  response: HttpResponse,
  body: ObservedBody,
): void {
  const { status } = response;
  if (creation !== undefined) {
    run.creations.settle(creation, response, body.kind === 'json' ? body.value : undefined, run.basePath);
  }
  // A 404 may also say that there is no such operation here: what it means is looked at in the end.
  const isRemoved = status >= 200 && status < 300;
  if (operation?.method === 'DELETE' && isRemoved) run.creations.markRemoved(pathOf(run, request));
}

/** Does every variable of a path name something that the run made? */
function isOwned(run: Run, path: string): boolean {
  const variables = Object.entries(routeOf(run.api, path)?.pathParameters ?? {});
  return variables.every(([name, value]) => run.creations.owns(name, value));
}
