import type { Place } from './place';
import { nameOf } from './description';
import { findWay, firstPageOf, isFiltered, type Walk, walkList } from './walk';

/** Pages: a walk with a small limit meets each item once and ends, and a list that cannot be walked is not cut. */
export async function judgePages(place: Place): Promise<void> {
  const { session, collection, keys } = place;
  const list = collection.list!;
  const way = findWay(list, session);
  if (way.size === undefined || isFiltered(list, way)) return;
  const whole = await walkList(session, collection, keys);
  const known = [...new Set(whole.keys)];
  const isKnown = whole.broken === undefined && whole.hasKeys && whole.hasEnded && known.length > 1;
  const size = isKnown ? chooseSize(session.schemas.flatten(way.size.schema), known.length) : undefined;
  if (size !== undefined) await judgeWalk(place, size, known);
}

async function judgeWalk(place: Place, size: number, known: readonly string[]): Promise<void> {
  const { session, collection, keys } = place;
  const walk = await walkList(session, collection, keys, { size });
  const about = { operation: nameOf(collection.list!), collection, shown: walk.shown };
  if (walk.broken !== undefined) {
    session.tell('pages', 'violated', { ...about, shown: [walk.broken] }, `a page of at most ${size}`);
  } else if (walk.hasWay) {
    session.tell('page size', walk.longest <= size ? 'holds' : 'violated', about, `pages of at most ${size}`);
    const isRight = isWhole(walk, known) || (await isWholeFromZero(place, size, known));
    session.tell('pages', isRight ? 'holds' : 'violated', about, tellWalk(walk, known));
  } else {
    const isRight = isWhole(walk, known);
    session.tell('not cut', isRight ? 'holds' : 'violated', about, `${known.length} items: nothing leads on`);
  }
}

function tellWalk({ keys, hasEnded }: Walk, known: readonly string[]): string {
  const end = hasEnded ? '' : ', without end';
  return `each of ${known.slice(0, 12).join(', ')} once; came: ${keys.slice(0, 12).join(', ')}${end}`;
}

/** A size that needs a few pages, and that the description allows. */
function chooseSize(schema: Readonly<Record<string, unknown>>, count: number): number | undefined {
  const sizes = Array.isArray(schema['enum']) ? schema['enum'].map(Number) : [];
  const wanted = Math.max(1, Math.ceil(count / 4));
  const size = sizes.length > 0 ? Math.min(...sizes) : Math.max(wanted, Number(schema['minimum'] ?? 1));
  return size >= 1 && size < count && size <= Number(schema['maximum'] ?? Infinity) ? size : undefined;
}

function isWhole({ keys, hasEnded }: Walk, known: readonly string[]): boolean {
  return hasEnded && keys.length === known.length && known.every((key) => keys.includes(key));
}

/** Where the description does not say whether pages are counted from 0 or 1, both are right. */
async function isWholeFromZero(
  { session, collection, keys }: Place,
  size: number,
  known: readonly string[],
): Promise<boolean> {
  const { page } = findWay(collection.list!, session);
  if (page === undefined) return false;
  const walk = await walkList(session, collection, keys, { size, firstPage: 1 - firstPageOf(page) });
  return isWhole(walk, known);
}
