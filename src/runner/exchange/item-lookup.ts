import { equalJson, isJsonObject, ownProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { isMarkedDeleted } from '../../openapi/naming/states';
import type { Creation } from '../ownership/creation';
import { itemPath } from '../ownership/item-location';
import { listFor, routeOf } from '../ownership/item-routes';
import {
  containsRunId,
  type OwnershipEvidence,
  ownershipEvidence,
  ownershipEvidenceIn,
  type SentProperty,
} from '../ownership/sent-content';
import { readList } from './list-pages';
import { callOperation, type CallOptions, type CallResult, undefinedOnError } from './operation-call';
import type { Run } from './run-state';

export interface ItemLookup {
  /** `undefined` when no response came. */
  readonly status: number | undefined;
  /** Whose it is, of what stands there; `none` where nothing could be read. */
  readonly evidence: OwnershipEvidence;
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
  return { status, evidence, isMarkedDeleted: isSuccess(status) && isMarkedDeleted(response.body) };
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

/** A name with the id of the run in it is nobody else's. @param item - its path */
function isNamedByRun(item: string, runId: string): boolean {
  return containsRunId(item.slice(item.lastIndexOf('/') + 1), runId);
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

/** What a collection has of this run. */
interface FoundItems {
  /** Paths of the items that hold the id of the run where it was sent. */
  readonly paths: readonly string[];
  /** Is that everything which the collection has? Only then does an item that is not there not exist. */
  readonly isComplete: boolean;
}

/**
 * Looks for what a creation may have made: an item of its collection with the id of the run where that was sent.
 *
 * @returns `undefined` when the list cannot be read to its end
 */
async function findMarked(
  run: Run,
  creation: Pick<Creation, 'operation' | 'path' | 'auth' | 'session' | 'basedOn'>,
  sent: readonly SentProperty[],
): Promise<FoundItems | undefined> {
  const { operation, path } = creation;
  const list = operation.method === 'POST' ? listFor(run.api, operation, path) : undefined;
  if (list === undefined) return undefined;
  const read = await readList(run, list.operation, list.path, MOST_PAGES, callOptionsOf(creation));
  if (read === undefined) return undefined;
  const paths = read.items.flatMap((item) => {
    const isOwn = isJsonObject(item) && ownershipEvidence(item, sent, run.runId) === 'marked';
    return isOwn ? (itemPath(run.api, operation, path, item) ?? []) : [];
  });
  return { paths, isComplete: read.isComplete };
}

/**
 * A creation without a response that tells may be in the list. Only a whole list says that it never happened, and only
 * after a response that says that nothing is done any more.
 */
export async function adoptUnanswered(run: Run, creation: Creation): Promise<void> {
  const { possibleItem, marked, mayBeOthers, responseStatus, sent = [] } = creation;
  if (marked !== true || mayBeOthers === true) return;
  const known = new Set(run.creations.itemPaths());
  const found = await findMarked(run, creation, sent);
  const named = await markedAt(run, creation, possibleItem);
  const place = [...named, ...(found?.paths ?? [])].find((candidate) => !known.has(candidate));
  const isEnded = responseStatus !== undefined && !STILL_AT_WORK.has(responseStatus);
  if (place !== undefined) run.creations.markFound(creation, place);
  // a response with a success was about something, which the list may show without its texts.
  else if (found?.isComplete === true && isEnded && possibleItem === undefined) run.creations.markRefused(creation);
}

async function markedAt(run: Run, creation: Creation, item: string | undefined): Promise<string[]> {
  const look = item === undefined ? undefined : await lookUpItem(run, creation, item);
  return item !== undefined && look?.evidence === 'marked' ? [item] : [];
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
    const found = await findMarked(run, creation, sent);
    const known = new Set(run.creations.itemPaths());
    const lost = found?.paths.filter((place) => !known.has(place)) ?? [];
    for (const place of lost) {
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
  const { list, operation, path, from } = collection;
  const read = await readList(run, list, path, MOST_PAGES, callOptionsOf(creation));
  return read?.items.some((other) => isJsonObject(other) && itemPath(run.api, operation, from, other) === item);
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
  const path = item.slice(0, item.lastIndexOf('/'));
  const operations = run.api.routes.match(path)?.route.operations;
  const [list, operation] = [operations?.get('GET'), operations?.get('POST')];
  return list === undefined || operation === undefined ? undefined : { path, from: path, list, operation };
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
  const place = located ?? (creation.marked === true ? await markedPlace(run, creation) : undefined);
  if (place !== undefined) run.creations.markFound(creation, place);
}

/** The one place that has the id of the run. */
async function markedPlace(run: Run, creation: Creation): Promise<string | undefined> {
  const { possibleItem } = creation;
  const candidates = creation.candidates ?? (possibleItem === undefined ? [] : [possibleItem]);
  const marked: string[] = [];
  for (const candidate of candidates) {
    if (await isMarked(run, candidate, creation)) marked.push(candidate);
  }
  if (candidates.length === 0) marked.push(...(await listedPaths(run, creation)));
  return marked.length === 1 ? marked[0] : undefined;
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

/** Was it answered with a success that may have made it? What changed something of others is left to them. */
function mayExist({ state, responseStatus = 0, mayBeOthers, operation }: Creation): boolean {
  if (state === 'there') return operation.method === 'POST';
  return state === 'pending' && mayBeOthers !== true && responseStatus >= 200 && responseStatus < 300;
}

/** What this creation alone sent, and nobody has a place for yet. */
async function listedPaths(run: Run, creation: Creation): Promise<readonly string[]> {
  const known = new Set(run.creations.itemPaths());
  const found = await undefinedOnError(() => findMarked(run, creation, creation.sent ?? []));
  return found?.paths.filter((place) => !known.has(place)) ?? [];
}

async function isMarked(run: Run, place: string, creation: Creation): Promise<boolean> {
  return (await undefinedOnError(() => lookUpItem(run, creation, place)))?.evidence === 'marked';
}
