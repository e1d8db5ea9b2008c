import { isJsonObject } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { callOperation } from './call-operation';
import type { Creation } from './creations';
import { itemOf } from './item-place';
import { routeOf } from './item-routes';
import { readList } from './list-pages';
import type { Run } from './run';
import { holdsMark } from './run-mark';

const MOST_PAGES = 50;

/** What a collection has of this run. */
export interface Found {
  /** Paths of the items that hold the id of the run in one of their texts. */
  readonly places: readonly string[];
  /** Is that everything which the collection has? Only then does an item that is not there not exist. */
  readonly isWhole: boolean;
}

/**
 * Looks for what a creation may have made: an item of its collection with the id of the run in one of its texts.
 *
 * @returns `undefined` when the list cannot be read to its end
 */
export async function findMarked(
  run: Run,
  { operation, path, auth }: Pick<Creation, 'operation' | 'path' | 'auth'>,
): Promise<Found | undefined> {
  const list = run.api.routes.match(path)?.route.operations.get('GET');
  if (list === undefined || operation.method !== 'POST') return undefined;
  const read = await readList(run, list, path, MOST_PAGES, 'cleanup', auth);
  if (read === undefined) return undefined;
  const places = read.items.flatMap((item) => {
    const isOwn = isJsonObject(item) && holdsMark(stringifyJson(item), run.runId);
    return isOwn ? (itemOf(run.api, operation, path, item) ?? []) : [];
  });
  return { places, isWhole: read.isWhole };
}

/** A creation without an answer that tells may be in the list; only a whole list says that it never happened. */
export async function takeUpLost(run: Run, creation: Creation): Promise<void> {
  const { perhaps } = creation;
  if (
    perhaps !== undefined &&
    !run.creations.places().includes(perhaps) &&
    (await isMarkedAt(run, perhaps, creation))
  ) {
    run.creations.markFound(creation, perhaps);
    return;
  }
  const found = creation.marked === true ? await findMarked(run, creation) : undefined;
  if (found === undefined) return;
  const known = new Set(run.creations.places());
  const [place] = found.places.filter((candidate) => !known.has(candidate));
  if (place !== undefined) run.creations.markFound(creation, place);
  // An answer with a success was about something, which the list may show without its texts.
  else if (found.isWhole && perhaps === undefined) run.creations.markRefused(creation);
}

/**
 * Looks once through every collection that something was sent to, for what was made although the answer said
 * otherwise, or by a request that was sent twice.
 */
export async function takeUpUnknown(run: Run): Promise<void> {
  const sent = run.creations.posts().filter(({ marked }) => marked === true);
  const collections = new Map(sent.map((creation) => [creation.path, creation]));
  for (const creation of collections.values()) {
    const found = await findMarked(run, creation);
    const known = new Set(run.creations.places());
    const lost = found?.places.filter((place) => !known.has(place)) ?? [];
    for (const place of lost) {
      const { operation, path, auth } = creation;
      run.creations.markFound(run.creations.announce(operation, path, { marked: true, auth }), place);
    }
  }
}

/** Does what stands at a path hold the id of the run? `undefined` where nothing can be read. */
export async function isMarkedAt(run: Run, item: string, { auth }: Creation): Promise<boolean | undefined> {
  const read = routeOf(run.api, item)?.route.operations.get('GET');
  const answer = read === undefined ? undefined : await callOperation(run, read, item, 'cleanup', auth);
  if (answer === undefined || answer.status < 200 || answer.status >= 300) return undefined;
  return answer.body !== undefined && holdsMark(stringifyJson(answer.body), run.runId);
}
