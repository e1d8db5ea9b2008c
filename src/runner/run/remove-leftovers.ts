import { foldedName } from '../../core/text/inflection';
import type { Operation } from '../../openapi/model/operation';
import {
  adoptRejected,
  adoptUnanswered,
  adoptUnreported,
  callOptionsOf,
  collectionOf,
  isAbsentStatus,
  isListed,
  isSuccess,
  type ItemLookup,
  lookUpItem,
} from '../exchange/item-lookup';
import { callOperation, type CallOptions } from '../exchange/operation-call';
import type { Run } from '../exchange/run-state';
import type { Creation } from '../ownership/creation';
import { isAtOrBelow } from '../ownership/path-names';
import { wasSent } from '../ownership/sent-content';
import { itemRouteOf, listFor, routeOfItem } from '../ownership/item-routes';
import type { Residue } from '../result/run-result';
import { REAL_TIMING } from '../transport/timing';
import type { ProgressCounter } from './progress-counter';

/** There is no such operation here, it asks for more than a path, or a rule is against it. */
const NOT_POSSIBLE: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 422, 501]);

interface Obstacle {
  readonly reason: string;
  /** Of the removal; `undefined` when none came, or nothing was sent. */
  readonly status?: number;
  /** Was nothing sent, because it is not known which thing is the run's own? */
  readonly isNotAttempted?: boolean;
  /** May a later look find another thing, and until when is one worth while? */
  readonly delays?: readonly number[];
}

/** Pauses before further looks, in milliseconds: a service may show for a moment what it was before. */
const SHORT_DELAYS: readonly number[] = [200, 400, 800];
/** What was only accepted is done later (RFC 9110 §15.3.3). */
const LONG_DELAYS = [...SHORT_DELAYS, 1600, 2500, 2500];

/**
 * Removes what a run made and its contracts did not remove, the latest first; twice, because what others refer to may
 * only go after them. A removal counts when the thing is gone, which is looked at where the description has a way to.
 *
 * @returns what is still there, or may be
 */
export async function removeLeftovers(run: Run, progress?: ProgressCounter): Promise<Residue[]> {
  if (!run.hasApiResponse) dropNeverCreated(run);
  const { creations } = run;
  progress?.begin('removal', creations.removed().length + creations.remaining().length);
  const obstacles = new Map<Creation, Obstacle>();
  const strangers = run.targetError === undefined ? await verifyRemoved(run, progress) : [];
  const rounds = run.targetError === undefined ? 2 : 1;
  for (let round = 1; round <= rounds; round++) {
    await removeRemaining(run, obstacles, round === 1 ? progress : undefined);
    // What nobody knew of is looked for after what was lost has been found, and goes in the second round.
    if (round > 1 || run.targetError !== undefined) continue;
    await adoptUnreported(run);
    await adoptRejected(run);
  }
  await checkLater(run, obstacles);
  const left = run.creations.remaining().map((creation) => toResidue(run, creation, obstacles.get(creation)));
  return [...left, ...strangers, ...unseenRefusals(run)];
}

/** After the service went away: each path whose refused creations could no longer be checked in the list. */
function unseenRefusals({ api, creations, targetError, hasApiResponse, baseUrl }: Run): Residue[] {
  if (targetError === undefined || !hasApiResponse) return [];
  const refused = creations.posts().filter(({ state, marked, operation, path }) => {
    return state === 'refused' && marked === true && listFor(api, operation, path) !== undefined;
  });
  const reason = 'creations were refused here, and the list could not be read again to see that nothing came of them';
  return [...new Map(refused.map((creation) => [creation.path, creation])).values()].map(({ path, operation }) => {
    return { url: `${baseUrl}${path}`, operation: operation.id, reason, isAccepted: false };
  });
}

async function removeRemaining(
  run: Run,
  obstacles: Map<Creation, Obstacle>,
  progress: ProgressCounter | undefined,
): Promise<void> {
  for (const creation of run.creations.remaining()) {
    const obstacle = await removeOne(run, creation);
    if (obstacle === undefined) obstacles.delete(creation);
    else obstacles.set(creation, obstacle);
    progress?.removalTried(creation.item ?? creation.path);
  }
}

/** Looks again, after pauses, at what was not gone yet, or not there yet; at all of it together. */
async function checkLater(run: Run, obstacles: Map<Creation, Obstacle>): Promise<void> {
  for (const [round, pause] of LONG_DELAYS.entries()) {
    const isStopped = run.signal?.aborted === true && round >= SHORT_DELAYS.length;
    const waiting = [...obstacles].filter(([, { delays = [] }]) => round < delays.length);
    if (waiting.length === 0 || isStopped || run.targetError !== undefined) return;
    await REAL_TIMING.sleep(pause);
    for (const [creation, obstacle] of waiting) {
      const left = await checkAgain(run, creation, obstacle);
      if (left === undefined) obstacles.delete(creation);
      else obstacles.set(creation, left);
    }
  }
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function checkAgain(run: Run, creation: Creation, obstacle: Obstacle): Promise<Obstacle | undefined> {
  const { item, state } = creation;
  if (item === undefined || state !== 'there') return state === 'there' ? obstacle : undefined;
  const look = await lookUpItem(run, creation, item);
  if (isAbsentStatus(obstacle.status)) {
    return isSuccess(look?.status) ? removeOne(run, creation) : obstacle;
  }
  if (!showsAbsence(look)) return obstacle;
  run.creations.markRemoved(item);
  return undefined;
}

/** Where no response of the whole run came from the API, what was answered was made by nobody. */
function dropNeverCreated({ creations }: Run): void {
  for (const creation of creations.remaining()) {
    const { item, responseStatus } = creation;
    // Behind a 5xx, and where no response came at all, something may be at work.
    if (item === undefined && responseStatus !== undefined && responseStatus < 500) creations.markRefused(creation);
  }
}

function toResidue(run: Run, creation: Creation, obstacle: Obstacle | undefined): Residue {
  const { operation, path, item, possibleItem, leaves } = creation;
  const isAccepted = isPlanned(run, creation, obstacle);
  const why = obstacle?.reason ?? 'its address is not known';
  const reason = leaves === undefined ? why : isAccepted ? leaves : `${why} (${leaves})`;
  return { url: `${run.baseUrl}${item ?? possibleItem ?? path}`, operation: operation.id, reason, isAccepted };
}

/**
 * Is it left as planned: because there is no way to remove it, or because its contract says so and it did not go, or
 * a success did not tell whether it was made?
 */
function isPlanned(run: Run, creation: Creation, obstacle: Obstacle | undefined): boolean {
  const { state, leaves, responseStatus, mayBeOthers } = creation;
  // Where its contract says so and nothing removes it, it is, whether it was made or not.
  if (removalOf(run, creation) === undefined) return state === 'there' || leaves !== undefined;
  if (leaves === undefined || mayBeOthers === true) return false;
  if (state === 'pending') return isSuccess(responseStatus);
  const { isNotAttempted, status } = obstacle ?? {};
  // After a success it is still there, as the contract says.
  return isNotAttempted === true || isSuccess(status) || (status !== undefined && NOT_POSSIBLE.has(status));
}

/** @returns why it is still there, or may be; `undefined` when it is gone */
async function removeOne(run: Run, creation: Creation): Promise<Obstacle | undefined> {
  const isUnplaced = creation.state === 'there' && creation.item === undefined;
  if (creation.state === 'pending' || isUnplaced) await adoptUnanswered(run, creation);
  const { item, state } = creation;
  // It may have gone with another one at the same place.
  if (state === 'refused' || state === 'removed') return undefined;
  if (state === 'pending') return { reason: pendingReason(creation) };
  const removal = removalOf(run, creation);
  if (removal === undefined) return { reason: 'the description has no way to remove it' };
  if (item === undefined) return { reason: 'the response did not say where it is', isNotAttempted: true };
  return removeItem(run, creation, removal, item);
}

/** Removes something after a look whether it is still the run's: a key may be somebody else's by now. */
async function removeItem(
  run: Run,
  creation: Creation,
  removal: Operation,
  item: string,
): Promise<Obstacle | undefined> {
  const before = await lookUpItem(run, creation, item);
  const obstacle = obstacleIn(run, creation, before);
  if (obstacle !== undefined) return obstacle;
  const isGone = creation.isRemovalConfirmed === true && showsAbsence(before);
  if (!isGone) {
    const response = await callOperation(run, removal, item, withTag(callOptionsOf(creation), before?.tag));
    if (response === undefined) return { reason: 'DELETE got no response' };
    const { status } = response;
    const doubt = await removalDoubt(run, creation, item, status);
    if (doubt !== undefined) {
      // The response alone had it taken for removed.
      run.creations.markExisting(creation);
      return { reason: `DELETE returned ${status}${doubt}`, status, delays: delaysFor(status) };
    }
  }
  run.creations.markRemoved(item);
  return undefined;
}

/** Of a removal that insists on it: the entity tag that was just seen. */
function withTag(options: CallOptions, tag = '*'): CallOptions {
  const { query = [], headers = [] } = options.basedOn ?? {};
  return { ...options, basedOn: { query, headers: ['If-Match', tag, ...headers] } };
}

function delaysFor(status: number): readonly number[] {
  if (status === 202) return LONG_DELAYS;
  return isSuccess(status) || isAbsentStatus(status) ? SHORT_DELAYS : [];
}

/** Why what a look gave is not a reason to remove anything; `undefined` when the run's own is there, or nothing. */
function obstacleIn(
  { needsEvidence = false }: Run,
  { isRemovalConfirmed }: Creation,
  look: ItemLookup | undefined,
): Obstacle | undefined {
  // A ledger that is taken on somebody's word: nothing is removed that does not show whose it is.
  if (look === undefined) return needsEvidence ? NO_EVIDENCE : undefined;
  const { evidence, status } = look;
  if (evidence === 'foreign') return NOT_OURS;
  if (isAbsentStatus(status)) return undefined;
  if (!isSuccess(status)) return { reason: unclearReason(status) };
  // After a removal that was accepted somebody else may have the same key.
  if (isRemovalConfirmed === true && evidence === 'none') return NOT_OURS;
  return needsEvidence && evidence !== 'marked' ? NO_EVIDENCE : undefined;
}

function unclearReason(status: number | undefined): string {
  if (status === undefined) return 'GET got no response';
  const unclear = `GET returned ${status}, which does not show whose it is`;
  return status === 401 ? `${unclear}: the key of the run is needed` : unclear;
}

const NO_EVIDENCE: Obstacle = {
  reason: 'the ledger was not written here, and says nothing that would show that the run made it: it was left alone',
};
const NOT_OURS: Obstacle = {
  reason: 'what stands there is not what was sent: it may be somebody else’s by now, and was left alone',
  isNotAttempted: true,
};

function pendingReason({ responseStatus, mayBeOthers, marked }: Creation): string {
  if (mayBeOthers === true) {
    return `the response was ${responseStatus ?? 'a success'}, which does not show whether this run made it or changed somebody else’s`;
  }
  const known =
    responseStatus === undefined ? 'no response showed' : `the response was ${responseStatus}, which does not show`;
  return `${known} whether it was made${marked === true ? '; it was not found, and may still be made' : ''}`;
}

/**
 * Looks whether what contracts removed is gone. What holds the id of the run is still its own; anything else may be
 * somebody's who got the same key since, and is reported and left alone.
 */
async function verifyRemoved(run: Run, progress: ProgressCounter | undefined): Promise<Residue[]> {
  const strangers: Residue[] = [];
  for (const creation of run.creations.removed()) {
    const { item = '', operation, leaves } = creation;
    const look = await lookUpItem(run, creation, item);
    progress?.absenceChecked(item);
    if (look?.isMarkedDeleted === true) continue;
    if (look?.evidence === 'marked') run.creations.markExisting(creation);
    else if (await isStillThere(run, creation, look)) {
      const isSame = look?.evidence === 'same';
      const reason = `its removal was confirmed, but ${isSame ? 'what was sent is there still' : 'something is there, which may be somebody else’s'}`;
      const url = `${run.baseUrl}${item}`;
      strangers.push({ url, operation: operation.id, reason, isAccepted: leaves !== undefined });
    }
  }
  return strangers;
}

/** What is below a thing that only says that it was removed went with it. */
async function isStillThere(run: Run, creation: Creation, look: ItemLookup | undefined): Promise<boolean> {
  const { item = '' } = creation;
  if (!isSuccess(look?.status) && !(await isListedBlindly(run, creation, look))) return false;
  for (const above of run.creations.removed()) {
    const { item: place = '' } = above;
    const isAbove = place !== '' && place !== item && isAtOrBelow(item, place);
    if (isAbove && (await lookUpItem(run, above, place))?.isMarkedDeleted === true) return false;
  }
  return true;
}

async function isSeenGone(run: Run, creation: Creation, look: ItemLookup | undefined): Promise<boolean> {
  return showsAbsence(look) && !(await isListedBlindly(run, creation, look));
}

/** Where a GET answers the same for every key: is it in the list all the same? */
async function isListedBlindly(run: Run, creation: Creation, look: ItemLookup | undefined): Promise<boolean> {
  return look?.isBlind === true && (await isListed(run, creation, creation.item ?? '')) === true;
}

/** How what a creation made goes away again, also where it is not known which item that is. */
function removalOf({ api }: Run, { operation, path, item }: Creation): Operation | undefined {
  const route = item === undefined ? itemRouteOf(api, operation)?.route : routeOfItem(api, operation, path, item);
  return route?.operations.get('DELETE');
}

/**
 * Looks whether something is gone. A success is believed where there is nothing to look at; a 404 is not, because a
 * gateway without a service behind it says so of everything.
 *
 * @param status - of the removal
 * @returns what speaks against it, to go on after the status; `undefined` when it is gone
 */
async function removalDoubt(run: Run, creation: Creation, item: string, status: number): Promise<string | undefined> {
  const isDone = isSuccess(status);
  if (!isDone && !isAbsentStatus(status)) return '';
  const isConfirmed = isDone || creation.isRemovalConfirmed === true;
  const look = await lookUpItem(run, creation, item);
  if (isConfirmed && (await isSeenGone(run, creation, look))) return undefined;
  const isListedStill = isSuccess(look?.status) || (await isListed(run, creation, item));
  if (isListedStill === true) return ', but it is still there';
  if (isListedStill === false) return doubtUnseen(run, creation, look, status);
  if (look !== undefined || collectionOf(run, creation, item) !== undefined)
    return ', and no other response shows whether it is gone';
  return doubtUnobservable(isConfirmed, status);
}

/** Where the description has no way to look. */
function doubtUnobservable(isConfirmed: boolean, status: number): string | undefined {
  return isConfirmed && status !== 202 ? undefined : ', and there is no way to see whether it is gone';
}

/** Did it go with what it was made in, which the run removed: what it stands below, or what a property of it named? */
function wentWithAnother(run: Run, { item = '', sent = [] }: Creation): boolean {
  return run.creations.removed().some(({ item: place = '' }) => {
    const [collection = '', key = ''] = place.split('/').slice(-2).map(decodeURIComponent);
    // A key that is no number and long is nothing else by chance, whatever the property is called.
    const isDistinctive = /^(?=.*\D)\S{8,}$/.test(key);
    const isNaming = (name: string): boolean => isDistinctive || foldedName(name).includes(foldedName(collection));
    const naming = sent.filter(({ at }) => isNaming(at.split('/').at(-1) ?? ''));
    return place !== item && (isAtOrBelow(item, place) || wasSent(naming, key, run.runId));
  });
}

/** Was it answered to be made, and never found where it was to stand? A service may show it later than it says so. */
function doubtUnseen(run: Run, creation: Creation, look: ItemLookup | undefined, status: number): string | undefined {
  if (look === undefined || creation.wasSeen === true || !isAbsentStatus(status)) return undefined;
  if (wentWithAnother(run, creation)) return undefined;
  return ', and no response ever showed it: it may be elsewhere, or still come to be';
}

/** Is there nothing to be seen, or something that says that it was removed? */
function showsAbsence(look: ItemLookup | undefined): boolean {
  return look !== undefined && (look.isMarkedDeleted || isAbsentStatus(look.status));
}
