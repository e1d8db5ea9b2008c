import type { Creation } from './creation';
import { findMarked } from './find-lost';
import { lookAt } from './look-at-item';
import { quietly } from './quietly';
import type { Run } from './run';

/**
 * Where an answer does not tell what was made, or names several places for it, what has the id of the run is it: the
 * others are somebody else's. It is looked for at the places that the answer names, and where it names none in the list.
 * Without an id of the run in its body the place stays unknown.
 */
export async function findPlace(run: Run, creation: Creation | undefined): Promise<void> {
  if (creation?.marked !== true || creation.item !== undefined || !mayBeThere(creation)) return;
  const { perhaps } = creation;
  const candidates = creation.candidates ?? (perhaps === undefined ? [] : [perhaps]);
  const marked: string[] = [];
  for (const candidate of candidates) {
    if (await isMarked(run, candidate, creation)) marked.push(candidate);
  }
  if (candidates.length === 0) marked.push(...(await listed(run, creation)));
  const [place, ...others] = marked;
  if (place !== undefined && others.length === 0) run.creations.markFound(creation, place);
}

/** Was it answered with a success that may have made it? What changed something of others is left to them. */
function mayBeThere({ state, answered = 0, mayBeOthers, operation }: Creation): boolean {
  if (state === 'there') return operation.method === 'POST';
  return state === 'pending' && mayBeOthers !== true && answered >= 200 && answered < 300;
}

/** What this creation alone sent, and nobody has a place for yet. */
async function listed(run: Run, creation: Creation): Promise<readonly string[]> {
  const known = new Set(run.creations.places());
  const found = await quietly(() => findMarked(run, creation, creation.sent ?? []));
  return found?.places.filter((place) => !known.has(place)) ?? [];
}

async function isMarked(run: Run, place: string, creation: Creation): Promise<boolean> {
  return (await quietly(() => lookAt(run, creation, place)))?.evidence === 'marked';
}
