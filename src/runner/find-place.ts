import { HarnessError } from '../errors/harness-error';
import type { Creation } from './creation';
import { lookAt } from './look-at-item';
import type { Run } from './run';

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

async function isMarked(run: Run, place: string, creation: Creation): Promise<boolean> {
  try {
    return (await lookAt(run, creation, place))?.evidence === 'marked';
  } catch (error) {
    if (error instanceof HarnessError) return false;
    throw error;
  }
}
