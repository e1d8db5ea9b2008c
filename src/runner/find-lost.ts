import { isJsonObject } from '../json/json-value';
import type { Operation } from '../openapi/model';
import type { Creation } from './creation';
import { itemOf } from './item-place';
import { listFor } from './item-routes';
import { readList } from './list-pages';
import { callerOf, isNamedByRun, isSuccess, lookAt } from './look-at-item';
import type { Run } from './run';
import { evidenceOf, type SentMember } from './sent-members';

const MOST_PAGES = 50;
/** Something between says that no answer came in time, or the answer says that it is done later. */
const STILL_AT_WORK: ReadonlySet<number> = new Set([202, 408, 502, 503, 504]);

/** What a collection has of this run. */
export interface Found {
  /** Paths of the items that hold the id of the run where it was sent. */
  readonly places: readonly string[];
  /** Is that everything which the collection has? Only then does an item that is not there not exist. */
  readonly isWhole: boolean;
}

/**
 * Looks for what a creation may have made: an item of its collection with the id of the run where that was sent.
 *
 * @returns `undefined` when the list cannot be read to its end
 */
export async function findMarked(
  run: Run,
  creation: Pick<Creation, 'operation' | 'path' | 'auth' | 'like'>,
  sent: readonly SentMember[],
): Promise<Found | undefined> {
  const { operation, path } = creation;
  const list = operation.method === 'POST' ? listFor(run.api, operation, path) : undefined;
  if (list === undefined) return undefined;
  const read = await readList(run, list.operation, list.path, MOST_PAGES, callerOf(creation));
  if (read === undefined) return undefined;
  const places = read.items.flatMap((item) => {
    const isOwn = isJsonObject(item) && evidenceOf(item, sent, run.runId) === 'marked';
    return isOwn ? (itemOf(run.api, operation, path, item) ?? []) : [];
  });
  return { places, isWhole: read.isWhole };
}

/**
 * A creation without an answer that tells may be in the list. Only a whole list says that it never happened, and only
 * after an answer that says that nothing is done any more.
 */
export async function takeUpLost(run: Run, creation: Creation): Promise<void> {
  const { perhaps, marked, mayBeOthers, answered, sent = [] } = creation;
  if (marked !== true || mayBeOthers === true) return;
  const known = new Set(run.creations.places());
  const found = await findMarked(run, creation, sent);
  const named = await markedAt(run, creation, perhaps);
  const place = [...named, ...(found?.places ?? [])].find((candidate) => !known.has(candidate));
  const isEnded = answered !== undefined && !STILL_AT_WORK.has(answered);
  if (place !== undefined) run.creations.markFound(creation, place);
  // An answer with a success was about something, which the list may show without its texts.
  else if (found?.isWhole === true && isEnded && perhaps === undefined) run.creations.markRefused(creation);
}

async function markedAt(run: Run, creation: Creation, item: string | undefined): Promise<string[]> {
  const look = item === undefined ? undefined : await lookAt(run, creation, item);
  return item !== undefined && look?.evidence === 'marked' ? [item] : [];
}

/**
 * Looks once through every collection that something was sent to, for what was made although the answer said
 * otherwise, or by a request that was sent twice.
 */
export async function takeUpUnknown(run: Run): Promise<void> {
  const posts = run.creations.posts().filter(({ marked }) => marked === true);
  const collections = new Map(posts.map((creation) => [creation.path, creation]));
  for (const creation of collections.values()) {
    const sent = posts.flatMap((post) => (post.path === creation.path ? (post.sent ?? []) : []));
    const found = await findMarked(run, creation, sent);
    const known = new Set(run.creations.places());
    const lost = found?.places.filter((place) => !known.has(place)) ?? [];
    for (const place of lost) {
      const { operation, path, auth, like } = creation;
      run.creations.markFound(run.creations.announce(operation, path, { marked: true, auth, sent, like }), place);
    }
  }
}

/** The same of what was put at a path with the id of the run in its name, which nobody else has. */
export async function takeUpRefused(run: Run): Promise<void> {
  const refused = new Map(run.creations.refusedPaths().map((creation) => [creation.path, creation]));
  for (const [path, creation] of refused) {
    if (!isNamedByRun(path, run.runId) || run.creations.places().includes(path)) continue;
    const look = await lookAt(run, creation, path);
    const { operation, auth, like } = creation;
    if (isSuccess(look?.status)) run.creations.markFound(run.creations.announce(operation, path, { auth, like }), path);
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
  const read = await readList(run, list, path, MOST_PAGES, callerOf(creation));
  return read?.items.some((other) => isJsonObject(other) && itemOf(run.api, operation, from, other) === item);
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
