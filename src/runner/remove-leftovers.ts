import { isJsonObject } from '../json/json-value';
import type { Operation } from '../openapi/model';
import { callOperation } from './call-operation';
import { itemOf, type Creation } from './creations';
import { findLost } from './find-lost';
import { itemRouteOf, routeOf } from './item-routes';
import { readPages } from './list-pages';
import type { Run } from './run';
import type { Residue } from './run-result';

const MOST_PAGES = 50;

/**
 * Removes what a run made and its contracts did not remove, the latest first; twice, because what others refer to may
 * only go after them. A removal counts when the thing is gone, which is looked at where the description has a way to.
 *
 * @returns what is still there, or may be
 */
export async function removeLeftovers(run: Run): Promise<Residue[]> {
  const reasons = new Map<Creation, string>();
  const rounds = run.lost === undefined ? 2 : 1;
  for (let round = 1; round <= rounds; round++) {
    for (const creation of run.creations.remaining()) {
      const reason = await removeOne(run, creation);
      if (reason === undefined) reasons.delete(creation);
      else reasons.set(creation, reason);
    }
  }
  return run.creations.remaining().flatMap((creation) => {
    const { operation, path, item, state, leaves } = creation;
    // Nothing has an address of its own there, so that nothing can be left.
    if (item === undefined && itemRouteOf(run.api, operation) === undefined && state === 'there') return [];
    const isAccepted = state === 'there' && (leaves !== undefined || removalOf(run, item) === undefined);
    const reason = leaves ?? reasons.get(creation) ?? 'its address is not known';
    return [{ url: `${run.baseUrl}${item ?? path}`, operation: operation.id, reason, isAccepted }];
  });
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function removeOne(run: Run, creation: Creation): Promise<string | undefined> {
  if (creation.state === 'pending') await takeUpLost(run, creation);
  const { item, state } = creation;
  if (state === 'refused') return undefined;
  if (state === 'pending') return 'no answer told whether it was made';
  if (item === undefined) return 'the answer did not say where it is';
  const removal = removalOf(run, item);
  if (removal === undefined) return 'the description has no way to remove it';
  const answer = await callOperation(run, removal, item, 'cleanup');
  if (answer === undefined) return 'DELETE got no answer';
  const { status } = answer;
  if (!isGone(status)) return `DELETE answered ${status}`;
  if (await isStillThere(run, creation, item, status)) return `DELETE answered ${status}, but it is still there`;
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
  const found = read === undefined ? undefined : await callOperation(run, read, item, 'cleanup');
  const isFound = found !== undefined && found.status >= 200 && found.status < 300;
  const isListed = !isFound && status >= 300 && (await isInList(run, creation, item));
  if (isFound || isListed) run.creations.markThere(item);
  return isFound || isListed;
}

async function isInList(run: Run, { operation, path }: Creation, item: string): Promise<boolean> {
  const list = run.api.routes.match(path)?.route.operations.get('GET');
  const items = list === undefined ? undefined : await readPages(run, list, path, MOST_PAGES, 'cleanup');
  return items?.some((other) => isJsonObject(other) && itemOf(run.api, operation, path, other) === item) === true;
}

/** A creation without an answer may be in the list; that it is not there says that it never happened. */
async function takeUpLost(run: Run, creation: Creation): Promise<void> {
  const known = new Set(run.creations.places());
  const lost = (await findLost(run, creation))?.filter((place) => !known.has(place));
  if (lost === undefined) return;
  const [place] = lost;
  if (place === undefined) run.creations.markRefused(creation);
  else run.creations.markFound(creation, place);
}

function removalOf({ api }: Run, item: string | undefined): Operation | undefined {
  return item === undefined ? undefined : routeOf(api, item)?.route.operations.get('DELETE');
}
