import { HarnessError } from '../errors/harness-error';
import type { RawHeaders } from '../http/message';
import type { SendOptions } from '../http/transport';
import type { Operation } from '../openapi/model';
import { credentials } from './credentials';
import type { Creation } from './creations';
import { findLost } from './find-lost';
import { acceptOf, makeRequest } from './interaction';
import { itemRouteOf, routeOf } from './item-routes';
import type { Run } from './run';
import type { Residue } from './run-result';

const DESPITE_INTERRUPT: SendOptions = { despiteInterrupt: true };

/**
 * Removes what a run made and its contracts did not remove, the latest first; twice, because what others refer to may
 * only go after them. A removal counts when the thing is gone, which is looked at where the description has a way to.
 *
 * @returns what is still there, or may be
 */
export async function removeLeftovers(run: Run): Promise<Residue[]> {
  const reasons = new Map<Creation, string>();
  for (let round = 1; round <= 2; round++) {
    for (const creation of run.creations.remaining()) {
      const reason = await removeOne(run, creation);
      if (reason === undefined) reasons.delete(creation);
      else reasons.set(creation, reason);
    }
  }
  return run.creations.remaining().flatMap((creation) => {
    const { operation, path, item, state } = creation;
    // Nothing has an address of its own there, so that nothing can be left.
    if (item === undefined && itemRouteOf(run.api, operation) === undefined && state === 'there') return [];
    const isAccepted = state === 'there' && removalOf(run, item) === undefined;
    const reason = reasons.get(creation) ?? 'its address is not known';
    return [{ url: `${run.baseUrl}${item ?? path}`, operation: operation.id, reason, isAccepted }];
  });
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function removeOne(run: Run, creation: Creation): Promise<string | undefined> {
  if (creation.state === 'pending') await takeUpLost(run, creation);
  const { item, state } = creation;
  if (item === undefined) {
    return state === 'pending' ? 'no answer told whether it was made' : 'the answer did not say where it is';
  }
  const removal = removalOf(run, item);
  if (removal === undefined) return 'the description has no way to remove it';
  const answer = await statusOf(run, 'DELETE', item, removal);
  if (typeof answer !== 'number') return answer;
  if (answer !== 404 && answer !== 410 && (answer < 200 || answer >= 300)) return `DELETE answered ${answer}`;
  const read = routeOf(run.api, item)?.route.operations.get('GET');
  if (read !== undefined) {
    const found = await statusOf(run, 'GET', item, read);
    if (typeof found === 'number' && found >= 200 && found < 300)
      return `DELETE answered ${answer}, but it is still there`;
  }
  run.creations.markRemoved(item);
  return undefined;
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

/** @returns the status, or why there is none */
async function statusOf(run: Run, method: string, path: string, operation: Operation): Promise<number | string> {
  try {
    const headers: RawHeaders = ['Accept', acceptOf(run.api, operation), ...credentials(run, operation, 'valid')];
    return (await run.transport.send(makeRequest(run, method, path, headers, undefined), DESPITE_INTERRUPT)).status;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return run.redact(`${method} got no answer: ${error.message}`);
  }
}
