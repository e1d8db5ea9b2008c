import { HarnessError } from '../errors/harness-error';
import { stringifyJson } from '../json/stringify-json';
import { callOperation } from './call-operation';
import type { Creation } from './creations';
import { routeOf } from './item-routes';
import type { Run } from './run';
import { holdsMark } from './run-mark';

/**
 * Where an answer names several places for what was made, the one that has the id of the run is the right one; the
 * others are somebody else's. Without that the place stays unknown.
 */
export async function findPlace(run: Run, creation: Creation | undefined): Promise<void> {
  if (creation?.candidates === undefined || creation.marked !== true || creation.state !== 'there') return;
  const marked: string[] = [];
  for (const candidate of creation.candidates) {
    if (await isMarked(run, candidate, creation)) marked.push(candidate);
  }
  const [place, ...others] = marked;
  if (place !== undefined && others.length === 0) run.creations.markFound(creation, place);
}

async function isMarked(run: Run, place: string, { auth }: Creation): Promise<boolean> {
  const read = routeOf(run.api, place)?.route.operations.get('GET');
  try {
    const answer = read === undefined ? undefined : await callOperation(run, read, place, 'cleanup', auth);
    const isRead = answer !== undefined && answer.status >= 200 && answer.status < 300;
    return isRead && answer.body !== undefined && holdsMark(stringifyJson(answer.body), run.runId);
  } catch (error) {
    if (error instanceof HarnessError) return false;
    throw error;
  }
}
