import { isSafe } from '../../core/http/message';
import { headerValue } from '../../core/http/headers';
import { equalJson, isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { isMarkedDeleted } from '../../openapi/naming/states';
import type { Creation } from '../ownership/creation';
import { listFor, routeOf } from '../ownership/item-routes';
import { listBeside, pathOfRow } from '../ownership/list-rows';
import { isAtOrBelow, isNamedByRun, isSamePath } from '../ownership/path-names';
import {
  containsRunId,
  type OwnershipEvidence,
  ownershipEvidence,
  ownershipEvidenceIn,
  type SentProperty,
} from '../ownership/sent-content';
import { readList } from './list-pages';
import {
  callOperation,
  type CallOptions,
  type CallResult,
  isAnswerForNothing,
  undefinedOnError,
} from './operation-call';
import type { Verdict } from '../result/run-result';
import type { Interaction } from './interaction';
import { pathOf } from './request-guard';
import type { Run } from './run-state';

export interface ItemLookup {
  /** `undefined` when no response came; 404 where the service answers the same for an id that nothing has. */
  readonly status: number | undefined;
  /** Whose it is, of what stands there; `none` where nothing could be read. */
  readonly evidence: OwnershipEvidence;
  /** Does the service answer the same for every key, so that a GET tells nothing of what is there? */
  readonly isBlind?: boolean;
  /** Its entity tag, for what insists on one (RFC 9110 §13.1.1). */
  readonly tag?: string | undefined;
  /** Does what stands there say itself that it was removed? */
  readonly isMarkedDeleted: boolean;
}

/** Reads what stands where a creation put something. @returns `undefined` where the description has no way to */
export async function lookUpItem(run: Run, creation: Creation, item: string): Promise<ItemLookup | undefined> {
  const read = routeOf(run.api, item)?.route.operations.get('GET');
  if (read === undefined) return undefined;
  const response = await callOperation(run, read, item, callOptionsOf(creation));
  if (response === undefined) return { status: undefined, evidence: 'none', isMarkedDeleted: false };
  const { status } = response;
  const evidence = isSuccess(status) ? evidenceAt(run, creation, item, response) : 'none';
  // That a path has the name of the run says whose it is, and not that anything is there.
  const isShown = evidence === 'same' || containsRunId(stringifyJson(response.body ?? null), run.runId);
  if (
    isSuccess(status) &&
    !isShown &&
    (await isAnswerForNothing(run, read, item, response.body, callOptionsOf(creation)))
  )
    return { status: 404, evidence: 'none', isMarkedDeleted: false, isBlind: true };
  const tag = headerValue(response.headers, 'etag');
  const isMarked = isSuccess(status) && isMarkedDeleted(response.body, removalAt(run, item));
  return { status, evidence, tag, isMarkedDeleted: isMarked };
}

/**
 * Why something that the run owns by the word of a response is not changed: what stands there is not what was sent. A
 * service may answer with the id of something else, such as the number of a job. It is looked at once, and again where nothing was found.
 *
 * @returns `undefined` when it may be changed
 */
export async function foreignAt(run: Run, interaction: Interaction): Promise<Verdict | undefined> {
  const { request, place, isWritten } = interaction;
  // What the runner itself removes it has looked at; who wrote a contract knows what its steps make.
  if (isSafe(request.method) || place === undefined || isWritten === true) return undefined;
  const creation = run.creations.makerOf(pathOf(run, request));
  const item = creation?.item;
  if (creation === undefined || item === undefined || !isToBeSeen(creation)) return undefined;
  const look = await undefinedOnError(() => lookUpItem(run, creation, item));
  if (look?.evidence !== 'foreign') {
    // Where nothing is, something of others may come to be.
    creation.isVerified = !isAbsentStatus(look?.status);
    return undefined;
  }
  run.creations.markOthers(creation, item);
  const reason = `what stands at ${item} is not what was sent: it may be somebody else’s`;
  return { kind: 'skipped', reason, cause: 'mode' };
}

/** Another caller may not be let to read what he made. */
function isToBeSeen({ isVerified, auth = 'valid' }: Creation): boolean {
  return isVerified !== true && auth === 'valid';
}

/** As a creation was sent, so it is looked at and removed: by whom, and with what stands beside the path. */
export function callOptionsOf({
  auth,
  session = auth,
  basedOn,
}: Pick<Creation, 'auth' | 'session' | 'basedOn'>): CallOptions {
  return { phase: 'cleanup', caller: session, basedOn };
}

export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** There is nothing, or there is no such operation. */
export function isAbsentStatus(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

function evidenceAt(
  run: Run,
  { sent = [], changed = [], marked }: Creation,
  item: string,
  { body }: CallResult,
): OwnershipEvidence {
  const isDoubted = run.needsEvidence === true;
  if (!isDoubted && isNamedByRun(item, run.runId)) return 'marked';
  if (body === undefined) return 'none';
  if (sent.length > 0) return ownershipEvidenceIn(body, [...sent, ...changed], run.runId);
  if (isDoubted || marked !== true) return 'none';
  return containsRunId(stringifyJson(body), run.runId) ? 'same' : 'foreign';
}

const MOST_PAGES = 50;
/** Something between says that no response came in time, or the response says that it is done later. */
const STILL_AT_WORK: ReadonlySet<number> = new Set([202, 408, 502, 503, 504]);

/** A row of a list. */
interface Row {
  readonly path: string;
  readonly item: JsonValue;
}

/** Rows of a collection that came to be since the run first wrote there, and that it has no place for yet. */
interface NewRows {
  readonly rows: readonly Row[];
  /** Rows at addresses that were there before. */
  readonly known: readonly Row[];
  /** Is that everything which is new? Only then does an item that is not there not exist. */
  readonly isComplete: boolean;
}

type Searched = Pick<Creation, 'operation' | 'path' | 'auth' | 'session' | 'basedOn' | 'possibleItem'>;

/**
 * Looks for what a creation may have made. That a row holds the id of the run proves nothing: a request that changes many
 * rows writes it into rows of others. A row is new where the list was read to its end before the first write and did not
 * have it, or where its name has the id of the run.
 *
 * @returns `undefined` when the list cannot be read
 */
async function findNewRows(run: Run, creation: Searched): Promise<NewRows | undefined> {
  const { operation, path: from, possibleItem } = creation;
  const found = listBeside(run.api, operation, from);
  if (found === undefined) return undefined;
  // Of a list that was not read to its end nothing is proven to be new.
  if (!run.creations.known.isWhole(found.path) && !run.creations.owns(found.path)) return undefined;
  const manner = callOptionsOf(creation);
  const place = { list: found.operation, path: found.path, operation, from, manner };
  const read = await undefinedOnError(() => readList(run, place.list, place.path, MOST_PAGES, manner));
  if (read === undefined) return undefined;
  const { creations, runId } = run;
  const taken = creations.itemPaths().filter((path) => path !== possibleItem);
  const removed = new Set(creations.removed().flatMap((gone) => gone.item ?? []));
  const known: Row[] = [];
  const rows = read.items.flatMap((item, index) => {
    const path = pathOfRow(run.api, place, item, read.keys[index]);
    if (path === undefined || (removed.has(path) && isMarkedDeleted(item, removalAt(run, path)))) return [];
    if (!removed.has(path) && taken.some((other) => isSamePath(other, path))) return [];
    const isBelowOwn = creations.owns(place.path) && isAtOrBelow(path, place.path);
    const isNew = creations.known.isNew(path, place.path) || isBelowOwn || isNamedByRun(path, runId);
    if (creations.known.has(path)) known.push({ path, item });
    return isNew && !creations.known.has(path) ? [{ path, item }] : [];
  });
  return { rows, known, isComplete: read.isComplete };
}

function removalAt({ api }: Run, path: string): Operation | undefined {
  return routeOf(api, path)?.route.operations.get('DELETE');
}

/** The rows that hold the id of the run where it was sent. */
function markedRows({ runId }: Run, { rows }: Pick<NewRows, 'rows'>, sent: readonly SentProperty[]): string[] {
  return rows.flatMap(({ path, item }) => (ownershipEvidence(item, sent, runId) === 'marked' ? [path] : []));
}

/** Where what a creation made stands, by what is new in the list. */
function placeAmong(run: Run, creation: Creation, fresh: NewRows): string | undefined {
  const { possibleItem, candidates, marked, mayBeOthers, sent = [] } = creation;
  const told = candidates ?? (possibleItem === undefined ? [] : [possibleItem]);
  const named = fresh.rows.filter(({ path }) => told.some((place) => isSamePath(place, path)));
  // What a response named, and what was not there before it.
  if (named.length === 1) return named[0]?.path;
  if (mayBeOthers === true || told.length > 0) return undefined;
  // A row with the same content may be somebody else's.
  return marked === true ? markedRows(run, fresh, sent)[0] : undefined;
}

/**
 * A creation without a response that tells may be in the list. Only a whole list says that it never happened, and only
 * after a response that says that nothing is done any more.
 */
export async function adoptUnanswered(run: Run, creation: Creation): Promise<void> {
  const { possibleItem, marked, mayBeOthers, sent = [] } = creation;
  const fresh = await findNewRows(run, creation);
  const looked = marked === true && mayBeOthers !== true ? await markedAt(run, creation, possibleItem) : undefined;
  const place = looked ?? (fresh === undefined ? undefined : placeAmong(run, creation, fresh));
  // The key of a row of others may have been given out again, or the row was changed.
  const [doubtful] = fresh === undefined ? [] : markedRows(run, { rows: fresh.known }, sent);
  if (place !== undefined) run.creations.markFound(creation, place);
  else if (doubtful !== undefined) run.creations.markOthers(creation, doubtful);
  else if (fresh !== undefined && creation.state === 'pending' && isRefuted(run, creation, fresh))
    run.creations.markRefused(creation);
}

/** Does the list say that a creation never happened? */
function isRefuted(run: Run, creation: Creation, fresh: NewRows): boolean {
  const { operation, path, possibleItem, marked, mayBeOthers, responseStatus, sent = [] } = creation;
  // A response with a success was about something, which the list may show without its texts.
  if (!fresh.isComplete || possibleItem !== undefined || mayBeOthers === true) return false;
  if (responseStatus === undefined || STILL_AT_WORK.has(responseStatus)) return false;
  // A list that never showed anything of the run may hide it.
  const list = listBeside(run.api, operation, path)?.path;
  if (!run.creations.known.isTelling(list)) return false;
  return marked === true ? markedRows(run, fresh, sent).length === 0 : fresh.rows.length === 0;
}

async function markedAt(run: Run, creation: Creation, item: string | undefined): Promise<string | undefined> {
  if (item === undefined || run.creations.known.has(item)) return undefined;
  return (await isMarked(run, item, creation)) ? item : undefined;
}

/**
 * Looks once through every collection that something was sent to, for what was made although the response said
 * otherwise, or by a request that was sent twice.
 */
export async function adoptUnreported(run: Run): Promise<void> {
  const posts = run.creations.posts().filter(({ marked }) => marked === true);
  const collections = new Map(posts.map((creation) => [creation.path, creation]));
  for (const creation of collections.values()) {
    const sent = posts.flatMap((post) => (post.path === creation.path ? (post.sent ?? []) : []));
    const fresh = await findNewRows(run, creation);
    const all = fresh === undefined ? [] : [...fresh.rows, ...fresh.known];
    const told = run.creations.itemPaths();
    const rows = all.filter(({ path }) => !told.some((other) => isSamePath(other, path)));
    for (const place of markedRows(run, { rows }, sent)) {
      const { operation, path, auth, session, basedOn } = creation;
      run.creations.adopt(operation, path, { marked: true, auth, session, sent, basedOn }, place);
    }
  }
}

/** The same of what was put at a path with the id of the run in its name, which nobody else has. */
export async function adoptRejected(run: Run): Promise<void> {
  const rejected = new Map(run.creations.refusedPaths().map((creation) => [creation.path, creation]));
  for (const [path, creation] of rejected) {
    if (!isNamedByRun(path, run.runId) || run.creations.itemPaths().includes(path)) continue;
    const look = await lookUpItem(run, creation, path);
    const { operation, auth, session, basedOn } = creation;
    if (isSuccess(look?.status)) run.creations.adopt(operation, path, { auth, session, basedOn }, path);
  }
}

/**
 * Is an item in the list of its collection?
 *
 * @returns `undefined` where there is no such list, or it cannot be read
 */
export async function isListed(run: Run, creation: Creation, item: string): Promise<boolean | undefined> {
  const collection = collectionOf(run, creation, item);
  if (collection === undefined) return undefined;
  const manner = callOptionsOf(creation);
  const read = await readList(run, collection.list, collection.path, MOST_PAGES, manner);
  const isThere = read?.items.some((other, index) => pathOfRow(run.api, collection, other, read.keys[index]) === item);
  return isThere === true || read?.isCut !== true ? isThere : undefined;
}

interface Collection {
  readonly path: string;
  /** Where its items are made. */
  readonly from: string;
  /** Reads it. */
  readonly list: Operation;
  /** Makes items of it. */
  readonly operation: Operation;
}

/** The collection that an item stands in: where a POST was sent, or above what a PUT made. */
export function collectionOf(run: Run, creation: Creation, item: string): Collection | undefined {
  if (creation.operation.method === 'POST') {
    const list = listFor(run.api, creation.operation, creation.path);
    return list && { path: list.path, from: creation.path, list: list.operation, operation: creation.operation };
  }
  const above = listBeside(run.api, creation.operation, item);
  return above && { path: above.path, from: item, list: above.operation, operation: creation.operation };
}

/**
 * Where a response does not tell what was made, or names several places for it, what has the id of the run is it: the
 * others are somebody else's. It is looked for at the places that the response names, and where it names none in the list.
 * Without an id of the run in its body it is only known where its Location shows all the keys that the response had.
 */
export async function locateCreation(run: Run, creation: Creation | undefined): Promise<void> {
  if (creation === undefined || creation.item !== undefined || !mayExist(creation)) return;
  // What the run made besides has its id as well.
  const located = await locatedPlace(run, creation);
  const place = located ?? (await provenPlace(run, creation));
  if (place !== undefined) run.creations.markFound(creation, place);
}

/** The one place that the response names which has the id of the run, or the one that is new in the list. */
async function provenPlace(run: Run, creation: Creation): Promise<string | undefined> {
  const { possibleItem, marked, mayBeOthers } = creation;
  const candidates = creation.candidates ?? (possibleItem === undefined ? [] : [possibleItem]);
  const isLooked = marked === true && mayBeOthers !== true;
  const marks: string[] = [];
  for (const candidate of isLooked ? candidates : []) {
    if ((await markedAt(run, creation, candidate)) !== undefined) marks.push(candidate);
  }
  if (marks.length > 0) return marks.length === 1 ? marks[0] : undefined;
  const fresh = await findNewRows(run, creation);
  return fresh === undefined ? undefined : placeAmong(run, creation, fresh);
}

/** Where Location leads, if that shows all the keys that the response had, and what was marked has its mark there. */
async function locatedPlace(run: Run, creation: Creation): Promise<string | undefined> {
  const { located, marked } = creation;
  const read = located && routeOf(run.api, located.item)?.route.operations.get('GET');
  if (located === undefined || read === undefined) return undefined;
  const { item, keys } = located;
  const shown = await undefinedOnError(() => callOperation(run, read, item, callOptionsOf(creation)));
  if (shown === undefined || !isSuccess(shown.status) || !isJsonObject(shown.body)) return undefined;
  const { body } = shown;
  const isSame = Object.entries(keys).every(([name, key]) => equalJson(ownProperty(body, name) ?? null, key));
  return isSame && (marked !== true || evidenceAt(run, creation, item, shown) === 'marked') ? item : undefined;
}

/** Was it answered with a success that may have made it, or with a redirect to it? */
function mayExist({ state, responseStatus = 0, operation }: Creation): boolean {
  if (state === 'there') return operation.method === 'POST';
  return state === 'pending' && responseStatus >= 200 && responseStatus < 400;
}

async function isMarked(run: Run, place: string, creation: Creation): Promise<boolean> {
  return (await undefinedOnError(() => lookUpItem(run, creation, place)))?.evidence === 'marked';
}
