import { isJsonObject } from '../json/json-value';
import type { Operation } from '../openapi/model';
import { callOperation } from './call-operation';
import type { Creation } from './creations';
import { isMarkedAt, takeUpLost, takeUpUnknown } from './find-lost';
import { itemOf } from './item-place';
import { itemRouteOf, routeOf } from './item-routes';
import { readPages } from './list-pages';
import type { Run } from './run';
import type { Residue } from './run-result';

const MOST_PAGES = 50;
/** There is no such operation here, or a rule is against it. */
const NOT_POSSIBLE: ReadonlySet<number> = new Set([404, 405, 409, 410, 501]);

/** Why something is still there, or may be. */
interface Obstacle {
  readonly reason: string;
  /** Of the removal; `undefined` when none came, or nothing was sent. */
  readonly status?: number;
}

/**
 * Removes what a run made and its contracts did not remove, the latest first; twice, because what others refer to may
 * only go after them. A removal counts when the thing is gone, which is looked at where the description has a way to.
 *
 * @returns what is still there, or may be
 */
export async function removeLeftovers(run: Run): Promise<Residue[]> {
  const obstacles = new Map<Creation, Obstacle>();
  const strangers = run.lost === undefined ? await lookAtRemoved(run) : [];
  const rounds = run.lost === undefined ? 2 : 1;
  for (let round = 1; round <= rounds; round++) {
    for (const creation of run.creations.remaining()) {
      const obstacle = await removeOne(run, creation);
      if (obstacle === undefined) obstacles.delete(creation);
      else obstacles.set(creation, obstacle);
    }
    // What nobody knew of is looked for after what was lost has been found, and goes in the second round.
    if (round === 1 && run.lost === undefined) await takeUpUnknown(run);
  }
  const left = run.creations.remaining().map((creation) => toResidue(run, creation, obstacles.get(creation)));
  return [...left, ...strangers];
}

function toResidue(run: Run, creation: Creation, obstacle: Obstacle | undefined): Residue {
  const { operation, path, item, perhaps, state, leaves } = creation;
  const removal = removalOf(run, creation);
  const isRefused = obstacle?.status !== undefined && NOT_POSSIBLE.has(obstacle.status);
  const isAccepted = state === 'there' && (removal === undefined || (leaves !== undefined && isRefused));
  const why = obstacle?.reason ?? 'its address is not known';
  const reason = leaves === undefined ? why : isAccepted ? leaves : `${why} (${leaves})`;
  return { url: `${run.baseUrl}${item ?? perhaps ?? path}`, operation: operation.id, reason, isAccepted };
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function removeOne(run: Run, creation: Creation): Promise<Obstacle | undefined> {
  if (creation.state === 'pending') await takeUpLost(run, creation);
  const { item, state, answered } = creation;
  if (state === 'refused') return undefined;
  if (state === 'pending') {
    const known = answered === undefined ? 'no answer told' : `the answer was ${answered}, which does not tell`;
    return { reason: `${known} whether it was made` };
  }
  const removal = removalOf(run, creation);
  if (removal === undefined) return { reason: 'the description has no way to remove it' };
  if (item === undefined) return { reason: 'the answer did not say where it is' };
  const answer = await callOperation(run, removal, item, 'cleanup', creation.auth);
  if (answer === undefined) return { reason: 'DELETE got no answer' };
  const { status } = answer;
  const reason = `DELETE answered ${status}`;
  if (!isGone(status)) return { reason, status };
  if (await isStillThere(run, creation, item, status)) return { reason: `${reason}, but it is still there`, status };
  run.creations.markRemoved(item);
  return undefined;
}

/** Removed now, or gone before. */
function isGone(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410;
}

/** Reads the item; where there was nothing to remove, the list as well: a 404 may say that there is no such operation. */
async function isStillThere(run: Run, creation: Creation, item: string, status: number): Promise<boolean> {
  const read = routeOf(run.api, item)?.route.operations.get('GET');
  const found = read === undefined ? undefined : await callOperation(run, read, item, 'cleanup', creation.auth);
  const isFound = found !== undefined && found.status >= 200 && found.status < 300;
  return isFound || (status >= 300 && (await isInList(run, creation, item)));
}

async function isInList(run: Run, { operation, path }: Creation, item: string): Promise<boolean> {
  const list = run.api.routes.match(path)?.route.operations.get('GET');
  const items = list === undefined ? undefined : await readPages(run, list, path, MOST_PAGES, 'cleanup');
  return items?.some((other) => isJsonObject(other) && itemOf(run.api, operation, path, other) === item) === true;
}

/**
 * Looks whether what contracts removed is gone. What holds the id of the run is still its own; anything else may be
 * somebody's who got the same key since, and is told and left alone.
 */
async function lookAtRemoved(run: Run): Promise<Residue[]> {
  const strangers: Residue[] = [];
  for (const creation of run.creations.removed()) {
    const { item, operation, leaves } = creation;
    const isOwn = item === undefined ? undefined : await isMarkedAt(run, item, creation);
    if (isOwn === true) run.creations.markThere(creation);
    if (isOwn !== false) continue;
    const reason = 'its removal was confirmed, but something is there, which may be somebody else’s';
    strangers.push({
      url: `${run.baseUrl}${item ?? ''}`,
      operation: operation.id,
      reason,
      isAccepted: leaves !== undefined,
    });
  }
  return strangers;
}

/** How what a creation made goes away again, also where it is not known which item that is. */
function removalOf({ api }: Run, { operation, item }: Creation): Operation | undefined {
  const route = item === undefined ? itemRouteOf(api, operation)?.route : routeOf(api, item)?.route;
  return route?.operations.get('DELETE');
}
