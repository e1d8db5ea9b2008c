import { isLikelyAbsent } from './auth/absent-path';
import { callOperation, type CallAnswer } from './call-operation';
import { HarnessError } from '../errors/harness-error';
import { pathOf, refusedByMode, type Asked } from './guard';
import type { HttpRequest } from '../http/message';
import type { Operation } from '../openapi/model';
import { routeOf } from './item-routes';
import { sentParameters } from './needed-parameters';
import { isSafe, type Run } from './run';

/**
 * Before a change where nothing was to be: a service may have given the key to somebody else since, and somebody may
 * have put something there. A GET that finds nothing says that it is not so. Of the query and the headers of
 * a step it has what the GET asks for as well; others may be what nothing was found by.
 */
export async function lookFirst(run: Run, interaction: Asked): Promise<void> {
  const { request } = interaction;
  if (run.mode !== 'own' || isSafe(request.method)) return;
  const path = pathOf(run, request);
  const { creations } = run;
  const isAbsent = creations.isAbsent(path);
  const isToBeSeen = isAbsent || creations.ownedBefore(path) || isLikelyAbsent(run, path);
  if (!isToBeSeen || (!isAbsent && refusedByMode(run, interaction) === undefined)) return;
  const read = routeOf(run.api, path)?.route.operations.get('GET');
  // What it answers is noted like that of every other GET.
  const answer = read === undefined ? undefined : await look(run, read, path, request);
  if (answer === undefined) creations.forgetAbsent(path);
}

async function look(run: Run, read: Operation, path: string, request: HttpRequest): Promise<CallAnswer | undefined> {
  try {
    return await callOperation(run, read, path, { like: sentParameters(request) });
  } catch (error) {
    // Without a key nothing can be looked at.
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}
