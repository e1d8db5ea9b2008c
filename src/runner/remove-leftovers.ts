import type { Operation } from '../openapi/model';
import { callOperation } from './call-operation';
import type { Creation } from './creation';
import { takeUpLost, takeUpRefused, takeUpUnknown } from './find-lost';
import { doubtAfter, showsNothing } from './is-gone';
import { itemRouteOf, routeOfItem } from './item-routes';
import { callerOf, isNothing, isSuccess, lookAt, type Look } from './look-at-item';
import type { Run } from './run';
import type { Residue } from './run-result';
import { REAL_TIMING } from './timing';

/** There is no such operation here, it asks for more than a path, or a rule is against it. */
const NOT_POSSIBLE: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 422, 501]);

/** Why something is still there, or may be. */
interface Obstacle {
  readonly reason: string;
  /** Of the removal; `undefined` when none came, or nothing was sent. */
  readonly status?: number;
  /** Was nothing sent, because it is not known which thing is the run's own? */
  readonly isUntried?: boolean;
  /** May a later look find another thing, and until when is one worth while? */
  readonly patience?: Patience | undefined;
}

/** Pauses before further looks, in milliseconds. */
type Patience = readonly number[];

/** A service may show for a moment what it was before. */
const SHORT: Patience = [200, 400, 800];
/** What was only accepted is done later (RFC 9110 §15.3.3). */
const LONG: Patience = [...SHORT, 1600, 2500, 2500];
const NO_PATIENCE: Patience = [];

/**
 * Removes what a run made and its contracts did not remove, the latest first; twice, because what others refer to may
 * only go after them. A removal counts when the thing is gone, which is looked at where the description has a way to.
 *
 * @returns what is still there, or may be
 */
export async function removeLeftovers(run: Run): Promise<Residue[]> {
  if (!run.isApi) forgetUnmade(run);
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
    if (round > 1 || run.lost !== undefined) continue;
    await takeUpUnknown(run);
    await takeUpRefused(run);
  }
  await lookLater(run, obstacles);
  const left = run.creations.remaining().map((creation) => toResidue(run, creation, obstacles.get(creation)));
  return [...left, ...strangers];
}

/** Looks again, after pauses, at what was not gone yet, or not there yet; at all of it together. */
async function lookLater(run: Run, obstacles: Map<Creation, Obstacle>): Promise<void> {
  for (const [round, pause] of LONG.entries()) {
    const isStopped = run.signal?.aborted === true && round >= SHORT.length;
    const waiting = [...obstacles].filter(([, { patience = NO_PATIENCE }]) => round < patience.length);
    if (waiting.length === 0 || isStopped || run.lost !== undefined) return;
    await REAL_TIMING.sleep(pause);
    for (const [creation, obstacle] of waiting) {
      const left = await lookAgain(run, creation, obstacle);
      if (left === undefined) obstacles.delete(creation);
      else obstacles.set(creation, left);
    }
  }
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function lookAgain(run: Run, creation: Creation, obstacle: Obstacle): Promise<Obstacle | undefined> {
  const { item, state } = creation;
  if (item === undefined || state !== 'there') return state === 'there' ? obstacle : undefined;
  const look = await lookAt(run, creation, item);
  if (isNothing(obstacle.status)) {
    const isHereAtLast = isSuccess(look?.status);
    return isHereAtLast ? removeOne(run, creation) : obstacle;
  }
  if (!showsNothing(look)) return obstacle;
  run.creations.markRemoved(item);
  return undefined;
}

/** Where no answer of the whole run came from the API, what was answered was made by nobody. */
function forgetUnmade({ creations }: Run): void {
  for (const creation of creations.remaining()) {
    const { item, answered } = creation;
    // Behind a 5xx, and where no answer came at all, something may be at work.
    if (item === undefined && answered !== undefined && answered < 500) creations.markRefused(creation);
  }
}

function toResidue(run: Run, creation: Creation, obstacle: Obstacle | undefined): Residue {
  const { operation, path, item, perhaps, leaves } = creation;
  const isAccepted = isPlanned(run, creation, obstacle);
  const why = obstacle?.reason ?? 'its address is not known';
  const reason = leaves === undefined ? why : isAccepted ? leaves : `${why} (${leaves})`;
  return { url: `${run.baseUrl}${item ?? perhaps ?? path}`, operation: operation.id, reason, isAccepted };
}

/**
 * Is it left as planned: because there is no way to remove it, or because its contract says so and it did not go, or
 * a success did not tell whether it was made?
 */
function isPlanned(run: Run, creation: Creation, obstacle: Obstacle | undefined): boolean {
  const { state, leaves, answered, mayBeOthers } = creation;
  // Where its contract says so and nothing removes it, it is, whether it was made or not.
  if (removalOf(run, creation) === undefined) return state === 'there' || leaves !== undefined;
  if (leaves === undefined || mayBeOthers === true) return false;
  if (state === 'pending') return isSuccess(answered);
  const { isUntried, status } = obstacle ?? {};
  // After a success it is still there, as the contract says.
  return isUntried === true || isSuccess(status) || (status !== undefined && NOT_POSSIBLE.has(status));
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function removeOne(run: Run, creation: Creation): Promise<Obstacle | undefined> {
  if (creation.state === 'pending') await takeUpLost(run, creation);
  const { item, state } = creation;
  if (state === 'refused') return undefined;
  if (state === 'pending') return { reason: openReason(creation) };
  const removal = removalOf(run, creation);
  if (removal === undefined) return { reason: 'the description has no way to remove it' };
  if (item === undefined) return { reason: 'the answer did not say where it is', isUntried: true };
  return removeItem(run, creation, removal, item);
}

/** Removes something after a look whether it is still the run's: a key may be somebody else's by now. */
async function removeItem(
  run: Run,
  creation: Creation,
  removal: Operation,
  item: string,
): Promise<Obstacle | undefined> {
  const before = await lookAt(run, creation, item);
  const reason = (before === undefined ? undefined : whyLeftAlone(before)) ?? whyDoubted(run, before);
  if (reason !== undefined) return { reason, isUntried: reason === NOT_OURS };
  const isGone = creation.isRemovalAnswered === true && showsNothing(before);
  if (!isGone) {
    const answer = await callOperation(run, removal, item, callerOf(creation));
    if (answer === undefined) return { reason: 'DELETE got no answer' };
    const { status } = answer;
    const doubt = await doubtAfter(run, creation, item, status);
    if (doubt !== undefined) {
      // The answer alone had it taken for removed.
      run.creations.markThere(creation);
      return { reason: `DELETE answered ${status}${doubt}`, status, patience: patienceFor(status) };
    }
  }
  run.creations.markRemoved(item);
  return undefined;
}

function patienceFor(status: number): Patience {
  if (status === 202) return LONG;
  return isSuccess(status) || isNothing(status) ? SHORT : NO_PATIENCE;
}

/** Why what a look gave is no reason to remove anything; `undefined` when the run's own is there, or nothing. */
function whyLeftAlone({ evidence, status }: Look): string | undefined {
  if (evidence === 'foreign') return NOT_OURS;
  if (status === undefined) return 'GET got no answer';
  if (isSuccess(status) || isNothing(status)) return undefined;
  return `GET answered ${status}, so that nobody can tell whose it is`;
}

/** The same where a ledger is taken on somebody's word: nothing is removed that does not show whose it is. */
function whyDoubted({ needsEvidence }: Run, look: Look | undefined): string | undefined {
  if (needsEvidence !== true || isNothing(look?.status)) return undefined;
  return look === undefined || look.evidence === 'none' ? NOTHING_TO_TELL_BY : undefined;
}

const NOTHING_TO_TELL_BY =
  'the ledger was not written here, and says nothing that would show that the run made it: it was left alone';
const NOT_OURS = 'what stands there is not what was sent: it may be somebody else’s by now, and was left alone';

function openReason({ answered, mayBeOthers, marked }: Creation): string {
  if (mayBeOthers === true) {
    return `the answer was ${answered ?? 'a success'}, which does not tell whether this run made it or changed somebody else’s`;
  }
  const known = answered === undefined ? 'no answer told' : `the answer was ${answered}, which does not tell`;
  return `${known} whether it was made${marked === true ? '; it was not found, and may still be made' : ''}`;
}

/**
 * Looks whether what contracts removed is gone. What holds the id of the run is still its own; anything else may be
 * somebody's who got the same key since, and is told and left alone.
 */
async function lookAtRemoved(run: Run): Promise<Residue[]> {
  const strangers: Residue[] = [];
  for (const creation of run.creations.removed()) {
    const { item = '', operation, leaves } = creation;
    const look = await lookAt(run, creation, item);
    if (look?.saysGone === true) continue;
    if (look?.evidence === 'marked') run.creations.markThere(creation);
    else if (isSuccess(look?.status)) {
      const reason = 'its removal was confirmed, but something is there, which may be somebody else’s';
      strangers.push({
        url: `${run.baseUrl}${item}`,
        operation: operation.id,
        reason,
        isAccepted: leaves !== undefined,
      });
    }
  }
  return strangers;
}

/** How what a creation made goes away again, also where it is not known which item that is. */
function removalOf({ api }: Run, { operation, path, item }: Creation): Operation | undefined {
  const route = item === undefined ? itemRouteOf(api, operation)?.route : routeOfItem(api, operation, path, item);
  return route?.operations.get('DELETE');
}
